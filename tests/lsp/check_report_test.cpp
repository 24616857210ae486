// What --check prints.
#include "lsp/check/check_report.h"

#include "lsp/check/check_file.h"
#include "lsp/check/terminal.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Caveat;
using analysis::wire::RegionKind;
using analysis::wire::Severity;

AnalysisResult resultFor() {
  AnalysisResult result;
  result.target = {"x86_64", "znver4", "+avx2", "set in the buffer", "znver4's own model", ""};
  result.regions.push_back({.name = "dot",
                            .kind = RegionKind::Loop,
                            .at = {6, 16},
                            .anchor = 6,
                            .caveats = {{.kind = Caveat::Kind::BranchingText}},
                            .simulation = 1});
  result.simulations.push_back({.id = 1,
                                .instructions = 4,
                                .cyclesPerIteration = 4.03,
                                .ipc = 0.9926,
                                .iterations = 100,
                                .cycles = 410,
                                .microOps = 500,
                                .dispatchWidth = 6,
                                .averageIpc = 0.9756,
                                .averageMicroOpsPerCycle = 1.2195,
                                .blockReciprocalThroughput = 1.25,
                                .pressure = {{"P0", 1}, {"P1", 0.504}},
                                .verdict = {.kind = analysis::wire::Verdict::Kind::Dispatch,
                                            .busy = 4,
                                            .cycles = 4.03,
                                            .microOps = 5,
                                            .dispatchWidth = 6}});
  result.findings.push_back(
      {{8, 9}, Severity::Warning, "slow", "too slow", {{"", {0, 1}, 0, "because"}, {"/h.h", {}, 3, "see"}}});
  return result;
}

/// With the findings that the worker sent alone.
CheckFile checked(const Text &text, AnalysisResult result, const std::string &folder = "/p") {
  Analysis analysis = Analysis::take(result, {});
  analysis.findings = analysis.own;
  return checkFile("a.s", text, analysis, result.notes, folder);
}

TEST(CheckReport, HasEveryNumber) {
  const Text text(".text\nloop:\n  add\n");
  EXPECT_EQ(checkReport(checked(text, resultFor()), {}), R"(a.s: target: x86_64 znver4 +avx2 (set in the buffer)
a.s: model: znver4's own model
a.s: region dot (loop), lines 2-3
  cycles per iteration: 4.03
  IPC: 0.99
  iterations: 100
  instructions: 4 per iteration
  cycles: 410
  uops: 500
  dispatch width: 6
  average IPC: 0.98
  average uops/cycle: 1.22
  block rthroughput: 1.3
  pressure: P0=1.00 P1=0.50
  bottleneck: limited by dispatch: 5.0 micro-ops, at most 6 per cycle and some only together, take 4.0 of 4.0 cycles per iteration
  caveat: the text branches: it is simulated from its first to its last line
a.s:2: hint: ≈ IPC 0.99 · 4.0 cyc · dispatch
a.s:2:3: warning: too slow [slow]
a.s:1:1: note: because
/h.h:3: note: see
)");
}

TEST(CheckReport, ALowerBoundHasNoIpc) {
  const Text text(".text\nloop:\n  add\n");
  AnalysisResult result = resultFor();
  result.regions[0].caveats = {{.kind = Caveat::Kind::UnreadLine, .count = 2}};
  result.simulations[0].otherCpus = {{"znver3", 7, 1.5, ""}};
  const CheckFile file = checked(text, result);
  EXPECT_EQ(file.regions[0].leftOut, file.regions[0].caveats);
  const std::string report = checkReport(file, {});
  EXPECT_NE(report.find("  cycles per iteration: ≥ 4.03\n  iterations: 100\n"), std::string::npos) << report;
  EXPECT_NE(report.find("  bottleneck: apart from what is left out, limited by"), std::string::npos) << report;
  EXPECT_NE(report.find("  on znver3: ≥ 7.00 cycles per iteration\n"), std::string::npos) << report;
  EXPECT_NE(report.find("a.s:2: hint: ≥ 4.0 cyc · lacks 2 lines\n"), std::string::npos) << report;
  result.regions[0].caveats.clear();
  result.simulations[0].otherCpus[0].isLowerBound = true;
  const std::string there = checkReport(checked(text, result), {});
  EXPECT_NE(there.find("  cycles per iteration: 4.03\n  IPC: 0.99\n"), std::string::npos) << there;
  EXPECT_NE(there.find("  on znver3: ≥ 7.00 cycles per iteration\n"), std::string::npos) << there;
}

