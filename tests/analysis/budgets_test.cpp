// Budgets as a buffer writes them, the regions that they are meant for, and their numbers.
#include "analysis/job/analyzer.h"
#include "analysis/job/buffer_settings.h"
#include "lsp/wording/sentences.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

/// "cycles<=4.5 on znver4 at line 2, for line 1" of each budget, then "line 3: message" of each finding.
std::vector<std::string> read(const std::string &text) {
  const TextLines lines(text);
  const BufferSettings settings = readBufferSettings(lines);
  const auto line = [&](uint32_t offset) { return std::to_string(lines.lineOf(offset) + 1); };
  std::vector<std::string> result;
  for (const auto &[budget, marker] : settings.budgets)
    result.push_back((budget.what == wire::Budget::What::Cycles ? "cycles<=" : "ipc>=") + budget.written +
                     (budget.cpu.empty() ? "" : " on " + budget.cpu) + " at line " + line(budget.at.begin) +
                     ", for line " + line(marker.begin));
  for (const wire::Finding &finding : settings.findings)
    result.push_back("line " + line(finding.at.begin) + ": " + lsp::wording::messageOf(finding));
  if (!settings.cpu.empty())
    result.push_back("buffer's CPU: " + settings.cpu);
  return result;
}

using Strings = std::vector<std::string>;

TEST(Budgets, StandBelowTheirMarker) {
  EXPECT_EQ(read("nop\n# LLVM-MCA-BEGIN x\n# mca: cycles<=4.50 cpu=znver4\nnop\n"),
            (Strings{"cycles<=4.50 on znver4 at line 3, for line 2"}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: ipc>=2 cycles<=3\n# mca: cpu=a ipc>=1\n"),
            (Strings{"ipc>=2 at line 2, for line 1", "cycles<=3 at line 2, for line 1",
                     "ipc>=1 on a at line 3, for line 1"}));
}

TEST(Budgets, InEveryComment) {
  for (const char *text : {"// LLVM-MCA-BEGIN x\n  // mca: cycles<=4\n", "; LLVM-MCA-BEGIN x\n; mca: cycles<=4\n",
                           "@ LLVM-MCA-BEGIN x\n@ mca: cycles<=4\n", "/* LLVM-MCA-BEGIN x */\n/* mca: cycles<=4 */\n",
                           "nop # LLVM-MCA-BEGIN x\r\n# mca: cycles<=4\r\n"})
    EXPECT_EQ(read(text), (Strings{"cycles<=4 at line 2, for line 1"})) << text;
}

TEST(Budgets, SetNothing) {
  EXPECT_EQ(read("# mca: cpu=a\n# LLVM-MCA-BEGIN\n# mca: cycles<=4 cpu=b\n"),
            (Strings{"cycles<=4 on b at line 3, for line 2", "buffer's CPU: a"}));
}

TEST(Budgets, SettingsBelowAMarkerStayTheBuffers) {
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: cpu=b\nnop\n"), (Strings{"buffer's CPU: b"}));
}

TEST(Budgets, ElsewhereAreMistakes) {
  const std::string message = "a budget belongs directly below the LLVM-MCA-BEGIN of its region";
  EXPECT_EQ(read("# mca: cycles<=4\n"), (Strings{"line 1: " + message}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\nnop\n# mca: cycles<=4\n"), (Strings{"line 3: " + message}));
  EXPECT_EQ(read("# LLVM-MCA-BEGIN\n# mca: cpu=b\n# mca: cycles<=4\n").front(), "line 3: " + message);
  EXPECT_EQ(read("nop\n# mca: cycles<=4\n# mca: cycles<=5\n"), (Strings{"line 2: " + message, "line 3: " + message}));
}

TEST(Budgets, MistakesAreFindingsOnTheirWord) {
  const std::string text =
      "# LLVM-MCA-BEGIN\n# mca: cycles<=x cycles>=2 ipc<=1 ipc>=-1 ipc>=inf cycles<=0 fast cycles<=2\n";
  const BufferSettings settings = readBufferSettings(TextLines(text));
  const char *words[] = {"cycles<=x", "cycles>=2", "ipc<=1", "ipc>=-1", "ipc>=inf", "cycles<=0", "fast"};
  ASSERT_EQ(settings.findings.size(), std::size(words));
  for (size_t i = 0; i < std::size(words); ++i) {
    const wire::Finding &finding = settings.findings[i];
    EXPECT_EQ(text.substr(finding.at.begin, finding.at.end - finding.at.begin), words[i]);
    EXPECT_EQ(finding.code, "buffer-settings");
    EXPECT_EQ(finding.severity, wire::Severity::Warning);
  }
  ASSERT_EQ(settings.budgets.size(), 1u) << "the condition that is none";
  EXPECT_EQ(settings.budgets[0].budget.limit, 2);
}

TEST(Budgets, MeanTheCommentOfTheMarker) {
  const std::string text = "  nop # LLVM-MCA-BEGIN x\n  # mca: cycles<=4\n";
  const BufferSettings settings = readBufferSettings(TextLines(text));
  ASSERT_EQ(settings.budgets.size(), 1u);
  const wire::ByteRange marker = settings.budgets[0].marker;
  EXPECT_EQ(text.substr(marker.begin, marker.end - marker.begin), " # LLVM-MCA-BEGIN x");
}

TEST(Budgets, AreOfAMarkersRegionsAlone) {
  using wire::RegionKind;
  const WrittenBudget budget{.budget = {.at = {30, 40}}, .marker = {10, 29}};
  EXPECT_TRUE(isBudgetOf(budget, {.kind = RegionKind::Marker, .anchor = 12}));
  EXPECT_TRUE(isBudgetOf(budget, {.kind = RegionKind::Path, .anchor = 12}));
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Loop, .anchor = 12}));
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Path, .anchor = 5})) << "of a loop before the comment";
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Marker, .anchor = 42}));
}

