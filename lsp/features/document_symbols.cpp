// Nesting regions by their ranges.
#include "lsp/features/document_symbols.h"

#include "analysis/common/counts.h"
#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <set>

namespace lsp::features {
namespace {

using analysis::decimals;
using analysis::wire::Language;
using analysis::wire::RegionKind;
using protocol::DocumentSymbol;

/// The first of the paths through each loop, and all other regions; from the outside in where they lie in each other.
std::vector<const AnalysedRegion *> shownRegions(const Document &document) {
  std::vector<const AnalysedRegion *> regions;
  std::set<uint32_t> loops;
  for (const AnalysedRegion &analysed : document.analysis().regions) {
    const analysis::wire::Region &region = analysed.region;
    if (region.at.begin < region.at.end && (region.kind != RegionKind::Path || loops.insert(region.loop).second))
      regions.push_back(&analysed);
  }
  std::stable_sort(regions.begin(), regions.end(), [](const AnalysedRegion *a, const AnalysedRegion *b) {
    const analysis::wire::ByteRange first = a->region.at, second = b->region.at;
    return first.begin != second.begin ? first.begin < second.begin : first.end > second.end;
  });
  return regions;
}

std::string nameOf(const analysis::wire::Region &region) {
  if (std::string name = fullName(region); !name.empty())
    return name;
  return region.kind == RegionKind::Marker ? "region" : region.kind == RegionKind::Snippet ? "all lines" : "loop";
}

/// The numbers as a hint shows them, with the mark of a lower bound or of a doubt.
std::string detailOf(const AnalysedRegion &analysed) {
  const analysis::wire::Region &region = analysed.region;
  if (region.kind == RegionKind::Path)
    return "";
  const std::string mark = std::string(region.calls.empty() ? "" : "≥ ") + (region.caveats.empty() ? "" : "≈ ");
  return mark + (region.calls.empty() ? "IPC " + decimals(analysed.simulation->ipc, 2) + " · " : "") +
         decimals(cyclesOf(analysed), 1) + " cyc";
}

DocumentSymbol symbolOf(const AnalysedRegion &analysed, const Text &text, protocol::PositionEncoding encoding) {
  const analysis::wire::Region &region = analysed.region;
  const uint32_t firstLineEnd = text.lineEnd(text.lineOf(region.at.begin));
  const bool isLoop = region.kind == RegionKind::Loop || region.kind == RegionKind::Path;
  return {.name = nameOf(region),
          .detail = detailOf(analysed),
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
  for (const AnalysedRegion *region : shownRegions(document))
    insert(result.symbols, symbolOf(*region, document.text(), client.encoding));
  return result;
}

std::vector<protocol::FoldingRange> foldingRanges(const Document &document,
                                                  const protocol::ClientCapabilities &client) {
  std::vector<protocol::FoldingRange> ranges;
  const Text &text = document.text();
  if (document.language() != Language::Assembly)
    return ranges;
  for (const AnalysedRegion *region : shownRegions(document)) {
    const protocol::FoldingRange range{text.lineOf(region->region.at.begin), text.lineOf(region->region.at.end - 1)};
    const bool known = std::find(ranges.begin(), ranges.end(), range) != ranges.end();
    if (region->region.kind != RegionKind::Snippet && range.startLine < range.endLine && !known)
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
