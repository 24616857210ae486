// The views of a run along a trace. llvm-mca has none; its labels are used where it has a number, too.
#pragma once

#include "mca-core/report/trace_simulation.h"

#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Prints the summary of the counted part, then a table of the branches that a CPU has to predict.
void printTrace(llvm::raw_ostream &out, const TraceReport &report, const ProgramBranches &branches);
/// The same numbers, not rounded.
llvm::json::Object toJson(const TraceReport &report, const ProgramBranches &branches);

} // namespace mca
