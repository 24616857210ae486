// Jobs beside the documents' own.
//
// A job on other CPUs, or one that lists the instructions, is a user's request and waits its turn: whoever requests it
// gets the analysis. When every document's own job is over, the compiler looks for reasons, and then the version in git
// HEAD is analysed; these jobs are dropped as soon as another one is scheduled. Variants of a document run in the same
// idle times, up to two at once; they are kept when a document's own job comes, and begin again after it.
#pragma once

#include "lsp/jobs/job_inputs.h"
#include "lsp/jobs/scheduler.h"
#include "lsp/protocol/json_rpc.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace lsp {

class SideJobs;

/// Lets idle times' jobs start again.
struct ResumeIdle {
  void operator()(SideJobs *jobs) const;
};
/// No idle time's job starts before this is destroyed.
using IdlePause = std::unique_ptr<SideJobs, ResumeIdle>;

class SideJobs {
public:
  /// Why a job has no analysis, as the error of the request that it was for.
  struct Failure {
    protocol::ErrorCode code = protocol::ErrorCode::RequestFailed;
    std::string why;
  };
  using Outcome = std::variant<Analysis, Failure>;
  using Done = std::function<void(const Outcome &outcome)>;
  /// What is shown of the document changes.
  using Changed = std::function<void(Document &document)>;

  SideJobs(Scheduler &scheduler, Workspace &workspace, const JobInputs &inputs, Changed changed)
      : scheduler_(scheduler), workspace_(workspace), inputs_(inputs), changed_(std::move(changed)) {}

  /// Schedules a job on a document that is ours to analyse. `cpus`: for a job on other CPUs. `done` is called once,
  /// unless the job is cancelled.
  JobKey add(const std::string &uri, JobKind kind, std::vector<std::string> cpus, Done done);
  using VariantOutcome = std::variant<analysis::wire::AnalysisResult, Failure>;
  using VariantDone = std::function<void(VariantOutcome outcome)>;
  /// Schedules an analysis that is made from a request as it is. `done` is called once, unless the job is cancelled.
  JobKey addVariant(const std::string &uri, analysis::wire::AnalyzeRequest request, VariantDone done);
  void cancel(const JobKey &job);
  /// Drops all jobs of a document; `code` and `why` are their outcome.
  void drop(const std::string &uri, protocol::ErrorCode code, const std::string &why);

  /// Jobs on HEAD, on reasons and on variants keep a worker busy that a user's request needs now; scheduleIdle() starts
  /// them again later.
  void dropIdle();
  /// The same, until the pause is over.
  [[nodiscard]] IdlePause pauseIdle();
  /// The same, for ever.
  void stop();
  /// Starts, if nothing else is to be done, the variants that wait for idle workers, or else the jobs on reasons, or
  /// else that on one document's version in HEAD.
  void scheduleIdle();

  // For the scheduler's client.
  analysis::wire::AnalyzeRequest requestFor(const JobKey &job, size_t worker) const;
  void finished(const JobKey &job, analysis::wire::AnalysisResult result);
  void failed(const JobKey &job, const std::string &why);

private:
  friend struct ResumeIdle;

  /// For a job on reasons or git HEAD the members are empty.
  struct SideJob {
    std::vector<std::string> cpus;
    Done done;
    // Of a variant:
    analysis::wire::AnalyzeRequest request;
    VariantDone variantDone;
    bool isScheduled = true; ///< false while it waits for idle workers
  };

  bool isAnyDocumentPending() const;
  bool wantsReasons(const Document &document) const;
  void takeReasons(Document &document, analysis::wire::AnalysisResult result);
  void reasonsFailed(Document &document);

  Scheduler &scheduler_;
  Workspace &workspace_;
  const JobInputs &inputs_;
  Changed changed_;
  std::map<JobKey, SideJob> jobs_;       ///< scheduled or running
  std::set<std::string> withoutReasons_; ///< documents whose last job on reasons failed, since dropIdle()
  uint64_t nextNumber_ = 1;
  unsigned pauses_ = 0; ///< in which no idle time's job starts
};

} // namespace lsp
