// What becomes of a worker's result: put together with what is known, moved through edits, and compared.
#include "lsp/workspace/document.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::ByteRange;
using analysis::wire::Region;
using protocol::PositionEncoding;
using Ids = std::vector<uint64_t>;

/// Six lines of six bytes.
constexpr const char *kText = "line0\nline1\nline2\nline3\nline4\nline5\n";

constexpr ByteRange lines(uint32_t first, uint32_t last) {
  return {6 * first, 6 * last + 5};
}

/// A region of some lines, with its hint on the first.
Region region(const std::string &name, uint32_t first, uint32_t last, uint64_t simulation) {
  return {.name = name, .at = lines(first, last), .anchor = 6 * first, .simulation = simulation};
}

/// A result with these regions, and with the simulations that are named, whose cycles are their numbers.
AnalysisResult resultOf(std::vector<Region> regions, const Ids &simulations) {
  AnalysisResult result;
  result.regions = std::move(regions);
  for (const uint64_t id : simulations)
    result.simulations.push_back({.id = id, .cyclesPerIteration = double(id)});
  return result;
}

Analysis take(AnalysisResult result, const Analysis &before = {}) {
  return Analysis::take(result, before);
}

/// Each region, with its cycles and the offset where it begins: "a 4@12".
std::vector<std::string> said(const Analysis &analysis) {
  std::vector<std::string> all;
  for (const AnalysedRegion &one : analysis.regions)
    all.push_back(one.region.name + " " + std::to_string(static_cast<int>(one.simulation->cyclesPerIteration)) + "@" +
                  std::to_string(one.region.at.begin));
  return all;
}

// ---- taking a result -----------------------------------------------------------------------------------------------

TEST(AnalysisOfAResult, HasAllThatWasSent) {
  AnalysisResult result = resultOf({region("a", 0, 1, 4)}, {4});
  result.target.cpu = "skylake";
  result.coverage = {3, 2, 1};
  result.vanishedLoops = {{.at = lines(3, 3), .fates = {}}};
  result.budgets.push_back({.written = "4.5", .at = lines(0, 0)});
  result.findings.push_back({.at = lines(5, 5), .code = "file"});
  const Analysis analysis = take(result);
  EXPECT_EQ(said(analysis), std::vector<std::string>{"a 4@0"});
  EXPECT_FALSE(analysis.regions[0].edited || analysis.regions[0].anchorEdited);
  EXPECT_EQ(analysis.target.cpu, "skylake");
  EXPECT_EQ(analysis.coverage, (analysis::wire::Coverage{3, 2, 1}));
  ASSERT_EQ(analysis.vanishedLoops.size(), 1u);
  EXPECT_EQ(analysis.vanishedLoops[0].at, lines(3, 3));
  EXPECT_EQ(analysis.budgets.at(0).written, "4.5");
  EXPECT_EQ(analysis.own.at(0).code, "file");
  EXPECT_TRUE(analysis.findings.empty()) << "they are the caller's to tell";
}

TEST(AnalysisOfAResult, KnownSimulationsNeedNotBeSent) {
  const Analysis before = take(resultOf({region("a", 0, 1, 4), region("b", 2, 3, 5)}, {4, 5}));
  EXPECT_EQ(before.knownSimulations(), (Ids{4, 5}));
  const Analysis now = take(resultOf({region("b", 1, 2, 5), region("c", 3, 3, 6), region("d", 4, 4, 5)}, {6}), before);
  EXPECT_EQ(said(now), (std::vector<std::string>{"b 5@6", "c 6@18", "d 5@24"}));
  EXPECT_EQ(now.regions[0].simulation, before.regions[1].simulation) << "there is one of it";
  EXPECT_EQ(now.knownSimulations(), (Ids{5, 6})) << "each once, and no more what no region has";
  EXPECT_EQ(said(before), (std::vector<std::string>{"a 4@0", "b 5@12"})) << "the old one stays whole";
}

