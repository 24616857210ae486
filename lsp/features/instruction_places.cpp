// The search of instruction_places.h.
#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <tuple>

namespace lsp::features {
namespace {

using analysis::wire::InstructionDetails;
using analysis::wire::RegionSummary;

bool hasPlace(const InstructionDetails &instruction) {
  return instruction.at.begin < instruction.at.end;
}

/// True when `a` rather than `b` speaks for a line that both have instructions on.
bool speaksBefore(const RegionSummary &a, const RegionSummary &b) {
  const auto rank = [](const RegionSummary &region) {
    const uint32_t size = region.at.end - region.at.begin;
    return std::tuple(-static_cast<int64_t>(size), region.share, region.sourceIterations, region.body.size());
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
  for (const RegionSummary &region : document.analysis().regions) {
    for (uint32_t position = 0; position < region.body.size(); ++position) {
      const InstructionDetails &instruction = region.body[position];
      if (!hasPlace(instruction) || instruction.at.begin < begin || instruction.at.begin > end)
        continue;
      LineInstructions &line = lines[text.lineOf(instruction.at.begin)];
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
    const analysis::wire::ByteRange at = line.region->body[position].at;
    return at.begin <= offset && offset <= at.end;
  });
  return InstructionPlace{line.region, found == line.positions.end() ? line.positions.front() : *found};
}

uint32_t lineNumber(const InstructionDetails &instruction, const Text &text) {
  return hasPlace(instruction) ? text.lineOf(instruction.at.begin) + 1 : 0;
}

} // namespace lsp::features
