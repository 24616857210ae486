// The queue of scheduler.h.
#include "lsp/jobs/scheduler.h"

#include "analysis/wire/view_progress.h"
#include "lsp/features/diagnostics.h"
#include "lsp/system/log.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <functional>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using analysis::wire::DocumentRequest;
using std::chrono::milliseconds;

constexpr int kDeathsUntilSetAside = 2;

template <class Value>
void addTo(size_t &key, const Value &value) {
  constexpr size_t kGolden = 0x9E3779B97F4A7C15;
  key ^= std::hash<Value>{}(value) + kGolden + (key << 6) + (key >> 2);
}

/// Tells one content from another. Two that share a key by chance share their fate, which costs an analysis at worst.
size_t contentKey(const AnalyzeRequest &request) {
  size_t key = 0;
  const auto add = [&key](const auto &value) { addTo(key, value); };
  const analysis::wire::Settings &settings = request.settings;
  for (const std::string *part :
       {&request.path, &request.text, &settings.cpu, &settings.triple, &settings.features, &settings.compiler,
        &settings.compileCommandsDir, &request.command, &request.compiledThrough})
    add(*part);
  for (const std::vector<std::string> *parts :
       {&settings.cpus, &settings.extraFlags, &settings.trustedFolders, &settings.allowedCompilers})
    for (const std::string &part : *parts)
      add(part);
  add(static_cast<int>(request.language));
  add(static_cast<int>(request.version));
  add(settings.iterations);
  add(settings.markerRegions);
  add(settings.loops);
  add(settings.wholeSnippets);
  add(settings.compileOnChange);
  return key;
}

/// Distinguishes the views of one content.
size_t viewKey(size_t content, const DocumentRequest &view) {
  size_t key = content;
  addTo(key, static_cast<int>(view.kind));
  addTo(key, view.offset);
  return key;
}

/// The view that the worker was making when it died.
const DocumentRequest *viewOf(const WorkerDeath &death, const std::vector<DocumentRequest> &views) {
  const auto view = std::find_if(views.begin(), views.end(), [&](const DocumentRequest &one) {
    return death.last && analysis::wire::isAbout(*death.last, one);
  });
  return view == views.end() ? nullptr : &*view;
}

} // namespace

milliseconds pauseBeforeJob(milliseconds lastJob) {
  return std::clamp(lastJob, milliseconds(50), milliseconds(500));
}

Scheduler::Scheduler(boost::asio::io_context &io, JobRunner &runner, JobClient &client,
                     std::function<Clock::time_point()> now)
    : runner_(runner), client_(client), now_(std::move(now)), timer_(io) {}

void Scheduler::scheduleNow(const std::string &uri) {
  schedule(uri, now_());
}

void Scheduler::scheduleAfterPause(const std::string &uri) {
  Timing &timing = timings_[uri];
  const Clock::time_point now = now_();
  const milliseconds pause = pauseBeforeJob(timing.lastJob);
  const bool quiet = !pending(uri) && (!timing.editedAt || now - *timing.editedAt >= pause);
  timing.editedAt = now;
  schedule(uri, quiet ? now : now + pause);
}

void Scheduler::schedule(const std::string &uri, Clock::time_point readyAt) {
  drop(uri);
  waiting_.push_back({uri, readyAt});
  pump();
}

void Scheduler::forget(const std::string &uri) {
  drop(uri);
  timings_.erase(uri);
}

void Scheduler::drop(const std::string &uri) {
  std::erase_if(waiting_, [&](const Waiting &job) { return job.uri == uri; });
  if (!running_ || running_->uri != uri || running_->cancelled)
    return;
  running_->cancelled = true;
  runner_.cancel();
}

bool Scheduler::pending(const std::string &uri) const {
  const bool waits = std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting &job) { return job.uri == uri; });
  return waits || (running_ && running_->uri == uri && !running_->cancelled);
}

template <class Step>
void Scheduler::thenPump(const Step &step) {
  try {
    step();
  } catch (...) {
    boost::asio::post(timer_.get_executor(), [this] { pump(); });
    throw;
  }
  pump();
}

