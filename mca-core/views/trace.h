// The views of a run along a trace. llvm-mca has none; its labels are used where it has a number, too.
#pragma once

#include "mca-core/report/trace_simulation.h"
#include "mca-core/report/trace_window.h"

#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Prints the summary of the counted part, then a table of the branches that a CPU has to predict.
void printTrace(llvm::raw_ostream &out, const TraceReport &report, const ProgramBranches &branches);
/// The same numbers, not rounded.
llvm::json::Object toJson(const TraceReport &report, const ProgramBranches &branches);

/// Which parts of a window to print. The waits and the bottlenecks are printed if it has them.
struct WindowViews {
  bool timeline = false;
  uint32_t timelineMaxCycles = 80; ///< 0: no limit
};
/// Prints the bottlenecks, the timeline and the wait reasons, in the order of a loop's.
void printWindow(llvm::raw_ostream &out, const TraceWindow &window, const WindowViews &views);
/// All of it. The timeline has all rows, whatever the limit of cycles.
llvm::json::Object toJson(const TraceWindow &window, const ProgramBranches &branches);

} // namespace mca
