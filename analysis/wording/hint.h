// One hint for the loops that share a line.
#pragma once

#include "analysis/wording/shown_region.h"

namespace analysis {

/// With the numbers of the first loop, over its paths; the others are counted.
wire::Hint makeHint(const std::vector<ShownLoop> &onLine, const wire::TargetSummary &target);

} // namespace analysis
