// Loops on one line are distinguished by their rank, which comes from the worker.
#include "lsp/wording/loops_of_line.h"

#include <algorithm>

namespace lsp::wording {

namespace {

/// With its loop's other paths, if they are there.
void addTo(LoopsOfLine &onLine, const AnalysedRegion &region) {
  const auto sameLoop = [&](const ShownLoop &loop) {
    return loop.front()->region.rank == region.region.rank && loop.front()->region.loop == region.region.loop;
  };
  const auto known = std::find_if(onLine.begin(), onLine.end(), sameLoop);
  if (known == onLine.end())
    onLine.push_back({&region});
  else
    known->push_back(&region);
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
  // A region whose line went away stands where it was, on a line that may be another one's.
  lines.merge(edited);
  for (auto &[line, onLine] : lines)
    std::stable_sort(onLine.begin(), onLine.end(),
                     [](const auto &a, const auto &b) { return a.front()->region.rank < b.front()->region.rank; });
  return lines;
}

bool isHinted(const LoopsOfLine &onLine) {
  return !onLine.front().front()->anchorEdited;
}

} // namespace lsp::wording
