#include "mca-core/cli/regions.h"

#include "llvm/ADT/Sequence.h"

namespace mca {

std::vector<NamedRegion> regionsOf(const Program &program) {
  std::vector<NamedRegion> regions;
  for (const MarkerRegion &region : program.markerRegions())
    regions.push_back({region.name, true, program.instructionsOf(region)});
  if (regions.empty()) {
    const auto all = llvm::seq<uint32_t>(0, static_cast<uint32_t>(program.instructions().size()));
    regions.push_back({.instructions = {all.begin(), all.end()}});
  }
  return regions;
}

} // namespace mca
