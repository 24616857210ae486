// The loops that share a line, as its hint and its hover show them.
#pragma once

#include "lsp/workspace/analysis.h"
#include "lsp/workspace/text.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lsp::wording {

/// The paths through one loop, the most frequent first; what is no loop is alone.
using ShownLoop = std::vector<const AnalysedRegion *>;
/// The loops of one line, the one that the hint shows first.
using LoopsOfLine = std::vector<ShownLoop>;

/// By the zero-based lines of their hints, from `first` to `last`, both included.
std::map<uint32_t, LoopsOfLine> loopsByLine(const Analysis &analysis, const Text &text, uint32_t first, uint32_t last);

/// Whether the line has a hint: not if it was edited.
bool isHinted(const LoopsOfLine &onLine);

} // namespace lsp::wording
