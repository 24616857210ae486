// The diagnostics of a document: the worker's own findings, and those that the server derives from regions and budgets.
//
// A region has findings for its verdict, calls, computed jumps, an assumed vector type, and a change for the worse.
// They are derived here and not in the worker because they depend on the server's data: earlier analyses that a region
// is compared with, and edits that have moved it since.
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/workspace/analysis.h"

#include <cstdint>

namespace lsp::wording {

/// Fills `analysis.findings`; their places are in `text`. `slowerPercent`: a region is reported as slower beyond this
/// difference. `minimumPermille`: with a profile, findings about loops with a smaller share of the program's time are
/// hints. If the last analysis failed (`analysis.failure`), that is the only finding.
void makeFindings(Analysis &analysis, const Text &text, uint32_t slowerPercent, uint32_t minimumPermille = 0);

} // namespace lsp::wording