TEST(CheckReport, NamesTheLoopsThatLeftNoMachineLoop) {
  const Text text(".text\nloop:\n  add\n");
  AnalysisResult result = resultFor();
  result.coverage = {.loops = 2, .hinted = 1, .elsewhere = 1};
  result.vanishedLoops = {{.at = {0, 5}, .fates = {}}};
  EXPECT_NE(
      checkReport(checked(text, result), {})
          .find("a.s: coverage: 1 of 2 innermost loops have a hint, 1 belong to no line of this file, 1 loop left no "
                "machine loop (line 1)\n"),
      std::string::npos);
  result = resultFor();
  result.coverage = {};
  using Kind = analysis::wire::LoopFate::Kind;
  result.vanishedLoops = {{.at = {0, 5}, .fates = {{.kind = Kind::Unrolled, .iterations = 8, .callee = {}}}},
                          {.at = {6, 11}, .fates = {}}};
  EXPECT_NE(
      checkReport(checked(text, result), {})
          .find("a.s: coverage: 2 loops left no machine loop (line 1 unrolled completely, 8 iterations; line 2)\n"),
      std::string::npos);
}

TEST(CheckReport, SaysWhichCalibrationAndWhatLlvmsModelSays) {
  using Source = analysis::wire::CalibrationSummary::Source;
  const Text text(".text\nloop:\n  add\n");
  AnalysisResult result = resultFor();
  result.target.calibration = {Source::User, "AMD EPYC", "2026-11-23", "/p/ci/a.calibration", "1f"};
  result.simulations[0].calibrated = {3.2, 1.25, 2, {{"alu", 4}, {"slots", 1.5}}};
  const std::string report = checkReport(checked(text, result), {});
  EXPECT_NE(report.find("a.s: calibration: AMD EPYC of 2026-11-23 (ci/a.calibration)\n"), std::string::npos) << report;
  EXPECT_NE(report.find("  IPC: 0.99\n"
                        "  in LLVM's model: 3.20 cycles per iteration, IPC 1.25\n"
                        "  with LLVM's values: 2 of 4 instructions\n"
                        "  limits: alu 4.00, slots 1.50\n"
                        "  iterations: 100\n"),
            std::string::npos)
      << report;
}

