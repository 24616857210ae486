// One hover for the loops that share a line.
#pragma once

#include "analysis/wording/shown_region.h"

namespace analysis {

/// Over all of their lines: the first path of the first loop whole, the others by name.
wire::Hover makeHover(const std::vector<ShownLoop> &onLine, const wire::TargetSummary &target);

} // namespace analysis
