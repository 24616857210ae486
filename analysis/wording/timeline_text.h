// A timeline that fits a hover: editors wrap a code block at about 85 columns and show about 13 rows.
#pragma once

#include "analysis/wording/shown_region.h"

#include <string>

namespace analysis {

/// Rows of instructions that a hover has room for: one row is the ruler's, one may be the note's about what is left
/// out.
constexpr size_t kTimelineRows = 10;

/// At most 80 columns × 12 rows, of the first iterations. `region.timeline` has at most kTimelineRows, and one.
std::string timelineForHover(const ShownRegion &region);

} // namespace analysis
