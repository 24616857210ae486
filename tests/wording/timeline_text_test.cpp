// The timeline of a hover keeps its limits, whatever is simulated. (That it is llvm-mca's, and how many rows it has,
// tests/analysis/describe_test.cpp shows.)
#include "lsp/wording/hint_label.h"
#include "lsp/wording/timeline_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace lsp::wording {
namespace {

using analysis::wire::Simulation;

/// Each instance is dispatched a cycle after the one before and takes that long.
Simulation simulationOf(uint32_t instructions, uint32_t iterations, uint32_t latency, const std::string &text) {
  Simulation simulation{.instructions = instructions};
  const auto rows = std::min<uint32_t>(instructions * iterations, analysis::wire::kTimelineRows);
  for (uint32_t i = 0; i < rows; ++i)
    simulation.timeline.push_back({.iteration = i / instructions,
                                   .instruction = i % instructions,
                                   .cells = std::string(i, ' ') + "D" + std::string(latency, 'e') + "R",
                                   .text = text});
  simulation.timelineCycles = rows + latency + 1;
  return simulation;
}

std::vector<std::string> rowsOf(const Simulation &simulation) {
  std::istringstream text(timelineForHover(simulation));
  std::vector<std::string> rows;
  for (std::string row; std::getline(text, row);)
    rows.push_back(row);
  return rows;
}

TEST(TimelineText, IsAtMost80ColumnsAnd12Rows) {
  const std::string wide = "vfmadd231ps längerer_name_eines_symbols_ohne_ende_und_noch_länger(%rip), %ymm0, %ymm1";
  for (const uint32_t instructions : {1, 2, 9, 10, 11, 12, 500, 5000})
    for (const uint32_t latency : {1, 30, 100, 1000})
      for (const std::string &text : {std::string("nop"), wide}) {
        const std::vector<std::string> rows = rowsOf(simulationOf(instructions, 10, latency, text));
        for (const std::string &row : rows)
          EXPECT_LE(columnsOf(row), 80u) << row;
        EXPECT_LE(rows.size(), 12u) << instructions;
        EXPECT_GE(rows.size(), 2u);
      }
}

TEST(TimelineText, CountsTheInstructionsThatHaveNoRow) {
  EXPECT_EQ(rowsOf(simulationOf(12, 1, 1, "nop")).back(), "… 2 more instructions");
  EXPECT_TRUE(rowsOf(simulationOf(10, 1, 1, "nop")).back().starts_with("[0,9]"));
}

TEST(TimelineText, NoCharacterIsCutInTwo) {
  for (size_t ascii = 0; ascii < 40; ++ascii) {
    std::string text(ascii, 'a');
    for (int i = 0; i < 40; ++i)
      text += "ä";
    const std::vector<std::string> rows = rowsOf(simulationOf(1, 1, 60, text));
    ASSERT_GE(rows.size(), 2u);
    std::string row = rows[1];
    ASSERT_EQ(row.back(), '>');
    row.pop_back();
    EXPECT_EQ(static_cast<unsigned char>(row.back()) & 0xC0, row.back() == 'a' ? 0x40 : 0x80) << row;
    EXPECT_EQ(columnsOf(row), 79u) << row;
  }
}

} // namespace
} // namespace lsp::wording
