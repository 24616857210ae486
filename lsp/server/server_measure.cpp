// The command mca.measureRegion of server.h: runs the instructions of a loop on this machine and shows their cycles
// beside the predicted ones.
//
// A job of the worker lists the instructions as its simulation has them. Then mca-measure runs them: it is a program of
// its own, as neither the worker nor the server may run code of a document. It does so only at a user's request, and
// only for a document that the user trusts.
#include "analysis/files/folders.h"
#include "lsp/protocol/conversions.h"
#include "lsp/server/measure_run.h"
#include "lsp/server/server.h"
#include "lsp/wording/measured_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <ctime>

namespace lsp {

using protocol::ErrorCode;
using wording::ShownLoop;

namespace {

bool hasComputedJump(const AnalysedRegion &path) {
  return std::ranges::any_of(path.region.transfers, [](const analysis::wire::Transfer &one) {
    return one.kind == analysis::wire::Transfer::Kind::IndirectJump;
  });
}

} // namespace

/// Why a measurement is not even tried; empty if it is.
std::string Server::whyNotMeasured(const Document &document, bool isTrusted) const {
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
  if (cannotCompile(document.uri()))
    return "the buffer has unsaved changes: save it first";
  if (calibrating_)
    return "this CPU is being calibrated";
  return isMeasuring() ? "another region is being measured" : "";
}

bool Server::isMeasuring() const {
  const auto isListing = [](const auto &job) { return job.first.kind == JobKind::Listing; };
  return measuring_ || std::ranges::any_of(sideJobs_, isListing);
}

/// The reply follows the run. Until the worker's job is over, an edit cancels it, since the position may then mean
/// another region.
void Server::measureRegion(const Json &arguments, JsonReply reply) {
  const protocol::PositionParams place = protocol::placeArguments(arguments);
  const bool isTrusted = protocol::flagArgument(arguments, "trusted");
  const Document &document = analysedDocument(place.uri);
  if (const std::string why = whyNotMeasured(document, isTrusted); !why.empty())
    return reply.fail(ErrorCode::RequestFailed, why);
  dropHeadJobs();
  const JobKey job{place.uri, JobKind::Listing, nextSideJob_++};
  sideJobs_.emplace(job, SideJob{.cpus = {},
                                 .offset = document.text().offsetOf(place.position, client_.capabilities.encoding),
                                 .reply = std::move(reply),
                                 .progress = progress_.open(kMeasureProgress, "Measuring a region", document.path())});
  scheduler_.scheduleNow(job);
}

void Server::listingFinished(const std::string &uri, SideJob sideJob, const Analysis &analysis) {
  const ShownLoop loop = wording::loopAt(analysis, std::as_const(documents_).at(uri).text(), sideJob.offset,
                                         [](const AnalysedRegion &) { return true; });
  if (loop.empty() || loop.front()->edited)
    return sideJob.reply->fail(ErrorCode::RequestFailed, "no region that was simulated stands on this line");
  Measuring run{.uri = uri,
                .title = wording::titleOf(*loop.front()),
                .cpu = analysis.target.cpu,
                .paths = {},
                .reply = std::move(*sideJob.reply),
                .progress = std::move(sideJob.progress)};
  for (const AnalysedRegion *path : loop)
    run.paths.push_back(*path);
  progress_.update(kMeasureProgress, run.title);
  measuring_.emplace(std::move(run));
  if (std::ranges::any_of(measuring_->paths, hasComputedJump))
    return measured(std::vector(loop.size(), PathMeasured{{}, "it jumps to a computed address"}));
  measurer_.start(measureArguments(options_.measure, analysis.target), measuredText(loop),
                  [this](const CommandEnd &end) { measureFinished(end); });
}

void Server::measureFinished(const CommandEnd &end) {
  auto read = readMeasurements(end.output, measuring_->paths.size());
  if (auto *paths = std::get_if<std::vector<PathMeasured>>(&read))
    return measured(std::move(*paths));
  const std::string last = lastMessageOf(end, {"mca-measure: ", "error: "});
  const std::string why = end.status == 0 ? std::get<std::string>(read)
                          : last.empty()  ? "mca-measure ended without a reply"
                                          : "mca-measure: " + last;
  cancelMeasuring(nullptr, ErrorCode::RequestFailed, why);
}

/// A refusal is a message to the user: the reply alone would be seen by none.
void Server::measured(std::vector<PathMeasured> results) {
  const Measuring run = std::move(*measuring_);
  measuring_.reset();
  Analysis &analysis = documents_.at(run.uri).analysis();
  Json paths = Json::array();
  for (size_t i = 0; i < run.paths.size(); ++i) {
    const AnalysedRegion &path = run.paths[i];
    auto &[measurement, refused] = results[i];
    Json one{{"path", path.region.path}, {"predicted", cyclesOf(path)}};
    if (refused.empty()) {
      one.update({{"cycles", cyclesPerSourceIteration(measurement.cycles, path.region.sourceIterations)},
                  {"spread", measurement.spread},
                  {"form", measurement.form},
                  {"ownBranch", measurement.hasOwnBranch},
                  {"furtherPages", measurement.furtherPages},
                  {"symbols", measurement.symbols},
                  {"cpu", measurement.cpu}});
      measurement.predictedFor = run.cpu;
      measurement.when = static_cast<uint64_t>(std::max<std::time_t>(std::time(nullptr), 0));
      analysis.setMeasurement(path.simulation->id, std::move(measurement));
    } else {
      one["refused"] = refused;
      client_.showMessage(protocol::MessageType::Warning,
                          "mca-lsp: " + wording::longNameOf(path.region) + " cannot be measured: " + refused);
    }
    paths.push_back(std::move(one));
  }
  run.reply({{"region", run.title}, {"predictedFor", run.cpu}, {"paths", std::move(paths)}});
  refreshHints();
  scheduleHeadAnalysis();
}

/// Returns whether a measurement was waiting or running, of this request or, without one, of any.
bool Server::cancelMeasuring(const protocol::RequestId *id, ErrorCode code, const std::string &why) {
  const auto isIt = [&](const JsonReply &reply) { return !id || reply.id() == *id; };
  const auto job = std::ranges::find_if(
      sideJobs_, [&](const auto &one) { return one.first.kind == JobKind::Listing && isIt(*one.second.reply); });
  if (job == sideJobs_.end() && !(measuring_ && isIt(measuring_->reply)))
    return false;
  if (job != sideJobs_.end()) {
    scheduler_.forget(job->first);
    sideJobs_.extract(job).mapped().reply->fail(code, why);
    scheduleHeadAnalysis();
    return true;
  }
  measurer_.cancel();
  const JsonReply reply = std::move(measuring_->reply);
  measuring_.reset();
  reply.fail(code, why);
  scheduleHeadAnalysis();
  return true;
}

} // namespace lsp
