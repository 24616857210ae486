// The one that carries out jobs, as the scheduler sees it. The real one is a process; tests have one in memory.
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

class JobRunner {
public:
  virtual ~JobRunner() = default;

  /// Starts a job; only one runs at a time. `done` is called once, never from within start() or cancel().
  virtual void start(analysis::wire::AnalyzeRequest request,
                     std::function<void(const analysis::wire::Progress &)> progress,
                     std::function<void(JobOutcome)> done) = 0;

  /// Asks the running job to end soon: its outcome is a result, Cancelled unless it was finished already.
  virtual void cancel() = 0;

  /// Asks for the CPUs that LLVM knows for a triple, this machine's when it is empty. `done` is called once, with no
  /// value when nobody answers.
  virtual void listCpus(const std::string &triple,
                        std::function<void(std::optional<analysis::wire::CpusResult>)> done) {
    done(std::nullopt);
  }
  /// Ends the process behind it, if there is one: the next job has another. A running job must have been cancelled.
  virtual void endProcess() {}
  /// That process, or 0.
  virtual int workerPid() const { return 0; }
};

} // namespace lsp
