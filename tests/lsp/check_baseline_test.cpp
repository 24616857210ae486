// Which regions are the same, and which became slower.
#include "lsp/check/check_baseline.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::RegionKind;

CheckFile compared(CheckFile before, CheckFile now, double percent = 5) {
  CheckDocument document{.version = "1"};
  document.files = {std::move(before)};
  CheckBaseline(std::move(document), percent).compare(now);
  return now;
}

std::vector<std::string> messages(const CheckFile &file) {
  std::vector<std::string> result;
  for (const CheckFinding &finding : file.findings)
    result.push_back(finding.code + ": " + finding.message);
  return result;
}

TEST(CheckBaseline, TellsWhatBecameSlower) {
  const CheckFile now = compared(checkedFile("a.s", {checkedRegion("x", 4), checkedRegion("y", 4)}),
                                 checkedFile("a.s", {checkedRegion("x", 5), checkedRegion("y", 3)}));
  EXPECT_EQ(messages(now),
            (std::vector<std::string>{"slower-than-baseline: x: slower than in the baseline, 4.0 → 5.0 cyc (+25 %)"}));
  EXPECT_EQ(now.findings[0].severity, analysis::wire::Severity::Warning);
  EXPECT_EQ(now.findings[0].at.line, 3u);
  EXPECT_EQ(now.regions[0].baseline, 4);
  EXPECT_EQ(now.regions[1].baseline, 4);
}

/// Why the comparison of `now`, of a whole run, with a baseline of `before` is worth nothing.
std::string whyNothing(CheckFile before, CheckFile now, bool isShard = false) {
  const CheckBaseline baseline({"1", {}, {std::move(before)}}, 5);
  baseline.compare(now);
  return baseline.whyNothingIsCompared({now, checkedFile("other.s")}, isShard);
}

TEST(CheckBaseline, MustCompareSomething) {
  const CheckFile file = checkedFile("a.s", {checkedRegion("x", 4)});
  EXPECT_EQ(whyNothing(file, file), "");
  CheckFile another = file;
  another.target.cpu = "skylake";
  EXPECT_EQ(whyNothing(another, file), "a.s was analysed for skylake (x86_64) then and is now for znver4 (x86_64)");
  EXPECT_EQ(whyNothing(another, file, true), whyNothing(another, file)) << "a shard's numbers are as worthless";
  EXPECT_EQ(whyNothing(checkedFile("b.s", file.regions), file), "it has none of the files of this run");
  const char *const kNoRegion = "the files of this run have no region in common with it";
  EXPECT_EQ(whyNothing(file, checkedFile("a.s", {checkedRegion("y", 4)})), kNoRegion);
  EXPECT_EQ(whyNothing(checkedFile("a.s"), checkedFile("a.s")), kNoRegion);
  EXPECT_EQ(whyNothing(file, checkedFile("a.s"), true), "") << "another shard may have what this one lacks";
}

TEST(CheckBaseline, NumbersOfAnotherCalibrationAreNotCompared) {
  const CheckFile llvms = checkedFile("a.s", {checkedRegion("x", 4)});
  CheckFile calibrated = checkedFile("a.s", {checkedRegion("x", 8)});
  calibrated.target.calibration = {analysis::wire::CalibrationSummary::Source::User, "AMD EPYC", "2026-11-23",
                                   "ci/a.calibration", "1f"};
  EXPECT_EQ(messages(compared(llvms, calibrated)), std::vector<std::string>());
  EXPECT_EQ(whyNothing(llvms, calibrated),
            "a.s was analysed for znver4 (x86_64) then and is now for znver4 (x86_64), calibrated: AMD EPYC of "
            "2026-11-23 (ci/a.calibration)");
  CheckFile slower = calibrated;
  slower.regions[0].numbers.cyclesPerIteration = 16;
  EXPECT_EQ(messages(compared(calibrated, slower)).size(), 1u);
}

