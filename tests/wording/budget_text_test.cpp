// What is met, what is exceeded, and which region is reported.
#include "lsp/wording/budget_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lsp::wording {
namespace {

using analysis::wire::Budget;
using analysis::wire::BudgetedRegion;
using analysis::wire::Caveat;
using analysis::wire::Finding;

Budget cycles(const std::string &limit) {
  return {.what = Budget::What::Cycles, .limit = std::stod(limit), .written = limit, .cpu = "znver4", .at = {30, 40}};
}

Budget ipc(const std::string &limit) {
  Budget budget = cycles(limit);
  budget.what = Budget::What::Ipc;
  return budget;
}

/// With the same number for both: a budget is of one of them. `region`: beyond the analysis's.
BudgetedRegion region(double value, const std::string &name = "dot", uint32_t sourceIterations = 1) {
  return {.name = name,
          .cyclesPerIteration = value * std::max(sourceIterations, 1u),
          .ipc = value,
          .sourceIterations = sourceIterations,
          .region = 9};
}

BudgetedRegion missing(const std::string &why) {
  return {.name = "dot", .failure = why, .region = 9};
}

std::string reported(Budget budget, const std::vector<BudgetedRegion> &regions, Analysis analysis = {}) {
  budget.regions = regions;
  analysis.budgets = {budget};
  const std::vector<Finding> findings = budgetFindings(analysis);
  if (findings.empty())
    return "";
  EXPECT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].at, budget.at);
  EXPECT_EQ(findings[0].severity, analysis::wire::Severity::Warning);
  return findings[0].code + ": " + findings[0].message;
}

TEST(BudgetText, ComparesWhatIsShown) {
  EXPECT_EQ(reported(cycles("4.5"), {region(4.5)}), "");
  EXPECT_EQ(reported(cycles("4.5"), {region(4.54)}), "") << "the hint shows 4.5";
  EXPECT_EQ(reported(cycles("4.5"), {region(4.55)}), "budget-exceeded: cycles 4.6 > 4.5 on znver4: dot");
  EXPECT_EQ(reported(cycles("4.50"), {region(4.54)}), "budget-exceeded: cycles 4.54 > 4.50 on znver4: dot");
  EXPECT_EQ(reported(cycles("4.5"), {region(4.54, "dot", 8)}), "budget-exceeded: cycles 4.54 > 4.5 on znver4: dot")
      << "of the source's iteration the hint shows two decimals";
  EXPECT_EQ(reported(cycles("4.5"), {region(4.54, "dot", 0)}), "") << "of the machine code's one";
  EXPECT_EQ(reported(cycles("4"), {region(4.04)}), "");
  EXPECT_EQ(reported(ipc("2.5"), {region(2.495)}), "");
  EXPECT_EQ(reported(ipc("2.5"), {region(2.49)}), "budget-exceeded: ipc 2.49 < 2.5 on znver4: dot");
}

TEST(BudgetText, TellsTheWorst) {
  EXPECT_EQ(reported(cycles("4"), {region(5, "a"), region(7, "b"), region(6, "c")}),
            "budget-exceeded: cycles 7.0 > 4 on znver4: b");
  EXPECT_EQ(reported(ipc("4"), {region(3, "a"), region(1, "b")}), "budget-exceeded: ipc 1.00 < 4 on znver4: b");
  EXPECT_EQ(reported(cycles("4"), {region(3, "a"), region(7, "b")}), "budget-exceeded: cycles 7.0 > 4 on znver4: b")
      << "it holds for each path";
}

TEST(BudgetText, TellsReasonAndDoubt) {
  using Kind = analysis::wire::Verdict::Kind;
  Analysis analysis;
  analysis.target.cpu = "znver4";
  analysis.regions.push_back(
      {.simulation = std::make_shared<analysis::wire::Simulation>(analysis::wire::Simulation{
           .verdict = {.kind = Kind::Dispatch, .busy = 6, .cycles = 7, .microOps = 36, .dispatchWidth = 6}})});
  BudgetedRegion slow = region(7, "");
  slow.region = 0;
  slow.caveats = {{.kind = Caveat::Kind::BranchingText},
                  {.kind = Caveat::Kind::OtherCpu, .names = {"a borrowed model"}}};
  const std::string number = "budget-exceeded: cycles 7.0 > 4 on znver4: marked region; ";
  const std::string reason =
      "limited by dispatch: 36.0 micro-ops, at most 6 per cycle, take 6.0 of 7.0 cycles per iteration; ";
  const std::string doubt = "≈ the text branches: it is simulated from its first to its last line; ≈ a borrowed model";
  EXPECT_EQ(reported(cycles("4"), {slow}, analysis), number + reason + doubt);
  slow.region = 1;
  EXPECT_EQ(reported(cycles("4"), {slow}, analysis), number + doubt)
      << "it could not be simulated for the buffer's CPU";
  slow.region = 0;
  analysis.target.cpu = "skylake";
  EXPECT_EQ(reported(cycles("4"), {slow}, analysis), number + doubt) << "another CPU's reason is not this one's";
}