TEST(Budgets, NumbersOfEachCpu) {
  using Kind = wire::Caveat::Kind;
  const wire::AnalyzeRequest request{.id = 1,
                                     .path = "/nowhere/a.s",
                                     .text = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n"
                                             "# LLVM-MCA-BEGIN dot\n"
                                             "# mca: cycles<=9\n"
                                             "# mca: ipc>=2 cpu=haswell\n"
                                             "# mca: cycles<=9 cpu=raptorlake\n"
                                             "# mca: ipc>=2 cpu=nonsense\n"
                                             "rep movsb\n"
                                             "call f\n"
                                             "# LLVM-MCA-END\n"};
  const wire::AnalysisResult result = Analyzer().run(request, {}, [](const wire::Progress &) {});
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.simulations.size(), 1u);
  const wire::Simulation &own = result.simulations[0];
  ASSERT_EQ(result.budgets.size(), 4u);
  for (const wire::Budget &budget : result.budgets) {
    ASSERT_EQ(budget.regions.size(), 1u) << budget.cpu;
    EXPECT_EQ(budget.regions[0].name, "dot");
    EXPECT_EQ(budget.regions[0].region, 0u);
    EXPECT_EQ(budget.regions[0].calls, std::vector<std::string>{"f"});
  }

  EXPECT_EQ(result.budgets[0].cpu, "skylake") << "the buffer's";
  const wire::BudgetedRegion &here = result.budgets[0].regions[0];
  EXPECT_EQ(here.cyclesPerIteration, own.cyclesPerIteration);
  EXPECT_EQ(here.ipc, own.ipc);
  EXPECT_EQ(here.failure, "");
  EXPECT_EQ(here.caveats, result.regions[0].caveats);

  const wire::BudgetedRegion &there = result.budgets[1].regions[0];
  EXPECT_GT(there.cyclesPerIteration, 0);
  EXPECT_LT(there.cyclesPerIteration, own.cyclesPerIteration);
  EXPECT_DOUBLE_EQ(there.ipc, 2 / there.cyclesPerIteration);
  ASSERT_EQ(there.caveats.size(), 1u);
  EXPECT_EQ(there.caveats[0].kind, Kind::RepeatPrefix) << "the region's own";

  const wire::BudgetedRegion &borrowed = result.budgets[2].regions[0];
  ASSERT_EQ(borrowed.caveats.size(), 2u);
  EXPECT_EQ(borrowed.caveats[1].kind, Kind::OtherCpu);
  EXPECT_EQ(borrowed.caveats[1].names, std::vector<std::string>{"raptorlake: modelled as alderlake"});

  const wire::BudgetedRegion &unknown = result.budgets[3].regions[0];
  EXPECT_EQ(unknown.failure, "LLVM knows no x86_64 CPU of this name");
}

} // namespace
} // namespace analysis