TEST(CheckBaseline, ComparesLowerBoundsOfTheSameCalls) {
  const auto calling = [](double cycles, std::vector<std::string> functions) {
    CheckRegion region = checkedRegion("x", cycles);
    region.calls = std::move(functions);
    return checkedFile("a.s", {region});
  };
  EXPECT_EQ(
      messages(compared(calling(4, {"f"}), calling(5, {"f"}))),
      (std::vector<std::string>{"slower-than-baseline: x: slower than in the baseline, ≥ 4.0 → ≥ 5.0 cyc (+25 %)"}));
  EXPECT_EQ(compared(calling(4, {"f"}), calling(5, {})).regions[0].baseline, std::nullopt) << "f was inlined";
  EXPECT_TRUE(compared(calling(4, {"f"}), calling(5, {})).findings.empty());
}

TEST(CheckBaseline, ComparesLowerBoundsThatLackTheSame) {
  const auto lacking = [](double cycles, std::vector<std::string> leftOut) {
    CheckRegion region = checkedRegion("x", cycles);
    region.leftOut = std::move(leftOut);
    return checkedFile("a.s", {region});
  };
  EXPECT_EQ(
      messages(compared(lacking(4, {"a line"}), lacking(5, {"a line"}))),
      (std::vector<std::string>{"slower-than-baseline: x: slower than in the baseline, ≥ 4.0 → ≥ 5.0 cyc (+25 %)"}));
  EXPECT_EQ(compared(lacking(4, {"a line"}), lacking(5, {})).regions[0].baseline, std::nullopt) << "it was corrected";
  EXPECT_EQ(compared(lacking(4, {}), lacking(5, {"a line"})).regions[0].baseline, std::nullopt);
}

TEST(CheckBaseline, LeavesRoom) {
  const CheckFile before = checkedFile("a.s", {checkedRegion("x", 100)});
  EXPECT_EQ(messages(compared(before, checkedFile("a.s", {checkedRegion("x", 105)}))).size(), 0u);
  EXPECT_EQ(messages(compared(before, checkedFile("a.s", {checkedRegion("x", 106)}))).size(), 1u);
  EXPECT_EQ(messages(compared(before, checkedFile("a.s", {checkedRegion("x", 119)}), 20)).size(), 0u);
  EXPECT_EQ(messages(compared(before, checkedFile("a.s", {checkedRegion("x", 101)}), 0)).size(), 1u);
}

TEST(CheckBaseline, MatchesInOrder) {
  const CheckFile now =
      compared(checkedFile("a.s", {checkedRegion("x", 1), checkedRegion("x", 2)}),
               checkedFile("a.s", {checkedRegion("x", 1), checkedRegion("x", 2), checkedRegion("x", 9)}));
  EXPECT_EQ(now.regions[0].baseline, 1);
  EXPECT_EQ(now.regions[1].baseline, 2);
  EXPECT_EQ(now.regions[2].baseline, std::nullopt) << "it is new";
  EXPECT_TRUE(now.findings.empty());
}

TEST(CheckBaseline, LinesMayMove) {
  const auto path = [](const char *name, double cycles) { return checkedRegion(name, cycles, RegionKind::Path); };
  const CheckFile now =
      compared(checkedFile("a.s", {path("loop in f2, through line 7", 1), path("loop in f2, through line 9", 2)}),
               checkedFile("a.s", {path("loop in f2, through line 9", 1), path("loop in f2, through line 11", 2)}));
  EXPECT_EQ(now.regions[0].baseline, 1) << "its name is that of the other path then";
  EXPECT_EQ(now.regions[1].baseline, 2);
  EXPECT_EQ(compared(checkedFile("a.s", {checkedRegion("loop in f2", 1)}),
                     checkedFile("a.s", {checkedRegion("loop in f3", 1)}))
                .regions[0]
                .baseline,
            std::nullopt);
}

