#include "lsp/server/advise_command.h"

#include "analysis/files/folders.h"
#include "lsp/wording/advice_text.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/measured_text.h"

#include <algorithm>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::Language;
using protocol::ErrorCode;

namespace {

constexpr const char *kCommand = "mca.advise";
/// Variants of one document that are analysed at once.
constexpr size_t kAtOnce = 2;
constexpr const char *kNotTrusted = "timing runs the document's code, which has to be for x86-64 and in a folder that "
                                    "you trust: put the folder into mca.trustedFolders, or trust it in the editor";

protocol::Json adviceJson(const Advice &advice) {
  std::string id;
  for (const analysis::wire::Candidate &part : advice.parts)
    id += (id.empty() ? "" : "+") + part.id;
  protocol::Json json = {{"id", id},
                         {"label", wording::nameOf(advice.label())},
                         {"words", wording::adviceLine(advice)},
                         {"cyclesPerIteration", advice.cycles},
                         {"factor", advice.factor}};
  if (advice.measured && advice.measured->isKnown())
    json["measured"] = advice.measured->factor();
  return json;
}

} // namespace

AdviseCommand::AdviseCommand(boost::asio::io_context &io, const std::string &measureProgram, MethodTable &commands,
                             Client &client, ProgressReporter &progress, Workspace &workspace, DocumentJobs &jobs,
                             VirtualContents &contents)
    : client_(client), progress_(progress), workspace_(workspace), jobs_(jobs), contents_(contents),
      same_(io, measureProgram), measure_(io, measureProgram) {
  commands.request(kCommand, this, &AdviseCommand::start);
}

/// The line of the hint there, or of the smallest loop around.
std::optional<uint32_t> AdviseCommand::lineOfLoop(const Document &document, uint32_t offset) const {
  using analysis::wire::RegionKind;
  const wording::ShownLoop loop =
      wording::loopAt(document.analysis(), document.text(), offset, [](const AnalysedRegion &one) {
        return one.region.kind == RegionKind::Loop || one.region.kind == RegionKind::Path;
      });
  return loop.empty() || loop.front()->anchorEdited
             ? std::nullopt
             : std::optional(document.text().lineOf(loop.front()->region.anchor));
}

/// The reply follows the search.
void AdviseCommand::start(const protocol::AdviseArguments &arguments, JsonReply reply) {
  const Document &document = std::as_const(workspace_.analysed(arguments.uri));
  const auto refuse = [&](const std::string &why) { reply.fail(ErrorCode::RequestFailed, why); };
  if (!document.settings().advice)
    return refuse("the setting mca.advice is off");
  if (document.language() == Language::Assembly)
    return refuse("advice is about loops of C and C++: of assembly nothing can be compiled in another way");
  if (!document.analysed())
    return refuse("the document has not been analysed yet");
  if (workspace_.awaitsSave(arguments.uri))
    return refuse("the buffer has unsaved changes: save it first");
  const std::optional<uint32_t> line =
      lineOfLoop(document, document.text().offsetOf(arguments.position, client_.capabilities.encoding));
  if (!line)
    return refuse("no loop on this line was simulated");
  // Comparing results and timing run the document's code.
  const bool mayRun =
      wording::whyNotMeasurable(document.analysis().target.triple).empty() && document.isLocalFile() &&
      (arguments.trusted || analysis::liesInAnyOf(document.path(), document.settings().worker.trustedFolders));
  if (arguments.measured && !mayRun)
    return refuse(kNotTrusted);
  fail(ErrorCode::RequestCancelled, "another loop is tried");
  ++searches_;
  const std::string name = document.path().substr(document.path().rfind('/') + 1);
  analysis::wire::AnalyzeRequest request = jobs_.inputs().requestFor(document);
  request.reuseCompiled = true;
  search_.emplace(
      Search{.reply = std::move(reply),
             .progress = progress_.open(kCommand, wording::kAdviceQuestion, name + ":" + std::to_string(*line + 1), 0),
             .run = AdviceRun(std::move(request), *line, mayRun, arguments.measured),
             .uri = arguments.uri,
             .line = *line,
             .edits = workspace_.baselines.textState(arguments.uri).edits});
  goOn();
}

/// Starts what can be started, or ends the search. A job may end at once, and the search with it.
void AdviseCommand::goOn() {
  const uint64_t search = searches_;
  while (search == searches_ && search_ && search_->running.size() < kAtOnce) {
    std::optional<AdviceRun::Step> step = search_->run.next();
    if (!step)
      break;
    const size_t number = step->number;
    search_->running.emplace(number, JobKey());
    const JobKey job = jobs_.side().addVariant(
        search_->uri, std::move(step->request),
        [this, search, number](SideJobs::VariantOutcome outcome) { finished(search, number, std::move(outcome)); });
    if (search == searches_ && search_ && search_->running.contains(number))
      search_->running[number] = job;
  }
  if (search != searches_ || !search_ || !search_->running.empty() || !search_->run.isOver())
    return;
  if (search_->run.isOutdated())
    return fail(ErrorCode::ContentModified,
                "a file that it is compiled from has changed: save the document, and ask again");
  search_->checks = search_->run.checks();
  std::ranges::reverse(search_->checks);
  checkNext();
}

