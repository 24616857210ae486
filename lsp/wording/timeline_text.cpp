// The rows of a hover's timeline.
#include "lsp/wording/timeline_text.h"

#include <algorithm>

namespace lsp::wording {
namespace {

using analysis::wire::TimelineRow;

constexpr size_t kColumns = 80;
constexpr size_t kIndexColumns = 8;
constexpr size_t kMinTextColumns = 24; // for the instruction; the cycles get what is left

/// `width`: characters, each of which may be several bytes.
std::string clipped(std::string text, size_t width) {
  size_t characters = 0, end = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && characters++ + 1 == width)
      end = i; // of the last one that has room
  return characters > width ? text.substr(0, end) + '>' : text;
}

std::string ruler(size_t columns) {
  std::string line(kIndexColumns, ' ');
  for (size_t cycle = 0; cycle < columns; ++cycle)
    line += char('0' + cycle % 10);
  return line + "\n";
}

char stageAt(int64_t cycle, const TimelineRow &row) {
  if (cycle < row.dispatched)
    return cycle % 5 == 0 ? '.' : ' ';
  if (cycle == row.dispatched)
    return 'D';
  if (cycle > row.executed)
    return cycle == row.retired ? 'R' : '-';
  if (cycle == row.executed)
    return 'E';
  return cycle < row.issued ? '=' : 'e';
}

/// D dispatched, = waiting, e executing, E executed, - waiting to retire, R retired; one character a cycle. It is what
/// llvm-mca draws, down to those that retire before they are executed, whose rows are longer.
std::string cellsOf(const TimelineRow &row, int64_t lastCycle) {
  std::string cells;
  for (int64_t cycle = 0; cycle <= int64_t{std::max({row.dispatched, row.executed, row.retired})}; ++cycle)
    cells += stageAt(cycle, row);
  for (int64_t cycle = int64_t{row.retired} + 1; cycle <= lastCycle; ++cycle)
    cells += cycle % 5 == 0 || cycle == lastCycle ? '.' : ' ';
  return cells;
}

} // namespace

std::string timelineForHover(const analysis::wire::Simulation &simulation) {
  int64_t lastCycle = 0;
  for (const TimelineRow &row : simulation.timeline)
    lastCycle = std::max<int64_t>(lastCycle, row.retired);
  const size_t columns = std::min<size_t>(lastCycle + 1, kColumns - kIndexColumns - kMinTextColumns - 2);
  std::string text = ruler(columns);
  for (const TimelineRow &row : simulation.timeline) {
    std::string line = "[" + std::to_string(row.iteration) + "," + std::to_string(row.instruction) + "]";
    line.resize(std::max(line.size() + 1, kIndexColumns), ' ');
    line += clipped(cellsOf(row, lastCycle), columns) + "  ";
    const bool named = row.instruction < simulation.timelineTexts.size();
    text += line +
            clipped(named ? simulation.timelineTexts[row.instruction] : "",
                    kColumns - std::min(line.size(), kColumns - 1)) +
            "\n";
  }
  if (simulation.timeline.size() < simulation.instructions)
    text += "… " + std::to_string(simulation.instructions - simulation.timeline.size()) + " more instructions\n";
  return text;
}

} // namespace lsp::wording
