// Lays out the rows of a hover's timeline, which the worker draws, in less room than llvm-mca does.
#include "lsp/wording/timeline_text.h"

#include <algorithm>

namespace lsp::wording {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kIndexColumns = 8;    // "[1,12]  "
constexpr size_t kMinTextColumns = 24; // for the instruction; the cycles get the rest

std::string ruler(size_t columns) {
  std::string line(kIndexColumns, ' ');
  for (size_t cycle = 0; cycle < columns; ++cycle)
    line += char('0' + cycle % 10);
  return line + "\n";
}

} // namespace

std::string timelineForHover(const wire::Simulation &simulation) {
  const size_t columns = std::min<size_t>(simulation.timelineCycles, kColumns - kIndexColumns - kMinTextColumns - 2);
  std::string text = ruler(columns);
  for (const wire::DrawnRow &row : simulation.timeline) {
    std::string line = "[" + std::to_string(row.iteration) + "," + std::to_string(row.instruction) + "]";
    line = padded(line, std::max(line.size() + 1, kIndexColumns)) + clipped(row.cells, columns, ">") + "  ";
    const size_t left = kColumns - std::min(line.size(), kColumns - 1);
    text += line + clipped(row.text, left, ">") + "\n";
  }
  if (simulation.timeline.size() < simulation.instructions)
    text += "… " + std::to_string(simulation.instructions - simulation.timeline.size()) + " more instructions\n";
  return text;
}

} // namespace lsp::wording
