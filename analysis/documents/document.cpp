// Chooses the regions of a document: a user asks for one with the cursor anywhere in a loop, not only on its hint's
// line.
#include "analysis/documents/document.h"

#include <optional>

namespace analysis {

std::vector<uint32_t> regionsAt(const DocumentSources &sources, uint32_t offset) {
  // A line with a hint is about the hint's regions, even if it is inside of another region.
  const auto hintLine = [&](const wire::Region &region) { return sources.lines.lineOf(region.anchor); };
  const auto onLine = [&](uint32_t line) {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < sources.results.size(); ++i)
      if (hintLine(sources.results[i]) == line)
        found.push_back(i);
    return found;
  };
  const uint32_t line = sources.lines.lineOf(offset);
  if (std::vector<uint32_t> own = onLine(line); !own.empty())
    return own;
  const wire::Region *smallest = nullptr;
  const auto size = [](const wire::Region &region) { return region.at.end - region.at.begin; };
  for (const wire::Region &region : sources.results) {
    const bool isAround = sources.lines.lineOf(region.at.begin) <= line && line <= sources.lines.lineOf(region.at.end);
    if (isAround && (!smallest || size(region) < size(*smallest)))
      smallest = &region;
  }
  return smallest ? onLine(hintLine(*smallest)) : std::vector<uint32_t>();
}

wire::View makeView(const DocumentSources &sources, const wire::DocumentRequest &request) {
  wire::View view{.request = request};
  if (!sources.program)
    view.problem = wire::View::Problem::NotAnalysed;
  else if (request.kind == wire::DocumentKind::Timeline)
    makeTimeline(sources, view);
  else if (request.kind == wire::DocumentKind::Report)
    makeReport(sources, view);
  else if (request.kind == wire::DocumentKind::Assembly)
    makeListing(sources, view);
  return view;
}

} // namespace analysis
