// A linear search through all regions: most requests are for one line or for what the editor shows.
#include "lsp/workspace/instruction_places.h"

#include <algorithm>
#include <tuple>

namespace lsp {
namespace {

/// True if the instructions of `a` rather than those of `b` are shown on a line that has both.
bool comesBefore(const AnalysedRegion &a, const AnalysedRegion &b) {
  const auto rank = [](const AnalysedRegion &one) {
    const wire::Region &region = one.region; // of an unknown share, -1, every known one is preferred
    const int64_t size = region.at.end - region.at.begin;
    return std::tuple(-size, region.share, region.sourceIterations, one.simulation->body.size());
  };
  return rank(a) > rank(b);
}

} // namespace

std::map<uint32_t, LineInstructions> instructionsByLine(const Document &document, uint32_t first, uint32_t last) {
  std::map<uint32_t, LineInstructions> lines;
  const Text &text = document.text();
  if (first >= text.lineCount() || last < first)
    return lines;
  const uint32_t begin = text.lineBegin(first), end = text.lineEnd(std::min(last, text.lineCount() - 1));
  for (const AnalysedRegion &region : document.analysis().regions)
    for (uint32_t position = 0; position < region.simulation->body.size(); ++position) {
      const wire::ByteRange at = region.region.places[position];
      if (at.begin >= at.end || at.begin < begin || at.begin > end)
        continue;
      LineInstructions &line = lines[text.lineOf(at.begin)];
      if (!line.empty() && line.front().region != &region) {
        if (!comesBefore(region, *line.front().region))
          continue;
        line.clear();
      }
      line.push_back({&region, position});
    }
  return lines;
}

LineInstructions instructionsOn(const Document &document, uint32_t line) {
  const auto lines = instructionsByLine(document, line, line);
  return lines.empty() ? LineInstructions{} : lines.begin()->second;
}

std::optional<InstructionPlace> instructionAt(const Document &document, uint32_t offset) {
  if (document.language() != wire::Language::Assembly)
    return std::nullopt;
  // Several instructions share a line after `;` or in a macro. The end of an instruction counts as part of it: that is
  // where the cursor stands after typing it.
  const LineInstructions line = instructionsOn(document, document.text().lineOf(offset));
  const auto found = std::ranges::find_if(
      line, [&](const InstructionPlace &place) { return place.at().begin <= offset && offset <= place.at().end; });
  if (found != line.end())
    return *found;
  return line.empty() ? std::nullopt : std::optional(line.front());
}

size_t microOpsOf(const LineInstructions &instructions) {
  size_t sum = 0;
  for (const InstructionPlace &instruction : instructions)
    sum += instruction.details().microOps;
  return sum;
}

} // namespace lsp
