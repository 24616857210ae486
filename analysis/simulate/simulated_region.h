// A region of the buffer with the simulation that was made of it.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/simulate/report_cache.h"

#include <vector>

namespace analysis {

struct SimulatedRegion {
  const Region *region = nullptr;
  ReportCache::Key key;
  ReportCache::Entry entry;          ///< with a simulation that succeeded
  std::vector<wire::Caveat> caveats; ///< the region's own and what simulating it added

  const mca::Simulation &simulation() const { return *entry->simulation; }
  const mca::Report &report() const { return simulation().report; }
};

/// The paths through one loop, the most frequent first; what is no loop is alone.
using SimulatedLoop = std::vector<const SimulatedRegion *>;

} // namespace analysis
