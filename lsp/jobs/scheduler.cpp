// The queue of scheduler.h. Whatever may let a waiting job start ends in pump(), which starts all jobs that can start
// and sets the timer for the time at which another one could.
#include "lsp/jobs/scheduler.h"

#include "lsp/system/log.h"
#include "lsp/wording/death_text.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cassert>
#include <ranges>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::DocumentRequest;
using std::chrono::milliseconds;

milliseconds pauseBeforeJob(milliseconds lastJob) {
  return std::clamp(lastJob, milliseconds(50), milliseconds(500));
}

Scheduler::Scheduler(boost::asio::io_context &io, const JobRunners &runners, JobClient &client,
                     std::function<Clock::time_point()> now, WorkerTimes times)
    : client_(client), now_(std::move(now)), times_(times), timer_(io) {
  assert(!runners.empty());
  for (JobRunner &runner : runners)
    workers_.push_back({&runner, std::nullopt, {}});
}

// ---- scheduling ----------------------------------------------------------------------------------------------------

void Scheduler::scheduleNow(const JobKey &job) {
  schedule(job, now_());
}

void Scheduler::scheduleAfterPause(const std::string &uri) {
  History &history = histories_[uri];
  const Clock::time_point now = now_();
  const milliseconds pause = pauseBeforeJob(history.lastJob);
  const bool quiet = !pending(uri) && (!history.editedAt || now - *history.editedAt >= pause);
  history.editedAt = now;
  schedule({uri}, quiet ? now : now + pause);
}

void Scheduler::schedule(const JobKey &job, Clock::time_point readyAt) {
  drop(job);
  waiting_.push_back({job, readyAt});
  pump();
}

void Scheduler::prefer(const std::string &uri) {
  histories_[uri].preferred = ++preferences_;
}

void Scheduler::forget(const JobKey &job) {
  drop(job);
  if (job.kind == JobKind::Document)
    histories_.erase(job.uri);
}

/// A cancelled job stays with its worker until its outcome is there: the worker is busy until then.
void Scheduler::drop(const JobKey &job) {
  std::erase_if(waiting_, [&](const Waiting &waiting) { return waiting.key == job; });
  for (Worker &worker : workers_)
    if (worker.job && worker.job->key == job && !worker.job->cancelled) {
      worker.job->cancelled = true;
      worker.runner->cancel();
    }
}

bool Scheduler::pending(const std::string &uri) const {
  const JobKey key{uri};
  return std::ranges::any_of(waiting_, [&](const Waiting &job) { return job.key == key; }) ||
         std::ranges::any_of(workers_, [&](const Worker &worker) {
           return worker.job && worker.job->key == key && !worker.job->cancelled;
         });
}

Scheduler::History Scheduler::historyOf(const std::string &uri) const {
  const auto history = histories_.find(uri);
  return history == histories_.end() ? History() : history->second;
}

// ---- the next job --------------------------------------------------------------------------------------------------

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
  const Clock::time_point now = now_();
  // The least comes first; of equals the one that was scheduled first.
  const auto rank = [&](const Waiting &job) { return std::pair(job.key.kind, ~historyOf(job.key.uri).preferred); };
  auto next = waiting_.end();
  size_t number = 0;
  for (auto waiting = waiting_.begin(); waiting != waiting_.end(); ++waiting) {
    if (waiting->readyAt > now || (next != waiting_.end() && rank(*waiting) >= rank(*next)))
      continue;
    if (const std::optional<size_t> worker = workerFor(waiting->key)) {
      next = waiting;
      number = *worker;
    }
  }
  if (next != waiting_.end()) {
    const JobKey key = std::move(next->key);
    waiting_.erase(next);
    return thenPump([&] { start(key, number); });
  }
  for (const Worker &worker : workers_ | std::views::drop(1))
    if (worker.isIdleProcess() && now - worker.usedAt >= times_.idle)
      worker.runner->endProcess();
  awaitNext();
}

/// The index of the worker that may start a job on the document now.
std::optional<size_t> Scheduler::workerFor(const JobKey &job) const {
  const auto areVariants = [&](const JobKey &other) {
    return job.kind == JobKind::Variant && other.kind == JobKind::Variant;
  };
  for (const Worker &worker : workers_)
    if (worker.job && worker.job->key.uri == job.uri && !areVariants(worker.job->key))
      return std::nullopt;
  const size_t last = historyOf(job.uri).worker;
  if (workers_[last].isIdleProcess())
    return last;
  const Clock::time_point now = now_();
  const bool isEachBusyOneLong = std::ranges::all_of(workers_, [&](const Worker &worker) {
    return !worker.job || worker.job->compiles || now - worker.job->startedAt >= times_.longJob;
  });
  for (size_t number = 0; number < (isEachBusyOneLong ? workers_.size() : 1); ++number)
    if (!workers_[number].job)
      return number;
  return std::nullopt;
}

