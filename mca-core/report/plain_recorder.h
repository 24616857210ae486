// The listener of a machine for most reports: it records only cycles and a timeline of the first iterations.
//
// The machine is compiled for it, so that everything else costs nothing (engine/machine.h). Events arrive in the order
// of simulated time. `id` is a dynamic instance: position in the region + iteration × number of instructions.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/report/report.h"

#include <algorithm>
#include <vector>

namespace mca {

/// Counts and records as the machine reports. The timeline needs the first instances only; the comparison with watched_
/// is all that later ones cost.
class PlainRecorder {
public:
  static constexpr bool kDetails = false;
  static constexpr bool wantsExecutions() { return false; }
  using Mark = uint64_t; ///< cycles

  /// Starts a run. `timelineIterations` 0: no timeline. `maxCycles` of the timeline, 0: no limit. `oneCycle`: each
  /// instance reports only one cycle of dispatch.
  void reset(uint32_t instructions, uint32_t timelineIterations = 0, uint32_t maxCycles = 0, bool oneCycle = true);
  void onDispatched(uint64_t id, uint32_t, uint32_t, const Dispatched &) {
    if (id >= watched_)
      return;
    recordLastCycle(now_);
    // Only the first cycle of a long dispatch counts.
    if (int64_t &dispatched = timeline_.entries[id].dispatched; dispatched < 0)
      dispatched = now_;
  }
  void onReady(uint64_t id, uint32_t) {
    if (id < watched_)
      record(timeline_.entries[id].ready);
  }
  void onTaken(const TakenUnit &) {}
  void onIssued(const IssuedInstruction &issued) {
    if (issued.id < watched_)
      record(timeline_.entries[issued.id].issued);
  }
  void onExecuted(uint64_t id, uint32_t) {
    if (id < watched_)
      record(timeline_.entries[id].executed);
  }
  void onRetired(uint64_t id, uint32_t, bool) {
    if (id >= watchedRetirements_)
      return;
    if (id < retired_.size())
      retired_[id] = true;
    if (id < watched_)
      retire(id, now_);
  }
  /// All events of an instance of the calibrated machine, which are in cycles that have not ended yet.
  void onInstance(uint64_t id, uint32_t, const InstanceTimes &times);
  void onRedirect(const Redirect &) {}
  /// Ends a cycle, or several equal ones.
  void onCyclesEnd(int64_t cycles) {
    cycles_ += static_cast<uint64_t>(cycles);
    now_ += cycles;
  }
  void mark(Mark &mark) const { mark = cycles_; }
  void repeat(Mark mark, uint64_t times) { cycles_ += (cycles_ - mark) * times; }
  /// The number of instances in the timeline.
  uint64_t watched() const { return watched_; }
  /// Whether extrapolate() may be called: only then does the last cycle of the timeline follow from its entries.
  bool canExtrapolate() const { return oneCycle_; }
  /// Completes the timeline: everything since `mark` happened to `instances` instances, and repeats for the following
  /// ones until all watched instances have retired.
  void extrapolate(Mark mark, uint64_t instances);
  template <typename Sink>
  bool describe(uint64_t, Sink &) const {
    return true;
  }
  uint64_t cycles() const { return cycles_; }
  Summary finishSummary(const Body &body, const ResourceTable &resources, uint32_t iterations,
                        uint32_t dispatchWidth) const;
  Timeline finishTimeline() { return std::move(timeline_); }

private:
  /// Sets an event's cycle to the current one.
  void record(int64_t &event) {
    event = now_;
    recordLastCycle(now_);
  }
  /// The timeline is as wide as its last event within the limit.
  void recordLastCycle(int64_t cycle) {
    if (cycle < maxCycles_)
      timeline_.lastCycle = std::max<uint64_t>(timeline_.lastCycle, cycle);
  }
  /// Completes an entry, and adds its waits to its instruction's. Beyond the limit, the entry stays without retirement
  /// and its waits count, as in llvm-mca.
  void retire(uint64_t id, int64_t cycle);

  uint64_t cycles_ = 0;          ///< including repeated ones
  std::vector<uint8_t> retired_; ///< by instruction of the first iteration; in order, some instructions never retire

  uint64_t watched_ = 0;            ///< instances in the timeline
  uint64_t watchedRetirements_ = 0; ///< instances whose retirement is recorded
  int64_t now_ = 0;                 ///< the current cycle, as long as instances are watched
  int64_t maxCycles_ = 0;
  bool oneCycle_ = false;
  Timeline timeline_;
  std::vector<int64_t> retiredIn_; ///< by instance: the cycle of retirement, also beyond the limit; 0: not retired
};

} // namespace mca
