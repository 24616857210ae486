// What limits a region, in one sentence, and only when the simulation shows it.
//
// The rules, in this order (cycles are per iteration):
//  1. resource: some resource unit is busy in at least nine tenths of the cycles;
//  2. dispatch: the micro-ops, at the dispatch width, need at least nine tenths of the cycles;
//  3. registers: the dataflow limit (mca-core/engine/dataflow.h), the longest loop-carried chain of register
//     dependencies, takes at least nine tenths of the cycles.
// Nine tenths, because the first iterations fill the machine and the last ones drain it; for the same reason fewer than
// ten iterations give no verdict. What lies between the rules has none either: a full reorder buffer, for one.
#pragma once

#include "mca-core/engine/dataflow.h"
#include "mca-core/views/report.h"

#include <string>
#include <vector>

namespace analysis {

struct Verdict {
  enum class Kind { None, Resource, Dispatch, Registers };
  /// An instruction that has to do with it.
  struct Witness {
    uint32_t instruction = 0; ///< position in the report
    std::string message;
  };
  Kind kind = Kind::None;
  std::string sentence; ///< starts in lower case, no full stop; empty for None
  std::vector<Witness> witnesses;
};

/// `limit` counts instructions as the report does.
Verdict judge(const mca::Report &report, const mca::DataflowLimit &limit);

/// The stable code of a verdict's finding: "resource-bottleneck".
const char *codeOf(Verdict::Kind kind);

/// The name of one unit: the resource's, with the unit's number when there are several.
std::string unitName(const mca::ResourceUnit &unit);

} // namespace analysis
