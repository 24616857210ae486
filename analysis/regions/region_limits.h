// Limits by document, so that a text which is made of regions takes neither the memory of the server nor the time of
// the worker: each region costs the server about 9 KB, and markers that never end make lists of instructions that grow
// with the square of the text.
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// The largest real assembly that we know, sqlite3 in one file at -O3, has 5,306 regions with 96,401 instructions.
constexpr size_t kMaxRegions = 20'000;
constexpr size_t kMaxRegionInstructions = 400'000; ///< of all regions, each counted in every region that holds it

/// Counts regions against the limits.
class RegionCount {
public:
  /// False if the region is beyond the limits. The first one never is, however long.
  bool add(size_t instructions) {
    ++regions_;
    instructions_ += instructions;
    return regions_ == 1 || (regions_ <= kMaxRegions && instructions_ <= kMaxRegionInstructions);
  }

private:
  size_t regions_ = 0;
  size_t instructions_ = 0;
};

/// Removes the regions beyond the limits, all paths of a loop together: those stay that come first in the text.
RegionsBeyond removeBeyondLimits(std::vector<Region> &regions);

} // namespace analysis
