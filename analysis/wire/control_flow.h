// How the branches of a loop go, and what predicting them wrongly costs: along a recorded trace, or with the odds that
// the compiler expects where there is none.
#pragma once

#include "analysis/wire/region.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis::wire {

/// A branch of a loop that a CPU has to predict. Numbers are those of the counted part of the run.
struct BranchCost {
  uint32_t instruction = 0;      ///< index in the program
  std::string text;              ///< in the printer's syntax, with single spaces
  ByteRange at;                  ///< as in Region::places; empty if it has no place in the buffer
  bool isIndirect = false;       ///< a jump to one of several targets: `taken` is 1
  double executions = 0;         ///< per iteration of the machine code
  double taken = 0;              ///< share of the executions, 0 to 1
  double missed = 0;             ///< share of the executions that were predicted wrongly, 0 to 1
  double wait = 0;               ///< mean cycles from dispatch to the end of execution of those
  double cost = -1;              ///< mean cycles that one of those adds to the loop; -1 if there are too few
  double cyclesPerIteration = 0; ///< that all of those add
  std::string load;              ///< the load that its condition waits for, as `text`; empty if there is none
  ByteRange loadAt;              ///< its place; empty if it has none
  bool operator==(const BranchCost &) const = default;
};

/// One loop's cycles along a way through its branches. Cycles are per iteration of the machine code, over all paths and
/// with the functions that were followed into.
struct ControlFlow {
  enum class Source : uint8_t {
    Odds,   ///< no trace: each branch that depends on data is random, with the probability that the compiler expects
    File,   ///< a trace of a file
    Comment ///< a trace written in the buffer
  };
  Source source = Source::Odds;
  uint32_t loop = 0;     ///< Region::loop
  std::string file;      ///< of File: its absolute path
  uint64_t modified = 0; ///< of File: when it was last written, in seconds since 1970
  std::string statement; ///< of File and Comment: the function of the trace, "kern", or "path taken,not-taken";
                         ///< empty if the file has only counts of the branches, which are the odds
  std::string predictor; ///< "tage"; of Odds: "odds", which always predicts the more likely way
  uint32_t mispredictPenalty = 0; ///< cycles
  uint64_t iterations = 0;        ///< of the machine code, in the counted part
  uint64_t instructions = 0;      ///< in the counted part
  double cycles = 0;
  double perfectCycles = 0;         ///< if every branch were predicted right
  double missesPerThousand = 0;     ///< mispredictions per 1,000 instructions
  bool isBarelyTrained = false;     ///< the trace is too short to train the predictor
  std::vector<BranchCost> branches; ///< in the order of the program
  std::vector<std::string> calls;   ///< functions that are called and not followed, each once, as in Region::calls; if
                                    ///< any, the cycles are a lower bound
  std::vector<uint32_t> callers;    ///< the call instructions of `calls`, as indices in the program
  bool operator==(const ControlFlow &) const = default;
};

} // namespace analysis::wire
