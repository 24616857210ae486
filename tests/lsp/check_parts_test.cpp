// Headers that several files of a run compile, put together.
#include "lsp/check/check_merge.h"

#include "analysis/wire/finding_codes.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::RegionKind;
using analysis::wire::Severity;

/// A loop of a function, on the line.
CheckRegion loopIn(const std::string &function, uint32_t line, double cycles, const std::string &variant = "") {
  CheckRegion region = checkedRegion("loop in " + function + (variant.empty() ? "" : ", " + variant), cycles);
  region.instance = "loop in " + function;
  region.line = line;
  region.firstLine = line;
  region.lastLine = line + 1;
  return region;
}

/// What the file `through` says of the header.
CheckFile part(const std::string &through, std::vector<CheckRegion> regions, const std::string &name = "a.h") {
  CheckFile file = checkedFile(name, std::move(regions));
  file.through = through;
  uint32_t loop = 0;
  for (CheckRegion &region : file.regions) {
    region.loop = loop++;
    file.hints.push_back({region.line, through + " at " + std::to_string(region.line)});
  }
  file.coverage = {.loops = loop, .hinted = loop, .elsewhere = 0};
  return file;
}

CheckFinding finding(uint32_t line, const char *code, Severity severity = Severity::Warning) {
  CheckFinding made = checkedFinding(severity, code);
  made.at.line = line;
  return made;
}

/// "name line cycles through alike/different".
std::vector<std::string> regionsOf(const CheckFile &file) {
  std::vector<std::string> all;
  for (const CheckRegion &region : file.regions)
    all.push_back(region.name + " " + std::to_string(region.line) + " " + std::to_string(region.numbers.cycles) + " " +
                  region.through + " " + std::to_string(region.alike) + "/" + std::to_string(region.different));
  return all;
}

using Words = std::vector<std::string>;

TEST(Parts, TellALoopOnce) {
  std::vector<CheckFile> files{checkedFile("a.c"), part("a.c", {loopIn("f", 3, 4)}), checkedFile("b.c"),
                               part("b.c", {loopIn("f", 3, 4), loopIn("g", 7, 2)}),
                               part("c.c", {loopIn("g", 7, 3), loopIn("f", 3, 4)})};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(files.size(), 2u) << "the files of the run";
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].name, "a.h");
  EXPECT_EQ(parts[0].through, "");
  EXPECT_EQ(regionsOf(parts[0]), (Words{"loop in f 3 400 a.c 2/0", "loop in g 7 200 b.c 0/1"}));
  EXPECT_NE(parts[0].regions[0].loop, parts[0].regions[1].loop);
  EXPECT_EQ(parts[0].coverage, (CheckCoverage{2, 2, 0}));
  EXPECT_EQ(parts[0].target.commandOrigin, "as a part of a.c and of 2 others");
  ASSERT_EQ(parts[0].hints.size(), 2u);
  EXPECT_EQ(parts[0].hints[0].label, "a.c at 3");
  EXPECT_EQ(parts[0].hints[1].label, "b.c at 7") << "of the one whose loop is reported";
}

TEST(Parts, WhatBecomesOfOneLoopStaysTogether) {
  std::vector<CheckFile> files{part("a.c", {loopIn("f", 3, 4, "vector body"), loopIn("f", 3, 1, "remainder")}),
                               part("b.c", {loopIn("f", 3, 9)})};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(regionsOf(parts[0]), (Words{"loop in f, vector body 3 400 a.c 0/1", "loop in f, remainder 3 100 a.c 0/1"}));
  EXPECT_EQ(parts[0].coverage.loops, 2u);
}

TEST(Parts, InstancesOfOneLineAreLoopsOfTheirOwn) {
  std::vector<CheckFile> files{part("a.c", {loopIn("f<int>", 3, 4)}), part("b.c", {loopIn("f<long>", 3, 8)})};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(regionsOf(parts[0]), (Words{"loop in f<int> 3 400 a.c 0/0", "loop in f<long> 3 800 b.c 0/0"}));
  EXPECT_EQ(parts[0].hints.size(), 2u);
}

