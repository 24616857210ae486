// The loops that share a line, in the order in which its hint and hover show them.
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/workspace/analysis.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace lsp::wording {

/// The paths through one loop, the most frequent first; a region that is no loop is alone.
using ShownLoop = std::vector<const AnalysedRegion *>;
/// The loops of one line, the one of the hint first; never empty.
using LoopsOfLine = std::vector<ShownLoop>;

/// The loops whose hints are on the lines from `first` to `last`, both zero-based and included, by line.
std::map<uint32_t, LoopsOfLine> loopsByLine(const Analysis &analysis, const Text &text, uint32_t first, uint32_t last);

/// The path that the user looks at alone (AnalysedRegion::chosen), or all.
ShownLoop shownPaths(const ShownLoop &loop);

/// The loop whose hint stands on the line of `offset`, else the one of the smallest region around it, among those of
/// which a path is wanted. Of its paths those that the user looks at. Empty if there is none.
ShownLoop loopAt(const Analysis &analysis, const Text &text, uint32_t offset,
                 const std::function<bool(const AnalysedRegion &)> &isWanted);

/// Whether the line has a hint. An edited line has none until the next analysis: the numbers are of the old text.
bool isHinted(const LoopsOfLine &onLine);

} // namespace lsp::wording