TEST(BudgetText, TellsWhatCouldNotBeChecked) {
  EXPECT_EQ(reported(cycles("4"), {}),
            "budget-unchecked: the budget of cycles is not checked on znver4: no region with "
            "instructions begins at its marker");
  EXPECT_EQ(reported(ipc("4"), {region(5), missing("LLVM does not know it")}),
            "budget-unchecked: the budget of ipc is not checked on znver4: LLVM does not know it");
  EXPECT_EQ(reported(cycles("4"), {missing("LLVM does not know it"), region(5)}),
            "budget-exceeded: cycles 5.0 > 4 on znver4: dot");
}

TEST(BudgetText, ALowerBoundMeetsNoBudget) {
  BudgetedRegion calling = region(4.04);
  calling.calls = {"work"};
  EXPECT_EQ(reported(cycles("4.5"), {calling}),
            "budget-unchecked: the budget of cycles is not checked on znver4: dot takes 4.0 or more: it calls work, "
            "whose time is not in the cycles");
  EXPECT_EQ(reported(cycles("3.5"), {calling}), "budget-exceeded: cycles ≥ 4.0 > 3.5 on znver4: dot");
  EXPECT_EQ(reported(ipc("1"), {calling}),
            "budget-unchecked: the budget of ipc is not checked on znver4: dot calls work, "
            "whose time is not in the cycles");
  EXPECT_EQ(reported(ipc("9"), {calling}),
            "budget-unchecked: the budget of ipc is not checked on znver4: dot calls work, "
            "whose time is not in the cycles")
      << "the function may have a higher one";
  EXPECT_EQ(reported(cycles("4.5"), {calling, region(7, "b")}), "budget-exceeded: cycles 7.0 > 4.5 on znver4: b");
  const BudgetResult unknown = resultOf(cycles("4.5"), calling);
  EXPECT_FALSE(unknown.met);
  EXPECT_FALSE(unknown.checked);
  EXPECT_EQ(unknown.value, 4.0);
  const BudgetResult exceeded = resultOf(cycles("3.5"), calling);
  EXPECT_FALSE(exceeded.met);
  EXPECT_TRUE(exceeded.checked);
}

TEST(BudgetText, WhatLacksInstructionsMeetsNoBudget) {
  BudgetedRegion lacking = region(4.04);
  lacking.caveats = {{.kind = Caveat::Kind::NoSchedulingData, .count = 1, .names = {"znver4", "casb"}},
                     {.kind = Caveat::Kind::UnreadLine, .count = 2}};
  EXPECT_EQ(reported(cycles("4.5"), {lacking}),
            "budget-unchecked: the budget of cycles is not checked on znver4: dot takes 4.0 or more: it has 1 "
            "instruction without scheduling data and has 2 lines that could not be read");
  EXPECT_EQ(reported(cycles("3.5"), {lacking}),
            "budget-exceeded: cycles ≥ 4.0 > 3.5 on znver4: dot; ≥ 1 of its instructions (`casb`) has no scheduling "
            "data on znver4 and is missing; ≥ 2 lines in it could not be read and are missing");
  EXPECT_FALSE(resultOf(cycles("4.5"), lacking).checked);
  EXPECT_FALSE(resultOf(ipc("1"), lacking).checked);
  EXPECT_TRUE(resultOf(cycles("3.5"), lacking).checked);
  lacking.caveats = {{.kind = Caveat::Kind::RepeatPrefix}};
  EXPECT_TRUE(resultOf(cycles("4.5"), lacking).met);
}

TEST(BudgetText, EachBudgetHasItsFinding) {
  Analysis analysis;
  analysis.budgets = {cycles("4"), cycles("4"), ipc("1")};
  analysis.budgets[0].regions = analysis.budgets[1].regions = {region(5)};
  analysis.budgets[1].at = {50, 60};
  analysis.budgets[2].regions = {region(5)};
  const std::vector<Finding> findings = budgetFindings(analysis);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[1].at, (analysis::wire::ByteRange{50, 60}));
}

TEST(BudgetText, ResultsForPrograms) {
  const BudgetResult exceeded = resultOf(cycles("4.5"), region(5.25));
  EXPECT_EQ(exceeded.what, "cycles");
  EXPECT_EQ(exceeded.limit, 4.5);
  EXPECT_EQ(exceeded.value, 5.3) << "as it is compared";
  EXPECT_EQ(exceeded.cpu, "znver4");
  EXPECT_FALSE(exceeded.met);
  EXPECT_EQ(resultOf(ipc("2"), region(3)).what, "ipc");
  EXPECT_TRUE(resultOf(ipc("2"), region(3)).met);
  EXPECT_TRUE(resultOf(ipc("2"), region(3)).checked);
  EXPECT_FALSE(resultOf(cycles("2"), missing("unknown")).met);
  EXPECT_FALSE(resultOf(cycles("2"), missing("unknown")).checked);
  EXPECT_EQ(resultOf(cycles("2"), missing("unknown")).value, 0);
}

} // namespace
} // namespace lsp::wording
