// One analysis, from a buffer's text to what the editor shows. This is the whole of `analysis/` as the worker sees it.
//
// An Analyzer keeps what is worth keeping between jobs (targets, reports of regions already simulated); it is used by
// one thread at a time.
#pragma once

#include "analysis/common/time_limit.h"
#include "analysis/wire/messages.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace analysis {

using wire::ProgressSink;

class Analyzer {
public:
  /// `threads` that simulate; 0: one a processor, up to eight. `compileTime` is the limit of one run of the compiler,
  /// as wire::TimeLimit counts.
  explicit Analyzer(size_t threads = 0, std::chrono::milliseconds compileTime = wire::kCompileTime);
  ~Analyzer();

  /// Runs one job to its end. `progress` is called before each step, on the calling thread. When `stop` is requested
  /// the job ends soon, a compiler it started is killed, and the result's status is Cancelled.
  wire::AnalysisResult run(const wire::AnalyzeRequest &request, std::stop_token stop, const ProgressSink &progress);
  wire::CpusResult run(const wire::CpusRequest &request);

  /// Makes the next job faster; to be called when nobody waits for a result. Starts a compiler that waits for its
  /// command, if the last job ran one.
  void prepare();
  /// Ends the compiler that waits.
  void releaseIdleCompiler();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace analysis
