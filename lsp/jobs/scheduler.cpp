// The queue of scheduler.h.
#include "lsp/jobs/scheduler.h"

#include "lsp/features/diagnostics.h"
#include "lsp/system/log.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
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

// ---- what is to be done --------------------------------------------------------------------------------------------

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
  const auto waits = [&](const Waiting &job) { return job.key == key; };
  const auto runs = [&](const Worker &worker) {
    return worker.job && worker.job->key == key && !worker.job->cancelled;
  };
  return std::any_of(waiting_.begin(), waiting_.end(), waits) || std::any_of(workers_.begin(), workers_.end(), runs);
}

const Scheduler::History *Scheduler::historyOf(const std::string &uri) const {
  const auto history = histories_.find(uri);
  return history == histories_.end() ? nullptr : &history->second;
}

// ---- whose turn it is ----------------------------------------------------------------------------------------------

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
  if (const std::optional<Turn> turn = nextTurn()) {
    const JobKey key = std::move(turn->waiting->key);
    waiting_.erase(turn->waiting);
    return thenPump([&] { start(key, turn->worker); });
  }
  endIdleWorkers();
  awaitNext();
}

std::optional<Scheduler::Turn> Scheduler::nextTurn() {
  const Clock::time_point now = now_();
  std::optional<Turn> next;
  for (auto waiting = waiting_.begin(); waiting != waiting_.end(); ++waiting) {
    if (waiting->readyAt > now || (next && !comesBefore(*waiting, *next->waiting)))
      continue;
    if (const std::optional<size_t> worker = workerFor(waiting->key.uri))
      next = {waiting, *worker};
  }
  return next;
}

/// Of equals the one that was scheduled first.
bool Scheduler::comesBefore(const Waiting &a, const Waiting &b) const {
  if (a.key.kind != b.key.kind)
    return a.key.kind < b.key.kind;
  const History *ofA = historyOf(a.key.uri), *ofB = historyOf(b.key.uri);
  return (ofA ? ofA->preferred : 0) > (ofB ? ofB->preferred : 0);
}

/// The worker that may start a job on the document now.
std::optional<size_t> Scheduler::workerFor(const std::string &uri) const {
  for (const Worker &worker : workers_)
    if (worker.job && worker.job->key.uri == uri)
      return std::nullopt;
  const History *history = historyOf(uri);
  const size_t last = history ? history->worker : 0;
  if (!workers_[last].job && workers_[last].runner->workerPid() != 0)
    return last;
  const size_t usable = allBusyOnesAreLong() ? workers_.size() : 1;
  for (size_t number = 0; number < usable; ++number)
    if (!workers_[number].job)
      return number;
  return std::nullopt;
}

bool Scheduler::allBusyOnesAreLong() const {
  const Clock::time_point now = now_();
  return std::all_of(workers_.begin(), workers_.end(), [&](const Worker &worker) {
    return !worker.job || worker.job->compiles || now - worker.job->startedAt >= times_.longJob;
  });
}

void Scheduler::endIdleWorkers() {
  for (size_t number = 1; number < workers_.size(); ++number) {
    const Worker &worker = workers_[number];
    if (!worker.job && worker.runner->workerPid() != 0 && now_() - worker.usedAt >= times_.idle)
      worker.runner->endProcess();
  }
}

/// Looks again when a pause is over, a running job has become a long one, or a worker has been idle for long.
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
    else if (!worker.job && &worker != &workers_.front() && worker.runner->workerPid() != 0)
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

void Scheduler::jobProgress(Worker &worker, const analysis::wire::Progress &progress) {
  Running &job = *worker.job;
  const bool compiles = progress.stage == analysis::wire::Stage::Compiling;
  if (std::exchange(job.compiles, compiles) != compiles)
    pump();
  if (!job.cancelled)
    client_.jobProgress(job.key, progress);
}

void Scheduler::jobDone(Worker &worker, JobOutcome outcome) {
  const Running job = std::move(*worker.job);
  worker.job.reset();
  worker.usedAt = now_();
  thenPump([&] {
    if (job.cancelled)
      return client_.jobCancelled(job.key);
    if (job.key.kind == JobKind::Document)
      histories_[job.key.uri].lastJob = std::chrono::duration_cast<milliseconds>(now_() - job.startedAt);
    std::visit([&](auto &end) { handle(job, std::move(end)); }, outcome);
  });
}

/// The views that are set aside say why, at their places in the client's request.
void Scheduler::addViewsSetAside(const Running &job, AnalysisResult &result) const {
  for (size_t i = 0; i < std::min(job.wanted.size(), result.views.size() + 1); ++i)
    if (const WorkerDeath *death = deaths_.setAside(job.content, job.wanted[i]))
      result.views.insert(result.views.begin() + static_cast<ptrdiff_t>(i),
                          {.request = job.wanted[i],
                           .problem = analysis::wire::View::Problem::SetAside,
                           .failure = features::findingOfDeath(*death, AfterDeath::ViewSetAside).message});
}

void Scheduler::handle(const Running &job, AnalysisResult result) {
  deaths_.survived(job.content, job.views);
  addViewsSetAside(job, result);
  client_.jobFinished(job.key, job.ticket, std::move(result));
}

void Scheduler::handle(const Running &job, const WorkerDeath &death) {
  const AfterDeath after = deaths_.died(job.content, job.views, death);
  if (after != AfterDeath::SetAside)
    waiting_.push_front({job.key, now_()});
  client_.workerDied(job.key, death, after);
}

void Scheduler::handle(const Running &job, const WorkerUnavailable &unavailable) {
  client_.workerUnavailable(job.key, unavailable.why);
}

// ---- the workers ---------------------------------------------------------------------------------------------------

void Scheduler::restartWorkers() {
  deaths_.clear();
  for (Worker &worker : workers_)
    worker.runner->endProcess();
}

void Scheduler::listCpus(const std::string &triple,
                         std::function<void(std::optional<analysis::wire::CpusResult>)> done) {
  const auto free =
      std::find_if(workers_.begin(), workers_.end(), [](const Worker &worker) { return !worker.job.has_value(); });
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
