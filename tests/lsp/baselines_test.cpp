// What a document is compared with after saves, edits and commits.
#include "lsp/workspace/baselines.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

const std::string kUri = "file:///a.cpp";

Analysis cycles(uint64_t number) {
  analysis::wire::AnalysisResult result;
  result.target.cpu = "skylake";
  result.regions.push_back({.name = "loop", .simulation = 1});
  result.simulations.push_back({.id = 1, .cyclesPerIteration = double(number)});
  return Analysis::take(result, {});
}

class BaselinesTest : public testing::Test {
protected:
  BaselinesTest() { baselines.opened(kUri); }

  /// A job on the present text; what it was compared with, as "NAME CYCLES".
  std::vector<std::string> analyse(uint64_t number) {
    std::vector<std::string> compared;
    const Baselines::TextState text = baselines.textState(kUri);
    for (const Baseline &before : baselines.before(kUri)) {
      EXPECT_EQ(before.cpu, "skylake");
      compared.push_back(before.name + " " + std::to_string(static_cast<int>(before.figures.at(0).cycles)));
    }
    baselines.jobFinished(kUri, text, cycles(number));
    return compared;
  }

  using Compared = std::vector<std::string>;
  Baselines baselines;
};

TEST_F(BaselinesTest, ASavedTextIsComparedWithTheSaveBefore) {
  EXPECT_EQ(analyse(4), Compared{});
  baselines.edited(kUri);
  baselines.saved(kUri);
  EXPECT_EQ(analyse(3), Compared{"the last save 4"});
  EXPECT_EQ(analyse(3), Compared{"the last save 4"}) << "the same text again";
  baselines.edited(kUri);
  baselines.saved(kUri);
  EXPECT_EQ(analyse(5), Compared{"the last save 3"});
}

TEST_F(BaselinesTest, AnUnsavedTextIsComparedWithTheLastSave) {
  analyse(4);
  baselines.edited(kUri);
  EXPECT_EQ(analyse(5), Compared{"the last save 4"});
  baselines.edited(kUri);
  EXPECT_EQ(analyse(6), Compared{"the last save 4"}) << "unsaved numbers are no baseline";
  baselines.saved(kUri);
  baselines.edited(kUri);
  EXPECT_EQ(analyse(7), Compared{"the last save 6"}) << "they were those of the text that was saved";
}

TEST_F(BaselinesTest, ASaveThatWasNotAnalysedCountsForNothing) {
  analyse(4);
  baselines.edited(kUri);
  baselines.saved(kUri);
  baselines.edited(kUri);
  baselines.saved(kUri);
  EXPECT_EQ(analyse(3), Compared{"the last save 4"});
}

TEST_F(BaselinesTest, AJobThatAnEditOvertookIsStillOfTheSave) {
  const Baselines::TextState saved = baselines.textState(kUri);
  baselines.edited(kUri);
  baselines.jobFinished(kUri, saved, cycles(4));
  EXPECT_EQ(analyse(5), Compared{"the last save 4"});
}

TEST_F(BaselinesTest, ARegionIsKnownWithAllThatAComparisonNeeds) {
  Analysis analysis = cycles(4);
  analysis::wire::Region &region = analysis.regions[0].region;
  region.variant = "vector body ×8";
  region.path = "through line 7";
  region.sourceIterations = 8;
  region.calls = {"f"};
  auto simulation = *analysis.regions[0].simulation;
  simulation.code = 77;
  analysis.regions[0].simulation = std::make_shared<const analysis::wire::Simulation>(simulation);
  baselines.jobFinished(kUri, baselines.textState(kUri), analysis);
  baselines.edited(kUri);
  const Baseline before = baselines.before(kUri).at(0);
  EXPECT_EQ(before.figures, (std::vector<Figures>{{.cycles = 4, .ipc = 0, .sourceIterations = 8, .calls = {"f"}}}));
  ASSERT_EQ(before.regions.size(), 1u);
  EXPECT_EQ(before.regions[0].name, "loop, vector body ×8");
  EXPECT_EQ(before.regions[0].path, "through line 7");
  EXPECT_EQ(before.regions[0].code, 77u);
}

TEST_F(BaselinesTest, NewSettingsForgetTheNumbers) {
  analyse(4);
  baselines.forget();
  baselines.edited(kUri);
  EXPECT_EQ(analyse(5), Compared{});
}

TEST_F(BaselinesTest, HeadIsLookedAtOnceASave) {
  EXPECT_FALSE(baselines.wantsHead(kUri)) << "nothing to compare yet";
  analyse(4);
  EXPECT_TRUE(baselines.wantsHead(kUri));
  EXPECT_TRUE(baselines.headFinished(kUri, 99, cycles(6)));
  EXPECT_FALSE(baselines.wantsHead(kUri));
  EXPECT_EQ(baselines.knownHead(kUri), 99u);
  EXPECT_EQ(analyse(4), Compared{"git HEAD 6"});
  baselines.edited(kUri);
  EXPECT_FALSE(baselines.wantsHead(kUri));
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 6"}));
  baselines.saved(kUri);
  EXPECT_TRUE(baselines.wantsHead(kUri));
  EXPECT_FALSE(baselines.headFinished(kUri, 99, {})) << "known: nothing was analysed";
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 6"}));
}

TEST_F(BaselinesTest, AHeadWithTheSameNumbersIsNoNews) {
  analyse(4);
  EXPECT_FALSE(baselines.headFinished(kUri, 99, cycles(4)));
  baselines.edited(kUri);
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 4"}));
}

TEST_F(BaselinesTest, ACommitTakesTheComparisonAway) {
  analyse(4);
  baselines.headFinished(kUri, 99, cycles(6));
  baselines.saved(kUri);
  EXPECT_TRUE(baselines.headFinished(kUri, 0, {})) << "HEAD is the buffer now";
  EXPECT_EQ(analyse(4), Compared{"the last save 4"});
}

} // namespace
} // namespace lsp
