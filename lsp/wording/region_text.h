// The pieces of text that hints, hovers and reports share: a region's title, its numbers in a line, its verdict, the
// paths through a loop and the other loops of a line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <string>

namespace lsp::wording {

/// The numbers of a loop: the extremes over its paths, or those along a trace. If calls or instructions are left out,
/// only the least cycles mean anything, as a lower bound.
struct LoopNumbers {
  double leastIpc = 0, mostIpc = 0;
  double leastCycles = 0, mostCycles = 0; ///< per iteration of the machine code
  uint32_t sourceIterations = 1;          ///< as in wire::Region
  bool uncertain = false;                 ///< some path has a caveat, apart from those in `leftOut`
  std::vector<std::string> calls;         ///< of all paths, or of the trace: functions that are not simulated
  std::vector<wire::Caveat> leftOut = {}; ///< of all paths: what of their instructions is (wire::leavesOut())
  bool isLowerBound() const { return !calls.empty() || !leftOut.empty(); }
  bool bounded = false; ///< the most cycles and the least IPC are bounds for branches that cannot be predicted
  bool traced = false;  ///< the cycles are those along a trace; the IPC means nothing
  double missed = -1;   ///< along a trace: the share of the branches' executions that were mispredicted; -1 if there
                        ///< are none
  double missCost = 0;  ///< along a trace: mean cycles that one misprediction adds; 0 if there are none
  /// Cycles that were measured, per iteration of the machine code; -1 unless each path was. Not along a trace, as each
  /// path is measured alone.
  double leastMeasured = -1, mostMeasured = -1;
  double observed = 0;            ///< in a program, as a profile shows; per iteration of the machine code; 0 if unknown
  bool measuredElsewhere = false; ///< on another CPU than the one of the other numbers
};

/// With perfect prediction; of the CPU as it was measured if there is a calibration.
LoopNumbers pathNumbersOf(const ShownLoop &loop);
/// With the mispredictions of the loop's branches, if something is known about them: what a hint shows.
LoopNumbers numbersOf(const ShownLoop &loop);

/// What is known about the loop's branches: null if it is nothing, or if the user looks at one path.
const wire::ControlFlow *flowOf(const ShownLoop &loop);

/// The branches of a loop together.
struct MissNumbers {
  double executions = 0;   ///< of branches, per iteration
  double perIteration = 0; ///< mispredictions
  double cost = 0;         ///< mean cycles that one of them adds to the loop; 0 if there are none
};
MissNumbers missesOf(const wire::ControlFlow &flow);

/// Why numbers along a trace are less certain than they look (ControlFlow::isBarelyTrained).
inline constexpr const char *kBarelyTrained = "the trace is too short to train the predictor";

/// Micro-ops per cycle of the steady loop in LLVM's model (mca::Rate), not llvm-mca's average; 0 if there are no
/// cycles.
double microOpsPerCycle(const wire::Simulation &simulation);

/// What precedes the numbers: "≥ " for a lower bound, "≈ " for numbers that are less certain than they look, both, or
/// nothing.
std::string markOf(const LoopNumbers &numbers);

/// "3.0", or "3.0–5.0" if the two differ after rounding.
std::string rangeOf(double low, double high, int digits);
/// A bound, of which less is known than of other numbers: "14", and with decimals below ten.
std::string roughly(double bound, int digits);
/// "43 % missed", and "24 each" if that rounds to something; both empty without a trace or without branches.
std::string missedLabelOf(const LoopNumbers &numbers);
std::string missCostLabelOf(const LoopNumbers &numbers);
/// "4.0 cyc", or "0.50 cyc/iter" if the code does several iterations of the source loop at once.
std::string cyclesLabelOf(const LoopNumbers &numbers);
/// " (measured 4.3)" in the same unit, or " (measured here 4.3)" if the prediction is for another CPU; empty if it was
/// not measured.
std::string measuredLabelOf(const LoopNumbers &numbers);
/// " (in program 9.6)" in the same unit; empty if it is not known.
std::string observedLabelOf(const LoopNumbers &numbers);
/// "4.0 cycles per iteration", with the number of cyclesLabelOf().
std::string cyclesInWords(const LoopNumbers &numbers);
/// "≈ IPC 2.37 · 4.0 cyc", "4.0 cyc (measured 4.3)", "≥ 6.6 cyc", "38.5 cyc · 43 % missed · 24 each".
std::string labelOf(const LoopNumbers &numbers);
/// The same of numbersOf() the loop.
std::string labelOf(const ShownLoop &loop);

/// Why the cycles are a lower bound: "calls visit and work, whose time is not in the cycles", "has 2 lines that could
/// not be read". Of the caveats those count that leave something out.
std::string lowerBoundInWords(const std::vector<std::string> &calls, const std::vector<wire::Caveat> &caveats);

/// The known errors of LLVM's model that the numbers do not have, each in words, then what the model says with them;
/// empty if there are none.
std::vector<std::string> correctionsInWords(const AnalysedRegion &region);

/// "loop in f, vector body ×4", "region dot", "marked region".
std::string titleOf(const AnalysedRegion &region);
/// The name with variant and path: "loop in f, vector body ×4, through line 7". A region without a name is "region".
std::string longNameOf(const wire::Region &region);
/// bottleneckOf() as a sentence with a capital and a full stop; empty without a verdict.
std::string verdictParagraph(const AnalysedRegion &region);

/// The verdict of the first path, what has changed, and what the numbers rest on.
void addVerdict(RichText &text, const ShownLoop &loop);
/// The paths through the loop, a line each, with the shares of iterations that the compiler expects.
void addPaths(RichText &text, const ShownLoop &loop);
/// The loops of the line besides the one shown, a line each.
void addOthers(RichText &text, const LoopsOfLine &onLine);
/// "CPU skylake (set in the buffer); skylake: its own model."
std::string modelInWords(const wire::TargetSummary &target);

} // namespace lsp::wording
