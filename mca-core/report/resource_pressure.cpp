// One place decides which columns a table of units has, so that simulated and static pressure have the same ones.
#include "mca-core/report/resource_pressure.h"

#include <bit>
#include <numeric>
#include <utility>

namespace mca {
namespace {

/// The columns of resource units. Groups have none: an instruction that uses a group holds one of its members' units.
class UnitColumns {
public:
  /// Appends the columns to `units`.
  UnitColumns(const ResourceTable &resources, std::vector<ResourceUnit> &units) : first_(resources.size(), 0) {
    for (unsigned resource = 1; resource < resources.size(); ++resource) {
      if (resources.isGroup(resource))
        continue;
      const llvm::MCProcResourceDesc &description = resources.describe(resource);
      first_[resource] = static_cast<uint32_t>(units.size());
      for (unsigned unit = 0; unit < description.NumUnits; ++unit)
        units.push_back({description.Name, resource, unit, description.NumUnits});
    }
  }
  uint32_t firstOf(unsigned resource) const { return first_[resource]; }
  uint32_t of(const ResourceState::Slot &slot) const {
    return first_[slot.resource] + static_cast<uint32_t>(std::countr_zero(slot.unitMask));
  }

private:
  std::vector<uint32_t> first_; // by resource
};

/// A sum of fractions in 32 bits, as in llvm-mca (ReleaseAtCycles in llvm/include/llvm/MCA/Support.h).
struct Share {
  uint32_t cycles = 0;
  uint32_t parts = 1;

  void add(uint32_t moreCycles, uint32_t moreParts) {
    const uint32_t common = parts * moreParts / std::gcd(parts, moreParts);
    cycles = cycles * (common / parts) + moreCycles * (common / moreParts);
    parts = common;
  }
};

} // namespace

ResourcePressure measurePressure(const Body &body, const ResourceTable &resources, const ResourceState &state,
                                 uint32_t iterations) {
  ResourcePressure pressure;
  const UnitColumns columns(resources, pressure.units);
  const size_t units = pressure.units.size();
  // llvm-mca adds in 32 bits. Sums over the iterations are integers, and are divided once at the end.
  std::vector<uint32_t> sums(units, 0), cycles(units, 0);
  pressure.byInstruction.resize(body.instructions.size() * units);
  double *row = pressure.byInstruction.data();
  // Most instructions use few of the units, so only the columns in use are summed and cleared.
  llvm::SmallVector<uint32_t, 16> touched;
  const auto add = [&](uint32_t column, uint32_t held) {
    cycles[column] += held;
    touched.push_back(column);
  };
  for (uint32_t instructionIndex = 0; instructionIndex < body.instructions.size(); ++instructionIndex, row += units) {
    const auto uses = body.resourcesOf(body.instructions[instructionIndex]);
    // The state does not count uses with one possible unit: each iteration takes it.
    for (const BodyResource &use : uses)
      if (use.onlyUnit)
        add(columns.firstOf(resources.resourceOf(use.mask)), use.cycles * iterations);
    state.forEachTaken(instructionIndex, [&](uint32_t use, uint32_t slot, uint32_t times) {
      if (!uses[use].onlyUnit && state.slots()[slot].unitMask)
        add(columns.of(state.slots()[slot]), times * uses[use].cycles);
    });
    for (const uint32_t column : touched) {
      const uint32_t sum = std::exchange(cycles[column], 0);
      sums[column] += sum;
      if (sum)
        row[column] = double(sum) / iterations;
    }
    touched.clear();
  }
  for (const uint32_t sum : sums)
    pressure.perIteration.push_back(double(sum) / iterations);
  return pressure;
}

ResourcePressure makeInstructionTables(const Body &body, const ResourceTable &resources) {
  ResourcePressure pressure;
  const UnitColumns columns(resources, pressure.units);
  const size_t units = pressure.units.size();
  const size_t cells = units * body.instructions.size();
  std::vector<Share> shares(cells + units); // the last row is that of the whole region
  for (size_t row = 0; row < cells; row += units) {
    const auto spread = [&](unsigned resource, uint32_t cycles, uint32_t parts) {
      const uint32_t count = resources.describe(resource).NumUnits;
      for (uint32_t unit = columns.firstOf(resource), end = unit + count; unit < end; ++unit) {
        shares[row + unit].add(cycles, parts * count);
        shares[cells + unit].add(cycles, parts * count);
      }
    };
    for (const BodyResource &use : body.resourcesOf(body.instructions[row / units])) {
      if (!use.cycles)
        continue;
      const unsigned resource = resources.resourceOf(use.mask);
      const llvm::MCProcResourceDesc &description = resources.describe(resource);
      // A group's cycles are spread over its members first, and over the units of each member then.
      if (!use.group)
        spread(resource, use.cycles, 1);
      else
        for (unsigned member = 0; member < description.NumUnits; ++member)
          if (!resources.isGroup(description.SubUnitsIdxBegin[member]))
            spread(description.SubUnitsIdxBegin[member], use.cycles, description.NumUnits);
    }
  }
  for (size_t i = 0; i < shares.size(); ++i)
    (i < cells ? pressure.byInstruction : pressure.perIteration).push_back(double(shares[i].cycles) / shares[i].parts);
  return pressure;
}

std::vector<std::vector<uint32_t>> slotsByResource(const ResourceTable &resources,
                                                   const std::vector<ResourceState::Slot> &slots) {
  std::vector<std::vector<uint32_t>> result(resources.size());
  for (uint32_t slot = 0; slot < slots.size(); ++slot)
    if (slots[slot].unitMask)
      result[slots[slot].resource].push_back(slot);
  return result;
}

} // namespace mca
