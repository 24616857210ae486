// The pieces of text that hints, hovers and reports share: a region's title, its numbers in a line, its verdict, the
// paths through a loop and the other loops of a line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <string>

namespace lsp::wording {

/// The extremes over the paths of a loop. If some path makes a call, only the least cycles mean anything, as a lower
/// bound: calls are not simulated.
struct LoopNumbers {
  double leastIpc = 0, mostIpc = 0;
  double leastCycles = 0, mostCycles = 0; ///< per iteration of the machine code
  uint32_t sourceIterations = 1;          ///< as in wire::Region
  bool uncertain = false;                 ///< some path has a caveat
  std::vector<std::string> calls;         ///< of all paths: functions that are not simulated
};
LoopNumbers numbersOf(const ShownLoop &loop);

/// Micro-ops per cycle of the steady loop (mca::Rate), not llvm-mca's average; 0 if there are no cycles.
double microOpsPerCycle(const wire::Simulation &simulation);

/// What precedes the numbers: "≥ " for a lower bound, "≈ " for numbers that are less certain than they look, both, or
/// nothing.
std::string markOf(const LoopNumbers &numbers);

/// "3.0", or "3.0–5.0" if the two differ after rounding.
std::string rangeOf(double low, double high, int digits);
/// "4.0 cyc", or "0.50 cyc/iter" if the code does several iterations of the source loop at once.
std::string cyclesLabelOf(const LoopNumbers &numbers);
/// "4.0 cycles per iteration", with the number of cyclesLabelOf().
std::string cyclesInWords(const LoopNumbers &numbers);
/// "≈ IPC 2.37 · 4.0 cyc", "≥ 6.6 cyc", over all paths.
std::string labelOf(const ShownLoop &loop);

/// "calls visit and work, whose time is not in the cycles".
std::string lowerBoundInWords(const std::vector<std::string> &calls);

/// "loop in f, vector body ×4", "region dot", "marked region".
std::string titleOf(const AnalysedRegion &region);
/// The name with variant and path: "loop in f, vector body ×4, through line 7". A region without a name is "region".
std::string longNameOf(const wire::Region &region);
/// bottleneckOf() as a sentence with a capital and a full stop; empty without a verdict.
std::string verdictParagraph(const AnalysedRegion &region);

/// The verdict, what has changed, and what the numbers rest on.
void addVerdict(RichText &text, const AnalysedRegion &region);
/// The paths through the loop, a line each, with the shares of iterations that the compiler expects.
void addPaths(RichText &text, const ShownLoop &loop);
/// The loops of the line besides the one shown, a line each.
void addOthers(RichText &text, const LoopsOfLine &onLine);
/// "CPU skylake (set in the buffer); skylake: its own model."
std::string modelInWords(const wire::TargetSummary &target);

} // namespace lsp::wording
