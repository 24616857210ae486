// Starts and ends a recording, and completes timelines of which only the first periods were simulated.
#include "mca-core/report/plain_recorder.h"

#include "llvm/MCA/Support.h"

#include <cassert>
#include <limits>

namespace mca {

void PlainRecorder::reset(uint32_t instructions, uint32_t timelineIterations, uint32_t maxCycles, bool oneCycle) {
  cycles_ = 0;
  retired_.assign(instructions, false);
  watched_ = uint64_t(instructions) * timelineIterations;
  watchedRetirements_ = std::max<uint64_t>(watched_, instructions);
  now_ = 0;
  maxCycles_ = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  oneCycle_ = oneCycle;
  timeline_ = {.iterations = timelineIterations,
               .entries = std::vector<TimelineEntry>(watched_),
               .waits = std::vector<WaitTimes>(instructions)};
  retiredIn_.assign(watched_, 0);
}

/// llvm-mca counts the micro-ops and resources of the instructions that retire in the first iteration, and multiplies
/// them.
Summary PlainRecorder::finishSummary(const Body &body, const ResourceTable &resources, uint32_t iterations,
                                     uint32_t dispatchWidth) const {
  uint32_t microOps = 0; // of one iteration
  std::vector<unsigned> resourceCycles(resources.size(), 0);
  for (size_t i = 0; i < retired_.size(); ++i) {
    if (!retired_[i])
      continue;
    microOps += body.instructions[i].microOps;
    for (const BodyResource &use : body.resourcesOf(body.instructions[i]))
      resourceCycles[resources.resourceOf(use.mask)] += use.cycles;
  }
  return {.iterations = iterations,
          .instructions = uint64_t(iterations) * retired_.size(),
          .cycles = cycles_,
          .microOps = uint64_t(iterations) * microOps,
          .dispatchWidth = dispatchWidth,
          .blockReciprocalThroughput =
              llvm::mca::computeBlockRThroughput(resources.model(), dispatchWidth, microOps, resourceCycles)};
}

void PlainRecorder::retire(uint64_t id, int64_t cycle) {
  recordLastCycle(cycle);
  TimelineEntry &entry = timeline_.entries[id];
  retiredIn_[id] = cycle;
  if (cycle < maxCycles_)
    entry.retired = cycle;
  WaitTimes &waits = timeline_.waits[id % retired_.size()];
  waits.inScheduler += entry.issued - entry.dispatched;
  waits.inSchedulerReady += entry.issued - entry.ready;
  if (cycle > entry.executed)
    waits.beforeRetire += (cycle - 1) - entry.executed;
}

void PlainRecorder::onInstance(uint64_t id, uint32_t, const InstanceTimes &times) {
  if (id >= watched_)
    return;
  for (const int64_t cycle : {times.dispatched, times.ready, times.issued, times.executed})
    recordLastCycle(cycle);
  timeline_.entries[id] = {times.dispatched, times.ready, times.issued, times.executed};
  retire(id, times.retired);
}

void PlainRecorder::extrapolate(Mark mark, uint64_t instances) {
  assert(oneCycle_);
  const auto cycles = static_cast<int64_t>(cycles_ - mark);
  for (uint64_t id = instances; id < timeline_.entries.size(); ++id) {
    TimelineEntry &entry = timeline_.entries[id];
    const TimelineEntry &earlier = timeline_.entries[id - instances];
    // An event that this instance has had belongs to an event of the earlier one before the period. Only the earlier
    // one's events within the period are still to come for this one.
    const auto follow = [&](int64_t &field, int64_t before) {
      if (before + cycles < now_)
        return;
      field = before + cycles;
      recordLastCycle(field);
    };
    follow(entry.dispatched, earlier.dispatched);
    follow(entry.ready, earlier.ready);
    follow(entry.issued, earlier.issued);
    follow(entry.executed, earlier.executed);
    if (const int64_t retired = retiredIn_[id - instances] + cycles; retired >= now_)
      retire(id, retired);
  }
  watched_ = 0;
  watchedRetirements_ = retired_.size();
}

} // namespace mca
