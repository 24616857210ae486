// A region's numbers against its budgets.
//
// A region that calls functions, which are not simulated, has a lower bound of cycles and no IPC: it may exceed a limit
// of cycles, and it never meets any.
//
// What is compared is the number as the hint shows it, to the decimals of the hint or to those of the limit where it
// has more (two at most): a limit that was copied off a hint is met by the code that it was copied from.
#pragma once

#include "analysis/verdict/budgets.h"
#include "analysis/verdict/present.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace analysis {

/// One region of a budget's marker: each path through it, and each function that the marked lines became code of, is
/// one.
struct BudgetedRegion {
  std::string name;            ///< "dot, through line 7"; empty for an anonymous region
  std::optional<double> value; ///< cycles per iteration or IPC, unrounded; none when it could not be simulated
  int decimals = 1;            ///< with which the hint shows the value
  std::string why;             ///< what limits it, or why it could not be simulated; may be empty
  std::vector<std::string> caveats;
  std::vector<std::string> calls; ///< as in Region
};

/// Whether the budget is meant for the region.
bool isBudgetOf(const Budget &budget, const Region &region);

/// The region with the numbers of the buffer's own CPU.
BudgetedRegion budgetedHere(const Budget &budget, const AnalysedRegion &analysed);
/// The region with those of the budget's CPU.
BudgetedRegion budgetedOn(const Budget &budget, const Region &region, const OtherCpu &other);
/// The region when the buffer's own CPU could not simulate it.
BudgetedRegion notBudgeted(const Region &region);

wire::Budget resultOf(const Budget &budget, const std::string &cpu, const BudgetedRegion &region);

/// `budget-exceeded` for the region that exceeds it most; else `budget-unchecked` when a region was not simulated, or
/// not with what it calls, or there is none; else nothing. On the budget's line.
std::optional<wire::Finding> findingOf(const Budget &budget, const std::string &cpu,
                                       std::span<const BudgetedRegion> regions);

} // namespace analysis
