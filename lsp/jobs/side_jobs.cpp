#include "lsp/jobs/side_jobs.h"

#include "lsp/system/log.h"

#include <algorithm>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;

namespace {

/// In bytes. Longer texts are not compared with HEAD.
constexpr uint32_t kMaxHeadBytes = 1u << 20;

std::string nameOf(JobKind kind) {
  return kind == JobKind::Head      ? "git HEAD of"
         : kind == JobKind::Listing ? "the instructions of"
         : kind == JobKind::Variant ? "a variant of"
                                    : "other CPUs for";
}

} // namespace

void ResumeHead::operator()(SideJobs *jobs) const {
  --jobs->pauses_;
  jobs->scheduleHead();
}

JobKey SideJobs::add(const std::string &uri, JobKind kind, std::vector<std::string> cpus, Done done) {
  dropHead();
  JobKey job{uri, kind, nextNumber_++};
  jobs_.emplace(job, SideJob{.cpus = std::move(cpus), .done = std::move(done)});
  scheduler_.scheduleNow(job);
  return job;
}

JobKey SideJobs::addVariant(const std::string &uri, AnalyzeRequest request, VariantDone done) {
  JobKey job{uri, JobKind::Variant, nextNumber_++};
  SideJob &added = jobs_[job];
  added.request = std::move(request);
  added.variantDone = std::move(done);
  added.isScheduled = !isAnyDocumentPending();
  if (added.isScheduled)
    scheduler_.scheduleNow(job);
  return job;
}

bool SideJobs::isAnyDocumentPending() const {
  return std::ranges::any_of(workspace_.documents,
                             [&](const auto &document) { return scheduler_.pending(document.first); });
}

void SideJobs::cancel(const JobKey &job) {
  scheduler_.forget(job);
  jobs_.erase(job);
  scheduleHead();
}

/// The outcome may end a pause: the next job is the document's own, so none on HEAD starts meanwhile.
void SideJobs::drop(const std::string &uri, protocol::ErrorCode code, const std::string &why) {
  ++pauses_;
  std::vector<VariantDone> dropped; // each may add the next variant
  std::erase_if(jobs_, [&](auto &job) {
    if (job.first.uri != uri)
      return false;
    scheduler_.forget(job.first);
    if (job.second.done)
      job.second.done(Failure{code, why});
    if (job.second.variantDone)
      dropped.push_back(std::move(job.second.variantDone));
    return true;
  });
  for (const VariantDone &done : dropped)
    done(Failure{code, why});
  --pauses_;
}

void SideJobs::dropHead() {
  std::erase_if(jobs_, [&](const auto &job) {
    const bool isHead = job.first.kind == JobKind::Head;
    if (isHead)
      scheduler_.forget(job.first);
    return isHead;
  });
  for (auto &[key, job] : jobs_)
    if (key.kind == JobKind::Variant && std::exchange(job.isScheduled, false))
      scheduler_.forget(key);
}

void SideJobs::stop() {
  dropHead();
  ++pauses_;
}

HeadPause SideJobs::pauseHead() {
  stop();
  return HeadPause(this);
}

void SideJobs::scheduleHead() {
  if (pauses_ != 0 || isAnyDocumentPending())
    return;
  std::vector<JobKey> idle;
  for (auto &[key, job] : jobs_)
    if (!std::exchange(job.isScheduled, true))
      idle.push_back(key);
  for (const JobKey &key : idle)
    scheduler_.scheduleNow(key);
  if (!jobs_.empty())
    return;
  for (const auto &[uri, document] : workspace_.documents) {
    if (!document.language() || !document.settings().comparisonWithHead || !workspace_.baselines.wantsHead(uri) ||
        document.text().size() > kMaxHeadBytes)
      continue;
    const JobKey job{uri, JobKind::Head};
    jobs_.emplace(job, SideJob());
    return scheduler_.scheduleNow(job);
  }
}

/// A job on HEAD is for the comparison alone, so it needs no other CPUs. It names the version that the server has
/// already, which the worker then does not analyse again.
AnalyzeRequest SideJobs::requestFor(const JobKey &job, size_t worker) const {
  AnalyzeRequest request = inputs_.requestFor(workspace_.documents.at(job.uri));
  if (job.kind == JobKind::Variant)
    return jobs_.at(job).request;
  if (job.kind == JobKind::Head) {
    request.version = analysis::wire::Version::Head;
    request.knownHead = workspace_.baselines.knownHead(job.uri);
    request.settings.cpus.clear();
    return request;
  }
  request.reuseCompiled = inputs_.mayReuseCompiled(job.uri, worker);
  if (job.kind == JobKind::OtherCpus)
    request.settings.cpus = jobs_.at(job).cpus;
  else
    request.settings.runnable = true;
  return request;
}

/// The job is removed first: scheduleHead() starts the next one only if there is none. The path that the user looks at
/// is the one to measure.
void SideJobs::finished(const JobKey &job, AnalysisResult result) {
  if (job.kind == JobKind::Variant) {
    const SideJob ended = std::move(jobs_.extract(job).mapped());
    ended.variantDone(std::move(result));
    return scheduleHead();
  }
  const uint64_t head = result.head;
  Document &document = workspace_.documents.at(job.uri);
  const Analysis none;
  Analysis analysis = Analysis::take(result, job.kind == JobKind::Listing ? std::as_const(document).analysis() : none);
  const SideJob ended = std::move(jobs_.extract(job).mapped());
  if (ended.done) {
    ended.done(std::move(analysis));
  } else if (workspace_.baselines.headFinished(job.uri, head, analysis)) {
    document.analysis().compareWith(workspace_.baselines.before(job.uri));
    headCompared_(document);
  }
  scheduleHead();
}

void SideJobs::failed(const JobKey &job, const std::string &why) {
  logError(nameOf(job.kind) + " " + job.uri + ": " + why);
  // After a worker's death the scheduler would run the job once more.
  scheduler_.forget(job);
  const SideJob ended = std::move(jobs_.extract(job).mapped());
  if (ended.done)
    ended.done(Failure{.why = why});
  else if (ended.variantDone)
    ended.variantDone(Failure{.why = why});
  else
    workspace_.baselines.headFailed(job.uri);
  scheduleHead();
}

} // namespace lsp
