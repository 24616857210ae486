// The resource units of a report, and where each resource's units stand in it.
#pragma once

#include "mca-core/engine/resource_rules.h"
#include "mca-core/report/report.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace mca {

/// The columns of resource units in a report. Groups have none: an instruction holds one of their units.
class UnitColumns {
public:
  /// Fills `units` with the columns.
  UnitColumns(const ResourceTable &resources, std::vector<ResourceUnit> &units) : first_(resources.size(), 0) {
    for (unsigned resource = 1; resource < resources.size(); ++resource)
      if (!resources.isGroup(resource)) {
        first_[resource] = size_;
        size_ += resources.describe(resource).NumUnits;
      }
    units.clear();
    units.reserve(size_);
    for (unsigned resource = 1; resource < resources.size(); ++resource) {
      const llvm::MCProcResourceDesc &description = resources.describe(resource);
      if (!resources.isGroup(resource))
        for (unsigned unit = 0; unit < description.NumUnits; ++unit)
          units.push_back({description.Name, resource, unit, description.NumUnits});
    }
  }
  uint32_t size() const { return size_; }
  uint32_t firstOf(unsigned resource) const { return first_[resource]; }
  uint32_t of(const ProcessorResources::Slot &slot) const {
    return first_[slot.resource] + static_cast<uint32_t>(std::countr_zero(slot.unitMask));
  }

private:
  std::vector<uint32_t> first_; // by resource
  uint32_t size_ = 0;
};

/// Returns the slots of each resource's units.
inline std::vector<std::vector<uint32_t>> slotsByResource(const ResourceTable &resources,
                                                          const std::vector<ProcessorResources::Slot> &slots) {
  std::vector<std::vector<uint32_t>> result(resources.size());
  for (uint32_t slot = 0; slot < slots.size(); ++slot)
    if (slots[slot].unitMask)
      result[slots[slot].resource].push_back(slot);
  return result;
}

} // namespace mca
