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
         : kind == JobKind::Reasons ? "the reasons of"
                                    : "other CPUs for";
}

} // namespace

void ResumeIdle::operator()(SideJobs *jobs) const {
  --jobs->pauses_;
  jobs->scheduleIdle();
}

JobKey SideJobs::add(const std::string &uri, JobKind kind, std::vector<std::string> cpus, Done done) {
  dropIdle();
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
  scheduleIdle();
}

/// The outcome may end a pause: the next job is the document's own, so none of an idle time starts meanwhile.
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

void SideJobs::dropIdle() {
  withoutReasons_.clear();
  std::erase_if(jobs_, [&](const auto &job) {
    const bool isIdle = job.first.kind == JobKind::Head || job.first.kind == JobKind::Reasons;
    if (isIdle)
      scheduler_.forget(job.first);
    return isIdle;
  });
  for (auto &[key, job] : jobs_)
    if (key.kind == JobKind::Variant && std::exchange(job.isScheduled, false))
      scheduler_.forget(key);
}

void SideJobs::stop() {
  dropIdle();
  ++pauses_;
}

IdlePause SideJobs::pauseIdle() {
  stop();
  return IdlePause(this);
}

void SideJobs::scheduleIdle() {
  if (pauses_ != 0 || isAnyDocumentPending())
    return;
  std::vector<JobKey> idle;
  for (auto &[key, job] : jobs_)
    if (!std::exchange(job.isScheduled, true))
      idle.push_back(key);
  if (jobs_.empty())
    for (const auto &[uri, document] : workspace_.documents)
      if (wantsReasons(document))
        idle.push_back(jobs_.emplace(JobKey{uri, JobKind::Reasons}, SideJob()).first->first);
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

/// Reasons are those of the text that was analysed.
bool SideJobs::wantsReasons(const Document &document) const {
  const Analysis &analysis = document.analysis();
  const bool isCompiled = document.language() && document.language() != analysis::wire::Language::Assembly;
  return isCompiled && analysis.reasonsAttempts > 0 && !analysis.regions.empty() &&
         !withoutReasons_.contains(document.uri()) && !workspace_.awaitsSave(document.uri());
}

/// Keeps what the document has if the compiler gives no reasons. One that compiles the document all the same has none.
void SideJobs::takeReasons(Document &document, AnalysisResult result) {
  if (!result.hasReasons && result.regions.empty())
    return reasonsFailed(document);
  if (!result.hasReasons) {
    document.analysis().reasonsAttempts = 0;
    return;
  }
  logInfo(nameOf(JobKind::Reasons) + " " + document.uri() + ": " + std::to_string(result.compileMicros / 1000) +
          " ms compiling, " + std::to_string(result.analysisMicros / 1000) + " ms analysing");
  Analysis analysis = Analysis::take(result, std::as_const(document).analysis());
  analysis.compareWith(workspace_.baselines.before(document.uri()));
  document.setAnalysis(std::move(analysis));
  changed_(document);
}

/// They are tried again when something else has happened first, which may have ended what was wrong.
void SideJobs::reasonsFailed(Document &document) {
  --document.analysis().reasonsAttempts;
  withoutReasons_.insert(document.uri());
}

/// A job on HEAD is for the comparison alone, so it needs no other CPUs. It names the version that the server has
/// already, which the worker then does not analyse again.
AnalyzeRequest SideJobs::requestFor(const JobKey &job, size_t worker) const {
  AnalyzeRequest request = inputs_.requestFor(workspace_.documents.at(job.uri));
  if (job.kind == JobKind::Variant) {
    request = jobs_.at(job).request;
    request.reuseCompiled = request.reuseCompiled && inputs_.mayReuseCompiled(job.uri, worker);
    return request;
  }
  if (job.kind == JobKind::Head) {
    request.version = analysis::wire::Version::Head;
    request.knownHead = workspace_.baselines.knownHead(job.uri);
    request.settings.cpus.clear();
    return request;
  }
  request.reuseCompiled = inputs_.mayReuseCompiled(job.uri, worker);
  request.reasons = job.kind == JobKind::Reasons;
  if (request.reasons)
    request.knownSimulations = std::as_const(workspace_.documents.at(job.uri)).analysis().knownSimulations();
  else if (job.kind == JobKind::OtherCpus)
    request.settings.cpus = jobs_.at(job).cpus;
  else
    request.settings.runnable = true;
  return request;
}

/// The job is removed first: scheduleIdle() starts the next one only if there is none. The path that the user looks at
/// is the one to measure.
void SideJobs::finished(const JobKey &job, AnalysisResult result) {
  if (job.kind == JobKind::Variant) {
    const SideJob ended = std::move(jobs_.extract(job).mapped());
    ended.variantDone(std::move(result));
    return scheduleIdle();
  }
  if (job.kind == JobKind::Reasons) {
    jobs_.erase(job);
    takeReasons(workspace_.documents.at(job.uri), std::move(result));
    return scheduleIdle();
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
    changed_(document);
  }
  scheduleIdle();
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
  else if (job.kind == JobKind::Reasons)
    reasonsFailed(workspace_.documents.at(job.uri));
  else
    workspace_.baselines.headFailed(job.uri);
  scheduleIdle();
}

} // namespace lsp
