// What a document is compared with after saves, edits and commits.
#include "lsp/workspace/baselines.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Baseline;

const std::string kUri = "file:///a.cpp";

AnalysisResult cycles(uint64_t number, uint64_t head = 0) {
  AnalysisResult result;
  result.target.cpu = "skylake";
  result.regions.push_back({.name = "loop", .cyclesPerIteration = double(number)});
  result.head = head;
  return result;
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
      compared.push_back(before.name + " " + std::to_string(static_cast<int>(before.regions.at(0).cycles)));
    }
    baselines.jobFinished(kUri, text, cycles(number).regions, "skylake");
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
  baselines.jobFinished(kUri, saved, cycles(4).regions, "skylake");
  EXPECT_EQ(analyse(5), Compared{"the last save 4"});
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
  EXPECT_TRUE(baselines.headFinished(kUri, cycles(6, 99)));
  EXPECT_FALSE(baselines.wantsHead(kUri));
  EXPECT_EQ(baselines.knownHead(kUri), 99u);
  EXPECT_EQ(analyse(4), Compared{"git HEAD 6"});
  baselines.edited(kUri);
  EXPECT_FALSE(baselines.wantsHead(kUri));
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 6"}));
  baselines.saved(kUri);
  EXPECT_TRUE(baselines.wantsHead(kUri));
  EXPECT_FALSE(baselines.headFinished(kUri, cycles(0, 99))) << "known: nothing was analysed";
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 6"}));
}

TEST_F(BaselinesTest, AHeadWithTheSameNumbersIsNoNews) {
  analyse(4);
  EXPECT_FALSE(baselines.headFinished(kUri, cycles(4, 99)));
  baselines.edited(kUri);
  EXPECT_EQ(analyse(5), (Compared{"the last save 4", "git HEAD 4"}));
}

TEST_F(BaselinesTest, ACommitTakesTheComparisonAway) {
  analyse(4);
  baselines.headFinished(kUri, cycles(6, 99));
  baselines.saved(kUri);
  EXPECT_TRUE(baselines.headFinished(kUri, AnalysisResult())) << "HEAD is the buffer now";
  EXPECT_EQ(analyse(4), Compared{"the last save 4"});
}

} // namespace
} // namespace lsp
