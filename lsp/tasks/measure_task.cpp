// The command mca.measureRegion: runs the instructions of a loop on this machine and shows their cycles beside the
// predicted ones.
//
// A job of the worker lists the instructions as its simulation has them. Then mca-measure runs them: it is a program of
// its own, as neither the worker nor the server may run code of a document. It does so only at a user's request, and
// only for a document that the user trusts.
#include "analysis/files/folders.h"
#include "lsp/tasks/measure_program.h"
#include "lsp/tasks/task.h"
#include "lsp/wording/measured_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <ctime>
#include <utility>

namespace lsp {
namespace {

using protocol::ErrorCode;
using protocol::Json;
using wording::ShownLoop;

bool hasComputedJump(const AnalysedRegion &path) {
  return std::ranges::any_of(path.region.transfers, [](const analysis::wire::Transfer &one) {
    return one.kind == analysis::wire::Transfer::Kind::IndirectJump;
  });
}

class MeasureTask final : public Task {
public:
  MeasureTask(const Tasks &all, TaskContext &context)
      : Task(all, context,
             {.command = "mca.measureRegion",
              .title = "Measuring a region",
              .again = "another region is being measured",
              .whyBusy = "a region is being measured"}) {
    context_.commands.request(kind().command, this, &MeasureTask::start);
  }

  void fail(ErrorCode code, const std::string &why) override {
    if (const auto job = std::exchange(listing_, std::nullopt))
      context_.jobs.side().cancel(*job);
    Task::fail(code, why);
  }
  void documentClosed(const std::string &uri) override {
    if (isRunning() && uri == uri_)
      fail(ErrorCode::RequestCancelled, "the document was closed");
  }

private:
  std::string whyNot(const Document &document, bool isTrusted) const;
  void start(const protocol::MeasureRegionArguments &arguments, JsonReply reply);
  void listed(const Analysis &analysis, uint32_t offset);
  void finished(const CommandEnd &ended);
  void measured(std::vector<PathMeasured> results);
  Json showPath(const AnalysedRegion &path, PathMeasured &result);

  // Of the running measurement.
  std::string uri_; ///< of the document
  std::optional<JobKey> listing_;
  std::string title_;                 ///< of the loop
  std::string cpu_;                   ///< that the prediction is for
  std::vector<AnalysedRegion> paths_; ///< in their order in the input
};

/// Why a measurement is not even tried; empty if it is.
std::string MeasureTask::whyNot(const Document &document, bool isTrusted) const {
  const analysis::wire::TargetSummary &target = document.analysis().target;
  if (target.triple.empty())
    return "the document has not been analysed yet";
  if (std::string why = wording::whyNotMeasurable(target.triple); !why.empty())
    return why;
  if (!document.isLocalFile())
    return "measuring runs the document's code, and it is no file of this machine: save it into a folder that you "
           "trust";
  if (!isTrusted && !analysis::liesInAnyOf(document.path(), document.settings().worker.trustedFolders))
    return "measuring runs the document's code, and its folder is not trusted: put the folder into mca.trustedFolders, "
           "in the editor's initializationOptions or on the command line, or trust it in the editor";
  if (context_.workspace.awaitsSave(document.uri()))
    return "the buffer has unsaved changes: save it first";
  return whyBusy();
}

/// The reply follows the run. Until the worker's job is over, an edit cancels it, since the position may then mean
/// another region.
void MeasureTask::start(const protocol::MeasureRegionArguments &arguments, JsonReply reply) {
  const Document &document = context_.workspace.analysed(arguments.uri);
  if (const std::string why = whyNot(document, arguments.trusted); !why.empty())
    return reply.fail(ErrorCode::RequestFailed, why);
  begin(std::move(reply), document.path());
  uri_ = arguments.uri;
  const uint32_t offset = document.text().offsetOf(arguments.position, context_.client.capabilities.encoding);
  const auto done = [this, offset](const SideJobs::Outcome &outcome) {
    listing_.reset();
    if (const auto *failure = std::get_if<SideJobs::Failure>(&outcome))
      return fail(failure->code, failure->why);
    listed(std::get<Analysis>(outcome), offset);
  };
  if (const JobKey job = context_.jobs.side().add(uri_, JobKind::Listing, {}, done); isRunning())
    listing_ = job; // otherwise the content is set aside, and it has failed
}

void MeasureTask::listed(const Analysis &analysis, uint32_t offset) {
  const ShownLoop loop = wording::loopAt(analysis, std::as_const(context_.workspace).documents.at(uri_).text(), offset,
                                         [](const AnalysedRegion &) { return true; });
  if (loop.empty() || loop.front()->edited)
    return fail(ErrorCode::RequestFailed, "no region on this line was simulated");
  title_ = wording::titleOf(*loop.front());
  cpu_ = analysis.target.cpu;
  paths_.clear();
  std::vector<std::string> codes;
  for (const AnalysedRegion *path : loop) {
    paths_.push_back(*path);
    codes.push_back(path->region.runnable);
  }
  showProgress(title_);
  if (std::ranges::any_of(paths_, hasComputedJump))
    return measured(std::vector(loop.size(), PathMeasured{{}, "it jumps to a computed address"}));
  run(measureArguments(context_.programs.measure, analysis.target), measuredText(codes),
      [this](const CommandEnd &end) { finished(end); });
}

void MeasureTask::finished(const CommandEnd &ended) {
  auto read = readMeasurements(ended.output, paths_.size());
  if (auto *paths = std::get_if<std::vector<PathMeasured>>(&read))
    return measured(std::move(*paths));
  const std::string last = lastMessageOf(ended, {"mca-measure: ", "error: "});
  const std::string why = ended.status == 0 ? std::get<std::string>(read)
                          : last.empty()    ? "mca-measure ended without a reply"
                                            : "mca-measure: " + last;
  fail(ErrorCode::RequestFailed, why);
}

void MeasureTask::measured(std::vector<PathMeasured> results) {
  const Run run = end();
  Json paths = Json::array();
  for (size_t i = 0; i < paths_.size(); ++i)
    paths.push_back(showPath(paths_[i], results[i]));
  run.reply({{"region", title_}, {"predictedFor", cpu_}, {"paths", std::move(paths)}});
  context_.jobs.updateHints();
}

/// Shows the result in the hint, and returns its part of the reply. A refusal is a message to the user: the reply alone
/// would be seen by none.
Json MeasureTask::showPath(const AnalysedRegion &path, PathMeasured &result) {
  auto &[measurement, refused] = result;
  Json one{{"path", path.region.path}, {"predicted", cyclesOf(path)}};
  if (!refused.empty()) {
    one["refused"] = refused;
    context_.client.showMessage(protocol::MessageType::Warning,
                                "mca-lsp: " + wording::longNameOf(path.region) + " cannot be measured: " + refused);
    return one;
  }
  one.update({{"cycles", cyclesPerSourceIteration(measurement.cycles, path.region.sourceIterations)},
              {"spread", measurement.spread},
              {"form", measurement.form},
              {"ownBranch", measurement.hasOwnBranch},
              {"furtherPages", measurement.furtherPages},
              {"symbols", measurement.symbols},
              {"cpu", measurement.cpu}});
  measurement.predictedFor = cpu_;
  measurement.when = static_cast<uint64_t>(std::max<std::time_t>(std::time(nullptr), 0));
  context_.workspace.documents.at(uri_).analysis().setMeasurement(path.simulation->id, std::move(measurement));
  return one;
}

} // namespace

std::unique_ptr<Task> makeMeasureTask(const Tasks &all, TaskContext &context) {
  return std::make_unique<MeasureTask>(all, context);
}

} // namespace lsp
