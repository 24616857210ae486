// Groups regions by line and loop. The worker ranks the loops of a line (Region::rank); an edit may join two lines, so
// that loops of the same rank meet, which their loop numbers then tell apart.
#include "lsp/wording/loops_of_line.h"

#include <algorithm>

namespace lsp::wording {
namespace {

/// Adds a region to the other paths of its loop, if they are there: in an analysis, they follow each other.
void addTo(LoopsOfLine &onLine, const AnalysedRegion &region) {
  const auto isOfLoop = [&](const wire::Region &last) {
    return last.rank == region.region.rank && last.loop == region.region.loop;
  };
  if (onLine.empty() || !isOfLoop(onLine.back().front()->region))
    onLine.emplace_back();
  onLine.back().push_back(&region);
}

} // namespace

std::map<uint32_t, LoopsOfLine> loopsByLine(const Analysis &analysis, const Text &text, uint32_t first, uint32_t last) {
  std::map<uint32_t, LoopsOfLine> lines, edited;
  if (first >= text.lineCount() || last < first)
    return lines;
  const uint32_t begin = text.lineBegin(first), end = text.lineEnd(std::min(last, text.lineCount() - 1));
  for (const AnalysedRegion &region : analysis.regions)
    if (const uint32_t anchor = region.region.anchor; anchor >= begin && anchor <= end)
      addTo((region.anchorEdited ? edited : lines)[text.lineOf(anchor)], region);
  // A deleted line leaves its regions' anchors on a line that may have loops of its own. merge() keeps those: it moves
  // only lines that are not in `lines` yet.
  lines.merge(edited);
  for (auto &[line, onLine] : lines)
    std::ranges::stable_sort(onLine, {}, [](const ShownLoop &loop) { return loop.front()->region.rank; });
  return lines;
}

ShownLoop shownPaths(const ShownLoop &loop) {
  const auto chosen = std::ranges::find_if(loop, &AnalysedRegion::chosen);
  return chosen == loop.end() ? loop : ShownLoop{*chosen};
}

ShownLoop loopAt(const Analysis &analysis, const Text &text, uint32_t offset,
                 const std::function<bool(const AnalysedRegion &)> &isWanted) {
  const auto firstOn = [&](uint32_t line, const auto &isIt) -> ShownLoop {
    const auto lines = loopsByLine(analysis, text, line, line);
    if (lines.empty())
      return {};
    const LoopsOfLine &onLine = lines.begin()->second;
    const auto found = std::ranges::find_if(onLine, isIt);
    return found == onLine.end() ? ShownLoop() : shownPaths(*found);
  };
  const auto anyWanted = [&](const ShownLoop &loop) {
    return std::ranges::any_of(loop, [&](const AnalysedRegion *path) { return isWanted(*path); });
  };
  if (ShownLoop here = firstOn(text.lineOf(offset), anyWanted); !here.empty())
    return here;
  const AnalysedRegion *smallest = nullptr;
  const auto sizeOf = [](const AnalysedRegion &one) { return one.region.at.end - one.region.at.begin; };
  for (const AnalysedRegion &one : analysis.regions)
    if (one.region.at.begin <= offset && offset <= one.region.at.end && isWanted(one) &&
        (!smallest || sizeOf(one) < sizeOf(*smallest)))
      smallest = &one;
  if (!smallest)
    return {};
  return firstOn(text.lineOf(smallest->region.anchor),
                 [&](const ShownLoop &loop) { return std::ranges::find(loop, smallest) != loop.end(); });
}

bool isHinted(const LoopsOfLine &onLine) {
  return !onLine.front().front()->anchorEdited;
}

} // namespace lsp::wording
