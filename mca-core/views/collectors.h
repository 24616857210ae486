// Collectors turn what happens in the simulated machine into the parts of a Report.
//
// The simulator calls them; they know nothing of it. `id` is a dynamic instance: position in the region + iteration ×
// instructions of the region. Calls come in the order of the machine's time, and onCycleEnd() ends each cycle.
#pragma once

#include "mca-core/model/resources.h"
#include "mca-core/views/report.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// One unit of a resource that an instruction holds from its issue on.
struct UsedUnit {
  uint32_t resource = 0;
  /// One bit: which unit of the resource. 0 when the simulator found none free (a scheduling model that holds more
  /// units than there are, ARM's cortex-a9): such a use is in no table.
  uint64_t unitMask = 0;
  uint32_t cycles = 0; ///< numerator of the share of the unit's cycles
  uint32_t parts = 1;  ///< its denominator: a resource of several units may be held in turns

  double share() const { return parts == 1 ? cycles : double(cycles) / parts; }
  /// `unitMask` must not be 0.
  unsigned unit() const { return static_cast<unsigned>(std::countr_zero(unitMask)); }
};

/// Which instance an instruction waits for, as known when it issues. `cycles` is 0 when there is none.
struct CriticalWait {
  uint32_t id = 0;
  uint32_t reg = 0; ///< LLVM's register number; unused for memory
  uint32_t cycles = 0;
};

class SummaryCollector {
public:
  SummaryCollector(const ResourceTable &resources, uint32_t instructions, uint32_t dispatchWidth);
  /// `microOps` and `resourceCycles` (pairs of a resource's mask and its cycles) describe the instruction itself.
  void onRetired(uint64_t id, uint32_t microOps, std::span<const std::pair<uint64_t, uint32_t>> resourceCycles);
  void onCycleEnd() { ++cycles_; }
  Summary finish(uint32_t iterations) const;

private:
  const ResourceTable &resources_;
  uint32_t instructions_;
  uint32_t dispatchWidth_;
  uint64_t cycles_ = 0;
  uint32_t microOps_ = 0; // of one iteration
  std::vector<unsigned> resourceCycles_;
};

class PressureCollector {
public:
  PressureCollector(const ResourceTable &resources, uint32_t instructions);
  void onIssued(uint64_t id, std::span<const UsedUnit> used);
  ResourcePressure finish(uint32_t iterations) const;

private:
  struct Share {
    uint32_t cycles = 0;
    uint32_t parts = 1;
    void add(uint32_t moreCycles, uint32_t moreParts);
    double value() const { return parts == 1 ? double(cycles) : double(cycles) / double(parts); }
  };
  uint32_t instructions_;
  std::vector<ResourceUnit> units_;
  std::vector<uint32_t> firstUnit_; // by resource
  std::vector<Share> shares_;       // instructions × units, then one row for the region
};

class TimelineCollector {
public:
  /// `maxCycles` 0: no limit.
  TimelineCollector(uint32_t instructions, uint32_t iterations, uint32_t maxCycles);
  void onDispatched(uint64_t id);
  void onReady(uint64_t id);
  void onIssued(uint64_t id);
  void onExecuted(uint64_t id);
  void onRetired(uint64_t id);
  void onCycleEnd() { ++cycle_; }
  Timeline finish() { return std::move(timeline_); }

private:
  /// The entry of an instance that something happened to; null when it is beyond the timeline's iterations.
  TimelineEntry *touch(uint64_t id);

  uint32_t instructions_;
  int64_t maxCycles_;
  int64_t cycle_ = 0;
  Timeline timeline_;
};

} // namespace mca
