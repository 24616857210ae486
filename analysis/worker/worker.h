// The worker's two threads.
//
// The main thread reads messages from the server's socket and never does anything slow, so that a cancellation and the
// end of the server are seen at once. The job thread runs one Analyzer, one request after the other in the order of
// their arrival, and is the only one that writes to the socket. When the server goes away, the main thread kills a
// running compiler and ends the process, whatever the job thread is in the middle of.
#pragma once

#include "analysis/common/time_limit.h"
#include "analysis/wire/messages.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>

namespace analysis {

/// The requests that were not answered yet. The front one is being worked on once takeFront() has returned it.
class JobQueue {
public:
  using Request = std::variant<wire::AnalyzeRequest, wire::CpusRequest>;
  struct Job {
    Request request;
    std::stop_source stop;
    uint64_t id() const;
  };

  void add(Request request);
  /// Asks the job to stop; one that was answered already, or never asked for, is nobody's concern any more.
  void cancel(uint64_t id);
  void cancelAll();

  /// Waits for a job, for so long. It stays valid, and in the queue, until removeFront(). Null when there was none.
  Job *takeFront(std::chrono::seconds longest);
  void removeFront();

private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Job> jobs_;
};

/// Serves the socket until its end, and then ends the process: no return. `compileTime`: see Analyzer.
[[noreturn]] void serve(int socket, std::chrono::milliseconds compileTime);

} // namespace analysis
