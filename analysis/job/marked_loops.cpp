#include "analysis/job/marked_loops.h"

#include "analysis/job/loop_order.h"
#include "analysis/regions/make_region.h"
#include "analysis/regions/region_limits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <deque>
#include <iterator>

namespace analysis {
namespace {

/// The paths of each loop, by its number.
using Paths = llvm::DenseMap<uint32_t, std::vector<const Region *>>;

/// The paths of the version that the loop's hint shows. None if all are beyond the limits.
std::vector<const Region *> shownVersion(const mca::Target &target, const mca::Program &program,
                                         const MarkedLoop &marked, const Paths &paths) {
  std::deque<SimulatedRegion> regions;
  std::vector<SimulatedLoop> versions;
  for (const uint32_t version : marked.versions)
    if (const auto found = paths.find(version); found != paths.end()) {
      SimulatedLoop &loop = versions.emplace_back();
      for (const Region *path : found->second)
        loop.push_back(&regions.emplace_back(SimulatedRegion{.region = path}));
    }
  orderLoops(target, program, versions);
  std::vector<const Region *> shown;
  if (!versions.empty())
    for (const SimulatedRegion *path : versions.front())
      shown.push_back(path->region);
  return shown;
}

} // namespace

void addMarkedLoops(const mca::Target &target, const mca::Program &program, Regions &found) {
  Paths paths;
  for (const Region &region : found.regions)
    paths[region.loop].push_back(&region);
  std::vector<Region> all;
  uint32_t number = nextNumber(found.regions);
  for (const MarkedLoop &marked : found.marked) {
    for (const Region *path : shownVersion(target, program, marked, paths)) {
      Region &region = all.emplace_back(*path);
      region.kind = wire::RegionKind::Marker;
      region.name = marked.name;
      region.at = marked.at;
      region.anchor = marked.anchor;
      region.loop = number;
    }
    ++number;
  }
  std::erase_if(found.regions, [](const Region &region) { return region.onlyMarked; });
  std::ranges::move(found.regions, std::back_inserter(all));
  found.regions = std::move(all);
  RegionsBeyond beyond = removeBeyondLimits(found.regions);
  if (beyond.anchor)
    found.beyond.anchor = std::min(*beyond.anchor, found.beyond.anchor.value_or(*beyond.anchor));
  llvm::append_range(found.beyond.loops, beyond.loops);
}

} // namespace analysis
