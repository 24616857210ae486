// What limits a region, in one sentence, and only when the simulation shows it.
//
// The rules, in this order (cycles are per iteration):
//  1. resource: some resource unit is busy in at least nine tenths of the cycles;
//  2. dispatch: the micro-ops, at the dispatch width, need at least nine tenths of the cycles;
//  3. dependencies: resources and dispatch alone (the block reciprocal throughput) would need at most two thirds of the
//     cycles, and the bottleneck analysis saw instructions wait for registers or memory; the one that it saw more often
//     is named. Out-of-order CPUs only: for in-order ones LLVM's analysis makes no claim.
// Nine tenths, because the first iterations fill the machine and the last ones drain it; for the same reason fewer than
// ten iterations give no verdict. What lies between the rules has none either.
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
