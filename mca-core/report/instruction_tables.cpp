// Spreads each use over the units of its resource, with the exact fractions of llvm-mca's ReleaseAtCycles.
#include "mca-core/report/instruction_tables.h"

#include "mca-core/report/resource_units.h"

#include <numeric>

namespace mca {
namespace {

/// A sum of fractions in 32 bits, as in llvm-mca.
struct Share {
  uint32_t cycles = 0;
  uint32_t parts = 1;

  void add(uint32_t moreCycles, uint32_t moreParts) {
    const uint32_t common = parts * moreParts / std::gcd(parts, moreParts);
    cycles = cycles * (common / parts) + moreCycles * (common / moreParts);
    parts = common;
  }
  double value() const { return double(cycles) / double(parts); }
};

} // namespace

ResourcePressure makeInstructionTables(const Body &body, const ResourceTable &resources) {
  ResourcePressure pressure;
  const UnitColumns columns(resources, pressure.units);
  const size_t units = pressure.units.size();
  std::vector<Share> shares((body.instructions.size() + 1) * units);
  for (size_t row = 0; row < body.instructions.size(); ++row) {
    const auto spread = [&](unsigned resource, uint32_t cycles, uint32_t parts) {
      const uint32_t count = resources.describe(resource).NumUnits;
      const uint32_t first = columns.firstOf(resource);
      for (uint32_t unit = first; unit < first + count; ++unit) {
        shares[row * units + unit].add(cycles, parts * count);
        shares[body.instructions.size() * units + unit].add(cycles, parts * count);
      }
    };
    for (const BodyResource &use : body.resourcesOf(body.instructions[row])) {
      if (!use.cycles)
        continue;
      const unsigned resource = resources.resourceOf(use.mask);
      const llvm::MCProcResourceDesc &description = resources.describe(resource);
      if (!use.group)
        spread(resource, use.cycles, 1);
      else
        for (unsigned member = 0; member < description.NumUnits; ++member)
          if (!resources.isGroup(description.SubUnitsIdxBegin[member]))
            spread(description.SubUnitsIdxBegin[member], use.cycles, description.NumUnits);
    }
  }
  const size_t cells = units * body.instructions.size();
  for (size_t i = 0; i < shares.size(); ++i)
    (i < cells ? pressure.byInstruction : pressure.perIteration).push_back(shares[i].value());
  return pressure;
}

} // namespace mca
