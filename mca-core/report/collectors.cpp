// Finishes the summary, and completes timelines of which only the first periods were simulated.
#include "mca-core/report/collectors.h"

#include "llvm/MCA/Support.h"

#include <cassert>
#include <limits>

namespace mca {

Summary SummaryCollector::finish(const Body &body, const ResourceTable &resources, uint32_t iterations,
                                 uint32_t dispatchWidth) const {
  uint32_t microOps = 0; // of one iteration
  std::vector<unsigned> resourceCycles(resources.size(), 0);
  for (size_t i = 0; i < instructions_; ++i) {
    if (!retired_[i])
      continue;
    microOps += body.instructions[i].microOps;
    for (const BodyResource &use : body.resourcesOf(body.instructions[i]))
      resourceCycles[resources.resourceOf(use.mask)] += use.cycles;
  }
  return {.iterations = iterations,
          .instructions = uint64_t(iterations) * instructions_,
          .cycles = cycles_,
          .microOps = uint64_t(iterations) * microOps,
          .dispatchWidth = dispatchWidth,
          .blockReciprocalThroughput =
              llvm::mca::computeBlockRThroughput(resources.model(), dispatchWidth, microOps, resourceCycles)};
}

void TimelineCollector::reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles, bool oneCycle) {
  instructions_ = instructions;
  maxCycles_ = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  cycle_ = 0;
  oneCycle_ = oneCycle;
  timeline_ = {.iterations = iterations,
               .entries = std::vector<TimelineEntry>(size_t(instructions) * iterations),
               .waits = std::vector<WaitTimes>(instructions)};
  retired_.assign(timeline_.entries.size(), 0);
}

void TimelineCollector::retire(uint64_t id, int64_t cycle) {
  recordCycle(cycle);
  TimelineEntry &entry = timeline_.entries[id];
  retired_[id] = cycle;
  if (cycle < maxCycles_)
    entry.retired = cycle;
  WaitTimes &waits = timeline_.waits[id % instructions_];
  waits.inScheduler += entry.issued - entry.dispatched;
  waits.inSchedulerReady += entry.issued - entry.ready;
  if (cycle > entry.executed)
    waits.beforeRetire += (cycle - 1) - entry.executed;
}

void TimelineCollector::extrapolate(uint64_t instances, int64_t cycles) {
  assert(oneCycle_);
  for (uint64_t id = instances; id < timeline_.entries.size(); ++id) {
    TimelineEntry &entry = timeline_.entries[id];
    const TimelineEntry &earlier = timeline_.entries[id - instances];
    // An event that this instance has had belongs to an event of the earlier one before the period. Only the earlier
    // one's events within the period are still to come for this one.
    const auto follow = [&](int64_t &field, int64_t before) {
      if (before + cycles < cycle_)
        return;
      field = before + cycles;
      recordCycle(field);
    };
    follow(entry.dispatched, earlier.dispatched);
    follow(entry.ready, earlier.ready);
    follow(entry.issued, earlier.issued);
    follow(entry.executed, earlier.executed);
    if (const int64_t retired = retired_[id - instances] + cycles; retired >= cycle_)
      retire(id, retired);
  }
}

} // namespace mca
