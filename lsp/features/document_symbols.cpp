// The protocol wants symbols as a tree, and the analysis has a flat list in which regions may even overlap. Sorted by
// where they begin, and the longer first, each belongs to the last one that contains it, or to none.
#include "lsp/features/features.h"

#include "analysis/text/counts.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <set>

namespace lsp::features {
namespace {

using analysis::decimals;
using protocol::DocumentSymbol;
using wire::RegionKind;

/// The first of the paths through each loop, and all other regions; from the outside in. Empty but for assembly.
std::vector<const AnalysedRegion *> shownRegions(const Document &document) {
  std::vector<const AnalysedRegion *> regions;
  if (document.language() != wire::Language::Assembly)
    return regions;
  std::set<uint32_t> loops;
  for (const AnalysedRegion &analysed : document.analysis().regions) {
    const wire::Region &region = analysed.region;
    if (region.at.begin < region.at.end && (region.kind != RegionKind::Path || loops.insert(region.loop).second))
      regions.push_back(&analysed);
  }
  std::ranges::stable_sort(regions, {}, [](const AnalysedRegion *one) {
    return std::pair(one->region.at.begin, -int64_t{one->region.at.end});
  });
  return regions;
}

/// Never empty: the protocol forbids that (LSP 3.17, DocumentSymbol).
std::string nameOf(const wire::Region &region) {
  if (std::string name = fullName(region); !name.empty())
    return name;
  return region.kind == RegionKind::Marker ? "region" : region.kind == RegionKind::Snippet ? "all lines" : "loop";
}

/// The numbers as a hint shows them, marked if they are a lower bound or have a caveat. None for a path: the loop,
/// which it represents here, has others.
std::string detailOf(const AnalysedRegion &analysed) {
  const wire::Region &region = analysed.region;
  if (region.kind == RegionKind::Path)
    return "";
  const bool isBound = isLowerBound(region), isUncertain = !std::ranges::all_of(region.caveats, wire::leavesOut);
  return boundMark(isBound) + (isUncertain ? "≈ " : "") +
         (isBound ? "" : "IPC " + decimals(analysed.simulation->ipc, 2) + " · ") + decimals(cyclesOf(analysed), 1) +
         " cyc";
}

DocumentSymbol symbolOf(const AnalysedRegion &analysed, const Text &text, protocol::PositionEncoding encoding) {
  const wire::Region &region = analysed.region;
  const uint32_t lineEnd = text.lineEnd(text.lineOf(region.at.begin));
  const bool isLoop = region.kind == RegionKind::Loop || region.kind == RegionKind::Path;
  return {.name = nameOf(region),
          .detail = detailOf(analysed),
          .kind = isLoop ? protocol::SymbolKind::Function : protocol::SymbolKind::Namespace,
          .range = text.rangeOf(region.at, encoding),
          .selectionRange = text.rangeOf({region.at.begin, std::min(lineEnd, region.at.end)}, encoding)};
}

/// The tree is copied, printed and destroyed by recursion, by us and by clients: what lies deeper stands on this level.
constexpr int kDeepestSymbol = 64;

/// Puts a symbol below the last one that contains it.
void insert(std::vector<DocumentSymbol> &symbols, DocumentSymbol symbol) {
  std::vector<DocumentSymbol> *level = &symbols;
  const auto contains = [](const protocol::Range &outer, const protocol::Range &inner) {
    return outer.start <= inner.start && inner.end <= outer.end;
  };
  for (int depth = 1; depth < kDeepestSymbol && !level->empty() && contains(level->back().range, symbol.range); ++depth)
    level = &level->back().children;
  level->push_back(std::move(symbol));
}

} // namespace

protocol::DocumentSymbols documentSymbols(const Document &document, const protocol::ClientCapabilities &client) {
  protocol::DocumentSymbols result{document.uri(), {}, client.hierarchicalSymbols};
  for (const AnalysedRegion *region : shownRegions(document))
    insert(result.symbols, symbolOf(*region, document.text(), client.encoding));
  return result;
}

std::vector<protocol::FoldingRange> foldingRanges(const Document &document,
                                                  const protocol::ClientCapabilities &client) {
  std::vector<protocol::FoldingRange> ranges;
  std::set<std::pair<uint32_t, uint32_t>> known;
  const Text &text = document.text();
  // A loop may have the same lines as the marked region around it, and clients fold a range only once. A snippet is the
  // whole text, so folding it would hide everything.
  for (const AnalysedRegion *region : shownRegions(document)) {
    const protocol::FoldingRange range{text.lineOf(region->region.at.begin), text.lineOf(region->region.at.end - 1)};
    if (region->region.kind != RegionKind::Snippet && range.startLine < range.endLine &&
        known.emplace(range.startLine, range.endLine).second)
      ranges.push_back(range);
  }
  if (ranges.size() <= client.foldingRangeLimit)
    return ranges;
  // LSP 3.17, FoldingRangeClientCapabilities::rangeLimit is a hint; the longest ranges hide most.
  std::ranges::stable_sort(ranges, std::greater(), [](const auto &range) { return range.endLine - range.startLine; });
  ranges.resize(client.foldingRangeLimit);
  return ranges;
}

} // namespace lsp::features
