// The life of a worker process, in the order of its parts: the job, the process, the socket between both.
#include "lsp/jobs/worker_supervisor.h"

#include "analysis/process/exit_status.h"
#include "analysis/process/process.h"
#include "analysis/wire/codec.h"
#include "lsp/system/log.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <deque>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::Progress;
using analysis::wire::TimeLimit;
using boost::asio::local::stream_protocol;

struct WorkerSupervisor::Process {
  Process(boost::asio::io_context &io, const system::Child &child, system::TemporaryFolder folder, bool confined)
      : pid(child.pid), folder(std::move(folder)), confined(confined), socket(io, stream_protocol(), child.fd) {}

  int pid;
  system::TemporaryFolder folder; ///< the only one that it may write, if it is confined
  bool confined;
  stream_protocol::socket socket;
  analysis::wire::FrameSplitter frames;
  std::array<char, 65536> chunk{};
  std::deque<std::string> outgoing;
  bool hadJob = false;
  bool isReaped = false;                          ///< its number may belong to another process
  std::string fault;                              ///< what it did wrong, if the exit status does not say it
  std::optional<WorkerDeath::Cause> endedBecause; ///< the cause, if we ended it
  std::string reachedLimit;                       ///< the limit of time, if we ended it for that
};

struct WorkerSupervisor::Job {
  uint64_t id;
  bool confined;     ///< whether its worker has to be
  std::string frame; ///< of the request, until the worker reports progress on it
  analysis::wire::ProgressSink progress;
  std::function<void(JobOutcome)> done;
  bool first = false; ///< of its worker
  std::optional<Progress> last;
  std::optional<TimeLimit> limit; ///< from the last progress on
  bool cancelled = false;
};

WorkerSupervisor::WorkerSupervisor(boost::asio::io_context &io, WorkerOptions options)
    : io_(io), options_(std::move(options)), childSignals_(io, SIGCHLD), timer_(io) {
  watchChildren();
}

WorkerSupervisor::~WorkerSupervisor() {
  if (!process_)
    return;
  system::killAndReap(process_->pid);
  process_->folder.remove();
}