TEST(AnalysisOfAResult, ARegionWhoseSimulationIsNowhereShowsNothing) {
  const Analysis before = take(resultOf({region("a", 0, 1, 4)}, {4}));
  const Analysis now = take(resultOf({region("b", 0, 1, 77), region("a", 2, 3, 4)}, {}), before);
  ASSERT_EQ(now.regions.size(), 2u);
  EXPECT_TRUE(now.regions[0].edited && now.regions[0].anchorEdited);
  ASSERT_TRUE(now.regions[0].simulation);
  EXPECT_FALSE(now.regions[1].edited || now.regions[1].anchorEdited);
  const Ids known = now.knownSimulations();
  EXPECT_EQ(std::count(known.begin(), known.end(), 77u), 0) << "so that it is sent the next time";
}

TEST(AnalysisOfAResult, EachInstructionHasAPlaceOrAnEmptyOne) {
  AnalysisResult result = resultOf({region("a", 0, 1, 4), region("b", 2, 3, 5)}, {4, 5});
  result.regions[0].places = {lines(1, 1)};
  result.simulations[0].body.resize(2);
  result.regions[1].places = {lines(2, 2), lines(3, 3)};
  const Analysis analysis = take(result);
  EXPECT_EQ(analysis.regions[0].region.places, (std::vector<ByteRange>{lines(1, 1), {}}));
  EXPECT_EQ(analysis.regions[1].region.places, (std::vector<ByteRange>{lines(2, 2), lines(3, 3)}))
      << "findings need them where a document is too long for the rest";
}

// A worker that is about to crash may send anything.
TEST(AnalysisOfAResult, NonsenseIsDropped) {
  AnalysisResult result = resultOf({region("a", 0, 1, 4), region("b", 2, 3, 5)}, {4, 5});
  result.simulations[0].verdict.kind = analysis::wire::Verdict::Kind::Stall; // with nothing that waits
  result.simulations[1].verdict = {.kind = analysis::wire::Verdict::Kind::Stall, .witnesses = {{}}};
  const Analysis analysis = take(result);
  EXPECT_EQ(analysis.regions[0].simulation->verdict, analysis::wire::Verdict());
  EXPECT_EQ(analysis.regions[1].simulation->verdict.kind, analysis::wire::Verdict::Kind::Stall);
}

// ---- edits ---------------------------------------------------------------------------------------------------------

class AnalysisThroughEdits : public testing::Test {
protected:
  AnalysisThroughEdits() {
    AnalysisResult result = resultOf({region("a", 0, 1, 1), region("b", 2, 3, 2), region("c", 4, 5, 3)}, {1, 2, 3});
    result.simulations[1].body.resize(3);
    result.regions[1].places = {lines(2, 2), lines(3, 3), {}};
    result.regions[1].transfers = {{.at = lines(2, 2)}, {.at = lines(3, 3)}, {}};
    result.regions[1].loop = 1;
    result.regions[2].loop = 2;
    result.flows.push_back({.loop = 1, .cycles = 9, .branches = {{.at = lines(3, 3), .loadAt = lines(2, 2)}, {}}});
    result.budgets.push_back({.at = lines(2, 2)});
    result.findings.push_back({.at = lines(3, 3), .related = {{.at = lines(2, 2)}}});
    result.vanishedLoops = {{.at = lines(1, 1), .fates = {}}, {.at = lines(2, 2), .fates = {}}};
    document.jobStarted();
    document.setAnalysis(take(std::move(result)));
    document.jobEnded();
  }
  void insert(protocol::Position at, const std::string &text) {
    ASSERT_TRUE(document.apply({"", 2, {{protocol::Range{at, at}, text}}}, PositionEncoding::Utf8));
  }
  const Analysis &analysis() const { return document.analysis(); }
  /// Of each region whether its lines, and whether its hint's, are as they were: "yes no".
  std::vector<std::string> whole() const {
    std::vector<std::string> all;
    for (const AnalysedRegion &one : analysis().regions)
      all.push_back(std::string(one.edited ? "no" : "yes") + (one.anchorEdited ? " no" : " yes"));
    return all;
  }
  using Words = std::vector<std::string>;
  Document document{protocol::DidOpenParams{"file:///a.s", "asm", 1, ""}, kText};
};

