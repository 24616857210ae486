// Draws the rows of a hover's timeline as llvm-mca does (TimelineView of LLVM's llvm-mca), in less room.
#include "lsp/wording/timeline_text.h"

#include <algorithm>

namespace lsp::wording {
namespace {

using wire::TimelineRow;

constexpr size_t kColumns = 80;
constexpr size_t kIndexColumns = 8;    // "[1,12]  "
constexpr size_t kMinTextColumns = 24; // for the instruction; the cycles get the rest

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

/// D dispatched, = waiting, e executing, E executed, - waiting to retire, R retired; one character per cycle, with a
/// dot in every fifth cycle outside of the instance's life. If nothing retires in order, an instance may retire before
/// it is executed; as in llvm-mca, its row is longer than the others.
std::string cellsOf(const TimelineRow &row, int64_t lastCycle) {
  std::string cells;
  for (int64_t cycle = 0; cycle <= int64_t{std::max({row.dispatched, row.executed, row.retired})}; ++cycle)
    cells += stageAt(cycle, row);
  for (int64_t cycle = int64_t{row.retired} + 1; cycle <= lastCycle; ++cycle)
    cells += cycle % 5 == 0 || cycle == lastCycle ? '.' : ' ';
  return cells;
}

} // namespace

std::string timelineForHover(const wire::Simulation &simulation) {
  int64_t lastCycle = 0;
  for (const TimelineRow &row : simulation.timeline)
    lastCycle = std::max<int64_t>(lastCycle, row.retired);
  const size_t columns = std::min<size_t>(lastCycle + 1, kColumns - kIndexColumns - kMinTextColumns - 2);
  std::string text = ruler(columns);
  for (const TimelineRow &row : simulation.timeline) {
    std::string line = "[" + std::to_string(row.iteration) + "," + std::to_string(row.instruction) + "]";
    line =
        padded(line, std::max(line.size() + 1, kIndexColumns)) + clipped(cellsOf(row, lastCycle), columns, ">") + "  ";
    const bool named = row.instruction < simulation.timelineTexts.size();
    const size_t left = kColumns - std::min(line.size(), kColumns - 1);
    text += line + clipped(named ? simulation.timelineTexts[row.instruction] : "", left, ">") + "\n";
  }
  if (simulation.timeline.size() < simulation.instructions)
    text += "… " + std::to_string(simulation.instructions - simulation.timeline.size()) + " more instructions\n";
  return text;
}

} // namespace lsp::wording
