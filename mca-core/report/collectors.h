// Collectors turn what happens in the simulated machine into the parts of a Report.
//
// `id` is a dynamic instance: position in the region + iteration × instructions of the region. Calls come in the order
// of the machine's time, and onCyclesEnd() ends a cycle, which may stand for several that are alike. A collector serves
// one run after another; reset() begins each.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"
#include "mca-core/report/report.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

class SummaryCollector {
public:
  void reset(const Body &body) {
    instructions_ = body.instructions.size();
    retired_.assign(instructions_, false);
    cycles_ = 0;
  }
  void onRetired(uint64_t id) {
    if (id < instructions_)
      retired_[id] = true;
  }
  void onCyclesEnd(int64_t cycles) { cycles_ += static_cast<uint64_t>(cycles); }
  uint64_t cycles() const { return cycles_; }
  /// Instances whose retirement counts.
  uint64_t watched() const { return instructions_; }
  void repeat(uint64_t cyclesThen, uint64_t times) { cycles_ += (cycles_ - cyclesThen) * times; }
  Summary finish(const Body &body, const ResourceTable &resources, uint32_t iterations, uint32_t dispatchWidth) const;

private:
  size_t instructions_ = 0;
  std::vector<uint8_t> retired_; // of the first iteration: in order, some never do
  uint64_t cycles_ = 0;
};

/// Which units the instructions hold, after a run.
ResourcePressure measurePressure(const Body &body, const ResourceTable &resources, const ResourceState &state,
                                 uint32_t iterations);

class TimelineCollector {
public:
  /// `maxCycles` 0: no limit. Without iterations nothing is collected. `oneCycle`: of each instance one cycle of its
  /// dispatch is told.
  void reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles, bool oneCycle);
  void onDispatched(uint64_t id);
  void onReady(uint64_t id);
  void onIssued(uint64_t id);
  void onExecuted(uint64_t id);
  void onRetired(uint64_t id);
  void onCyclesEnd(int64_t cycles) { cycle_ += cycles; }
  /// Instances that have entries.
  uint64_t watched() const { return timeline_.entries.size(); }
  /// Whether foretell() may be called. The last cycle of the timeline follows from its entries then.
  bool canExtrapolate() const { return oneCycle_; }
  /// From this cycle on each instance does what the one `instances` before it did `cycles` earlier. Enters all that
  /// is still to come; the collector must be told nothing more.
  void extrapolate(uint64_t instances, int64_t cycles);
  Timeline finish() { return std::move(timeline_); }

private:
  /// The entry of an instance that something happened to; null when it is beyond the timeline's iterations.
  TimelineEntry *touch(uint64_t id);
  void recordCycle(int64_t cycle) {
    if (cycle < maxCycles_)
      timeline_.lastCycle = std::max<uint64_t>(timeline_.lastCycle, cycle);
  }
  void retire(uint64_t id, int64_t cycle);

  uint32_t instructions_ = 0;
  int64_t maxCycles_ = 0;
  int64_t cycle_ = 0;
  bool oneCycle_ = false;
  Timeline timeline_;
  std::vector<int64_t> retired_; ///< by instance: the cycle, beyond the limit too; 0: it has not
};

} // namespace mca
