// The search of instruction_places.h.
#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <tuple>

namespace lsp::features {
namespace {

using analysis::wire::ByteRange;

bool isPlace(ByteRange at) {
  return at.begin < at.end;
}

/// True when `a` rather than `b` speaks for a line that both have instructions on.
bool speaksBefore(const AnalysedRegion &a, const AnalysedRegion &b) {
  const auto rank = [](const AnalysedRegion &one) {
    const analysis::wire::Region &region = one.region;
    const uint32_t size = region.at.end - region.at.begin;
    return std::tuple(-static_cast<int64_t>(size), region.share, region.sourceIterations, one.simulation->body.size());
  };
  return rank(a) > rank(b);
}

} // namespace

std::map<uint32_t, LineInstructions> instructionsByLine(const Document &document, uint32_t first, uint32_t last) {
  std::map<uint32_t, LineInstructions> lines;
  const Text &text = document.text();
  if (first >= text.lineCount() || last < first)
    return lines;
  const uint32_t begin = text.lineBegin(first);
  const uint32_t end = text.lineEnd(std::min(last, text.lineCount() - 1));
  for (const AnalysedRegion &region : document.analysis().regions) {
    for (uint32_t position = 0; position < region.simulation->body.size(); ++position) {
      const ByteRange at = region.region.places[position];
      if (!isPlace(at) || at.begin < begin || at.begin > end)
        continue;
      LineInstructions &line = lines[text.lineOf(at.begin)];
      if (line.region != &region && line.region && !speaksBefore(region, *line.region))
        continue;
      if (line.region != &region)
        line = {&region, {}};
      line.positions.push_back(position);
    }
  }
  return lines;
}

LineInstructions instructionsOn(const Document &document, uint32_t line) {
  const auto lines = instructionsByLine(document, line, line);
  return lines.empty() ? LineInstructions{} : lines.begin()->second;
}

std::optional<InstructionPlace> instructionAt(const Document &document, uint32_t offset) {
  if (document.language() != analysis::wire::Language::Assembly)
    return std::nullopt;
  const LineInstructions line = instructionsOn(document, document.text().lineOf(offset));
  if (!line.region)
    return std::nullopt;
  const auto found = std::find_if(line.positions.begin(), line.positions.end(), [&](uint32_t position) {
    const ByteRange at = line.region->region.places[position];
    return at.begin <= offset && offset <= at.end;
  });
  return InstructionPlace{line.region, found == line.positions.end() ? line.positions.front() : *found};
}

uint32_t lineNumber(const InstructionPlace &place, const Text &text) {
  return isPlace(place.at()) ? text.lineOf(place.at().begin) + 1 : 0;
}

} // namespace lsp::features
