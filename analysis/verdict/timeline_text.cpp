#include "analysis/verdict/timeline_text.h"

#include "mca-core/views/text.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kRows = 12;
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

} // namespace

std::string timelineForHover(const mca::Report &report) {
  const mca::Timeline &timeline = *report.timeline;
  const size_t count = timeline.waits.size();
  // One row is the ruler's, one may be the note's about what is left out.
  const size_t space = kRows - 2;
  const size_t iterations = std::clamp<size_t>(count ? space / count : 1, 1, timeline.iterations);
  std::vector<size_t> rows;
  uint64_t lastCycle = 0;
  for (size_t i = 0; i < iterations * count && rows.size() < space; ++i) {
    const mca::TimelineEntry &entry = timeline.entries[i];
    if (entry.dispatched < 0 || (entry.retired == 0 && entry.executed != 0))
      break; // beyond the simulated part of the timeline
    rows.push_back(i);
    lastCycle = std::max<uint64_t>(lastCycle, entry.retired);
  }
  const size_t columns = std::min<size_t>(lastCycle + 1, kColumns - kIndexColumns - kMinTextColumns - 2);
  std::string text = ruler(columns);
  for (const size_t i : rows) {
    std::string line = "[" + std::to_string(i / count) + "," + std::to_string(i % count) + "]";
    line.resize(std::max(line.size() + 1, kIndexColumns), ' ');
    line += clipped(mca::timelineCells(timeline.entries[i], lastCycle), columns) + "  ";
    std::string instruction = report.instructions[i % count].text;
    std::replace(instruction.begin(), instruction.end(), '\t', ' ');
    text += line + clipped(std::move(instruction), kColumns - std::min(line.size(), kColumns - 1)) + "\n";
  }
  if (rows.size() < count)
    text += "… " + std::to_string(count - rows.size()) + " more instructions\n";
  return text;
}

} // namespace analysis