TEST(CheckReport, SaysWhatUnalignedDataCost) {
  const Text text(".text\nloop:\n  add\n");
  AnalysisResult result = resultFor();
  result.simulations[0].calibrated = {.llvmCycles = 3.2, .llvmIpc = 1.25, .bounds = {}, .unalignedCycles = 8};
  CheckFile file = checked(text, result);
  file.regions[0].advice = {{.words = "wide", .cycles = 2, .factor = 2, .unaligned = 1.5}};
  const std::string report = checkReport(file, {});
  EXPECT_NE(report.find("  if data begin 16 bytes behind a line: 8.00 cycles per iteration\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("2.0 times as fast, 1.5 times if data begin 16 bytes behind a line: wide\n"), std::string::npos)
      << report;
  file.regions[0].numbers.calibrated.unalignedCycles = file.regions[0].numbers.cyclesPerIteration;
  file.regions[0].advice[0].unaligned = 1.95;
  EXPECT_EQ(checkReport(file, {}).find("behind a line"), std::string::npos) << "it makes no difference";
}

TEST(CheckReport, HasTheBranches) {
  using Source = analysis::wire::ControlFlow::Source;
  const Text text(".text\nloop:\n  add\n");
  AnalysisResult result = resultFor();
  result.flows = {{.source = Source::File,
                   .file = "/p/a.mcatrace",
                   .modified = 7,
                   .predictor = "tage",
                   .mispredictPenalty = 14,
                   .iterations = 10,
                   .cycles = 38.5,
                   .perfectCycles = 4.6,
                   .branches = {{.text = "jle loop",
                                 .at = {14, 17},
                                 .executions = 1,
                                 .taken = 0.5,
                                 .missed = 0.433,
                                 .cyclesPerIteration = 12,
                                 .load = "mov",
                                 .loadAt = {6, 10}}}}};
  const auto linesOf = [&] {
    const std::string report = checkReport(checked(text, result), {});
    const size_t begin = report.find("  caveat: "), branches = report.find('\n', begin) + 1;
    return report.substr(branches, report.find("\na.s:", branches) + 1 - branches);
  };
  EXPECT_EQ(linesOf(),
            "  along the trace a.mcatrace: 38.50 cycles per iteration, with perfect prediction 4.60 cycles per "
            "iteration, predictor tage, mispredict penalty 14\n"
            "  branch in line 3: jle loop, taken 50.0 %, mispredicted 43.3 %, 12.00 cycles per iteration, "
            "waits for mov in line 2\n");
  const CheckFile file = checked(text, result);
  EXPECT_EQ(file.regions.at(0).flow.numbers.file, "a.mcatrace") << "relative to the folder of the run";
  EXPECT_EQ(file.regions.at(0).flow.numbers.modified, 0u) << "the same files give the same bytes at any time";
  EXPECT_EQ(file.hints.at(0).label, "≈ 38.5 cyc · 43 % missed · 78 each");
  result.flows[0].calls = {"visit"};
  EXPECT_EQ(linesOf().substr(0, linesOf().find(", predictor")),
            "  along the trace a.mcatrace: ≥ 38.50 cycles per iteration, with perfect prediction ≥ 4.60 cycles per "
            "iteration");
  EXPECT_EQ(checked(text, result).hints.at(0).label, "≥ ≈ 38.5 cyc · 43 % missed · 78 each");
  result.flows[0].calls.clear();
  result.flows[0].source = Source::Odds;
  result.flows[0].branches.clear();
  EXPECT_EQ(linesOf(),
            "  if branches are as random as expected: 38.50 cycles per iteration, with perfect prediction 4.60 "
            "cycles per iteration, mispredict penalty 14\n");
}

TEST(CheckReport, TellsBudgetsAndTheBaseline) {
  const Text text(".text\nloop:\n  add\n");
  CheckFile file = checked(text, resultFor());
  file.regions[0].budgets = {{"cycles", 4.5, 4.03, "znver4", true},
                             {"ipc", 2.5, 0.9926, "znver3", false},
                             {"cycles", 4.5, 4.03, "znver4", false, false},
                             {"ipc", 1, 0.99, "znver4", false, false},
                             {"cycles", 1.5, 0, "no-such-cpu", false, false}};
  file.regions[0].baseline = 5;
  const std::string report = checkReport(file, {});
  EXPECT_NE(report.find("  budget: at most 4.50 cycles on znver4: 4.03, met\n"
                        "  budget: at least 2.50 ipc on znver3: 0.99, not met\n"
                        "  budget: at most 4.50 cycles on znver4: ≥ 4.03, not checked\n"
                        "  budget: at least 1.00 ipc on znver4: not checked\n"
                        "  budget: at most 1.50 cycles on no-such-cpu: not checked\n"
                        "  baseline: 5.0 → 4.0 cyc (−19 %)\n"),
            std::string::npos)
      << report;
}

TEST(CheckReport, ChangesHaveASign) {
  CheckRegion region;
  region.numbers = {.cyclesPerIteration = 4};
  EXPECT_EQ(changeOf(region), "") << "the baseline lacks it";
  region.baseline = 3.2;
  EXPECT_EQ(changeOf(region), "3.2 → 4.0 cyc (+25 %)");
  region.baseline = 4.01;
  EXPECT_EQ(changeOf(region), "4.0 → 4.0 cyc (±0 %)");
  region.sourceIterations = 8;
  region.baseline = 1;
  EXPECT_EQ(changeOf(region), "1.00 → 0.50 cyc (−50 %)");
}

TEST(CheckFile, HasPlacesInBothUnits) {
  const Text text("é𝄞x\ny\n");
  const CheckFinding finding =
      checkFinding({{6, 9}, Severity::Error, "c", "m", {{"", {0, 2}, 0, "r"}, {"/h.h", {}, 7, "s"}}}, text, "/p");
  EXPECT_EQ(finding.at.line, 1u);
  EXPECT_EQ(finding.at.column, 7u);
  EXPECT_EQ(finding.at.utf16Column, 4u);
  EXPECT_EQ(finding.at.endLine, 2u);
  EXPECT_EQ(finding.at.endColumn, 2u);
  EXPECT_EQ(finding.related[0].at.endColumn, 3u);
  EXPECT_EQ(finding.related[0].at.utf16EndColumn, 2u);
  EXPECT_EQ(finding.related[1].path, "/h.h");
  EXPECT_EQ(finding.related[1].at.line, 7u);
}

TEST(CheckFile, PathsAreRelativeToTheFolder) {
  const auto told = [](const std::string &message) {
    return checkFinding({{}, Severity::Error, "c", message, {}}, Text(), "/p/q").message;
  };
  EXPECT_EQ(told("/p/q/a.c and (/p/q/b/c.h:3), `/p/q/d`"), "a.c and (b/c.h:3), `d`");
  EXPECT_EQ(told("/p/qq/a.c /p/a.c /x/p/q/a.c x/p/q/a"), "/p/qq/a.c /p/a.c /x/p/q/a.c x/p/q/a");
  AnalysisResult result = resultFor();
  result.target.commandOrigin = "/p/q/build/compile_commands.json";
  result.notes = {"/p/q/a.c"};
  result.findings[0].related[1].path = "/p/q/h.h";
  result.regions[0].caveats = {{.kind = Caveat::Kind::OtherInclusion, .count = 2, .names = {"/p/q/x.h"}}};
  const CheckFile file = checked(Text("\n\n\n"), result, "/p/q");
  EXPECT_EQ(file.target.commandOrigin, "build/compile_commands.json");
  EXPECT_EQ(file.notes.at(0), "a.c");
  EXPECT_EQ(file.regions.at(0).caveats.at(0),
            "the function includes x.h 2 times: this loop may be another inclusion's");
  EXPECT_EQ(file.findings[0].related[1].path, "h.h");
}

TEST(CheckFile, ARegionHasItsNamesAndItsNumbers) {
  AnalysisResult result = resultFor();
  result.regions[0].variant = "remainder";
  result.regions[0].path = "through line 7";
  result.regions[0].sourceIterations = 2;
  result.regions[0].loop = 5;
  result.regions[0].share = 0.5;
  result.regions[0].iterationsPerCall = 30;
  result.regions[0].calls = {"f"};
  result.regions[0].listing = "nop\n";
  result.simulations[0].otherCpus = {{"znver3", 7, 1.5, "borrowed"}};
  result.simulations[0].body.resize(4);
  const CheckFile file = checked(Text(".text\nloop:\n  add\n"), result);
  const CheckRegion &region = file.regions.at(0);
  EXPECT_EQ(region.name, "dot, remainder, through line 7");
  EXPECT_EQ(region.instance, "dot");
  EXPECT_EQ(region.kind, RegionKind::Loop);
  EXPECT_EQ(region.line, 2u);
  EXPECT_EQ(region.loop, 5u);
  EXPECT_EQ(region.sourceIterations, 2u);
  EXPECT_EQ(region.share, 0.5);
  EXPECT_EQ(region.iterationsPerCall, 30);
  EXPECT_EQ(region.calls, std::vector<std::string>{"f"});
  EXPECT_EQ(region.listing, "nop\n");
  EXPECT_EQ(region.numbers.cyclesPerIteration, 4.03);
  EXPECT_EQ(region.numbers.otherCpus.at(0).cycles, 3.5) << "of the source's iteration";
  EXPECT_TRUE(region.numbers.body.empty());
}

TEST(CheckFile, BudgetsAreToldWithTheirRegions) {
  AnalysisResult result = resultFor();
  analysis::wire::Budget &budget = result.budgets.emplace_back();
  budget = {.limit = 4.5, .written = "4.5", .cpu = "znver4", .at = {0, 5}, .regions = {}};
  budget.regions = {{.name = "dot", .cyclesPerIteration = 4.03, .region = 0},
                    {.name = "not simulated for the file's CPU", .cyclesPerIteration = 1, .region = 1}};
  const CheckFile file = checked(Text(".text\nloop:\n  add\n"), result);
  EXPECT_EQ(file.regions.at(0).budgets,
            (std::vector<wording::BudgetResult>{{"cycles", 4.5, 4.0, "znver4", /*met=*/true}}));
}

TEST(AnnotatedSource, PutsHintsInTheMargin) {
  const Text text(".text\nloop:\n\tadd\n");
  EXPECT_EQ(annotatedSource(checked(text, resultFor()), text, {false, 60}), R"(a.s
  x86_64 · znver4 (set in the buffer)
  model: znver4's own model

 1 │ .text
 2 │ loop:   ≈ IPC 0.99 · 4.0 cyc · dispatch
 3 │         add

a.s:2:3: warning: too slow [slow]
a.s:1:1: note: because
/h.h:3: note: see
)");
}

TEST(AnnotatedSource, CutsLongLinesAndLeavesOutFarOnes) {
  std::string bytes;
  for (int line = 1; line <= 80; ++line)
    bytes += "line " + std::to_string(line) + std::string(60, '.') + "\n";
  const Text text(bytes);
  AnalysisResult result;
  result.regions.push_back({.anchor = text.lineBegin(39), .simulation = 1});
  result.simulations.push_back({.id = 1, .cyclesPerIteration = 4, .ipc = 1});
  const std::string page = annotatedSource(checked(text, result), text, {false, 50});
  EXPECT_NE(page.find("\n  …\n 36 │ line 36"), std::string::npos) << page;
  EXPECT_NE(page.find("\n 44 │ line 44"), std::string::npos) << page;
  EXPECT_EQ(page.find("line 35"), std::string::npos) << page;
  EXPECT_EQ(page.find("line 45"), std::string::npos) << page;
  EXPECT_NE(page.find("…   IPC 1.00 · 4.0 cyc\n"), std::string::npos) << page;
  for (size_t at = page.find(" │ "); at != std::string::npos;) {
    const size_t begin = page.rfind('\n', at) + 1;
    const size_t end = page.find('\n', at);
    EXPECT_LE(displayWidth(page.substr(begin, end - begin)), 50u);
    at = page.find(" │ ", end);
  }
}

/// "\x1b" wherever a name or a message is.
TEST(CheckReport, NoNameCommandsTheTerminal) {
  const Text text(".text\nloop:\n  add\x1b\n");
  AnalysisResult result = resultFor();
  for (std::string *name :
       {&result.target.triple, &result.target.cpu, &result.target.features, &result.target.cpuOrigin,
        &result.target.modelOrigin, &result.target.commandOrigin, &result.regions[0].name, &result.findings[0].message,
        &result.findings[0].related[0].message, &result.findings[0].related[1].message,
        &result.findings[0].related[1].path})
    *name += "\x1b\u202E";
  CheckFile file = checked(text, result);
  file.name = "\x1b[2J\u202E.s";
  file.regions.front().listing = "\tadd \x1b\u202E\n";
  for (const std::string &page : {checkReport(file, {}), annotatedSource(file, text, {}), setUpLines({file}, {}),
                                  checkSummary({file, file}, 5, {}), checkMarkdown({file}, 5)}) {
    EXPECT_EQ(page.find('\x1b'), std::string::npos) << page;
    EXPECT_EQ(page.find("\u202E"), std::string::npos) << page;
  }
}

TEST(Terminal, NothingInATextCommandsIt) {
  EXPECT_EQ(displayLine("a\x1b[31m\tb\0c"), "a\xEF\xBF\xBD[31m  b") << "the tab reaches column 8";
  EXPECT_EQ(displayLine("\xff"), "\xEF\xBF\xBD");
  EXPECT_EQ(displayLine("a\nb\u202Ec\u200B"), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(displayJson("\"\U0001F600\U000E0041\""), "\"\U0001F600\\udb40\\udc41\"");
  EXPECT_EQ(displayJson("{\"µ\u202E\": \"\u009B\"}\n"), "{\"µ\\u202e\": \"\\u009b\"}\n");
  EXPECT_EQ(cutToWidth("ab\xC3\xA9"
                       "d",
                       3),
            "ab…");
  EXPECT_EQ(cutToWidth("abc", 3), "abc");
  EXPECT_EQ(cutToWidth("abc", 0), "");
  EXPECT_EQ(colored(true, Color::Bold, "x"), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(colored(false, Color::Bold, "x"), "x");
}

} // namespace
} // namespace lsp