TEST_F(AnalysisThroughEdits, LinesAboveMoveEverything) {
  insert({1, 0}, "new\n");
  EXPECT_EQ(said(analysis()), (Words{"a 1@0", "b 2@16", "c 3@28"}));
  EXPECT_EQ(whole(), (Words{"no yes", "yes yes", "yes yes"})) << "a line more in the first";
  const Region &moved = analysis().regions[1].region;
  EXPECT_EQ(moved.at, (ByteRange{16, 27}));
  EXPECT_EQ(moved.anchor, 16u);
  EXPECT_EQ(moved.places, (std::vector<ByteRange>{{16, 21}, {22, 27}, {}}));
  EXPECT_EQ(moved.transfers.at(0).at, (ByteRange{16, 21}));
  EXPECT_EQ(moved.transfers.at(2).at, ByteRange());
  EXPECT_EQ(analysis().budgets.at(0).at, (ByteRange{16, 21}));
  EXPECT_EQ(analysis().own.at(0).at, (ByteRange{22, 27}));
  EXPECT_EQ(analysis().own.at(0).related.at(0).at, (ByteRange{16, 21}));
  ASSERT_EQ(analysis().vanishedLoops.size(), 2u);
  EXPECT_EQ(analysis().vanishedLoops[0].at, (ByteRange{10, 15}));
  EXPECT_EQ(analysis().vanishedLoops[1].at, (ByteRange{16, 21}));
}

TEST_F(AnalysisThroughEdits, ALoopOfAnEditedLineIsNotKnownToBeGone) {
  insert({1, 2}, "new");
  ASSERT_EQ(analysis().vanishedLoops.size(), 1u);
  EXPECT_EQ(analysis().vanishedLoops[0].at, (ByteRange{15, 20}));
}

TEST_F(AnalysisThroughEdits, AnEditInALoopLeavesItsHint) {
  insert({3, 2}, "x");
  EXPECT_EQ(whole(), (Words{"yes yes", "no yes", "yes yes"}));
  const Region &edited = analysis().regions[1].region;
  EXPECT_EQ(edited.at, (ByteRange{12, 24}));
  EXPECT_EQ(edited.anchor, 12u);
  EXPECT_EQ(edited.places, (std::vector<ByteRange>{lines(2, 2), {}, {}})) << "what stands on the line is not known";
  EXPECT_EQ(edited.transfers.at(0).at, lines(2, 2));
  EXPECT_EQ(edited.transfers.at(1).at, ByteRange());
  insert({0, 0}, "new\n");
  EXPECT_EQ(whole(), (Words{"yes yes", "no yes", "yes yes"})) << "it stays edited";
}

TEST_F(AnalysisThroughEdits, BranchesFollowTheirLines) {
  ASSERT_TRUE(analysis().regions[1].flow);
  EXPECT_FALSE(analysis().regions[0].flow || analysis().regions[2].flow);
  EXPECT_EQ(analysis().regions[1].flow->cycles, 9);
  EXPECT_EQ(analysis().regions[1].flow->branches.at(0).at, ByteRange()) << "the places are the region's";
  insert({0, 0}, "new\n");
  const std::vector<BranchPlaces> &branches = analysis().regions[1].branches;
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].branch, (ByteRange{22, 27}));
  EXPECT_EQ(branches[0].load, (ByteRange{16, 21}));
  insert({4, 2}, "x");
  EXPECT_EQ(branches[0].branch, ByteRange()) << "its line was changed";
  EXPECT_EQ(branches[0].load, (ByteRange{16, 21}));
  EXPECT_EQ(branches[1].branch, ByteRange());
}

TEST_F(AnalysisThroughEdits, AnEditOfTheHintsLineTakesItAway) {
  insert({2, 5}, "x");
  EXPECT_EQ(whole(), (Words{"yes yes", "no no", "yes yes"}));
  insert({0, 0}, "new\n");
  EXPECT_EQ(whole(), (Words{"yes yes", "no no", "yes yes"}));
}

// A hint may stand outside of the lines of its loop: where a function is called.
TEST_F(AnalysisThroughEdits, TheHintsLineMayBeAnother) {
  AnalysisResult result = resultOf({region("inlined", 2, 3, 1)}, {1});
  result.regions[0].anchor = 33;
  document.setAnalysis(take(result));
  insert({5, 0}, "x");
  EXPECT_EQ(whole(), Words{"yes no"});
}