void Scheduler::pump() {
  if (running_ || waiting_.empty())
    return;
  const Clock::time_point now = now_();
  const auto ready =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting &job) { return job.readyAt <= now; });
  if (ready != waiting_.end()) {
    const std::string uri = std::move(ready->uri);
    waiting_.erase(ready);
    return thenPump([&] { startJob(uri); });
  }
  const auto next = std::min_element(waiting_.begin(), waiting_.end(),
                                     [](const Waiting &a, const Waiting &b) { return a.readyAt < b.readyAt; });
  timer_.expires_after(next->readyAt - now);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error)
      pump();
  });
}

void Scheduler::startJob(const std::string &uri) {
  AnalyzeRequest request = client_.jobRequest(uri);
  const size_t key = contentKey(request);
  if (const WorkerDeath *death = setAside(key))
    return client_.workerDied(uri, *death, Verdict::SetAside);
  logVerbose("job: " + uri);
  const std::vector<DocumentRequest> wanted = request.documents;
  std::erase_if(request.documents, [&](const DocumentRequest &view) { return setAside(viewKey(key, view)); });
  running_ = Running{uri, key, now_(), wanted, request.documents, false};
  runner_.start(
      std::move(request),
      [this](const analysis::wire::Progress &progress) {
        if (!running_->cancelled)
          client_.jobProgress(running_->uri, progress);
      },
      [this](JobOutcome outcome) { jobDone(std::move(outcome)); });
}

void Scheduler::jobDone(JobOutcome outcome) {
  const Running job = std::move(*running_);
  running_.reset();
  thenPump([&] {
    if (job.cancelled)
      return client_.jobCancelled(job.uri);
    timings_[job.uri].lastJob = std::chrono::duration_cast<milliseconds>(now_() - job.startedAt);
    std::visit([&](auto &end) { handle(job, std::move(end)); }, outcome);
  });
}

/// The last death by what is set aside; null for all else.
const WorkerDeath *Scheduler::setAside(size_t key) const {
  const auto deaths = deaths_.find(key);
  return deaths != deaths_.end() && deaths->second.count >= kDeathsUntilSetAside ? &deaths->second.last : nullptr;
}

/// The views that are set aside say why, at their places in the client's request.
void Scheduler::addViewsSetAside(const Running &job, AnalysisResult &result) const {
  for (size_t i = 0; i < std::min(job.wanted.size(), result.documents.size() + 1); ++i)
    if (const WorkerDeath *death = setAside(viewKey(job.contentKey, job.wanted[i])))
      result.documents.insert(result.documents.begin() + static_cast<ptrdiff_t>(i),
                              {job.wanted[i], features::findingOfDeath(*death, Verdict::ViewSetAside).message, {}});
}

void Scheduler::handle(const Running &job, AnalysisResult result) {
  deaths_.erase(job.contentKey);
  for (const DocumentRequest &view : job.views)
    deaths_.erase(viewKey(job.contentKey, view));
  addViewsSetAside(job, result);
  client_.jobFinished(job.uri, std::move(result));
}

void Scheduler::handle(const Running &job, const WorkerDeath &death) {
  const DocumentRequest *view = viewOf(death, job.views);
  Deaths &deaths = deaths_[view ? viewKey(job.contentKey, *view) : job.contentKey];
  deaths.last = death;
  // What uses up its time does so again.
  deaths.count = death.cause == WorkerDeath::Cause::TimedOut ? kDeathsUntilSetAside : deaths.count + 1;
  const Verdict atLast = view ? Verdict::ViewSetAside : Verdict::SetAside;
  const Verdict verdict = deaths.count < kDeathsUntilSetAside ? Verdict::TryingAgain : atLast;
  if (verdict != Verdict::SetAside)
    waiting_.push_front({job.uri, now_()});
  client_.workerDied(job.uri, death, verdict);
}

void Scheduler::handle(const Running &job, const WorkerUnavailable &unavailable) {
  client_.workerUnavailable(job.uri, unavailable.why);
}

} // namespace lsp