int WorkerSupervisor::workerPid() const {
  return process_ ? process_->pid : 0;
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

void WorkerSupervisor::start(analysis::wire::AnalyzeRequest request, analysis::wire::ProgressSink progress,
                             std::function<void(JobOutcome)> done) {
  const bool confined = options_.sandbox && request.settings.compiler != analysis::wire::kProjectsCompiler;
  const std::string error =
      ensureProcess(confined); // before there is a job: the end of an idle worker is not its death
  const uint64_t id = request.id = nextId_++;
  job_ = std::make_unique<Job>(Job{.id = id,
                                   .confined = confined,
                                   .frame = analysis::wire::encode(analysis::wire::ToWorker(std::move(request))),
                                   .progress = std::move(progress),
                                   .done = std::move(done)});
  sendJob(error);
}

/// `error`: that of ensureProcess().
void WorkerSupervisor::sendJob(const std::string &error) {
  if (!error.empty())
    return finish(WorkerUnavailable{error});
  job_->first = !std::exchange(process_->hadJob, true);
  send(job_->frame);
  limitJob();
}

/// The worker answers with a result whose status is Cancelled. If it does not in time, it is ended, because the next
/// job would have to wait for it.
void WorkerSupervisor::cancel() {
  if (!job_ || job_->cancelled)
    return;
  job_->cancelled = true;
  send(analysis::wire::encode(analysis::wire::ToWorker(analysis::wire::CancelRequest{job_->id})));
  callAt(TimeLimit::Clock::now() + options_.cancelGrace,
         [this] { end("it does not stop a cancelled job", std::nullopt); });
}

void WorkerSupervisor::finish(JobOutcome outcome) {
  ++timerRound_;
  timer_.cancel();
  const std::unique_ptr<Job> job = std::move(job_);
  boost::asio::post(
      io_, [done = std::move(job->done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); });
}

/// The limit counts from now on.
void WorkerSupervisor::limitJob() {
  if (process_->isReaped)
    return;
  job_->limit.emplace(options_.jobTimeout, TimeLimit::Clock::now(), system::processorTime(process_->pid));
  callAt(job_->limit->nextCheck(), [this] { checkLimit(); });
}

/// Replaces an earlier call, and is dropped with the job. A handler that the loop has already queued cannot be
/// cancelled: it sees that the round is over.
void WorkerSupervisor::callAt(std::chrono::steady_clock::time_point time, std::function<void()> then) {
  timer_.expires_at(time);
  timer_.async_wait([this, then = std::move(then), round = ++timerRound_](boost::system::error_code) {
    if (round == timerRound_ && process_ && job_)
      then();
  });
}

void WorkerSupervisor::checkLimit() {
  // While the compiler runs, the worker is idle and limits the compiler's time itself.
  const bool compiling = job_->last && job_->last->stage == analysis::wire::Stage::Compiling;
  const TimeLimit::Reached reached =
      job_->limit->check(TimeLimit::Clock::now(), system::processorTime(process_->pid), compiling);
  if (reached == TimeLimit::Reached::No)
    return callAt(job_->limit->nextCheck(), [this] { checkLimit(); });
  process_->reachedLimit = describeLimit(reached, options_.jobTimeout, analysis::wire::kJobTimeOption);
  end(process_->reachedLimit,
      reached == TimeLimit::Reached::Idle ? WorkerDeath::Cause::Idle : WorkerDeath::Cause::TimedOut);
}

/// Kills the worker. SIGCHLD follows, and jobDied() reports the cause; there is none if the job was cancelled.
void WorkerSupervisor::end(const std::string &why, std::optional<WorkerDeath::Cause> cause) {
  logError("ending worker " + std::to_string(process_->pid) + ": " + why);
  process_->endedBecause = cause;
  analysis::killGroup(process_->pid);
}

/// The first progress shows that the worker has begun this job: if it dies from now on, the job is to blame, and will
/// not be sent again.
void WorkerSupervisor::handle(const Progress &progress) {
  if (!job_ || progress.id != job_->id)
    return;
  job_->last = progress;
  job_->frame = {};
  if (job_->cancelled)
    return;
  limitJob();
  boost::asio::post(io_, [report = job_->progress, progress] { report(progress); });
}

void WorkerSupervisor::handle(AnalysisResult result) {
  if (job_ && result.id == job_->id)
    finish(std::move(result));
}

void WorkerSupervisor::listCpus(const std::string &triple, CpusCallback done) {
  if (const std::string error = ensureProcess(process_ ? process_->confined : options_.sandbox); !error.empty()) {
    logError("no worker: " + error);
    boost::asio::post(io_, [done = std::move(done)] { done(std::nullopt); });
    return;
  }
  const uint64_t id = nextId_++;
  queries_[id] = std::move(done);
  send(analysis::wire::encode(analysis::wire::ToWorker(analysis::wire::CpusRequest{id, triple})));
}

void WorkerSupervisor::handle(analysis::wire::CpusResult result) {
  if (auto query = queries_.extract(result.id); !query.empty())
    boost::asio::post(io_, [done = std::move(query.mapped()), result = std::move(result)] { done(result); });
}

void WorkerSupervisor::allowIdleWork(bool allowed) {
  idleWorkAllowed_ = allowed;
  if (process_)
    sendIdleWork();
}

void WorkerSupervisor::sendIdleWork() {
  send(analysis::wire::encode(analysis::wire::ToWorker(analysis::wire::IdleWorkRequest{idleWorkAllowed_})));
}

void WorkerSupervisor::dropQueries() {
  for (auto &[id, done] : std::exchange(queries_, {}))
    boost::asio::post(io_, [done = std::move(done)] { done(std::nullopt); });
}

// ---- the process ---------------------------------------------------------------------------------------------------

/// Starts a worker if there is none. Returns why that is impossible, or nothing.
std::string WorkerSupervisor::ensureProcess(bool confined) {
  reapIfEnded();
  replaceIfUnfit(confined);
  if (process_)
    return "";
  system::TemporaryFolder folder = system::TemporaryFolder::make();
  const system::Child child = system::startChild(
      {.program = options_.program,
       .arguments = {"--memory-limit-mb", std::to_string(options_.memoryLimitMb), analysis::wire::kCompileTimeOption,
                     std::to_string(options_.compileTimeout.count()), analysis::wire::kCompileMemoryOption,
                     std::to_string(options_.compileMemoryLimitMb), "--confined", options_.sandbox ? "1" : "0"},
       .temporaryFolder = folder.path(),
       .confined = confined});
  if (child.pid < 0)
    return options_.program + ": " + child.error;
  logInfo("started worker " + std::to_string(child.pid));
  process_ = std::make_shared<Process>(io_, child, std::move(folder), confined);
  read(process_);
  if (!idleWorkAllowed_)
    sendIdleWork();
  return "";
}

/// A worker's confinement is for life, and without its folder, which is gone or could not be made, it can write
/// nowhere: between two jobs, a worker that cannot do the next one is ended.
void WorkerSupervisor::replaceIfUnfit(bool confined) {
  if (process_ && !job_ && queries_.empty() && (process_->confined != confined || !process_->folder.isUsable()))
    endProcess();
}

void WorkerSupervisor::endProcess() {
  if (!process_)
    return;
  logInfo("ending worker " + std::to_string(process_->pid) + ": it is not needed now");
  system::killAndReap(process_->pid);
  process_->folder.remove(); // handlers of its socket keep the object
  process_.reset();
  dropQueries();
  if (job_)
    finish(AnalysisResult{.id = job_->id, .status = analysis::wire::Status::Cancelled});
}

/// SIGCHLD says that some child ended, and two signals may arrive as one (signal(7)): each supervisor asks for its own
/// child.
void WorkerSupervisor::watchChildren() {
  childSignals_.async_wait([this](boost::system::error_code error, int) {
    if (error)
      return;
    watchChildren();
    reapIfEnded();
  });
}

void WorkerSupervisor::reapIfEnded() {
  const ProcessPtr process = process_;
  const auto status = process ? system::reap(process->pid) : std::nullopt;
  if (!status)
    return;
  process->isReaped = true;
  process->folder.remove();
  drain(*process);
  process_.reset();
  std::string how = process->fault.empty() ? system::describe(*status) : process->fault;
  logInfo("worker " + std::to_string(process->pid) + " ended: " + how);
  dropQueries();
  if (job_)
    jobDied(*process, *status, std::move(how));
}

/// Decides what a worker's end means for its job: it was cancelled, we ended the worker, the job had not begun, the
/// worker cannot be loaded, or the job killed it.
void WorkerSupervisor::jobDied(const Process &process, const system::ExitStatus &status, std::string how) {
  if (job_->cancelled)
    return finish(AnalysisResult{.id = job_->id, .status = analysis::wire::Status::Cancelled});
  if (process.endedBecause)
    return finish(WorkerDeath{*process.endedBecause, process.reachedLimit, job_->last, /*wouldRepeat=*/true});
  if (!job_->last && !job_->first)
    return sendJob(ensureProcess(job_->confined));
  if (!status.signalled && status.value == analysis::kExitNotLoaded && !job_->last)
    return finish(WorkerUnavailable{options_.program + ": it cannot be loaded"});
  if (!status.signalled && status.value == analysis::kExitOutOfMemory)
    return finish(WorkerDeath{WorkerDeath::Cause::OutOfMemory,
                              "it needs more than " + std::to_string(options_.memoryLimitMb) + " MiB, the limit of " +
                                  analysis::wire::kJobMemoryOption,
                              job_->last, /*wouldRepeat=*/job_->first}); // otherwise earlier jobs have their share
  finish(WorkerDeath{WorkerDeath::Cause::Crashed, std::move(how), job_->last});
}

// ---- the socket ----------------------------------------------------------------------------------------------------

/// After an error, such as the end of the stream, nothing can come from the worker: it is killed if it still lives.
void WorkerSupervisor::read(const ProcessPtr &process) {
  process->socket.async_read_some(boost::asio::buffer(process->chunk),
                                  [this, process](boost::system::error_code error, size_t count) {
                                    if (process != process_)
                                      return;
                                    if (error)
                                      return analysis::killGroup(process->pid);
                                    receive(*process, count);
                                    read(process);
                                  });
}

/// Reads what the worker wrote before its end, which the socket still holds.
void WorkerSupervisor::drain(Process &process) {
  boost::system::error_code error;
  process.socket.cancel(error);
  process.socket.non_blocking(true, error);
  while (const size_t count = process.socket.read_some(boost::asio::buffer(process.chunk), error))
    receive(process, count);
}

/// Handles what was read into the chunk. An exception (there may be no memory for a frame) leaves the stream in the
/// middle of a frame, so the worker is ended.
void WorkerSupervisor::receive(Process &process, size_t count) {
  try {
    process.frames.feed({process.chunk.data(), count});
    while (process.fault.empty()) {
      const auto payload = process.frames.next();
      if (!payload && !process.frames.broken())
        return;
      if (auto message = payload ? analysis::wire::decodeFromWorker(*payload) : std::nullopt)
        std::visit([this](auto &content) { handle(std::move(content)); }, *message);
      else
        fail(process, "it sent what no worker sends");
    }
  } catch (const std::exception &error) {
    fail(process, std::string("what it sent cannot be read: ") + error.what());
  }
}

void WorkerSupervisor::fail(Process &process, std::string fault) {
  process.fault = std::move(fault);
  if (!process.isReaped)
    analysis::killGroup(process.pid);
}

void WorkerSupervisor::send(std::string frame) {
  process_->outgoing.push_back(std::move(frame));
  if (process_->outgoing.size() == 1)
    write(process_);
}

/// An error is left to read(), which sees the end of the stream after the worker's last message.
void WorkerSupervisor::write(const ProcessPtr &process) {
  boost::asio::async_write(process->socket, boost::asio::buffer(process->outgoing.front()),
                           [this, process](boost::system::error_code error, size_t) {
                             if (error || process != process_)
                               return;
                             process->outgoing.pop_front();
                             if (!process->outgoing.empty())
                               write(process);
                           });
}

} // namespace lsp
