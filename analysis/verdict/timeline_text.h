// A timeline that fits a hover: editors wrap a code block at about 85 columns and show about 13 rows.
#pragma once

#include "mca-core/report/report.h"

#include <string>

namespace analysis {

/// At most 80 columns × 12 rows, of the first iterations. `report.timeline` must be there.
std::string timelineForHover(const mca::Report &report);

} // namespace analysis
