// Which loops of a run of --check deserve a look first: those that miss a budget, those whose cycles changed most since
// the baseline, and those that cost most.
#pragma once

#include "lsp/check/check_document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lsp::features {

/// One loop or marked region, and why it is in a list.
struct WorstLoop {
  const protocol::CheckFile *file = nullptr;
  uint32_t line = 1; ///< 1-based
  std::string name;
  std::string reason; ///< without a full stop: "128 cyc: 4.0 × 32 iterations; limited by …"
};

struct WorstLoops {
  std::vector<WorstLoop> budgets; ///< missed, or not checked; in the order of the files
  std::vector<WorstLoop> changed; ///< since the baseline, the greatest ratio first; without those that look unchanged
  /// By the cycles that one call of the loop's function spends in it: cycles per iteration times the iterations that
  /// the compiler expects or a profile measured. Loops without such an expectation come last, by cycles per iteration.
  std::vector<WorstLoop> costly;
  size_t budgetsInAll = 0; ///< before the lists were cut to their length
  size_t changedInAll = 0;
  size_t costlyInAll = 0;
};

/// At most `most` loops in each list. The entries point into `files`.
WorstLoops worstLoops(const std::vector<protocol::CheckFile> &files, size_t most);

} // namespace lsp::features
