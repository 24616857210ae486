// Jobs of server.h beside the documents' own.
//
// The version in git HEAD is analysed when every document's own job is over, and its job is dropped as soon as another
// one is scheduled. A job on other CPUs is a user's request and waits its turn.
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using protocol::ErrorCode;
using protocol::Json;

namespace {

/// In bytes. Longer texts are not compared with HEAD.
constexpr uint32_t kMaxHeadBytes = 1u << 20;

std::string nameOf(JobKind kind) {
  return kind == JobKind::Head ? "git HEAD of" : kind == JobKind::Listing ? "the instructions of" : "other CPUs for";
}

Json cpuJson(const std::string &cpu, double cycles, double ipc, const std::string &remark) {
  return {{"cpu", cpu}, {"cycles", cycles}, {"ipc", ipc}, {"remark", remark}};
}

} // namespace

/// Starts the document's own job as soon as it is its turn.
void Server::schedule(const std::string &uri) {
  dropHeadJobs();
  scheduler_.scheduleNow({uri});
}

/// They keep a worker busy that a user's request needs now; scheduleHeadAnalysis() starts them again later.
void Server::dropHeadJobs() {
  std::erase_if(sideJobs_, [&](const auto &job) {
    const bool isHead = job.first.kind == JobKind::Head;
    if (isHead)
      scheduler_.forget(job.first);
    return isHead;
  });
}

/// `code` and `why` answer the requests that wait for these jobs.
void Server::dropSideJobs(const std::string &uri, ErrorCode code, const std::string &why) {
  std::erase_if(sideJobs_, [&](const auto &job) {
    if (job.first.uri != uri)
      return false;
    scheduler_.forget(job.first);
    if (job.second.reply)
      job.second.reply->fail(code, why);
    return true;
  });
}

/// Starts a job on one document's version in HEAD, if nothing else is to be done.
void Server::scheduleHeadAnalysis() {
  const auto pending = [&](const auto &document) { return scheduler_.pending(document.first); };
  // A worker that runs beside a measurement would disturb it.
  if (!sideJobs_.empty() || measuring_ || calibrating_ || state_ != State::Running ||
      std::ranges::any_of(documents_, pending))
    return;
  for (const auto &[uri, document] : documents_) {
    if (!document.language() || !document.settings().comparisonWithHead || !baselines_.wantsHead(uri) ||
        document.text().size() > kMaxHeadBytes)
      continue;
    const JobKey job{uri, JobKind::Head};
    sideJobs_.emplace(job, SideJob());
    return scheduler_.scheduleNow(job);
  }
}

/// The parts of a request that are the same for all jobs of a document.
AnalyzeRequest Server::baseRequest(const Document &document) const {
  return {.path = document.path(),
          .language = *document.language(),
          .text = document.text().bytes(),
          .settings = workerSettings(document.uri()),
          .openFiles = otherSources(document),
          .fileEvents = fileEvents_,
          .command = chosenCommand(document.uri())};
}

/// A job on HEAD is for the comparison alone, so it needs no other CPUs. It names the version that the server has
/// already, which the worker then does not analyse again.
AnalyzeRequest Server::sideJobRequest(const JobKey &job, size_t worker) {
  AnalyzeRequest request = baseRequest(documents_.at(job.uri));
  if (job.kind == JobKind::OtherCpus) {
    request.settings.cpus = sideJobs_.at(job).cpus;
    request.reuseCompiled = mayReuseCompiled(job.uri, worker);
  } else if (job.kind == JobKind::Listing) {
    request.settings.runnable = true;
    request.reuseCompiled = mayReuseCompiled(job.uri, worker);
  } else {
    request.version = analysis::wire::Version::Head;
    request.knownHead = baselines_.knownHead(job.uri);
    request.settings.cpus.clear();
  }
  return request;
}

