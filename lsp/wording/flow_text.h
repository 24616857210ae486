// What the branches of a loop cost, in words: for labels, tooltips, hovers, findings and lenses.
//
// Along a trace the numbers are those of its mispredictions. Without one they are a bound: each branch that depends on
// data is as random as the compiler expects. What limits a loop, budgets and comparisons with earlier versions are
// about perfect prediction in both cases.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <cstdint>
#include <string>

namespace lsp::wording {

/// Along a trace, in a file or in the text, rather than with the odds that the compiler expects.
bool isTraced(const wire::ControlFlow &flow);

/// "the trace kern.mcatrace", "the trace in the text".
std::string traceInWords(const wire::ControlFlow &flow);

/// Where the numbers come from and what they would be with perfect prediction. Nothing for a loop without a flow, or
/// whose bound is not above the cycles of its paths.
void addFlow(RichText &text, const ShownLoop &loop, const Text &source);

/// How many branches are mispredicted along the trace, and what one misprediction costs.
RichText aboutMisses(const wire::ControlFlow &flow);

/// The section of a hover: a row for each branch. `now`: seconds since 1970, for the age of the trace's file; 0 if it
/// is not known.
void addBranches(RichText &text, const ShownLoop &loop, const Text &source, uint64_t now);

/// "jle .Lskip: taken 49 %, …": an item for each branch of the region's loop that is at this place.
void addBranchesAt(RichText &text, const AnalysedRegion &region, wire::ByteRange at, const Text &source);

/// Whether the mispredictions of one branch cost so much along the trace that they are a finding.
bool isCostly(const wire::ControlFlow &flow, const wire::BranchCost &branch);

/// "`jle .Lskip`: mispredicted 517 of 997, 10.9 of 12.4 cycles per iteration: its condition waits for the load of line
/// 8". `number`: in the flow of the region, which must have one.
std::string mispredictionInWords(const AnalysedRegion &region, size_t number, const Text &source);

/// The title of the lens that steps through the paths: "path 1 of 3 · 50 % · 3.0 cyc", "all 3 paths · 3.0–5.0 cyc";
/// empty for a loop of one path.
std::string pathLens(const ShownLoop &loop);

/// "predictor: tage"; empty for a loop without a trace.
std::string predictorLens(const ShownLoop &loop);

} // namespace lsp::wording
