// Decides which document is analysed when, and by which worker.
//
// A job that is scheduled again starts over: a waiting one is replaced, a running one is cancelled, because only the
// newest text counts. The text itself is requested when the job starts. Of the waiting jobs those of documents come
// first, then those of the document that the user last worked with (`prefer`), then those that were scheduled first.
//
// One worker does all jobs as long as they are short, so that memory does not grow with the number of workers. A
// further one is started for a job that would wait for a long one: one that compiles, or has run for some time. A
// document prefers the worker that did its last job, which may still have it in its caches. Two jobs of one document
// never run at once, except for two variants of it. A further worker that has been idle for long is ended. While one
// compiles, the idle ones make nothing in advance: that would take processors from what the user waits for.
//
// An edit of a document that was quiet is analysed at once: a single keystroke is answered as fast as its job is. Of
// edits that follow each other closely each would only cancel the work for the one before, so from the second one on a
// pause comes first.
//
// What a job is called and what it was made from goes with it and comes back with its outcome, as several may run at
// once. What happens to a content that kills its worker is in death_record.h; it holds for all workers.
#pragma once

#include "lsp/jobs/death_record.h"
#include "lsp/jobs/job_runner.h"
#include "lsp/protocol/text.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/workspace/baselines.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lsp {

/// In the order of their urgency.
enum class JobKind : uint8_t {
  Document,  ///< the analysis of an open document
  OtherCpus, ///< a document on CPUs that the user named
  Listing,   ///< a document with the instructions of its regions, one of which is to be measured
  Variant,   ///< a document with a change that the user does not have yet
  Reasons,   ///< why a document's loops are not faster, which the compiler says if it may take longer
  Head       ///< a document's version in git HEAD
};

struct JobKey {
  std::string uri; ///< of the document
  JobKind kind = JobKind::Document;
  uint64_t number = 0; ///< distinguishes those of one document and kind
  auto operator<=>(const JobKey &) const = default;
};

/// The versions of what a job was made from.
struct JobTicket {
  size_t worker = 0;  ///< index of the worker that runs the job
  unsigned saves = 0; ///< of any file, before it
  Baselines::TextState text;
  std::vector<Baseline> before;            ///< what the text is compared with
  std::vector<protocol::VirtualUri> views; ///< in the order of AnalyzeRequest::documents
  std::shared_ptr<const Text> viewed;      ///< the text, if there are views
};

struct JobStart {
  analysis::wire::AnalyzeRequest request;
  JobTicket ticket;
};

class JobClient {
public:
  virtual ~JobClient() = default;
  /// The document as it is now. Called when its job starts, with the index of the worker that runs it.
  virtual JobStart startJob(const JobKey &job, size_t worker) = 0;
  virtual void jobProgress(const JobKey &job, const analysis::wire::Progress &progress) = 0;
  /// The end of a job: each startJob() is followed by one of the four.
  virtual void jobFinished(const JobKey &job, const JobTicket &ticket, analysis::wire::AnalysisResult result) = 0;
  virtual void jobCancelled(const JobKey &job) = 0;
  virtual void workerDied(const JobKey &job, const WorkerDeath &death, AfterDeath after) = 0;
  virtual void workerUnavailable(const JobKey &job, const std::string &why) = 0;
};

/// How long an edited document waits for the next edit: as long as its last job took, but at least 50 ms and at most
/// 500 ms. An edit within that time would have cancelled a job that was started at once.
std::chrono::milliseconds pauseBeforeJob(std::chrono::milliseconds lastJob);

/// When further workers start and end.
struct WorkerTimes {
  std::chrono::milliseconds longJob{200};                   ///< after which others no longer wait for a running job
  std::chrono::milliseconds idle = std::chrono::minutes(5); ///< before a further worker is ended
};

/// At least one. Those after the first are used only if they are needed.
using JobRunners = std::vector<std::reference_wrapper<JobRunner>>;

class Scheduler {
public:
  using Clock = std::chrono::steady_clock;

  /// `now` is the clock: tests have their own.
  Scheduler(boost::asio::io_context &io, const JobRunners &runners, JobClient &client,
            std::function<Clock::time_point()> now = Clock::now, WorkerTimes times = {});

  /// Analyses the document as soon as it is its turn.
  void scheduleNow(const JobKey &job);
  /// Analyses the edited document as soon as a pause has passed since the edit before this one; otherwise, and while a
  /// job of it waits or runs, after a pause from now on.
  void scheduleAfterPause(const std::string &uri);
  /// The user works with the document: it comes before those that were named earlier.
  void prefer(const std::string &uri);
  /// Drops or cancels the job. With that of a document, its history is forgotten.
  void forget(const JobKey &job);
  /// True while a job of the document itself waits or runs.
  bool pending(const std::string &uri) const;

  /// Ends the workers; contents that were set aside get another chance. Running jobs must have been cancelled.
  void restartWorkers();
  /// As JobRunner::listCpus, by a worker that is free if there is one.
  void listCpus(const std::string &triple, CpusCallback done);
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
    Clock::time_point usedAt; ///< last, if it has no job

    bool isIdleProcess() const { return !job && runner->workerPid() != 0; }
  };
  /// Kept for an open document.
  struct History {
    std::chrono::milliseconds lastJob{0};
    std::optional<Clock::time_point> editedAt;
    uint64_t preferred = 0; ///< higher: later
    size_t worker = 0;      ///< index of the one that did its last job
  };

  void schedule(const JobKey &job, Clock::time_point readyAt);
  void drop(const JobKey &job);
  History historyOf(const std::string &uri) const;
  /// Calls the client, and starts the next jobs. An exception of the client is passed on and stops no other document.
  template <class Step>
  void thenPump(const Step &step);
  void pump();
  std::optional<size_t> workerFor(const JobKey &job) const;
  void awaitNext();
  void start(const JobKey &key, size_t number);
  void shareProcessors();
  void jobProgress(Worker &worker, const analysis::wire::Progress &progress);
  void jobDone(Worker &worker, JobOutcome outcome);
  void jobFinished(const Running &job, analysis::wire::AnalysisResult result);

  JobClient &client_;
  std::function<Clock::time_point()> now_;
  WorkerTimes times_;
  boost::asio::steady_timer timer_;
  std::deque<Waiting> waiting_;
  std::vector<Worker> workers_; ///< never resized: callbacks refer to its elements
  std::unordered_map<std::string, History> histories_;
  uint64_t preferences_ = 0;
  bool compiles_ = false; ///< any worker, as far as the workers know
  DeathRecord deaths_;
};

} // namespace lsp