TEST(Parts, TargetsStayApart) {
  CheckFile wide = part("b.c", {loopIn("f", 3, 2), loopIn("g", 7, 2)});
  wide.target.features = "+avx512f";
  wide.target.command = "with -mavx512f";
  std::vector<CheckFile> files{part("a.c", {loopIn("f", 3, 4)}), wide};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].target.features, "+avx2");
  EXPECT_EQ(regionsOf(parts[0]), Words{"loop in f 3 400 a.c 0/1"});
  EXPECT_EQ(parts[1].target.features, "+avx512f");
  EXPECT_EQ(parts[1].target.command, "");
  EXPECT_EQ(regionsOf(parts[1]), Words{"loop in g 7 200 b.c, the command with -mavx512f 0/0"});
  EXPECT_EQ(parts[0].coverage.loops + parts[1].coverage.loops, 2u);
}

TEST(Parts, AFileOfTheRunTellsItsOwnLoops) {
  std::vector<CheckFile> files{checkedFile("a.h", {loopIn("f", 3, 4)}),
                               part("u.c", {loopIn("f", 3, 4), loopIn("g", 7, 2)})};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(regionsOf(files[0]), Words{"loop in f 3 400  0/0"});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(regionsOf(parts[0]), Words{"loop in g 7 200 u.c 0/0"});
  EXPECT_EQ(parts[0].coverage.loops, 1u) << "the other one is counted there";
  std::vector<CheckFile> known{checkedFile("a.h", {loopIn("f", 3, 4)}), part("u.c", {loopIn("f", 3, 4)})};
  EXPECT_TRUE(takeParts(known).empty());
  std::vector<CheckFile> other{checkedFile("a.h", {loopIn("f", 3, 4)}), part("t.c", {loopIn("f", 3, 4)}),
                               part("u.c", {loopIn("f", 3, 5)}), part("v.c", {loopIn("f", 3, 5)})};
  const std::vector<CheckFile> otherwise = takeParts(other);
  ASSERT_EQ(otherwise.size(), 1u);
  EXPECT_EQ(regionsOf(otherwise[0]), Words{"loop in f 3 500 u.c 1/2"}) << "macros may make other code of it";
}

TEST(Parts, FindingsGoWithTheirLoops) {
  CheckFile a = part("a.c", {loopIn("f", 3, 4)}), b = part("b.c", {loopIn("f", 3, 6)});
  a.findings = {finding(1, "assumed-cpu", Severity::Information), finding(3, "dependency-bottleneck", Severity::Hint)};
  b.findings = {finding(1, "assumed-cpu", Severity::Information), finding(3, "resource-bottleneck", Severity::Hint),
                finding(4, "call", Severity::Information), finding(9, "marker-error", Severity::Error),
                finding(3, "budget-exceeded")};
  std::vector<CheckFile> files{a, b};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 1u);
  Words reported;
  for (const CheckFinding &one : parts[0].findings)
    reported.push_back(one.code + ": " + one.message);
  EXPECT_EQ(reported,
            (Words{"assumed-cpu: a message", "dependency-bottleneck: a message",
                   "budget-exceeded: a message (seen through b.c)", "marker-error: a message (seen through b.c)"}));
}

TEST(Parts, WhatOneOfThemHasIsNotMissing) {
  CheckFile a = part("a.c", {}), b = part("b.c", {loopIn("f", 3, 6)});
  a.findings = {finding(2, analysis::wire::codes::kEmptyRegion), finding(5, analysis::wire::codes::kBudgetUnchecked)};
  b.findings = {finding(5, analysis::wire::codes::kBudgetUnchecked)};
  std::vector<CheckFile> files{a, b};
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 1u);
  ASSERT_EQ(parts[0].findings.size(), 1u);
  EXPECT_EQ(parts[0].findings[0].code, "budget-unchecked") << "no one has checked it";
}

/// Comparing each view with all others would take minutes.
TEST(Parts, AHeaderMayHaveManyViews) {
  constexpr uint32_t kViews = 50'000;
  std::vector<CheckFile> files;
  for (uint32_t i = 0; i < kViews; ++i) {
    CheckFile one = part("a.c" + std::to_string(i), {loopIn("f", 3, 4), loopIn("g<T" + std::to_string(i) + ">", 7, 2)});
    one.findings = {finding(3, "empty-region"), finding(7, "register-dependency")};
    one.findings.back().message = "of T" + std::to_string(i);
    files.push_back(std::move(one));
  }
  const std::vector<CheckFile> parts = takeParts(files);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].regions.size(), kViews + 1);
  EXPECT_EQ(parts[0].regions[0].alike, kViews - 1);
  EXPECT_EQ(parts[0].findings.size(), kViews + 1);
}

} // namespace
} // namespace lsp