TEST_F(AnalysisThroughEdits, NumbersStayKnownWhateverIsEdited) {
  insert({2, 5}, "x");
  insert({0, 0}, "new\n");
  EXPECT_EQ(analysis().knownSimulations(), (Ids{1, 2, 3}));
  document.jobStarted();
  document.setAnalysis(take(resultOf({region("b", 3, 4, 2)}, {}), analysis()));
  EXPECT_EQ(said(analysis()), Words{"b 2@18"});
  EXPECT_EQ(whole(), Words{"yes yes"}) << "its lines are those that were analysed";
}

TEST_F(AnalysisThroughEdits, EditsDuringTheJobCount) {
  document.jobStarted();
  insert({2, 0}, "x");
  insert({0, 0}, "new\n");
  document.setAnalysis(
      take(resultOf({region("a", 0, 1, 1), region("b", 2, 3, 2), region("new", 4, 5, 6)}, {6}), analysis()));
  EXPECT_EQ(said(analysis()), (Words{"a 1@4", "b 2@16", "new 6@29"}));
  EXPECT_EQ(whole(), (Words{"yes yes", "no no", "yes yes"}));
}

// ---- chosen paths --------------------------------------------------------------------------------------------------

/// The names of the regions that are chosen.
std::vector<std::string> chosenOf(const Analysis &analysis) {
  std::vector<std::string> all;
  for (const AnalysedRegion &region : analysis.regions)
    if (region.chosen)
      all.push_back(fullName(region.region));
  return all;
}

/// Two loops of one name, each with the paths a and b, which are numbered from `loop` on; and a loop with one path.
AnalysisResult twoLoops(uint32_t loop) {
  AnalysisResult result = resultOf(
      {region("f", 0, 1, 1), region("f", 0, 1, 1), region("f", 2, 3, 1), region("f", 2, 3, 1), region("g", 4, 5, 1)},
      {1});
  for (size_t i = 0; i < 5; ++i) {
    result.regions[i].loop = loop + static_cast<uint32_t>(i / 2);
    result.regions[i].path = i == 4 ? "" : std::string(i % 2 ? "b" : "a") + std::to_string(i / 2);
  }
  return result;
}

TEST(ChosenPath, StepsThroughTheLoop) {
  using Names = std::vector<std::string>;
  Analysis analysis = take(twoLoops(0));
  analysis.choosePath(1);
  EXPECT_EQ(chosenOf(analysis), Names{"f, a1"});
  analysis.choosePath(1);
  EXPECT_EQ(chosenOf(analysis), Names{"f, b1"});
  analysis.choosePath(0);
  EXPECT_EQ(chosenOf(analysis), (Names{"f, a0", "f, b1"})) << "each loop has its own";
  Analysis next = take(twoLoops(7), analysis);
  EXPECT_EQ(chosenOf(next), (Names{"f, a0", "f, b1"})) << "the next analysis keeps them";
  AnalysisResult shorter = twoLoops(0);
  shorter.regions.erase(shorter.regions.begin() + 3);
  EXPECT_EQ(chosenOf(take(shorter, next)), Names{"f, a0"}) << "the other loop has lost its paths";
  AnalysisResult moved = twoLoops(0);
  moved.regions[2].path = "line 10";
  moved.regions[3].path = "line 9";
  AnalysisResult lower = moved;
  lower.regions[2].path = "line 11";
  lower.regions[3].path = "line 12";
  Analysis ordered = take(moved, {});
  ordered.choosePath(1);
  EXPECT_EQ(chosenOf(take(lower, ordered)), Names{"f, line 12"}) << "the second in the text, and the other in order";
  moved.regions[2].path = "lines 9, 150";
  moved.regions[3].path = "lines 10, 11";
  lower.regions[2].path = "lines 98, 239";
  lower.regions[3].path = "lines 99, 100";
  ordered = take(moved, {});
  ordered.choosePath(1);
  EXPECT_EQ(chosenOf(take(lower, ordered)), Names{"f, lines 98, 239"}) << "numbers are compared, not their digits";
  next.choosePath(8);
  EXPECT_EQ(chosenOf(next), Names{"f, a0"}) << "after the last path all are shown";
  next.choosePath(9);
  next.choosePath(99);
  EXPECT_EQ(chosenOf(next), Names{"f, a0"}) << "there is no choice";
}

