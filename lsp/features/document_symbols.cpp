// Nesting regions by their ranges.
#include "lsp/features/document_symbols.h"

#include "analysis/wording/words.h"
#include "lsp/features/instruction_places.h"
#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <set>

namespace lsp::features {
namespace {

using analysis::decimals;
using analysis::wire::Language;
using analysis::wire::RegionKind;
using analysis::wire::RegionSummary;
using protocol::DocumentSymbol;

/// The first of the paths through each loop, and all other regions; from the outside in where they lie in each other.
std::vector<const RegionSummary *> shownRegions(const Document &document) {
  std::vector<const RegionSummary *> regions;
  std::set<uint32_t> loops;
  for (const RegionSummary &region : document.analysis().regions)
    if (region.at.begin < region.at.end && (region.kind != RegionKind::Path || loops.insert(region.loop).second))
      regions.push_back(&region);
  std::stable_sort(regions.begin(), regions.end(), [](const RegionSummary *a, const RegionSummary *b) {
    return a->at.begin != b->at.begin ? a->at.begin < b->at.begin : a->at.end > b->at.end;
  });
  return regions;
}

std::string nameOf(const RegionSummary &region) {
  if (!region.name.empty())
    return region.name;
  return region.kind == RegionKind::Marker ? "region" : region.kind == RegionKind::Snippet ? "all lines" : "loop";
}

/// The numbers as a hint shows them, with the mark of a lower bound or of a doubt.
std::string detailOf(const RegionSummary &region) {
  if (region.kind == RegionKind::Path)
    return "";
  const std::string mark = std::string(region.calls.empty() ? "" : "≥ ") + (region.caveats.empty() ? "" : "≈ ");
  return mark + (region.calls.empty() ? "IPC " + decimals(region.ipc, 2) + " · " : "") + decimals(cyclesOf(region), 1) +
         " cyc";
}

DocumentSymbol symbolOf(const RegionSummary &region, const Text &text, protocol::PositionEncoding encoding) {
  const uint32_t firstLineEnd = text.lineEnd(text.lineOf(region.at.begin));
  const bool isLoop = region.kind == RegionKind::Loop || region.kind == RegionKind::Path;
  return {.name = nameOf(region),
          .detail = detailOf(region),
          .kind = isLoop ? protocol::SymbolKind::Function : protocol::SymbolKind::Namespace,
          .range = text.rangeOf(region.at, encoding),
          .selectionRange =
              text.rangeOf({region.at.begin, std::clamp(firstLineEnd, region.at.begin, region.at.end)}, encoding)};
}

bool contains(const protocol::Range &outer, const protocol::Range &inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/// Puts a symbol where it belongs, below the last one that contains it.
void insert(std::vector<DocumentSymbol> &symbols, DocumentSymbol symbol) {
  std::vector<DocumentSymbol> *level = &symbols;
  while (!level->empty() && contains(level->back().range, symbol.range))
    level = &level->back().children;
  level->push_back(std::move(symbol));
}

} // namespace

protocol::DocumentSymbols documentSymbols(const Document &document, const protocol::ClientCapabilities &client) {
  protocol::DocumentSymbols result{document.uri(), {}, client.hierarchicalSymbols};
  if (document.language() != Language::Assembly)
    return result;
  for (const RegionSummary *region : shownRegions(document))
    insert(result.symbols, symbolOf(*region, document.text(), client.encoding));
  return result;
}

std::vector<protocol::FoldingRange> foldingRanges(const Document &document,
                                                  const protocol::ClientCapabilities &client) {
  std::vector<protocol::FoldingRange> ranges;
  const Text &text = document.text();
  if (document.language() != Language::Assembly)
    return ranges;
  for (const RegionSummary *region : shownRegions(document)) {
    const protocol::FoldingRange range{text.lineOf(region->at.begin), text.lineOf(region->at.end - 1)};
    const bool known = std::find(ranges.begin(), ranges.end(), range) != ranges.end();
    if (region->kind != RegionKind::Snippet && range.startLine < range.endLine && !known)
      ranges.push_back(range);
  }
  if (ranges.size() <= client.foldingRangeLimit)
    return ranges;
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const auto &a, const auto &b) { return a.endLine - a.startLine > b.endLine - b.startLine; });
  ranges.resize(client.foldingRangeLimit);
  return ranges;
}

} // namespace lsp::features
