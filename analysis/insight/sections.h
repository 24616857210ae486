// Pieces of text that hints and hovers share: a region's title, its numbers in a line, the verdict, paths and others.
#pragma once

#include "analysis/insight/present.h"

#include <string>

namespace analysis {

void add(wire::RichText &text, wire::Block::Kind kind, std::string content);

/// The extremes over the paths of a loop.
struct LoopNumbers {
  double leastIpc = 0, mostIpc = 0;
  double leastCycles = 0, mostCycles = 0; ///< per iteration of the machine code
  uint32_t sourceIterations = 1;          ///< as in Region
  bool uncertain = false;                 ///< some path has a caveat
};
LoopNumbers numbersOf(const AnalysedLoop &loop);

/// "3.0", or "3.0–5.0" when the two differ as they are shown.
std::string rangeOf(double low, double high, int decimals);
/// "4.0 cyc", or where a vector body or an unrolled one does several iterations of the source's loop at once "0.50
/// cyc/iter".
std::string cyclesLabelOf(const LoopNumbers &numbers);
/// "IPC 2.37 · 4.0 cyc ≈", over all paths.
std::string labelOf(const AnalysedLoop &loop);

std::string titleOf(const Region &region);
/// The verdict with a capital and a full stop; empty without one.
std::string sentenceOf(const Verdict &verdict);

/// The verdict, what has changed, and what the numbers rest on.
void addVerdict(wire::RichText &text, const AnalysedRegion &analysed);
/// The paths through the loop, a line each. Shares are what the compiler expects.
void addPaths(wire::RichText &text, const AnalysedLoop &loop);
/// The loops that share the line with the one shown, a line each.
void addOthers(wire::RichText &text, const std::vector<AnalysedLoop> &onLine);
/// "CPU skylake (set in the buffer); skylake: its own model."
std::string modelInWords(const wire::TargetSummary &target);

} // namespace analysis
