// The timeline of a hover keeps its limits, whatever is simulated.
#include "analysis/verdict/present.h"
#include "analysis/wording/hint_label.h"
#include "analysis/wording/timeline_text.h"

#include "mca-core/views/text.h"

#include <gtest/gtest.h>
#include <sstream>

namespace analysis {
namespace {

/// Each instance is dispatched a cycle after the one before and takes that long.
mca::Report reportOf(size_t instructions, uint32_t iterations, int64_t latency, const std::string &text) {
  mca::Report report;
  report.instructions.resize(instructions);
  for (mca::InstructionInfo &instruction : report.instructions)
    instruction.text = text;
  mca::Timeline &timeline = report.timeline.emplace();
  timeline.iterations = iterations;
  timeline.waits.resize(instructions);
  for (size_t i = 0; i < instructions * iterations; ++i) {
    const auto cycle = static_cast<int64_t>(i);
    timeline.entries.push_back({cycle, cycle, cycle + 1, cycle + latency, cycle + latency + 1});
  }
  timeline.lastCycle = instructions * iterations + static_cast<uint64_t>(latency);
  return report;
}

std::string hoverOf(const mca::Report &report) {
  const Region region;
  AnalysedRegion analysed;
  analysed.region = &region;
  analysed.report = &report;
  return timelineForHover(shownRegion(analysed, TextLines("")));
}

TEST(TimelineText, IsAtMost80ColumnsAnd12Rows) {
  const std::string wide = "vfmadd231ps\tlängerer_name_eines_symbols_ohne_ende_und_noch_länger(%rip), %ymm0, %ymm1";
  for (const size_t instructions : {1, 2, 9, 10, 11, 12, 500, 5000})
    for (const int64_t latency : {1, 30, 100, 1000})
      for (const std::string &text : {std::string("nop"), wide}) {
        std::istringstream rows(hoverOf(reportOf(instructions, 10, latency, text)));
        size_t count = 0;
        for (std::string row; std::getline(rows, row); ++count)
          EXPECT_LE(columnsOf(row), 80u) << row;
        EXPECT_LE(count, 12u) << instructions;
        EXPECT_GE(count, 2u);
      }
}

TEST(TimelineText, NoCharacterIsCutInTwo) {
  for (size_t ascii = 0; ascii < 40; ++ascii) {
    std::string text(ascii, 'a');
    for (int i = 0; i < 40; ++i)
      text += "ä";
    std::istringstream rows(hoverOf(reportOf(1, 1, 60, text)));
    std::string row;
    std::getline(rows, row);
    std::getline(rows, row);
    ASSERT_EQ(row.back(), '>');
    row.pop_back();
    EXPECT_EQ(static_cast<unsigned char>(row.back()) & 0xC0, row.back() == 'a' ? 0x40 : 0x80) << row;
    EXPECT_EQ(columnsOf(row), 79u) << row;
  }
}

/// The cells of each row, between the index and the instruction.
std::vector<std::string> cellsOf(const mca::TimelineEntry &entry) {
  mca::Report report = reportOf(1, 1, 1, "nop");
  report.timeline->entries = {entry};
  std::istringstream rows(hoverOf(report));
  std::vector<std::string> cells;
  for (std::string row; std::getline(rows, row);)
    cells.push_back(row.substr(8, row.rfind("  nop") - 8));
  return {cells.begin() + 1, cells.end()};
}

TEST(TimelineText, DrawsWhatLlvmMcaDraws) {
  for (const mca::TimelineEntry entry : {mca::TimelineEntry{0, 1, 1, 2, 3},
                                         {7, 8, 9, 12, 16},
                                         {3, 3, 3, 3, 3},
                                         {2, 4, 4, 5, 5},
                                         {0, 0, 0, 4, 5},
                                         {6, 9, 9, 11, 30},
                                         {1, 1, 1, 9, 4}}) {
    const std::string drawn = mca::timelineCells(entry, static_cast<uint64_t>(entry.retired));
    const auto columns = static_cast<size_t>(entry.retired) + 1;
    EXPECT_EQ(cellsOf(entry).front(), drawn.size() <= columns ? drawn : drawn.substr(0, columns - 1) + ">");
  }
}

} // namespace
} // namespace analysis
