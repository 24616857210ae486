// Which loops a line shows, and in which order.
#include "tests/wording/presented.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Region;
using Strings = std::vector<std::string>;

/// Five lines of six bytes.
const Text kText("line0\nline1\nline2\nline3\nline4\n");

AnalysedRegion onLine(uint32_t line, uint32_t rank, uint32_t number, const std::string &name,
                      const std::string &through = "") {
  Region region = through.empty() ? loop() : path(through);
  region.name = name;
  region.anchor = 6 * line + 2;
  region.rank = rank;
  region.loop = number;
  return {.region = region, .simulation = std::make_shared<analysis::wire::Simulation>()};
}

/// "1: a; b/c" for line 1 with two loops, the second of two paths.
Strings shown(const Analysis &analysis, uint32_t first = 0, uint32_t last = 9) {
  Strings lines;
  for (const auto &[line, loops] : loopsByLine(analysis, kText, first, last)) {
    std::string text = std::to_string(line) + ":";
    for (const ShownLoop &shown : loops) {
      text += shown == loops.front() ? " " : "; ";
      for (const AnalysedRegion *path : shown)
        text += (path == shown.front() ? "" : "/") + path->region.name + path->region.path;
    }
    lines.push_back(text);
  }
  return lines;
}

TEST(LoopsOfLine, StandByTheirRank) {
  Analysis analysis;
  analysis.regions = {onLine(1, 2, 0, "c"), onLine(1, 0, 1, "a"), onLine(1, 1, 2, "b"), onLine(0, 0, 3, "d")};
  EXPECT_EQ(shown(analysis), (Strings{"0: d", "1: a; b; c"}));
}

TEST(LoopsOfLine, PathsOfALoopAreTogether) {
  Analysis analysis;
  analysis.regions = {onLine(1, 1, 4, "b", "1"), onLine(1, 1, 4, "b", "2"), onLine(1, 0, 5, "a", "1"),
                      onLine(1, 0, 5, "a", "2")};
  EXPECT_EQ(shown(analysis), (Strings{"1: a1/a2; b1/b2"}));
}

/// An edit may have joined two lines, so that two loops of one rank stand on it.
TEST(LoopsOfLine, OfOneRankAreApart) {
  Analysis analysis;
  analysis.regions = {onLine(1, 0, 4, "a"), onLine(1, 0, 5, "b")};
  EXPECT_EQ(shown(analysis), (Strings{"1: a; b"}));
}

TEST(LoopsOfLine, OfTheLinesThatAreAskedFor) {
  Analysis analysis;
  for (uint32_t line = 0; line < 5; ++line)
    analysis.regions.push_back(onLine(line, 0, line, "a"));
  EXPECT_EQ(shown(analysis, 1, 2), (Strings{"1: a", "2: a"}));
  EXPECT_EQ(shown(analysis, 4, ~0u), (Strings{"4: a"}));
  EXPECT_EQ(shown(analysis, 2, 1), Strings{});
  EXPECT_EQ(shown(analysis, 9, 9), Strings{});
  analysis.regions[0].region.anchor = 6;
  analysis.regions[1].region.anchor = 11;
  EXPECT_EQ(shown(analysis, 1, 1), (Strings{"1: a; a"})) << "from its first byte to its end";
}

TEST(LoopsOfLine, ALineThatWasEditedHasNoHint) {
  AnalysedRegion region = onLine(1, 0, 0, "a");
  EXPECT_TRUE(isHinted({{&region}}));
  region.edited = true;
  EXPECT_TRUE(isHinted({{&region}})) << "another of its lines";
  region.anchorEdited = true;
  EXPECT_FALSE(isHinted({{&region}}));
}

} // namespace
} // namespace lsp::wording