/// Runs the next two versions, or ends the search. No job of the search is left that an edit could drop.
void AdviseCommand::checkNext() {
  if (workspace_.baselines.textState(search_->uri).edits != search_->edits)
    return fail(ErrorCode::ContentModified, "the document changed");
  if (search_->checks.empty()) {
    search_->timings = search_->run.timings();
    std::ranges::reverse(search_->timings);
    return measureNext();
  }
  const AdviceRun::Check check = search_->checks.back();
  search_->checks.pop_back();
  progress_.update(kCommand, "comparing results");
  same_.start(*check.now, *check.then, [this, number = check.number](SameResults results) {
    search_->run.takeCheck(number, std::move(results));
    checkNext();
  });
}

/// Times the next two versions, or ends the search.
void AdviseCommand::measureNext() {
  if (workspace_.baselines.textState(search_->uri).edits != search_->edits)
    return fail(ErrorCode::ContentModified, "the document changed");
  if (search_->timings.empty())
    return end();
  const AdviceRun::Timing timing = search_->timings.back();
  search_->timings.pop_back();
  progress_.update(kCommand, "timing on this machine");
  measure_.start(*timing.now, *timing.then, [this, number = timing.number](MeasuredGain gain) {
    search_->run.takeMeasured(number, std::move(gain));
    measureNext();
  });
}

/// A job that is dropped, as an edit or another setting has it, ends the search. One that the worker died of is a
/// change that cannot be tried.
void AdviseCommand::finished(uint64_t search, size_t step, SideJobs::VariantOutcome outcome) {
  if (search != searches_ || !search_)
    return;
  search_->running.erase(step);
  const auto *failure = std::get_if<SideJobs::Failure>(&outcome);
  if (failure && failure->code != ErrorCode::RequestFailed)
    return fail(failure->code, failure->why);
  search_->run.take(step, failure ? std::nullopt : std::optional(std::get<AnalysisResult>(std::move(outcome))));
  const size_t done = search_->run.done(), known = search_->run.known();
  progress_.update(kCommand, std::to_string(done) + " of " + std::to_string(known) + " versions analysed",
                   static_cast<unsigned>(100 * done / std::max(known, done)));
  goOn();
}

void AdviseCommand::end() {
  AdviceReport report = search_->run.report();
  Document &document = workspace_.analysed(search_->uri);
  // Simulations for several CPUs have other ids than those of the search, which are for one.
  const bool isComparable = report.failure.empty() && document.settings().worker.cpus.empty();
  if (isComparable && !document.analysis().hasLoop(report.anchor, report.simulation))
    return fail(ErrorCode::ContentModified,
                "its hint is of other code than is compiled now: save the document, and ask again");
  Search search = std::move(*search_);
  search_.reset();
  const std::string name = document.path().substr(document.path().rfind('/') + 1);
  const std::string uri = contents_.show({analysis::wire::DocumentKind::Advice, search.uri, search.line},
                                         wording::adviceDocument(report, name));
  Json advice = Json::array();
  for (const Advice &one : report.advice)
    advice.push_back(adviceJson(one));
  search.reply({{"uri", uri}, {"loop", report.loop}, {"line", search.line}, {"advice", std::move(advice)}});
  document.analysis().setAdvice(std::move(report));
  if (client_.capabilities.showDocument)
    client_.request("window/showDocument", {{"uri", uri}, {"takeFocus", false}});
}

void AdviseCommand::fail(ErrorCode code, const std::string &why) {
  if (!search_)
    return;
  Search search = std::move(*search_);
  search_.reset();
  for (const auto &[step, job] : search.running)
    jobs_.side().cancel(job);
  same_.cancel();
  measure_.cancel();
  search.reply.fail(code, why);
}

bool AdviseCommand::cancel(const protocol::RequestId &id) {
  const bool isIt = search_ && search_->reply.id() == id;
  if (isIt)
    fail(ErrorCode::RequestCancelled, "the request was cancelled");
  return isIt;
}

void AdviseCommand::cancelByUser(const std::string &command) {
  if (command == kCommand)
    fail(ErrorCode::RequestCancelled, "ended by the user");
}

void AdviseCommand::drop(const std::string &why) {
  fail(ErrorCode::RequestCancelled, why);
}

void AdviseCommand::documentClosed(const std::string &uri) {
  if (search_ && search_->uri == uri)
    fail(ErrorCode::RequestCancelled, "the document was closed");
}

} // namespace lsp
