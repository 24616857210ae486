// What is met, what is exceeded, and which region is reported.
#include "analysis/verdict/budget_check.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

Budget cycles(const std::string &limit) {
  Budget budget{.what = Budget::What::Cycles, .limit = std::stod(limit), .written = limit, .at = {30, 40}};
  budget.marker = {10, 29};
  return budget;
}

Budget ipc(const std::string &limit) {
  Budget budget = cycles(limit);
  budget.what = Budget::What::Ipc;
  return budget;
}

BudgetedRegion region(std::optional<double> value, int decimals = 1, const std::string &name = "dot") {
  return {.name = name, .value = value, .decimals = decimals};
}

std::string reported(const Budget &budget, const std::vector<BudgetedRegion> &regions) {
  const std::optional<wire::Finding> finding = findingOf(budget, "znver4", regions);
  if (!finding)
    return "";
  EXPECT_EQ(finding->at, budget.at);
  EXPECT_EQ(finding->severity, wire::Severity::Warning);
  return finding->code + ": " + finding->message;
}

TEST(BudgetCheck, ComparesWhatIsShown) {
  EXPECT_EQ(reported(cycles("4.5"), {region(4.5)}), "");
  EXPECT_EQ(reported(cycles("4.5"), {region(4.54)}), "") << "the hint shows 4.5";
  EXPECT_EQ(reported(cycles("4.5"), {region(4.55)}), "budget-exceeded: cycles 4.6 > 4.5 on znver4: dot");
  EXPECT_EQ(reported(cycles("4.50"), {region(4.54)}), "budget-exceeded: cycles 4.54 > 4.50 on znver4: dot");
  EXPECT_EQ(reported(cycles("4.5"), {region(4.54, 2)}), "budget-exceeded: cycles 4.54 > 4.5 on znver4: dot");
  EXPECT_EQ(reported(cycles("4"), {region(4.04)}), "");
  EXPECT_EQ(reported(ipc("2.5"), {region(2.495, 2)}), "");
  EXPECT_EQ(reported(ipc("2.5"), {region(2.49, 2)}), "budget-exceeded: ipc 2.49 < 2.5 on znver4: dot");
}

TEST(BudgetCheck, TellsTheWorst) {
  EXPECT_EQ(reported(cycles("4"), {region(5, 1, "a"), region(7, 1, "b"), region(6, 1, "c")}),
            "budget-exceeded: cycles 7.0 > 4 on znver4: b");
  EXPECT_EQ(reported(ipc("4"), {region(3, 2, "a"), region(1, 2, "b")}), "budget-exceeded: ipc 1.00 < 4 on znver4: b");
  EXPECT_EQ(reported(cycles("4"), {region(3, 1, "a"), region(7, 1, "b")}),
            "budget-exceeded: cycles 7.0 > 4 on znver4: b")
      << "it holds for each path";
}

TEST(BudgetCheck, TellsReasonAndDoubt) {
  BudgetedRegion slow = region(7, 1, "");
  slow.why = "limited by P0";
  slow.caveats = {"a call", "a borrowed model"};
  EXPECT_EQ(reported(cycles("4"), {slow}), "budget-exceeded: cycles 7.0 > 4 on znver4: marked region; limited by P0; "
                                           "≈ a call; ≈ a borrowed model");
}

TEST(BudgetCheck, TellsWhatCouldNotBeChecked) {
  EXPECT_EQ(reported(cycles("4"), {}),
            "budget-unchecked: the budget of cycles is not checked on znver4: no region with "
            "instructions begins at its marker");
  BudgetedRegion missing = region(std::nullopt);
  missing.why = "LLVM does not know it";
  EXPECT_EQ(reported(ipc("4"), {region(5), missing}),
            "budget-unchecked: the budget of ipc is not checked on znver4: LLVM does not know it");
  EXPECT_EQ(reported(cycles("4"), {missing, region(5)}), "budget-exceeded: cycles 5.0 > 4 on znver4: dot");
}

TEST(BudgetCheck, ALowerBoundMeetsNoBudget) {
  BudgetedRegion calling = region(4.04, 1, "dot");
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
  EXPECT_EQ(reported(cycles("4.5"), {calling, region(7, 1, "b")}), "budget-exceeded: cycles 7.0 > 4.5 on znver4: b");
  const wire::Budget unknown = resultOf(cycles("4.5"), "znver4", calling);
  EXPECT_FALSE(unknown.met);
  EXPECT_FALSE(unknown.checked);
  EXPECT_EQ(unknown.value, 4.0);
  const wire::Budget exceeded = resultOf(cycles("3.5"), "znver4", calling);
  EXPECT_FALSE(exceeded.met);
  EXPECT_TRUE(exceeded.checked);
}

TEST(BudgetCheck, OfAMarkersRegionsAlone) {
  using wire::RegionKind;
  const Budget budget = cycles("4");
  EXPECT_TRUE(isBudgetOf(budget, {.kind = RegionKind::Marker, .anchor = 12}));
  EXPECT_TRUE(isBudgetOf(budget, {.kind = RegionKind::Path, .anchor = 12}));
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Loop, .anchor = 12}));
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Path, .anchor = 5})) << "of a loop before the comment";
  EXPECT_FALSE(isBudgetOf(budget, {.kind = RegionKind::Marker, .anchor = 42}));
}

TEST(BudgetCheck, ResultsForPrograms) {
  const wire::Budget exceeded = resultOf(cycles("4.5"), "znver4", region(5.25));
  EXPECT_EQ(exceeded.what, "cycles");
  EXPECT_EQ(exceeded.limit, 4.5);
  EXPECT_EQ(exceeded.value, 5.3) << "as it is compared";
  EXPECT_EQ(exceeded.cpu, "znver4");
  EXPECT_FALSE(exceeded.met);
  EXPECT_TRUE(resultOf(ipc("2"), "a", region(3)).met);
  EXPECT_FALSE(resultOf(cycles("2"), "a", region(std::nullopt)).met);
  EXPECT_FALSE(resultOf(cycles("2"), "a", region(std::nullopt)).checked);
  EXPECT_TRUE(resultOf(ipc("2"), "a", region(3)).checked);
}

TEST(BudgetCheck, NumbersOfEachCpu) {
  const Region marked{.kind = wire::RegionKind::Marker, .name = "dot", .path = "through line 7", .caveats = {"a call"}};
  mca::Report report;
  report.summary = {.iterations = 100, .instructions = 500, .cycles = 425, .rate = {4, 1}};
  AnalysedRegion analysed;
  analysed.region = &marked;
  analysed.report = &report;
  EXPECT_EQ(budgetedHere(cycles("4"), analysed).value, 4.0);
  EXPECT_EQ(budgetedHere(ipc("4"), analysed).value, 1.25);
  EXPECT_EQ(budgetedHere(ipc("4"), analysed).name, "dot, through line 7");
  OtherCpu other{.cpu = "a", .summary = report.summary, .remark = "modelled as b"};
  other.summary->rate = {2, 1};
  const BudgetedRegion there = budgetedOn(cycles("4"), marked, other);
  EXPECT_EQ(there.value, 2.0);
  EXPECT_EQ(there.caveats, (std::vector<std::string>{"a call", "modelled as b"}));
  EXPECT_EQ(budgetedOn(cycles("4"), marked, {.cpu = "a", .remark = "unknown"}).value, std::nullopt);
}

} // namespace
} // namespace analysis
