// The loops of a run of --check that deserve a look first: those that miss a budget, those whose cycles changed most
// since the baseline, and those that cost most.
#pragma once

#include "lsp/check/check_document.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lsp {

/// One loop, marked region or erroneous line, and why it is in a list.
struct WorstLoop {
  const CheckFile *file = nullptr;
  uint32_t line = 1; ///< 1-based
  std::string name;
  std::string reason;               ///< without a full stop: "128 cyc: 4.0 × 32 iterations; limited by …"
  double share = 0;                 ///< of the program's time, 0 to 1; 0 if no profile has it
  std::pair<double, double> weight; ///< a list begins with the greatest
};

struct WorstList {
  const char *title;
  std::vector<WorstLoop> loops;
  size_t inAll = 0; ///< before the list was cut to its length
};

struct WorstLoops {
  WorstList errors{"errors", {}};                              ///< findings, in the order of the files
  WorstList budgets{"budgets missed or not checked", {}};      ///< in the order of the files
  WorstList changed{"biggest changes since the baseline", {}}; ///< by ratio, without those that look unchanged
  WorstList advised{"largest gains that were proved by simulation", {}}; ///< by factor; with --advise
  /// By the share that a profile says. Empty without one.
  WorstList hottest{"most of the program's time", {}};
  /// By the cycles that one call of the loop's function spends in it: cycles per iteration times the iterations that
  /// the compiler expects or a profile measured. Loops without such an expectation come last, by cycles per iteration.
  WorstList costly{"most cycles in one call of the function, as the compiler expects its loops to run", {}};
};

/// At most `most` entries in each list. They point into `files`.
WorstLoops worstLoops(const std::vector<CheckFile> &files, size_t most);

} // namespace lsp
