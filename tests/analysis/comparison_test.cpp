// What has become of regions since an earlier analysis.
#include "analysis/job/analyzer.h"
#include "analysis/wording/comparison.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

std::vector<std::string> wordsOf(const std::vector<wire::RegionNumbers> &before, const Figures &now,
                                 size_t occurrence = 0) {
  std::vector<std::string> words;
  for (const Change &change : Comparison({{"the last save", before}}).changesOf("loop", occurrence, now))
    words.push_back(change.inWords());
  return words;
}

using Words = std::vector<std::string>;

TEST(Comparison, TellsWhatDiffers) {
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1}}, {3, 2.5, 1}), Words{"4.0 → 3.0 cyc (−25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1}}, {5, 2, 1}), Words{"4.0 → 5.0 cyc (+25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1}}, {4, 2.5, 1}), Words{"IPC 2.00 → 2.50 since the last save"});
}

TEST(Comparison, WhatReadsTheSameHasNotChanged) {
  EXPECT_EQ(wordsOf({{"loop", 4.01, 2.001, 1}}, {4.04, 2.004, 1}), Words{});
  EXPECT_EQ(wordsOf({{"other", 4, 2, 1}}, {3, 2, 1}), Words{});
  EXPECT_EQ(wordsOf({}, {3, 2, 1}), Words{});
}

TEST(Comparison, RegionsOfOneNameAreToldApartByTheirOrder) {
  const std::vector<wire::RegionNumbers> before{{"loop", 4, 2, 1}, {"other", 9, 9, 1}, {"loop", 6, 2, 1}};
  EXPECT_EQ(wordsOf(before, {6, 2, 1}, 1), Words{});
  EXPECT_EQ(wordsOf(before, {3, 2, 1}, 1), Words{"6.0 → 3.0 cyc (−50 %) since the last save"});
  EXPECT_EQ(wordsOf(before, {3, 2, 1}, 2), Words{});
}

TEST(Comparison, IsOfTheSourcesIterations) {
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1}}, {8, 2, 8}), Words{"4.00 → 1.00 cyc/iter (−75 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", 8, 2, 0}}, {8, 3, 8}), Words{}) << "how many they were is not known";
  EXPECT_EQ(wordsOf({{"loop", 8, 2, 8}}, {1, 2, 0}), Words{});
}

TEST(Comparison, ALowerBoundIsComparedWithOneThatLeavesOutTheSame) {
  EXPECT_EQ(wordsOf({{"loop", 3, 2, 1, {"f"}}}, {5, 2, 1}), Words{}) << "f was inlined";
  EXPECT_EQ(wordsOf({{"loop", 5, 2, 1}}, {3, 2, 1, {"f"}}), Words{}) << "a part was moved into f";
  EXPECT_EQ(wordsOf({{"loop", 3, 2, 1, {"f"}}}, {5, 2, 1, {"f", "g"}}), Words{});
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1, {"f"}}}, {5, 2, 1, {"f"}}),
            Words{"≥ 4.0 → ≥ 5.0 cyc (+25 %) since the last save"});
  EXPECT_EQ(wordsOf({{"loop", 4, 2, 1, {"f"}}}, {4, 2.5, 1, {"f"}}), Words{}) << "a bound has no IPC";
}

TEST(Comparison, OfSeveralBaselines) {
  const Comparison comparison({{"the last save", {{"loop", 4, 2, 1}}}, {"git HEAD", {{"loop", 8, 2, 1}}}});
  const std::vector<Change> changes = comparison.changesOf("loop", 0, {6, 2, 1});
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[1].since, "git HEAD");
  EXPECT_DOUBLE_EQ(changes[0].slowerPercent(), 50);
  EXPECT_DOUBLE_EQ(changes[1].slowerPercent(), -25);
}

// ---- in the editor -------------------------------------------------------------------------------------------------

wire::AnalysisResult analyseAfter(double cycles, uint32_t slowerPercent) {
  wire::AnalyzeRequest request{
      .id = 1,
      .path = "/nowhere/a.s",
      .text = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n.Lx:\nimull %ecx, %eax\ndecl %esi\njne .Lx\n"};
  request.before = {{"the last save", {{"loop", cycles, 1, 1}}, "skylake"}};
  request.settings.slowerPercent = slowerPercent;
  return Analyzer().run(request, {}, [](const wire::Progress &) {});
}

/// The message of the finding; empty without one.
std::string slowerFindingOf(const wire::AnalysisResult &result) {
  for (const wire::Finding &finding : result.findings)
    if (finding.code == "region-slower")
      return finding.message;
  return {};
}

TEST(Comparison, BecomesAFindingWhenSlowerByMoreThanTheSettingSays) {
  const std::string message = slowerFindingOf(analyseAfter(2, 5));
  EXPECT_TRUE(message.starts_with("loop: slower, 2.0 → 3.0 cyc (+")) << message;
  EXPECT_EQ(slowerFindingOf(analyseAfter(2, 80)), "");
  EXPECT_EQ(slowerFindingOf(analyseAfter(4, 5)), "");
}

TEST(Comparison, StandsInTooltipAndHover) {
  const wire::AnalysisResult result = analyseAfter(4, 5);
  const auto tells = [](const wire::RichText &text) {
    return std::any_of(text.begin(), text.end(), [](const wire::Block &block) {
      return block.text.starts_with("4.0 → 3.0 cyc (−") && block.text.ends_with("since the last save");
    });
  };
  ASSERT_EQ(result.hints.size(), 1u);
  EXPECT_TRUE(tells(result.hints[0].tooltip));
  EXPECT_TRUE(tells(result.hovers[0].contents));
}

} // namespace
} // namespace analysis
