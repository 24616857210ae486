// What becomes a diagnostic: what the worker found, and what follows from the regions and budgets. Of a region that is
// its verdict, its calls and computed jumps, an assumed vector type, a change for the worse.
#pragma once

#include "lsp/workspace/analysis.h"
#include "lsp/workspace/text.h"

#include <cstdint>

namespace lsp::wording {

/// Makes `analysis.findings`, whose places are in `text`. A region that got slower by more than `slowerPercent` is one;
/// a failure is the only one.
void makeFindings(Analysis &analysis, const Text &text, uint32_t slowerPercent);

} // namespace lsp::wording
