// A region of the buffer with its simulation: the input of verdicts, documents and results.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/simulate/report_cache.h"

#include <memory>
#include <vector>

namespace analysis {

struct SimulatedRegion {
  const Region *region = nullptr;
  ReportCache::Key key;
  ReportCache::Entry entry;                                      ///< its simulation has succeeded
  std::vector<wire::Caveat> caveats;                             ///< the region's own and those of its simulation
  std::vector<wire::Caveat> corrected = {};                      ///< as in wire::Region
  std::shared_ptr<const mca::Calibration> calibration = nullptr; ///< that its numbers come from; null: LLVM's model

  const mca::Simulation &simulation() const { return *entry->simulation; }
  const mca::Report &report() const { return simulation().report; }
  /// The option for simulating it again.
  mca::Corrections corrections() const {
    return isCalibrated() || entry->uncorrected ? mca::Corrections::All : mca::Corrections::None;
  }
  /// Whether its numbers are those of the CPU as it was measured.
  bool isCalibrated() const { return report().calibrated.has_value(); }
};

/// The paths through one loop, the most frequent first. A region that is no loop is alone.
using SimulatedLoop = std::vector<const SimulatedRegion *>;

} // namespace analysis
