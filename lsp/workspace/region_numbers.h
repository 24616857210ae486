// The number of a region that is shown, compared and ranked, computed in one place.
#pragma once

#include "analysis/wire/messages.h"

#include <algorithm>

namespace lsp {

/// Cycles per iteration of the steady loop: of the source's where it is known how many of those one of the machine
/// code's does.
inline double cyclesOf(const analysis::wire::RegionSummary &region) {
  return region.cyclesPerIteration / std::max(region.sourceIterations, 1u);
}

} // namespace lsp