// ---- comparisons ---------------------------------------------------------------------------------------------------

Baseline baseline(const std::string &name, std::vector<std::pair<std::string, double>> cycles) {
  Baseline made{.name = name, .cpu = "skylake", .regions = {}};
  for (auto &[region, number] : cycles) {
    made.regions.push_back({.name = std::move(region), .path = "", .kind = analysis::wire::RegionKind::Snippet});
    made.figures.push_back({.cycles = number, .sourceIterations = 1, .calls = {}});
  }
  return made;
}

/// What has changed in each region, in words.
std::vector<std::vector<std::string>> changesOf(const Analysis &analysis) {
  std::vector<std::vector<std::string>> all;
  for (const AnalysedRegion &region : analysis.regions) {
    all.emplace_back();
    for (const Change &change : region.changes)
      all.back().push_back(change.inWords());
  }
  return all;
}

using Changes = std::vector<std::vector<std::string>>;

TEST(AnalysisCompared, EachRegionWithThatOfItsName) {
  Region path = region("a", 0, 1, 4);
  path.variant = "remainder";
  path.path = "through line 7";
  AnalysisResult result = resultOf({region("a", 0, 1, 4), path, region("b", 2, 2, 5), region("b", 3, 3, 6)}, {4, 5, 6});
  result.target.cpu = "skylake";
  Analysis analysis = take(result);
  Baseline save = baseline("the last save", {{"b", 5}, {"b", 8}, {"a, remainder", 2}});
  save.regions[2].path = "through line 5";
  analysis.compareWith({save, baseline("git HEAD", {{"a", 8}, {"b", 10}})});
  EXPECT_EQ(changesOf(analysis), (Changes{{"8.0 → 4.0 cyc (−50 %) since git HEAD"},
                                          {"2.0 → 4.0 cyc (+100 %) since the last save"},
                                          {}, // which of the two HEAD has is not known
                                          {"8.0 → 6.0 cyc (−25 %) since the last save"}}));
}

TEST(AnalysisCompared, LinesInNamesMayMove) {
  const std::string name = "loop inlined into use at line ";
  AnalysisResult result = resultOf({region(name + "20", 0, 1, 4), region(name + "22", 2, 2, 12)}, {4, 12});
  result.target.cpu = "skylake";
  Analysis analysis = take(result);
  analysis.compareWith({baseline("the last save", {{name + "18", 4}, {name + "20", 12}})});
  EXPECT_EQ(changesOf(analysis), (Changes{{}, {}}));
}

TEST(AnalysisCompared, NumbersOfAnotherCpuMeanNothing) {
  Analysis analysis = take(resultOf({region("a", 0, 1, 4)}, {4}));
  analysis.target.cpu = "znver4";
  analysis.compareWith({baseline("the last save", {{"a", 2}})});
  EXPECT_EQ(changesOf(analysis), Changes{{}});
}

TEST(AnalysisCompared, ALaterComparisonReplacesIt) {
  Analysis analysis = take(resultOf({region("a", 0, 1, 4)}, {4}));
  analysis.target.cpu = "skylake";
  analysis.compareWith({baseline("the last save", {{"a", 2}})});
  analysis.compareWith({baseline("git HEAD", {{"a", 8}})});
  EXPECT_EQ(changesOf(analysis), Changes{{"8.0 → 4.0 cyc (−50 %) since git HEAD"}});
  analysis.compareWith({});
  EXPECT_EQ(changesOf(analysis), Changes{{}});
}

TEST(AnalysisCompared, FiguresAreOfTheMachineCodesIteration) {
  Region unrolled = region("a", 0, 1, 4);
  unrolled.sourceIterations = 8;
  unrolled.calls = {"f"};
  const Analysis analysis = take(resultOf({unrolled}, {4}));
  EXPECT_EQ(figuresOf(analysis.regions[0]), (Figures{.cycles = 4, .ipc = 0, .sourceIterations = 8, .calls = {"f"}}));
  EXPECT_EQ(cyclesOf(analysis.regions[0]), 0.5) << "as they are shown";
}

} // namespace
} // namespace lsp
