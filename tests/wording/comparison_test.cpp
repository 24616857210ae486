// What has become of regions since an earlier analysis.
#include "lsp/workspace/comparison.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using Regions = std::vector<std::pair<std::string, Figures>>;

Baseline baseline(std::string name, std::string cpu, const Regions &regions) {
  Baseline made{.name = std::move(name), .cpu = std::move(cpu), .regions = {}, .figures = {}};
  for (const auto &[region, figures] : regions) {
    made.regions.push_back({.name = region, .path = ""});
    made.figures.push_back(figures);
  }
  return made;
}

/// What is said of a region named "loop", the last one of a text that has `more` before it.
std::vector<std::string> wordsOf(const Regions &before, const Figures &now, Regions more = {}) {
  more.emplace_back("loop", now);
  std::vector<std::string> words;
  const auto changes = changesSince({baseline("the last save", "", before)}, baseline("", "", more));
  for (const Change &change : changes.back())
    words.push_back(change.inWords());
  return words;
}

using Words = std::vector<std::string>;

TEST(Comparison, TellsWhatDiffers) {
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1}}}, {3, 2.5, 1}), Words{"4.0 → 3.0 cyc (−25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1}}}, {5, 2, 1}), Words{"4.0 → 5.0 cyc (+25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1}}}, {4, 2.5, 1}), Words{"IPC 2.00 → 2.50 since the last save"});
}

TEST(Comparison, WhatReadsTheSameHasNotChanged) {
  EXPECT_EQ(wordsOf({{"loop", {4.01, 2.001, 1}}}, {4.04, 2.004, 1}), Words{});
  EXPECT_EQ(wordsOf({{"other", {4, 2, 1}}}, {3, 2, 1}), Words{});
  EXPECT_EQ(wordsOf({}, {3, 2, 1}), Words{});
}

TEST(Comparison, RegionsOfOneNameAreToldApartByTheirOrder) {
  const Regions before{{"loop", {4, 2, 1}}, {"other", {9, 9, 1}}, {"loop", {6, 2, 1}}};
  EXPECT_EQ(wordsOf(before, {6, 2, 1}, {{"loop", {4, 2, 1}}}), Words{});
  EXPECT_EQ(wordsOf(before, {3, 2, 1}, {{"loop", {4, 2, 1}}}), Words{"6.0 → 3.0 cyc (−50 %) since the last save"});
  EXPECT_EQ(wordsOf(before, {3, 2, 1}, {{"loop", {4, 2, 1}}, {"loop", {6, 2, 1}}}), Words{}) << "one is new";
}

TEST(Comparison, IsOfTheSourcesIterations) {
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1}}}, {8, 2, 8}), Words{"4.00 → 1.00 cyc/iter (−75 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", {8, 2, 0}}}, {8, 3, 8}), Words{}) << "how many they were is not known";
  EXPECT_EQ(wordsOf({{"loop", {8, 2, 8}}}, {1, 2, 0}), Words{});
}

TEST(Comparison, ALowerBoundIsComparedWithOneThatLeavesOutTheSame) {
  EXPECT_EQ(wordsOf({{"loop", {3, 2, 1, {"f"}}}}, {5, 2, 1}), Words{}) << "f was inlined";
  EXPECT_EQ(wordsOf({{"loop", {5, 2, 1}}}, {3, 2, 1, {"f"}}), Words{}) << "a part was moved into f";
  EXPECT_EQ(wordsOf({{"loop", {3, 2, 1, {"f"}}}}, {5, 2, 1, {"f", "g"}}), Words{});
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1, {"f"}}}}, {5, 2, 1, {"f"}}),
            Words{"≥ 4.0 → ≥ 5.0 cyc (+25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", {4, 2, 1, {"f"}}}}, {4, 2.5, 1, {"f"}}), Words{}) << "a bound has no IPC";
}

TEST(Comparison, SoIsOneThatLacksInstructions) {
  using Caveat = analysis::wire::Caveat;
  const auto lacking = [](double cycles, uint32_t count) {
    return Figures{.cycles = cycles,
                   .ipc = 2,
                   .sourceIterations = 1,
                   .calls = {},
                   .leftOut = {{.kind = Caveat::Kind::UnreadLine, .count = count}}};
  };
  EXPECT_EQ(wordsOf({{"loop", lacking(3, 1)}}, {5, 2, 1}), Words{}) << "the line has been corrected";
  EXPECT_EQ(wordsOf({{"loop", lacking(3, 1)}}, lacking(5, 2)), Words{});
  EXPECT_EQ(wordsOf({{"loop", lacking(4, 1)}}, lacking(5, 1)), Words{"≥ 4.0 → ≥ 5.0 cyc (+25 %) since the last save"});
}

TEST(Comparison, OfSeveralBaselines) {
  const auto changes = changesSince(
      {baseline("the last save", "a", {{"loop", {4, 2, 1}}}), baseline("git HEAD", "a", {{"loop", {8, 2, 1}}})},
      baseline("", "a", {{"loop", {6, 2, 1}}}));
  ASSERT_EQ(changes.at(0).size(), 2u);
  EXPECT_EQ(changes[0][1].since, "git HEAD");
  EXPECT_DOUBLE_EQ(changes[0][0].slowerPercent(), 50);
  EXPECT_DOUBLE_EQ(changes[0][1].slowerPercent(), -25);
}

TEST(Comparison, IsWithNumbersOfTheSameCpu) {
  const auto changes = changesSince(
      {baseline("the last save", "a", {{"loop", {4, 2, 1}}}), baseline("git HEAD", "b", {{"loop", {8, 2, 1}}})},
      baseline("", "b", {{"loop", {6, 2, 1}}}));
  ASSERT_EQ(changes.at(0).size(), 1u);
  EXPECT_EQ(changes[0][0].since, "git HEAD");
}

} // namespace
} // namespace lsp
