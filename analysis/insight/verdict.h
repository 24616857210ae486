// What limits a region, in one sentence, and only when the simulation shows it.
//
// The rules, in this order (cycles are per iteration):
//  1. resource: some resource unit is busy in at least nine tenths of the cycles;
//  2. dispatch: the micro-ops, at the dispatch width, need at least nine tenths of the cycles;
//  3. dependencies: the bottleneck analysis saw instructions held back by register or memory dependencies in at least
//     half of the cycles (out-of-order CPUs only: for in-order ones the analysis makes no claim). Whether dispatch
//     stalled too does not matter here: a short loop's chain limits it long before the queues are full.
// Nine tenths, because the first iterations fill the machine and the last ones drain it. Otherwise there is no verdict.
#pragma once

#include "mca-core/views/report.h"

#include <string>
#include <vector>

namespace analysis {

struct Verdict {
  enum class Kind { None, Resource, Dispatch, Registers, Memory };
  /// An instruction that has to do with it.
  struct Witness {
    uint32_t instruction = 0; ///< position in the report
    std::string message;
  };
  Kind kind = Kind::None;
  std::string sentence; ///< starts in lower case, no full stop; empty for None
  std::vector<Witness> witnesses;
};

Verdict judge(const mca::Report &report, bool outOfOrder);

/// The stable code of a verdict's finding: "resource-bottleneck".
const char *codeOf(Verdict::Kind kind);

/// The name of one unit: the resource's, with the unit's number when there are several.
std::string unitName(const mca::ResourceUnit &unit);

} // namespace analysis
