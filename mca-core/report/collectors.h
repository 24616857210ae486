// The collectors of cycles and timelines: they turn a machine's events into parts of a Report.
//
// `id` is a dynamic instance: position in the region + iteration × number of instructions. Events arrive in the order
// of simulated time; onCyclesEnd() ends a cycle, which may stand for several equal ones. A collector serves one run
// after the other, and reset() starts each.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"
#include "mca-core/report/report.h"

#include <algorithm>
#include <cstdint>
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
  /// The number of instances whose retirement it needs.
  uint64_t watched() const { return instructions_; }
  void repeat(uint64_t cyclesThen, uint64_t times) { cycles_ += (cycles_ - cyclesThen) * times; }
  Summary finish(const Body &body, const ResourceTable &resources, uint32_t iterations, uint32_t dispatchWidth) const;

private:
  size_t instructions_ = 0;
  std::vector<uint8_t> retired_; // of the first iteration; in order, some instructions never retire
  uint64_t cycles_ = 0;
};

/// Records the events of a run's first instances. The functions for events accept only instances below watched(), so
/// that a long run pays one comparison for each event that no timeline needs.
class TimelineCollector {
public:
  /// `maxCycles` 0: no limit. Collects nothing without iterations. `oneCycle`: each instance reports only one cycle of
  /// dispatch.
  void reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles, bool oneCycle);
  void onDispatched(uint64_t id) {
    // Only the first cycle of a long dispatch counts.
    if (entryOf(id).dispatched < 0)
      timeline_.entries[id].dispatched = cycle_;
  }
  void onReady(uint64_t id) { entryOf(id).ready = cycle_; }
  void onIssued(uint64_t id) { entryOf(id).issued = cycle_; }
  void onExecuted(uint64_t id) { entryOf(id).executed = cycle_; }
  void onRetired(uint64_t id) { retire(id, cycle_); }
  void onCyclesEnd(int64_t cycles) { cycle_ += cycles; }
  /// The number of instances in the timeline.
  uint64_t watched() const { return timeline_.entries.size(); }
  /// Whether extrapolate() may be called: only then does the last cycle of the timeline follow from its entries.
  bool canExtrapolate() const { return oneCycle_; }
  /// Fills in all remaining entries: from this cycle on, each instance repeats what the one `instances` before it did
  /// `cycles` earlier. No event may follow.
  void extrapolate(uint64_t instances, int64_t cycles);
  Timeline finish() { return std::move(timeline_); }

private:
  /// Returns the entry of an instance with an event in this cycle.
  TimelineEntry &entryOf(uint64_t id) {
    recordCycle(cycle_);
    return timeline_.entries[id];
  }
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
  std::vector<int64_t> retired_; ///< by instance: the cycle of retirement, also beyond the limit; 0: not retired
};

} // namespace mca