TEST(CheckBaseline, EqualInstructionsAreOneLoop) {
  const auto loop = [](const char *code, double cycles) {
    CheckRegion region = checkedRegion("loop in f", cycles);
    region.code = code;
    return region;
  };
  const CheckFile now = compared(checkedFile("a.s", {loop("a1", 1), loop("b2", 12)}),
                                 checkedFile("a.s", {loop("b2", 12), loop("a1", 1), loop("c3", 30)}));
  EXPECT_EQ(now.regions[0].baseline, 12);
  EXPECT_EQ(now.regions[1].baseline, 1);
  EXPECT_EQ(now.regions[2].baseline, std::nullopt) << "it is new";
  EXPECT_TRUE(now.findings.empty());
}

TEST(CheckBaseline, OtherKindsFilesAndTargetsAreNotCompared) {
  const CheckFile before = checkedFile("a.s", {checkedRegion("x", 1)});
  EXPECT_EQ(compared(before, checkedFile("a.s", {checkedRegion("x", 9, RegionKind::Marker)})).regions[0].baseline,
            std::nullopt);
  EXPECT_EQ(compared(before, checkedFile("b.s", {checkedRegion("x", 9)})).regions[0].baseline, std::nullopt);
  CheckFile other = checkedFile("a.s", {checkedRegion("x", 9)});
  other.target.cpu = "znver5";
  EXPECT_EQ(compared(before, other).regions[0].baseline, std::nullopt);
}

TEST(CheckBaseline, CountsIterationsOfTheSource) {
  CheckRegion unrolled = checkedRegion("x", 8);
  unrolled.sourceIterations = 4;
  const CheckFile now = compared(checkedFile("a.s", {checkedRegion("x", 4)}), checkedFile("a.s", {unrolled}));
  EXPECT_TRUE(now.findings.empty()) << "2 cycles where there were 4";
}

TEST(CheckBaseline, ReplacesAnEarlierComparison) {
  const CheckFile before = checkedFile("a.s", {checkedRegion("x", 1)});
  const CheckFile once = compared(before, checkedFile("a.s", {checkedRegion("x", 2)}));
  EXPECT_EQ(messages(compared(before, once)), messages(once));
  const CheckFile fine = compared(checkedFile("a.s", {checkedRegion("x", 2)}), once);
  EXPECT_TRUE(fine.findings.empty());
  EXPECT_EQ(fine.regions[0].baseline, 2);
}

TEST(CheckBaseline, ComparesEachCommandWithItself) {
  CheckFile plain = checkedFile("a.c", {checkedRegion("x", 4)}), wide = checkedFile("a.c", {checkedRegion("x", 2)});
  plain.target.command = "without -mavx2";
  wide.target.command = "with -mavx2";
  const CheckBaseline baseline({.version = "1", .files = {plain, wide}}, 5);
  baseline.compare(plain);
  baseline.compare(wide);
  EXPECT_EQ(plain.regions[0].baseline, 4);
  EXPECT_EQ(wide.regions[0].baseline, 2);
  wide.target.command = "with -mavx512f";
  baseline.compare(wide);
  EXPECT_EQ(wide.regions[0].baseline, std::nullopt);
}

TEST(CheckBaseline, AHeaderMayHaveSeveralTargets) {
  CheckFile narrow = checkedFile("a.h", {checkedRegion("x", 4)}), wide = checkedFile("a.h", {checkedRegion("y", 2)});
  wide.target.cpu = "znver5";
  const CheckBaseline baseline({.version = "1", .files = {narrow, wide}}, 5);
  baseline.compare(wide);
  EXPECT_EQ(wide.regions[0].baseline, 2);
}

TEST(CheckBaseline, WhatIsSeenThroughOthersIsComparedWithThat) {
  CheckFile own = checkedFile("a.c", {checkedRegion("x", 4)}), part = checkedFile("a.c", {checkedRegion("x", 8)});
  part.regions[0].through = "u.c";
  const CheckBaseline baseline({.version = "1", .files = {own, part}}, 5);
  baseline.compare(own);
  baseline.compare(part);
  EXPECT_EQ(own.regions[0].baseline, 4);
  EXPECT_EQ(part.regions[0].baseline, 8);
  EXPECT_TRUE(part.findings.empty());
}

} // namespace
} // namespace lsp
