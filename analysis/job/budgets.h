// Budgets: limits for a marked region's cycles or IPC, in comments directly below its begin marker.
//
//     # LLVM-MCA-BEGIN dot
//     # mca: cycles<=4.5 cpu=znver4
//     # mca: ipc>=2.5
//
// `cycles` is per iteration of the region. A line may hold several conditions; `cpu=` names the CPU that all of them
// are for, by default the buffer's. Further lines with conditions follow directly.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/text_lines.h"
#include "analysis/wire/messages.h"

#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// A budget as it is in the text. Its regions are not filled in yet; an empty CPU means the buffer's.
struct WrittenBudget {
  wire::Budget budget;
  /// From the comment with the begin marker to the end of its line. The budget is for the regions anchored here.
  wire::ByteRange marker;
};

/// Whether the budget is for the region.
bool isBudgetOf(const WrittenBudget &budget, const wire::Region &region);

/// Whether the words after `mca:` contain a condition.
bool holdsCondition(std::string_view words);

/// Reads the lines with conditions, from the top of the text down.
class BudgetReader {
public:
  explicit BudgetReader(const TextLines &lines) : lines_(lines) {}

  /// Reads a line for which holdsCondition() is true. `line` is 0-based; `words` must be a view into the text of
  /// `lines`.
  void read(uint32_t line, std::string_view words);

  std::vector<WrittenBudget> takeBudgets() { return std::move(budgets_); }
  /// The mistakes in the lines so far (`buffer-settings`).
  std::vector<wire::Finding> takeFindings() { return std::move(findings_); }

private:
  bool findMarkerAbove(uint32_t line);
  void addFinding(wire::ByteRange at, wire::Words words);

  const TextLines &lines_;
  uint32_t nextLine_ = 0;  ///< after the last line that was read
  wire::ByteRange marker_; ///< of the last line's region
  bool hasMarker_ = false; ///< whether the last line had one
  std::vector<WrittenBudget> budgets_;
  std::vector<wire::Finding> findings_;
};

} // namespace analysis
