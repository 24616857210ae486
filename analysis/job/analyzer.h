// One analysis, from a buffer's text to typed results: the interface of `analysis/` for the worker.
//
// An Analyzer keeps targets, compiled output and simulated regions between jobs. Use it from one thread at a time.
#pragma once

#include "analysis/process/time_limit.h"
#include "analysis/wire/messages.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace analysis {

using wire::ProgressSink;

class Analyzer {
public:
  /// `threads`: for simulating; 0: one per processor, up to eight. `compile`: of one run of the compiler.
  explicit Analyzer(size_t threads = 0, const wire::CompileLimits &compile = {});
  ~Analyzer();

  /// Runs one job to its end. Calls `progress` before each step, on the calling thread. When `stop` is requested, the
  /// job ends soon, its compiler is killed, and the status of the result is Cancelled.
  wire::AnalysisResult run(const wire::AnalyzeRequest &request, std::stop_token stop, const ProgressSink &progress);
  wire::CpusResult run(const wire::CpusRequest &request);

  /// Makes the next job faster: starts a compiler that waits for its command, if the last job ran one. Call it when no
  /// request is waiting.
  void prepare();
  /// Makes saves of the sources faster that the jobs so far compiled (compile/preambles.h). That runs the compiler for
  /// seconds. When `stop` is requested, it is killed, and the next call goes on.
  void makePreambles(const std::stop_token &stop);
  /// Stops the compiler that prepare() started.
  void releaseIdleCompiler();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace analysis
