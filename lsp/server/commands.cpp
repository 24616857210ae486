#include "lsp/server/commands.h"

#include "lsp/check/check_json.h"
#include "lsp/system/system.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/profile_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <unistd.h>

namespace lsp {

using analysis::wire::DocumentKind;
using protocol::ErrorCode;
using protocol::InvalidParams;

namespace {

/// In the order of analysis::wire::CpuModel, which the wire's codec has checked.
constexpr const char *kModelNames[] = {"own", "borrowed", "none"};

/// Rounded down.
std::string mebibytes(uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

protocol::Json cpuJson(const std::string &cpu, double cycles, double ipc, const std::string &remark) {
  return {{"cpu", cpu}, {"cycles", cycles}, {"ipc", ipc}, {"remark", remark}};
}

} // namespace

Commands::Commands(MethodTable &commands, Client &client, Workspace &workspace, DocumentJobs &jobs,
                   DocumentFeatures &features, VirtualContents &contents)
    : client_(client), workspace_(workspace), jobs_(jobs), features_(features), contents_(contents) {
  commands.request("mca.showReport", this, &Commands::show<DocumentKind::Report>);
  commands.request("mca.showAssembly", this, &Commands::show<DocumentKind::Assembly>);
  commands.request("mca.compareCpus", this, &Commands::compareCpus);
  commands.request("mca.nextPath", this, &Commands::nextPath);
  commands.request("mca.setCpu", this, &Commands::setCpu);
  commands.request("mca.setCommand", this, &Commands::setCommand);
  commands.request("mca.nextPredictor", this, &Commands::nextPredictor);
  commands.request("mca.toggleHints", this, &Commands::toggleHints);
  commands.request("mca.showHotLoops", this, &Commands::showHotLoops);
  commands.request("mca.exportJson", this, &Commands::exportJson);
  commands.request("mca.listCpus", this, &Commands::listCpus);
  commands.request("mca.restartWorker", this, &Commands::restartWorker);
  commands.request("mca.showMemory", this, &Commands::showMemory);
}

// ---- about a place in a document -----------------------------------------------------------------------------------

template <DocumentKind kind>
void Commands::show(const protocol::PlaceArguments &place, JsonReply reply) {
  workspace_.analysed(place.uri);
  const std::string spelling = contents_.open({kind, place.uri, place.position.line});
  reply({{"uri", spelling}});
  if (client_.capabilities.showDocument)
    client_.request("window/showDocument", {{"uri", spelling}, {"takeFocus", false}});
}

/// The reply follows the job. An edit cancels it, since the position may then mean another region.
void Commands::compareCpus(const protocol::CompareCpusArguments &arguments, JsonReply reply) {
  const std::string &uri = arguments.uri;
  const Document &document = workspace_.analysed(uri);
  std::vector<std::string> cpus = arguments.cpus.value_or(document.settings().worker.cpus);
  if (cpus.empty())
    throw InvalidParams("no CPU to compare with: the argument cpus and the setting mca.cpus are empty");
  if (workspace_.awaitsSave(uri))
    return reply.fail(ErrorCode::RequestFailed, "the buffer has unsaved changes: save it first");
  const uint32_t offset = document.text().offsetOf(arguments.position, client_.capabilities.encoding);
  // Shared because std::function must be copyable, and a Reply is not.
  jobs_.side().add(
      uri, JobKind::OtherCpus, std::move(cpus),
      [this, uri, offset, reply = std::make_shared<JsonReply>(std::move(reply))](const SideJobs::Outcome &outcome) {
        if (const auto *failure = std::get_if<SideJobs::Failure>(&outcome))
          return reply->fail(failure->code, failure->why);
        replyOtherCpus(uri, offset, std::get<Analysis>(outcome), *reply);
      });
}

/// The reply has the buffer's own CPU first, with the numbers of the same job. All are LLVM's, so that they can be
/// compared.
void Commands::replyOtherCpus(const std::string &uri, uint32_t offset, const Analysis &analysis,
                              const JsonReply &reply) const {
  const Text &text = std::as_const(workspace_).documents.at(uri).text();
  const auto isCompared = [](const AnalysedRegion &one) { return !one.simulation->otherCpus.empty(); };
  const wording::ShownLoop loop = wording::loopAt(analysis, text, offset, isCompared);
  const auto compared = std::ranges::find_if(loop, [&](const AnalysedRegion *path) { return isCompared(*path); });
  if (compared == loop.end())
    return reply.fail(ErrorCode::RequestFailed, "no region on this line was simulated");
  const AnalysedRegion *region = *compared;
  const double cycles = cyclesPerSourceIteration(llvmCycles(*region->simulation), region->region.sourceIterations);
  Json cpus = Json::array({cpuJson(analysis.target.cpu, cycles, llvmIpc(*region->simulation), "")});
  for (const analysis::wire::CpuSummary &cpu : region->simulation->otherCpus)
    cpus.push_back(
        cpuJson(cpu.cpu, cyclesPerSourceIteration(cpu.cycles, region->region.sourceIterations), cpu.ipc, cpu.remark));
  reply(
      {{"region", fullName(region->region)}, {"line", text.lineOf(region->region.anchor)}, {"cpus", std::move(cpus)}});
}

/// Of the loop whose numbers the line's hint shows. An analysis has the numbers of all paths, so none is started.
void Commands::nextPath(const protocol::PlaceArguments &place, JsonReply reply) {
  Document &document = workspace_.analysed(place.uri);
  const uint32_t line = place.position.line;
  const auto lines = wording::loopsByLine(document.analysis(), document.text(), line, line);
  if (lines.empty() || lines.begin()->second.front().size() == 1)
    return reply.fail(ErrorCode::RequestFailed, "no hint on this line is of a loop with several paths");
  const wording::ShownLoop &loop = lines.begin()->second.front();
  document.analysis().choosePath(loop.front()->region.loop);
  const auto chosen = std::ranges::find_if(loop, &AnalysedRegion::chosen);
  reply({{"path", chosen == loop.end() ? 0 : chosen - loop.begin() + 1}, {"paths", loop.size()}});
  jobs_.updateFindings(document);
  jobs_.updateHints();
}

// ---- choices for the session ---------------------------------------------------------------------------------------

/// For one document, or without `uri` for all.
void Commands::setCpu(const protocol::SetCpuArguments &arguments, JsonReply reply) {
  constexpr const char *kWhy = "another CPU was chosen";
  if (!arguments.uri.empty())
    workspace_.analysed(arguments.uri);
  jobs_.inputs().chooseCpu(arguments.uri, arguments.cpu);
  if (arguments.uri.empty())
    jobs_.reanalyseAll(kWhy);
  else
    jobs_.reanalyse(arguments.uri, kWhy);
  reply({{"cpu", arguments.cpu}});
}

/// The choice is among the commands of the last analysis: before it there is none.
void Commands::setCommand(const protocol::SetCommandArguments &arguments, JsonReply reply) {
  const auto &[uri, command] = arguments;
  const std::vector<std::string> &known = workspace_.analysed(uri).analysis().target.commands;
  if (!command.empty() && std::ranges::find(known, command) == known.end())
    throw InvalidParams("no command of the document is the one " + command);
  jobs_.inputs().chooseCommand(uri, command);
  jobs_.reanalyse(uri, "another compile command was chosen");
  reply({{"command", command}});
}

/// Of the predictors that the settings know, those that tell most of a loop. Without measurements `measured` is the
/// same as `tage`, so that the next one comes after that.
void Commands::nextPredictor(const protocol::UriParams &arguments, JsonReply reply) {
  constexpr std::array<const char *, 3> kPredictors{"tage", "perfect", "measured"};
  const Document &document = workspace_.analysed(arguments.uri);
  std::string now = jobs_.inputs().predictorOf(document);
  const auto isMeasured = [](const AnalysedRegion &one) { return one.flow && one.flow->predictor == "measured"; };
  if (now.empty() || (now == "measured" && std::ranges::none_of(document.analysis().regions, isMeasured)))
    now = kPredictors.front();
  const auto known = std::ranges::find(kPredictors, now);
  const char *next = known == kPredictors.end() || known + 1 == kPredictors.end() ? kPredictors.front() : *(known + 1);
  jobs_.inputs().choosePredictor(arguments.uri, next);
  jobs_.schedule(arguments.uri);
  reply({{"predictor", next}});
}

void Commands::toggleHints(const protocol::NoParams &, JsonReply reply) {
  reply({{"enabled", features_.toggleHints()}});
  jobs_.updateHints();
}

/// Those of all open documents, the hottest first.
void Commands::showHotLoops(const protocol::NoParams &, JsonReply reply) {
  std::vector<std::pair<std::string, wording::HotLine>> found; // with the document's URI
  for (const auto &[uri, document] : std::as_const(workspace_).documents)
    for (wording::HotLine &line : wording::hotLines(document.analysis(), document.text())) {
      line.path = document.path().empty() ? uri : document.path();
      found.emplace_back(uri, std::move(line));
    }
  std::ranges::stable_sort(found, std::greater(), [](const auto &one) { return one.second.share; });
  Json loops = Json::array();
  std::vector<wording::HotLine> lines;
  for (auto &[uri, line] : found) {
    loops.push_back({{"uri", uri},
                     {"line", line.line},
                     {"share", line.share},
                     {"name", line.name},
                     {"label", line.label},
                     {"limit", line.limit}});
    lines.push_back(std::move(line));
  }
  reply({{"text", wording::hotLinesText(lines)}, {"loops", std::move(loops)}});
}

void Commands::exportJson(const protocol::UriParams &arguments, JsonReply reply) {
  const Document &document = workspace_.analysed(arguments.uri);
  if (!document.analysed())
    return reply.fail(ErrorCode::RequestFailed, "the document has not been analysed yet");
  reply.withText(analysisText(document));
}

// ---- about the workers ---------------------------------------------------------------------------------------------

/// For the triple of the document's last analysis, else of its settings; without a document, of the user's settings.
void Commands::listCpus(const protocol::ListCpusArguments &arguments, JsonReply reply) {
  std::string triple = workspace_.configuration.usersSettings().worker.triple;
  if (arguments.uri) {
    const Document &document = workspace_.analysed(*arguments.uri);
    const std::string &analysed = document.analysis().target.triple;
    triple = analysed.empty() ? document.settings().worker.triple : analysed;
  }
  jobs_.listCpus(triple, [reply = std::make_shared<JsonReply>(std::move(reply))](
                             const std::optional<analysis::wire::CpusResult> &result) {
    if (!result)
      return reply->fail(ErrorCode::RequestFailed, "the worker did not answer");
    Json cpus = Json::array();
    for (const analysis::wire::CpuName &cpu : result->cpus)
      cpus.push_back({{"name", cpu.name}, {"model", kModelNames[static_cast<size_t>(cpu.model)]}});
    (*reply)({{"triple", result->triple}, {"cpus", std::move(cpus)}});
  });
}

void Commands::restartWorker(const protocol::NoParams &, JsonReply reply) {
  jobs_.restartWorkers();
  reply(nullptr);
}

/// Resident memory, as the system reports it.
void Commands::showMemory(const protocol::NoParams &, JsonReply reply) {
  std::string workers;
  for (const int pid : jobs_.workerPids())
    workers += (workers.empty() ? "" : " and ") + mebibytes(system::residentBytes(pid));
  reply("mca-lsp: " + mebibytes(system::residentBytes(getpid())) +
        ", mca-worker: " + (workers.empty() ? "not running" : workers));
}

} // namespace lsp
