// Budgets: a region's numbers against the limits that the buffer sets for it.
//
// The compared number is the one that the hint shows, rounded to the hint's decimals or to those of the limit if it has
// more (two at most). So code always meets a limit that was copied from its own hint.
//
// A region of which functions or instructions are left out has only a lower bound of cycles, and no IPC. The bound can
// show that a limit of cycles is exceeded, never that it is met.
#pragma once

#include "lsp/wording/words.h"
#include "lsp/workspace/analysis.h"

#include <string>
#include <vector>

namespace lsp::wording {

/// The findings of all budgets, each on its budget's line. `budget-exceeded` names the region that is worst. If none
/// exceeds the budget, `budget-unchecked` names a region that was not simulated, or not with all functions and
/// instructions; a budget without regions gets it, too.
std::vector<wire::Finding> budgetFindings(const Analysis &analysis);

/// The result of a budget for one region, in the JSON of --check and of editors.
struct BudgetResult {
  std::string what; ///< "cycles": per iteration, at most the limit; "ipc": at least the limit
  double limit = 0;
  double value = 0; ///< rounded as it is compared; 0 if the region cannot be simulated on the CPU
  std::string cpu;
  bool met = false;
  bool checked = true; ///< false if the value is missing, or is a lower bound that proves nothing
  bool operator==(const BudgetResult &) const = default;
};
BudgetResult resultOf(const wire::Budget &budget, const wire::BudgetedRegion &region);

} // namespace lsp::wording
