#include "analysis/regions/make_region.h"

#include <algorithm>

namespace analysis {

uint32_t nextNumber(const std::vector<Region> &regions) {
  return regions.empty() ? 0 : regions.back().loop + 1;
}

Region regionOf(wire::RegionKind kind, std::string name, std::vector<uint32_t> instructions, const SourceMap &map) {
  Region region;
  region.kind = kind;
  region.name = std::move(name);
  for (const uint32_t index : instructions)
    region.lines.push_back(map.placeOf(index).value_or(SourcePlace{}).line);
  region.instructions = std::move(instructions);
  return region;
}

std::optional<wire::ByteRange> rangeOf(const Region &region, const SourceMap &map) {
  uint32_t first = ~0u, last = 0;
  for (const uint32_t line : region.lines)
    if (line) {
      first = std::min(first, line);
      last = std::max(last, line);
    }
  if (!last)
    return std::nullopt;
  return wire::ByteRange{map.lines().content(first - 1).begin, map.lines().content(last - 1).end};
}

} // namespace analysis