/// The job is removed first: scheduleHeadAnalysis() starts the next one only if there is none. The path that the user
/// looks at is the one to measure.
void Server::sideJobFinished(const JobKey &job, AnalysisResult result) {
  const uint64_t head = result.head;
  const Analysis none;
  const Analysis &before = job.kind == JobKind::Listing ? std::as_const(documents_).at(job.uri).analysis() : none;
  const Analysis analysis = Analysis::take(result, before);
  SideJob sideJob = std::move(sideJobs_.extract(job).mapped());
  if (job.kind == JobKind::OtherCpus)
    otherCpusFinished(job, sideJob, analysis);
  else if (job.kind == JobKind::Listing)
    listingFinished(job.uri, std::move(sideJob), analysis);
  else if (baselines_.headFinished(job.uri, head, analysis)) {
    Document &document = documents_.at(job.uri);
    document.analysis().compareWith(baselines_.before(job.uri));
    updateFindings(document);
    refreshHints();
  }
  scheduleHeadAnalysis();
}

/// The reply has the buffer's own CPU first, with the numbers of the same job. All are LLVM's, so that they can be
/// compared.
void Server::otherCpusFinished(const JobKey &job, const SideJob &sideJob, const Analysis &analysis) {
  const Text &text = std::as_const(documents_).at(job.uri).text();
  const auto isCompared = [](const AnalysedRegion &one) { return !one.simulation->otherCpus.empty(); };
  const wording::ShownLoop loop = wording::loopAt(analysis, text, sideJob.offset, isCompared);
  const auto compared = std::ranges::find_if(loop, [&](const AnalysedRegion *path) { return isCompared(*path); });
  if (compared == loop.end())
    return sideJob.reply->fail(ErrorCode::RequestFailed, "no region that was simulated stands on this line");
  const AnalysedRegion *region = *compared;
  const double cycles = cyclesPerSourceIteration(llvmCycles(*region->simulation), region->region.sourceIterations);
  Json cpus = Json::array({cpuJson(analysis.target.cpu, cycles, llvmIpc(*region->simulation), "")});
  for (const analysis::wire::CpuSummary &cpu : region->simulation->otherCpus)
    cpus.push_back(
        cpuJson(cpu.cpu, cyclesPerSourceIteration(cpu.cycles, region->region.sourceIterations), cpu.ipc, cpu.remark));
  (*sideJob.reply)(
      {{"region", fullName(region->region)}, {"line", text.lineOf(region->region.anchor)}, {"cpus", std::move(cpus)}});
}

void Server::sideJobFailed(const JobKey &job, const std::string &why) {
  logError(nameOf(job.kind) + " " + job.uri + ": " + why);
  // After a worker's death the scheduler would run the job once more.
  scheduler_.forget(job);
  const SideJob sideJob = std::move(sideJobs_.extract(job).mapped());
  if (sideJob.reply)
    sideJob.reply->fail(ErrorCode::RequestFailed, why);
  else
    baselines_.headFailed(job.uri);
  scheduleHeadAnalysis();
}

/// True if this worker made the last finished analysis, and since that began nothing was edited or saved and no setting
/// has changed.
bool Server::mayReuseCompiled(const std::string &uri, size_t worker) const {
  const auto compiled = compiled_.find(uri);
  return compiled != compiled_.end() && compiled->second == Compiled{worker, saves_, baselines_.textState(uri)};
}

/// Keeps the numbers of a finished job, with which later ones are compared.
void Server::takeNumbers(const Document &document, const JobTicket &ticket) {
  const std::string &uri = document.uri();
  compiled_[uri] = {ticket.worker, ticket.saves, ticket.text};
  baselines_.jobFinished(uri, ticket.text, document.analysis());
  status_.analysed(uri, document.analysis().target);
}

/// All that is kept by URI beside the document itself, so that reopening it starts afresh.
void Server::forgetDocument(const std::string &uri) {
  dropSideJobs(uri, ErrorCode::RequestCancelled, "the document was closed");
  if (measuring_ && measuring_->uri == uri)
    cancelMeasuring(nullptr, ErrorCode::RequestCancelled, "the document was closed");
  baselines_.closed(uri);
  status_.closed(uri);
  compiled_.erase(uri);
  chosenCpus_.erase(uri);
  chosenCommands_.erase(uri);
  chosenPredictors_.erase(uri);
  virtual_.closeAllOf(uri);
  answerHeldContent();
}

} // namespace lsp
