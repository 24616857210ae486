// What a run says at its end: the set-up once, the loops that deserve a look first, the totals, and all of it as
// markdown.
#include "lsp/check/check_report.h"
#include "lsp/check/worst_loops.h"
#include "tests/lsp/check_samples.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::RegionKind;
using analysis::wire::Severity;

CheckRegion loop(std::string name, uint32_t number, double cycles, double iterationsPerCall) {
  CheckRegion region = checkedRegion(std::move(name), cycles);
  region.loop = number;
  region.iterationsPerCall = iterationsPerCall;
  return region;
}

CheckRegion path(std::string name, uint32_t number, double cycles, double share) {
  CheckRegion region = loop(std::move(name), number, cycles, 10);
  region.kind = RegionKind::Path;
  region.share = share;
  return region;
}

std::vector<std::string> reasons(const std::vector<WorstLoop> &loops) {
  std::vector<std::string> texts;
  for (const WorstLoop &one : loops)
    texts.push_back(one.file->name + ": " + one.name + ": " + one.reason);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(WorstLoops, CostWhatOneCallSpends) {
  CheckRegion vector = loop("loop in b, vector body ×8", 0, 16, 4);
  vector.sourceIterations = 8;
  vector.bottleneck = "limited by dispatch";
  const std::vector<CheckFile> files = {
      checkedFile("x.c", {loop("loop in a", 0, 2, 100), loop("loop in c", 1, 900, 0), loop("loop in d", 2, 7, 0)}),
      checkedFile("y.c", {vector, checkedRegion("marked", 1000, RegionKind::Marker)})};
  const WorstLoops worst = worstLoops(files, 3);
  EXPECT_EQ(reasons(worst.costly.loops),
            (Texts{"x.c: loop in a: 200 cyc: 2.0 × 100.0 iterations",
                   "y.c: loop in b, vector body ×8: 64 cyc: 16.0 × 4.0 iterations; limited by dispatch",
                   "x.c: loop in c: 900.0 cyc per iteration, how often is unknown"}));
  EXPECT_EQ(worst.costly.inAll, 4u);
  EXPECT_EQ(worst.costly.loops[0].line, 3u);
}

TEST(WorstLoops, WithAProfileTheyAreListedByTheirTime) {
  CheckRegion hot = loop("loop in a", 0, 2, 100), byLines = loop("loop in b", 1, 3, 1),
              changed = loop("loop in c", 2, 4, 1);
  hot.profile = {.share = 0.25, .cyclesPerIteration = 9.6};
  byLines.profile = {.share = 0.034, .isByLines = true, .change = "d"};
  byLines.bottleneck = "limited by p5";
  changed.profile = {.share = 0.5, .change = "d"};
  const std::vector<CheckFile> files = {checkedFile("x.c", {byLines, hot, changed, loop("loop in d", 3, 7, 0)})};
  EXPECT_EQ(reasons(worstLoops(files, 9).hottest.loops),
            (Texts{"x.c: loop in a: 25 %: 2.0 cyc per iteration, 9.6 in the program",
                   "x.c: loop in b: ≈ 3.4 %: 3.0 cyc per iteration; limited by p5"}))
      << "of a function that has changed the share is not the loop's";
  const std::string text = checkSummary(files, 9, {});
  EXPECT_NE(text.find("most of the program's time (2):\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("most cycles"), std::string::npos) << text;
  EXPECT_NE(checkMarkdown(files, 9).find("| ▉▉▉▉▉ `loop in a`: `25 %: 2.0 cyc"), std::string::npos)
      << checkMarkdown(files, 9);
}

TEST(WorstLoops, AdviceComesFirstThatSavesMostOfTheProgram) {
  CheckRegion hot = loop("loop in a", 0, 2, 100), cold = loop("loop in b", 1, 3, 1);
  hot.instance = hot.name;
  cold.instance = cold.name;
  hot.advice = {{.words = "unroll", .factor = 2}};
  cold.advice = {{.words = "compile with -O3", .factor = 8}};
  const std::vector<CheckFile> before = {checkedFile("x.c", {hot, cold})};
  EXPECT_EQ(reasons(worstLoops(before, 9).advised.loops).front(),
            "x.c: loop in b: 8.0 times as fast: compile with -O3");
  hot.profile = {.share = 0.4};
  const std::vector<CheckFile> files = {checkedFile("x.c", {hot, cold})};
  EXPECT_EQ(reasons(worstLoops(files, 9).advised.loops),
            (Texts{"x.c: loop in a: saves 20 % of the program's time, 2.0 times as fast: unroll",
                   "x.c: loop in b: 8.0 times as fast: compile with -O3"}));
}

TEST(WorstLoops, PathsAreOneLoop) {
  const std::vector<CheckFile> files = {
      checkedFile("x.c", {path("loop in f, through line 7", 4, 10, 0.2), path("loop in f, through line 9", 4, 20, 0.2),
                          path("loop in g(int, int), through lines 7, 9", 5, 3, -1),
                          path("loop in g(int, int), through lines 7, 11", 5, 8, -1)})};
  EXPECT_EQ(reasons(worstLoops(files, 9).costly.loops),
            (Texts{"x.c: loop in f: 150 cyc: 15.0 × 10.0 iterations",
                   "x.c: loop in g(int, int): 80 cyc: 8.0 × 10.0 iterations"}));
}

TEST(WorstLoops, ChangedMostInEitherDirection) {
  CheckFile file = checkedFile("x.c", {checkedRegion("a", 4), checkedRegion("b", 1), checkedRegion("c", 4.01),
                                       checkedRegion("d", 30), checkedRegion("new", 9)});
  const double before[] = {5, 4, 4, 15};
  for (size_t i = 0; i < 4; ++i)
    file.regions[i].baseline = before[i];
  const std::vector<CheckFile> files = {file};
  const WorstLoops worst = worstLoops(files, 2);
  EXPECT_EQ(reasons(worst.changed.loops), (Texts{"x.c: b: 4.0 → 1.0 cyc (−75 %)", "x.c: d: 15.0 → 30.0 cyc (+100 %)"}));
  EXPECT_EQ(worst.changed.inAll, 3u) << "what looks the same is no change";
}

/// Two files for a CPU that nothing named; the second one misses a budget and has an error.
std::vector<CheckFile> assumedTwice() {
  CheckFile first = checkedFile("x.c", {loop("loop in a", 0, 2, 8)}), second = checkedFile("y|z.c");
  CheckFinding assumed = checkedFinding(Severity::Information, "assumed-cpu");
  assumed.message = "name the CPU";
  first.findings = {assumed};
  second.findings = {checkedFinding(Severity::Error, "parse-error"), assumed,
                     checkedFinding(Severity::Warning, "budget-exceeded")};
  second.findings[2].message = "ipc 0.17 < 0.5 on znver4: *hot* <b>";
  first.notes = second.notes = {"-fodd is left out", "-fodd is left out"};
  second.notes.push_back("-fother is left out");
  return {first, second};
}

TEST(SetUp, IsPrintedOnceForAllFiles) {
  EXPECT_EQ(setUpLines(assumedTwice(), {}), "x.c:1:1: remark: name the CPU (2 files) [assumed-cpu]\n"
                                            "x.c: note: -fodd is left out (2 files)\n"
                                            "y|z.c: note: -fother is left out\n");
}

TEST(SetUp, IsNotPrintedWithItsFile) {
  const std::vector<CheckFile> files = assumedTwice();
  const std::string report = checkReport(files[1], {}), page = annotatedSource(files[1], Text("x\n"), {});
  for (const std::string &text : {report, page}) {
    EXPECT_EQ(text.find("name the CPU"), std::string::npos) << text;
    EXPECT_EQ(text.find("is left out"), std::string::npos) << text;
    EXPECT_NE(text.find("error: a message [parse-error]"), std::string::npos) << text;
  }
}

TEST(CheckSummary, EndsWithTheTotals) {
  CheckFile file = checkedFile("a.s", {checkedRegion("x", 4)});
  file.coverage = {3, 2, 0};
  file.findings = {checkedFinding(Severity::Warning, "slow")};
  EXPECT_EQ(checkSummary({file, file, {}}, 0, {}),
            "2 files, 2 regions: 0 errors, 2 warnings, 0 remarks; 4 of 6 innermost loops with a hint\n")
      << "one of them by two commands";
  file.findings[0].severity = Severity::Error;
  file.coverage = {};
  file.regions[0].baseline = 4;
  EXPECT_EQ(checkSummary({file, {}}, 0, {}),
            "2 files, 1 region: 1 error, 0 warnings, 0 remarks; 1 region compared with the baseline\n");
}

TEST(CheckSummary, NamesTheLoopsToLookAtFirst) {
  std::vector<CheckFile> files = assumedTwice();
  files[0].regions.push_back(loop("loop in b", 1, 3, 8));
  EXPECT_EQ(checkSummary(files, 1, {}),
            "budgets missed or not checked (1):\n"
            "  y|z.c:1: ipc 0.17 < 0.5 on znver4: *hot* <b>\n"
            "most cycles in one call of the function, as the compiler expects its loops to run (1 of 2):\n"
            "  x.c:3: loop in b: 24 cyc: 3.0 × 8.0 iterations\n"
            "2 files, 2 regions: 1 error, 1 warning, 2 remarks\n");
  files[0].regions.pop_back();
  files.pop_back();
  EXPECT_EQ(checkSummary(files, 10, {}), "") << "one loop of one file is the whole report";
}

TEST(CheckMarkdown, IsACommentOnAPullRequest) {
  EXPECT_EQ(checkMarkdown(assumedTwice(), 10), R"(## mca-lsp

2 files, 1 region: 1 error, 1 warning, 2 remarks.

### Errors (1)

| | |
|---|---|
| `y\|z.c:1` | `a message` |

### Budgets missed or not checked (1)

| | |
|---|---|
| `y\|z.c:1` | `ipc 0.17 < 0.5 on znver4: *hot* <b>` |

### Most cycles in one call of the function, as the compiler expects its loops to run (1)

| | |
|---|---|
| `x.c:3` | `loop in a`: `16 cyc: 2.0 × 8.0 iterations` |

### Set-up

- `name the CPU` (2 files)
- `-fodd is left out` (2 files)
- `-fother is left out`
)");
}

TEST(CheckMarkdown, NamesTheCalibrations) {
  std::vector<CheckFile> files = assumedTwice();
  for (CheckFile &file : files)
    file.target.calibration = {analysis::wire::CalibrationSummary::Source::Own, "AMD EPYC", "2026-11-23", "", "1f"};
  const std::string page = checkMarkdown(files, 10);
  const std::string line =
      "### Set-up\n\n- calibration: `AMD EPYC of 2026-11-23 (your own)`\n- `name the CPU` (2 files)\n";
  EXPECT_NE(page.find(line), std::string::npos) << page;
}

/// Only code is safe from what GitHub makes of a text: links of addresses, mentions of users, references to issues.
TEST(CheckMarkdown, NoTextOfTheCodeLinksOrNotifies) {
  for (const auto &[text, shown] : std::vector<std::pair<std::string, std::string>>{
           {"see http://evil/x www.evil.org me@evil.org @user #123 o/r#1 deadbeef", ""},
           {"a`b``c", "```a`b``c```"},
           {"`x", "`` `x ``"},
           {"x`", "`` x` ``"},
           {" x ", "`  x  `"},
           {"a|b", "`a\\|b`"},
           {"\\", "`\\`"}}) {
    CheckFile file = checkedFile("x.c");
    file.findings = {checkedFinding(Severity::Error, "parse-error")};
    file.findings[0].message = text;
    const std::string page = checkMarkdown({file}, 10);
    EXPECT_NE(page.find("| `x.c:1` | " + (shown.empty() ? "`" + text + "`" : shown) + " |\n"), std::string::npos)
        << page;
  }
}

TEST(CheckMarkdown, IsBounded) {
  std::vector<CheckFile> files(500, checkedFile("x.c", {loop(std::string(5000, 'n'), 0, 2, 8)}));
  for (CheckFile &file : files)
    file.findings = {checkedFinding(Severity::Error, "parse-error")};
  const std::string text = checkMarkdown(files, 10);
  EXPECT_LT(text.size(), 10'000u) << "a comment may have 65,536 characters";
  EXPECT_NE(text.find("### Errors (10 of 500)"), std::string::npos);
}

} // namespace
} // namespace lsp
