// A region of the buffer with its simulation: the input of verdicts, documents and results.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/simulate/report_cache.h"

#include <vector>

namespace analysis {

struct SimulatedRegion {
  const Region *region = nullptr;
  ReportCache::Key key;
  ReportCache::Entry entry;          ///< its simulation has succeeded
  std::vector<wire::Caveat> caveats; ///< the region's own and those of its simulation

  const mca::Simulation &simulation() const { return *entry->simulation; }
  const mca::Report &report() const { return simulation().report; }
  /// What its numbers come from if they are not LLVM's; null otherwise. Those of paths are, as they are compared with
  /// each other and with the loop's cycles along a trace.
  const mca::CalibratedReport *calibrated() const {
    const bool isUsable = entry->calibrated && entry->calibrated->rate.cyclesPerIteration() > 0;
    return isUsable && region->path.empty() ? &*entry->calibrated : nullptr;
  }
};

/// The paths through one loop, the most frequent first. A region that is no loop is alone.
using SimulatedLoop = std::vector<const SimulatedRegion *>;

} // namespace analysis
