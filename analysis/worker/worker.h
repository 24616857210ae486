// The worker's two threads.
//
// The main thread reads messages from the server's socket and does nothing slow, so that it sees cancellations and the
// end of the server at once. The job thread runs one Analyzer, one request after the other in order of arrival, and is
// the only one that writes to the socket. If the server goes away, the main thread kills a running compiler and ends
// the process, whatever the job thread is doing.
#pragma once

#include "analysis/process/time_limit.h"
#include "analysis/wire/messages.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace analysis {

/// The requests that have no answer yet, for use by both threads. The job thread works on the front one.
class JobQueue {
public:
  using Request = std::variant<wire::AnalyzeRequest, wire::CpusRequest>;
  struct Job {
    Request request;
    std::stop_source stop;
  };

  void add(Request request);
  /// Requests that the job with this id stops; without an id, all jobs. An unknown id is ignored: the answer may have
  /// crossed the cancellation.
  void cancel(std::optional<uint64_t> id);

  /// Waits for a job at most so long; null if none came. The job stays in the queue, where cancel() finds it, and its
  /// address is valid until removeFront().
  Job *waitForFront(std::chrono::seconds longest);
  void removeFront();

  /// Work that nobody waits for stops, and must not begin until it is allowed again.
  void allowIdleWork(bool allowed);
  /// For such work: the token is stopped when a request comes, all jobs are cancelled, or the work is not allowed.
  std::stop_token whileIdle();

private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Job> jobs_;
  std::stop_source idleWork_;
  bool idleWorkAllowed_ = true;
};

/// Serves the socket until its end, and then ends the process: no return. `compile`: of one run of the compiler.
[[noreturn]] void serve(int socket, const wire::CompileLimits &compile);

} // namespace analysis
