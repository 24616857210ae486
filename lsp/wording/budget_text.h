// Budgets: a region's numbers against the limits that the buffer sets for it.
//
// A region that calls functions, which are not simulated, has a lower bound of cycles and no IPC: it may exceed a limit
// of cycles, and it never meets any.
//
// What is compared is the number as the hint shows it, to the decimals of the hint or to those of the limit where it
// has more (two at most).
#pragma once

#include "lsp/workspace/analysis.h"

#include <string>
#include <vector>

namespace lsp::wording {

/// `budget-exceeded` for the region that exceeds a budget most; else `budget-unchecked` when a region was not
/// simulated, or not with what it calls, or there is none; else nothing. On the budget's line.
std::vector<analysis::wire::Finding> budgetFindings(const Analysis &analysis);

/// What becomes of a budget for one region, for programs.
struct BudgetResult {
  std::string what; ///< "cycles": per iteration, at most the limit; "ipc": at least the limit
  double limit = 0;
  double value = 0; ///< rounded as it is compared; 0 when the region cannot be simulated on the CPU
  std::string cpu;
  bool met = false;
  bool checked = true; ///< whether the value decides; not one that is missing, or a lower bound below the limit
  bool operator==(const BudgetResult &) const = default;
};
BudgetResult resultOf(const analysis::wire::Budget &budget, const analysis::wire::BudgetedRegion &region);

} // namespace lsp::wording
