// Decides which document is analysed when, and by which worker.
//
// What is scheduled again starts over: a waiting job is replaced, a running one is cancelled, so that only the newest
// text counts. The text itself is requested when the job starts. Of the waiting documents the one that the user last
// did something with comes first (`prefer`), then those that have waited longest, then jobs of other kinds.
//
// One worker does all jobs as long as they are short, so that memory does not grow with the number of workers. A
// further one is started for a job that would wait for a long one: for a job that compiles, or that has run for some
// time. A document prefers the worker that did its last job, which may still hold it in its caches. Two jobs of one
// document never run at once. A further worker that has been idle for long is ended.
//
// An edit of a document that was quiet is analysed at once: a single keystroke is answered as fast as its job is. While
// edits follow each other closely each only cancels the work for the one before, so from the second one on a pause has
// to come first.
//
// What happens to a content that kills its worker is in death_record.h; it holds for all workers.
#pragma once

#include "lsp/jobs/death_record.h"
#include "lsp/jobs/job.h"
#include "lsp/jobs/job_runner.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lsp {

struct JobStart {
  analysis::wire::AnalyzeRequest request;
  JobTicket ticket;
};

class JobClient {
public:
  virtual ~JobClient() = default;
  /// The document as it is now. Called when its job starts, on the worker of that number.
  virtual JobStart startJob(const JobKey &job, size_t worker) = 0;
  virtual void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) = 0;
  /// A job is over, whatever its end; each startJob() is followed by one of the four.
  virtual void jobFinished(const JobKey &job, const JobTicket &ticket, analysis::wire::AnalysisResult result) = 0;
  virtual void jobCancelled(const JobKey &job) = 0;
  virtual void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) = 0;
  virtual void workerUnavailable(const JobKey &job, const std::string &why) = 0;
};

/// How long an edited document waits for the next edit, given the time that its last job took: that time, but at least
/// 50 ms and at most 500 ms.
std::chrono::milliseconds pauseBeforeJob(std::chrono::milliseconds lastJob);

/// When further workers come and go.
struct WorkerTimes {
  std::chrono::milliseconds longJob{200}; ///< a job that has run for so long has others wait no longer
  std::chrono::milliseconds idle = std::chrono::minutes(5); ///< before a further worker is ended
};

/// At least one. Those after the first are used only when they are needed.
using JobRunners = std::vector<std::reference_wrapper<JobRunner>>;

class Scheduler {
public:
  using Clock = std::chrono::steady_clock;

  /// `now` tells the time.
  Scheduler(boost::asio::io_context &io, const JobRunners &runners, JobClient &client,
            std::function<Clock::time_point()> now = Clock::now, WorkerTimes times = {});

  /// Analyse the document as soon as it is its turn.
  void scheduleNow(const JobKey &job);
  /// Analyse the edited document once a pause has passed since the edit before this one, or else since this one. While
  /// a job of it runs the pause counts from this one.
  void scheduleAfterPause(const std::string &uri);
  /// The user does something with the document: it comes before those that were named earlier.
  void prefer(const std::string &uri);
  /// The job is dropped or cancelled. With that of a document, all that is known of it is forgotten.
  void forget(const JobKey &job);
  /// True while a job of the document itself waits or runs.
  bool pending(const std::string &uri) const;

  /// Ends the workers; what was set aside gets another chance. Running jobs must have been cancelled.
  void restartWorkers();
  /// As JobRunner::listCpus, by a worker that is free if there is one.
  void listCpus(const std::string &triple, std::function<void(std::optional<analysis::wire::CpusResult>)> done);
  /// The processes of the workers that are there.
  std::vector<int> workerPids() const;

private:
  struct Waiting {
    JobKey key;
    Clock::time_point readyAt;
  };
  struct Running {
    JobKey key;
    JobTicket ticket;
    DeathRecord::Content content = 0;
    Clock::time_point startedAt;
    std::vector<analysis::wire::DocumentRequest> wanted; ///< views of the client's request
    std::vector<analysis::wire::DocumentRequest> views;  ///< those of them that are not set aside
    bool compiles = false;
    bool cancelled = false;
  };
  struct Worker {
    JobRunner *runner;
    std::optional<Running> job;
    Clock::time_point usedAt; ///< last, when it has no job
  };
  /// What is known of an open document.
  struct History {
    std::chrono::milliseconds lastJob{0};
    std::optional<Clock::time_point> editedAt;
    uint64_t preferred = 0; ///< higher: later
    size_t worker = 0;      ///< that did its last job
  };
  struct Turn {
    std::deque<Waiting>::iterator waiting;
    size_t worker;
  };

  void schedule(const JobKey &job, Clock::time_point readyAt);
  void drop(const JobKey &job);
  const History *historyOf(const std::string &uri) const;
  /// Calls the client, and starts the next jobs. What the client throws passes through and stops no other document.
  template <class Step>
  void thenPump(const Step &step);
  void pump();
  std::optional<Turn> nextTurn();
  bool comesBefore(const Waiting &a, const Waiting &b) const;
  std::optional<size_t> workerFor(const std::string &uri) const;
  bool allBusyOnesAreLong() const;
  void endIdleWorkers();
  void awaitNext();
  void start(const JobKey &key, size_t number);
  void addViewsSetAside(const Running &job, analysis::wire::AnalysisResult &result) const;
  void jobProgress(Worker &worker, const analysis::wire::Progress &progress);
  void jobDone(Worker &worker, JobOutcome outcome);
  void handle(const Running &job, analysis::wire::AnalysisResult result);
  void handle(const Running &job, const WorkerDeath &death);
  void handle(const Running &job, const WorkerUnavailable &unavailable);

  JobClient &client_;
  std::function<Clock::time_point()> now_;
  WorkerTimes times_;
  boost::asio::steady_timer timer_;
  std::deque<Waiting> waiting_;
  std::vector<Worker> workers_; ///< never resized: callbacks refer to its elements
  std::unordered_map<std::string, History> histories_;
  uint64_t preferences_ = 0;
  DeathRecord deaths_;
};

} // namespace lsp