/// Sets the timer for the end of a pause, or for the time at which a running job counts as long or an idle worker is
/// ended.
void Scheduler::awaitNext() {
  const Clock::time_point now = now_();
  Clock::time_point next = Clock::time_point::max();
  const auto at = [&](Clock::time_point time) {
    if (time > now)
      next = std::min(next, time);
  };
  for (const Waiting &waiting : waiting_)
    at(waiting.readyAt);
  for (const Worker &worker : workers_) {
    if (worker.job && !waiting_.empty())
      at(worker.job->startedAt + times_.longJob);
    else if (worker.isIdleProcess() && &worker != &workers_.front())
      at(worker.usedAt + times_.idle);
  }
  timer_.cancel();
  if (next == Clock::time_point::max())
    return;
  timer_.expires_after(next - now);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error)
      pump();
  });
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

/// A content that is set aside gets no worker: its job ends as the last one did.
void Scheduler::start(const JobKey &key, size_t number) {
  auto [request, ticket] = client_.startJob(key, number);
  const DeathRecord::Content content = DeathRecord::contentOf(request);
  if (const WorkerDeath *death = deaths_.setAside(content))
    return client_.workerDied(key, *death, AfterDeath::SetAside);
  logVerbose("job on worker " + std::to_string(number + 1) + ": " + key.uri);
  const std::vector<DocumentRequest> wanted = request.documents;
  std::erase_if(request.documents, [&](const DocumentRequest &view) { return deaths_.setAside(content, view); });
  if (key.kind == JobKind::Document)
    histories_[key.uri].worker = number;
  Worker &worker = workers_[number];
  worker.job = Running{key, std::move(ticket), content, now_(), wanted, request.documents};
  worker.runner->start(
      std::move(request), [this, &worker](const analysis::wire::Progress &progress) { jobProgress(worker, progress); },
      [this, &worker](JobOutcome outcome) { jobDone(worker, std::move(outcome)); });
}

/// Idle workers leave the processors to those that compile.
void Scheduler::shareProcessors() {
  const bool compiles =
      std::ranges::any_of(workers_, [](const Worker &worker) { return worker.job && worker.job->compiles; });
  if (std::exchange(compiles_, compiles) == compiles)
    return;
  for (const Worker &worker : workers_)
    worker.runner->allowIdleWork(!compiles);
}

void Scheduler::jobProgress(Worker &worker, const analysis::wire::Progress &progress) {
  Running &job = *worker.job;
  const bool compiles = progress.stage == analysis::wire::Stage::Compiling;
  if (std::exchange(job.compiles, compiles) != compiles) {
    shareProcessors();
    pump(); // a job may start on another worker meanwhile
  }
  if (!job.cancelled)
    client_.jobProgress(job.key, progress);
}

void Scheduler::jobDone(Worker &worker, JobOutcome outcome) {
  const Running job = std::move(*worker.job);
  worker.job.reset();
  worker.usedAt = now_();
  shareProcessors();
  thenPump([&] {
    if (job.cancelled)
      return client_.jobCancelled(job.key);
    if (job.key.kind == JobKind::Document)
      histories_[job.key.uri].lastJob = std::chrono::duration_cast<milliseconds>(now_() - job.startedAt);
    if (auto *const result = std::get_if<AnalysisResult>(&outcome))
      return jobFinished(job, std::move(*result));
    if (const auto *const unavailable = std::get_if<WorkerUnavailable>(&outcome))
      return client_.workerUnavailable(job.key, unavailable->why);
    const WorkerDeath &death = std::get<WorkerDeath>(outcome);
    const AfterDeath after = deaths_.died(job.content, job.views, death);
    if (after != AfterDeath::SetAside)
      waiting_.push_front({job.key, now_()});
    client_.workerDied(job.key, death, after);
  });
}

void Scheduler::jobFinished(const Running &job, AnalysisResult result) {
  deaths_.survived(job.content, job.views);
  // The client expects the views in the order of its request: those that were set aside say why at their places.
  for (size_t i = 0; i < std::min(job.wanted.size(), result.views.size() + 1); ++i)
    if (const WorkerDeath *death = deaths_.setAside(job.content, job.wanted[i]))
      result.views.insert(result.views.begin() + static_cast<ptrdiff_t>(i),
                          {.request = job.wanted[i],
                           .problem = analysis::wire::View::Problem::SetAside,
                           .failure = wording::findingOfDeath(*death, AfterDeath::ViewSetAside).message});
  client_.jobFinished(job.key, job.ticket, std::move(result));
}

// ---- the workers ---------------------------------------------------------------------------------------------------

void Scheduler::restartWorkers() {
  deaths_.clear();
  for (Worker &worker : workers_)
    worker.runner->endProcess();
}

void Scheduler::listCpus(const std::string &triple, CpusCallback done) {
  const auto free = std::ranges::find_if(workers_, [](const Worker &worker) { return !worker.job; });
  Worker &worker = free == workers_.end() ? workers_.front() : *free;
  worker.usedAt = now_();
  worker.runner->listCpus(triple, std::move(done));
  awaitNext();
}

std::vector<int> Scheduler::workerPids() const {
  std::vector<int> pids;
  for (const Worker &worker : workers_)
    if (const int pid = worker.runner->workerPid())
      pids.push_back(pid);
  return pids;
}

} // namespace lsp
