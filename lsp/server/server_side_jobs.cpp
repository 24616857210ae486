// Jobs of server.h beside the documents' own.
//
// The version in git HEAD is looked at when every document's own job is over, and dropped as soon as one is wanted
// again. A look at other CPUs is a user's wish and waits its turn. Both are known to the scheduler by names that are no
// URIs.
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using protocol::ErrorCode;
using protocol::Json;

namespace {

constexpr uint32_t kMaxHeadBytes = 1u << 20;

Json cpuJson(const std::string &cpu, double cycles, double ipc, const std::string &remark) {
  return {{"cpu", cpu}, {"cycles", cycles}, {"ipc", ipc}, {"remark", remark}};
}

/// The region of the line's hint that was simulated on other CPUs: of the line of `offset`, else of the smallest region
/// around it. Null when there is none.
const analysis::wire::RegionSummary *regionAt(const AnalysisResult &result, const Text &text, uint32_t offset) {
  const analysis::wire::RegionSummary *best = nullptr;
  const uint32_t line = text.lineOf(offset);
  const auto rank = [&](const analysis::wire::RegionSummary &region) {
    return std::pair(region.line != line + 1, region.at.end - region.at.begin);
  };
  for (const analysis::wire::RegionSummary &region : result.regions) {
    const bool around = region.at.begin <= offset && offset <= region.at.end;
    if ((region.line == line + 1 || around) && !region.otherCpus.empty() && (!best || rank(region) < rank(*best)))
      best = &region;
  }
  return best;
}

} // namespace

/// The document's own job, as soon as it is its turn.
void Server::schedule(const std::string &uri) {
  dropHeadJobs();
  scheduler_.scheduleNow(uri);
}

void Server::dropHeadJobs() {
  std::erase_if(sideJobs_, [&](const auto &job) {
    if (!job.second.reply)
      scheduler_.forget(job.first);
    return !job.second.reply;
  });
}

void Server::dropSideJobs(const std::string &uri, ErrorCode code, const std::string &why) {
  std::erase_if(sideJobs_, [&](const auto &job) {
    if (job.second.uri != uri)
      return false;
    scheduler_.forget(job.first);
    if (job.second.reply)
      job.second.reply->fail(code, why);
    return true;
  });
}

/// Starts a job on one version in HEAD, if nothing else is to be done.
void Server::lookAtHead() {
  const auto pending = [&](const auto &document) { return scheduler_.pending(document.first); };
  if (!sideJobs_.empty() || state_ != State::Running || std::any_of(documents_.begin(), documents_.end(), pending))
    return;
  for (const auto &[uri, document] : documents_) {
    if (!document.language() || !document.settings().comparisonWithHead || !baselines_.wantsHead(uri) ||
        document.text().size() > kMaxHeadBytes)
      continue;
    const std::string key = "git HEAD of " + uri;
    sideJobs_.emplace(key, SideJob{uri, {}, 0, std::nullopt});
    return scheduler_.scheduleNow(key);
  }
}

AnalyzeRequest Server::sideJobRequest(const SideJob &job) {
  const Document &document = documents_.at(job.uri);
  AnalyzeRequest request{.path = document.path(),
                         .language = *document.language(),
                         .text = document.text().bytes(),
                         .settings = workerSettings(job.uri),
                         .openFiles = otherSources(job.uri),
                         .command = chosenCommand(job.uri)};
  if (job.reply) {
    request.settings.cpus = job.cpus;
    request.reuseCompiled = mayReuseCompiled(job.uri);
  } else {
    request.version = analysis::wire::Version::Head;
    request.knownHead = baselines_.knownHead(job.uri);
    request.settings.cpus.clear();
  }
  return request;
}

void Server::sideJobFinished(const std::string &key, const AnalysisResult &result) {
  const SideJob job = std::move(sideJobs_.extract(key).mapped());
  if (!job.reply) {
    if (baselines_.headFinished(job.uri, result))
      schedule(job.uri);
    return lookAtHead();
  }
  const analysis::wire::RegionSummary *region = regionAt(result, documents_.at(job.uri).text(), job.offset);
  if (!region)
    return job.reply->fail(ErrorCode::RequestFailed, "no region that was simulated stands on this line");
  Json cpus = Json::array({cpuJson(result.target.cpu, cyclesOf(*region), region->ipc, "")});
  for (const analysis::wire::CpuSummary &cpu : region->otherCpus)
    cpus.push_back(cpuJson(cpu.cpu, cpu.cycles, cpu.ipc, cpu.remark));
  (*job.reply)({{{"region", region->name}, {"line", region->line - 1}, {"cpus", std::move(cpus)}}});
  lookAtHead();
}

void Server::sideJobFailed(const std::string &key, const std::string &why) {
  logError(key + ": " + why);
  // A worker's death is tried again by the scheduler, which asks for the job once more.
  scheduler_.forget(key);
  const SideJob job = std::move(sideJobs_.extract(key).mapped());
  if (job.reply)
    job.reply->fail(ErrorCode::RequestFailed, why);
  else
    baselines_.headFailed(job.uri);
  lookAtHead();
}

/// Nothing was saved, and no setting changed, since the last finished analysis began.
bool Server::mayReuseCompiled(const std::string &uri) const {
  const auto compiled = compiledAt_.find(uri);
  return compiled != compiledAt_.end() && compiled->second == saves_;
}

/// Keeps what a finished job says beyond hints, findings and hovers.
void Server::takeNumbers(const Document &document, std::vector<analysis::wire::DocumentText> texts) {
  const std::string &uri = document.uri();
  compiledAt_[uri] = jobSaves_;
  baselines_.jobFinished(uri, document.analysis().regions, document.analysis().target.cpu);
  status_.analysed(uri, document.analysis().target);
  tellChanged(virtual_.jobFinished(uri, std::move(texts)));
  answerHeldContent();
}

void Server::forgetDocument(const std::string &uri) {
  dropSideJobs(uri, ErrorCode::RequestCancelled, "the document was closed");
  baselines_.closed(uri);
  status_.closed(uri);
  compiledAt_.erase(uri);
  chosenCpus_.erase(uri);
  chosenCommands_.erase(uri);
  virtual_.closeAllOf(uri);
  answerHeldContent();
}

} // namespace lsp
