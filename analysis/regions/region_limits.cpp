// Regions are counted in the order of their hints in the text, which is not their order in the list: markers come
// before loops there.
#include "analysis/regions/region_limits.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace analysis {
namespace {

/// The positions of the regions in text order.
std::vector<size_t> inTextOrder(const std::vector<Region> &regions) {
  std::vector<size_t> order(regions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  llvm::stable_sort(order, [&](size_t a, size_t b) { return regions[a].anchor < regions[b].anchor; });
  return order;
}

/// The first position of `order` that is left out: where the loop begins that crosses a limit. The first loop stays
/// whole.
size_t firstBeyond(const std::vector<Region> &regions, const std::vector<size_t> &order) {
  RegionCount count;
  size_t first = 0; // of the present loop
  for (size_t i = 0; i < order.size(); ++i) {
    if (regions[order[i]].loop != regions[order[first]].loop)
      first = i;
    if (!count.add(regions[order[i]].instructions.size()) && first > 0)
      return first;
  }
  return order.size();
}

} // namespace

RegionsBeyond removeBeyondLimits(std::vector<Region> &regions) {
  RegionCount count;
  if (llvm::all_of(regions, [&](const Region &region) { return count.add(region.instructions.size()); }))
    return {};
  const std::vector<size_t> order = inTextOrder(regions);
  const size_t first = firstBeyond(regions, order);
  if (first == order.size())
    return {};
  RegionsBeyond beyond{.anchor = regions[order[first]].anchor};
  std::vector<bool> isBeyond(regions.size());
  for (size_t i = first; i < order.size(); ++i) {
    const Region &region = regions[order[i]];
    isBeyond[order[i]] = true;
    if (region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path)
      beyond.loops.push_back(region.instructions.front());
  }
  std::vector<Region> kept;
  for (size_t i = 0; i < regions.size(); ++i)
    if (!isBeyond[i])
      kept.push_back(std::move(regions[i]));
  regions = std::move(kept);
  return beyond;
}

} // namespace analysis
