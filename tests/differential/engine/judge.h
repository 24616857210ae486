// Whether the simulator gives what its reference gives, and the same with and without steady state.
#pragma once

#include "tests/differential/engine/engine_case.h"
#include "tests/differential/engine/parsed_body.h"

#include <string>

namespace differential {

enum class Stage : uint32_t { Parsing, Reference, EveryIteration, SteadyState, Trace, Comparing };

struct Verdict {
  /// Tie: LLVM itself gives sometimes this and sometimes that, see judgeCase(); nothing else differs.
  enum class Kind { Equal, Different, Tie };
  Kind kind = Kind::Equal;
  std::string difference; ///< what differs between whom; empty when nothing does

  bool differs() const { return kind == Kind::Different; }
};

/// Compares the simulator with LLVM's pipeline, with steady state and without, and with itself along a trace of the
/// same iterations. `stage` follows what is going on.
///
/// When two registers that an instruction reads are ready in the same cycle, LLVM names the one whose writer has the
/// lower address on the heap, and the most expensive sequence of dependencies depends on it. A difference in that
/// sequence alone is a tie if LLVM, run again on another heap, differs from itself in the dependencies that it chooses
/// the sequence from: the sequence itself may need one choice in each iteration.
Verdict judgeCase(mca::Simulator &simulator, const mca::Target &target, const ParsedBody &body,
                  const mca::SimulationOptions &options, Stage &stage);

/// Compares the simulator with itself, with steady state and without: for iterations that would take LLVM too long.
Verdict judgeSteadyState(mca::Simulator &simulator, const ParsedBody &body, const mca::SimulationOptions &options,
                         Stage &stage);

} // namespace differential
