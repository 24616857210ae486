// Decides which document is analysed when.
//
// One job runs at a time; documents wait in the order in which they were scheduled. What is scheduled again starts
// over: a waiting job is replaced, a running one is cancelled, so that only the newest text counts. The text itself is
// asked for when the job starts.
//
// An edit of a document that was quiet is analysed at once: a single keystroke is answered as fast as its job is. While
// edits follow each other closely each only cancels the work for the one before, so from the second one on a pause has
// to come first.
//
// A worker that dies in a job gets one more chance with the same content. A content (path, text and settings) that
// killed two workers, or used up the time of one, is set aside: it is not run again until it changes, and each attempt
// is answered with the last death. A worker that dies while it makes a document beside the buffer (a view) says nothing
// of the buffer: of that view the same holds, and the content is run without it.
#pragma once

#include "lsp/jobs/job_runner.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lsp {

class JobClient {
public:
  virtual ~JobClient() = default;
  /// The document as it is now. Called when its job starts.
  virtual analysis::wire::AnalyzeRequest jobRequest(const std::string &uri) = 0;
  virtual void jobProgress(const std::string &uri, const analysis::wire::Progress &progress) = 0;
  /// A job is over, whatever its end; each jobRequest() is followed by one of the four.
  virtual void jobFinished(const std::string &uri, analysis::wire::AnalysisResult result) = 0;
  virtual void jobCancelled(const std::string &uri) = 0;
  virtual void workerDied(const std::string &uri, const WorkerDeath &death, Verdict verdict) = 0;
  virtual void workerUnavailable(const std::string &uri, const std::string &why) = 0;
};

/// How long an edited document waits for the next edit, given the time that its last job took: that time, but at least
/// 50 ms and at most 500 ms.
std::chrono::milliseconds pauseBeforeJob(std::chrono::milliseconds lastJob);

class Scheduler {
public:
  using Clock = std::chrono::steady_clock;

  /// `now` tells the time.
  Scheduler(boost::asio::io_context &io, JobRunner &runner, JobClient &client,
            std::function<Clock::time_point()> now = Clock::now);

  /// Analyse the document as soon as it is its turn.
  void scheduleNow(const std::string &uri);
  /// Analyse the edited document once a pause has passed since the edit before this one, or else since this one. While
  /// a job of it runs the pause counts from this one.
  void scheduleAfterPause(const std::string &uri);
  /// The document is gone: its job is dropped or cancelled.
  void forget(const std::string &uri);
  /// What was set aside gets another chance.
  void forgetDeaths() { deaths_.clear(); }
  /// True while a job of the document waits or runs.
  bool pending(const std::string &uri) const;

private:
  struct Waiting {
    std::string uri;
    Clock::time_point readyAt;
  };
  struct Running {
    std::string uri;
    size_t contentKey = 0;
    Clock::time_point startedAt;
    std::vector<analysis::wire::DocumentRequest> wanted; ///< views of the client's request
    std::vector<analysis::wire::DocumentRequest> views;  ///< those of them that are not set aside
    bool cancelled = false;
  };
  struct Timing {
    std::chrono::milliseconds lastJob{0};
    std::optional<Clock::time_point> editedAt;
  };
  struct Deaths {
    int count = 0;
    WorkerDeath last;
  };

  void schedule(const std::string &uri, Clock::time_point readyAt);
  void drop(const std::string &uri);
  /// Calls the client, and starts the next job. What the client throws passes through and stops no other document.
  template <class Step>
  void thenPump(const Step &step);
  void pump();
  void startJob(const std::string &uri);
  const WorkerDeath *setAside(size_t key) const;
  void addViewsSetAside(const Running &job, analysis::wire::AnalysisResult &result) const;
  void jobDone(JobOutcome outcome);
  void handle(const Running &job, analysis::wire::AnalysisResult result);
  void handle(const Running &job, const WorkerDeath &death);
  void handle(const Running &job, const WorkerUnavailable &unavailable);

  JobRunner &runner_;
  JobClient &client_;
  std::function<Clock::time_point()> now_;
  boost::asio::steady_timer timer_;
  std::deque<Waiting> waiting_;
  std::optional<Running> running_;
  std::unordered_map<std::string, Timing> timings_;
  std::unordered_map<size_t, Deaths> deaths_; ///< by content or view key
};

} // namespace lsp
