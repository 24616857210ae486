// The job thread (runJobs) and the main thread (serve). Neither ever returns: the process ends with _exit, because
// destructors could wait for a thread that is inside of LLVM.
#include "analysis/worker/worker.h"

#include "analysis/job/analyzer.h"
#include "analysis/process/exit_status.h"
#include "analysis/wire/codec.h"
#include "analysis/worker/limits.h"

#include <array>
#include <cerrno>
#include <string_view>
#include <type_traits>
#include <unistd.h>

namespace analysis {

void JobQueue::add(Request request) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back({.request = std::move(request), .stop = {}});
  idleWork_.request_stop();
  added_.notify_one();
}

void JobQueue::cancel(std::optional<uint64_t> id) {
  const std::lock_guard lock(mutex_);
  if (!id)
    idleWork_.request_stop();
  for (Job &job : jobs_)
    if (!id || *id == std::visit([](const auto &request) { return request.id; }, job.request))
      job.stop.request_stop();
}

JobQueue::Job *JobQueue::waitForFront(std::chrono::seconds longest) {
  std::unique_lock lock(mutex_);
  return added_.wait_for(lock, longest, [&] { return !jobs_.empty(); }) ? &jobs_.front() : nullptr;
}

void JobQueue::removeFront() {
  const std::lock_guard lock(mutex_);
  jobs_.pop_front();
}

void JobQueue::allowIdleWork(bool allowed) {
  const std::lock_guard lock(mutex_);
  idleWorkAllowed_ = allowed;
  if (!allowed)
    idleWork_.request_stop();
}

std::stop_token JobQueue::whileIdle() {
  const std::lock_guard lock(mutex_);
  idleWork_ = std::stop_source();
  if (!jobs_.empty() || !idleWorkAllowed_)
    idleWork_.request_stop();
  return idleWork_.get_token();
}

namespace {

using namespace std::chrono_literals;

/// Who types in one document and saves another would stop work that began at once again and again.
constexpr std::chrono::seconds kCalm{1};

constexpr std::chrono::minutes kIdleTimeout{10};

/// Writes all bytes. An error is not reported: it means that the server is gone, which the main thread sees as well.
void writeAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(socket, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return;
    bytes.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
  }
}

/// Waits for a job. The analyzer prepares for it meanwhile, but the idle compiler is stopped after ten minutes.
const JobQueue::Job &nextJob(JobQueue &queue, Analyzer &analyzer) {
  if (const JobQueue::Job *job = queue.waitForFront(0s))
    return *job;
  analyzer.prepare();
  std::stop_token stop;
  do {
    if (const JobQueue::Job *job = queue.waitForFront(kCalm))
      return *job;
    stop = queue.whileIdle();
    analyzer.makePreambles(stop);
  } while (stop.stop_requested());
  if (const JobQueue::Job *job = queue.waitForFront(kIdleTimeout))
    return *job;
  analyzer.releaseIdleCompiler();
  while (true)
    if (const JobQueue::Job *job = queue.waitForFront(kIdleTimeout))
      return *job;
}

[[noreturn]] void runJobs(int socket, const wire::CompileLimits &compile, JobQueue &queue) {
  Analyzer analyzer(0, compile);
  const auto send = [&](const wire::FromWorker &message) { writeAll(socket, wire::encode(message)); };
  while (true) {
    const JobQueue::Job &job = nextJob(queue, analyzer);
    const auto *analysis = std::get_if<wire::AnalyzeRequest>(&job.request);
    if (!analysis) {
      send(analyzer.run(std::get<wire::CpusRequest>(job.request)));
    } else if (job.stop.stop_requested()) {
      wire::AnalysisResult cancelled;
      cancelled.id = analysis->id;
      cancelled.status = wire::Status::Cancelled;
      send(cancelled);
    } else {
      send(analyzer.run(*analysis, job.stop.get_token(), send));
    }
    queue.removeFront();
    dropDiverted();
  }
}

[[noreturn]] void endProcess(JobQueue &queue, WorkerExit status) {
  queue.cancel(std::nullopt); // a stop request kills the compiler before it returns
  _exit(status);
}

void handle(JobQueue &queue, std::string_view payload) {
  std::optional<wire::ToWorker> message = wire::decodeToWorker(payload);
  if (!message) {
    say("a frame holds no message");
    endProcess(queue, kExitProtocol);
  }
  if (const auto *cancelled = std::get_if<wire::CancelRequest>(&*message))
    queue.cancel(cancelled->id);
  else if (auto *analysis = std::get_if<wire::AnalyzeRequest>(&*message))
    queue.add(std::move(*analysis));
  else if (const auto *idle = std::get_if<wire::IdleWorkRequest>(&*message))
    queue.allowIdleWork(idle->allowed);
  else
    queue.add(std::move(std::get<wire::CpusRequest>(*message)));
}

} // namespace

void serve(int socket, const wire::CompileLimits &compile) {
  // Never destroyed: the job thread uses it until the process ends.
  JobQueue &queue = *new JobQueue;
  if (!startWithLargeStack([&queue, socket, compile] { runJobs(socket, compile, queue); })) {
    say("no memory for the job thread's stack");
    _exit(kExitOutOfMemory);
  }
  wire::FrameSplitter splitter;
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t count = read(socket, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR))
      endProcess(queue, kExitServerGone);
    splitter.feed(std::string_view(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0));
    while (const std::optional<std::string_view> payload = splitter.next())
      handle(queue, *payload);
    if (splitter.broken()) {
      say("a frame is too long");
      endProcess(queue, kExitProtocol);
    }
  }
}

} // namespace analysis
