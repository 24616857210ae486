// Runs jobs for the scheduler: by a worker process in the program, in memory in tests. The defaults are those of a
// runner without a process.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/worker_death.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace lsp {

/// There is no worker, and trying again will not help by itself.
struct WorkerUnavailable {
  std::string why;
};

using JobOutcome = std::variant<analysis::wire::AnalysisResult, WorkerDeath, WorkerUnavailable>;

/// Called once, without a value if the worker does not answer.
using CpusCallback = std::function<void(std::optional<analysis::wire::CpusResult>)>;

class JobRunner {
public:
  virtual ~JobRunner() = default;

  /// Starts a job; only one runs at a time. `done` is called once, never from within start() or cancel().
  virtual void start(analysis::wire::AnalyzeRequest request, analysis::wire::ProgressSink progress,
                     std::function<void(JobOutcome)> done) = 0;

  /// Asks the running job to end soon: its outcome is a result, Cancelled unless it was finished already.
  virtual void cancel() = 0;

  /// Asks for the CPUs that LLVM knows for a triple; the host's if it is empty.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the supervisor keeps it
  virtual void listCpus(const std::string & /*triple*/, CpusCallback done) { done(std::nullopt); }
  /// Whether the worker may do what nobody waits for while it has no job; it may until this says otherwise.
  virtual void allowIdleWork(bool /*allowed*/) {}
  /// Ends the worker process, if there is one: the next job starts another. A running job must have been cancelled.
  virtual void endProcess() {}
  /// The worker process, or 0.
  virtual int workerPid() const { return 0; }
};

} // namespace lsp
