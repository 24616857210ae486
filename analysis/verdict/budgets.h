// Budgets: what a marked region may cost at most, in a comment directly below its begin marker.
//
//     # LLVM-MCA-BEGIN dot
//     # mca: cycles<=4.5 cpu=znver4
//     # mca: ipc>=2.5
//
// `cycles` is per iteration of the region. A line may hold several conditions; `cpu=` names the CPU that they are meant
// for, which is the buffer's when it is left out. Further lines with conditions follow directly.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/text_lines.h"
#include "analysis/wire/messages.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// As it is written. Its regions are not known yet, and its CPU is empty for the buffer's.
struct WrittenBudget {
  wire::Budget budget;
  /// From the comment with the begin marker to the end of its line: a region that is anchored here is meant.
  wire::ByteRange marker;
};

/// Whether the budget is meant for the region.
bool isBudgetOf(const WrittenBudget &budget, const Region &region);

/// Whether the words behind `mca:` hold a condition.
bool holdsCondition(std::string_view words);

/// Reads the lines with conditions, from the top of the text down.
class BudgetReader {
public:
  explicit BudgetReader(const TextLines &lines) : lines_(lines) {}

  /// Takes a line for which holdsCondition() is true. `line` is 0-based; `words` is a part of the text.
  void read(uint32_t line, std::string_view words);

  std::vector<WrittenBudget> takeBudgets() { return std::move(budgets_); }
  /// What is wrong with the lines so far (`buffer-settings`).
  std::vector<wire::Finding> takeFindings() { return std::move(findings_); }

private:
  bool findMarkerAbove(uint32_t line);
  void addFinding(wire::ByteRange at, std::string message);

  const TextLines &lines_;
  uint32_t nextLine_ = 0;  ///< the line below the last one that was read
  wire::ByteRange marker_; ///< of the last line's region
  bool hasMarker_ = false; ///< whether the last line had one
  std::vector<WrittenBudget> budgets_;
  std::vector<wire::Finding> findings_;
};

} // namespace analysis
