// Finishes the summary and the timeline, and reads the use of units from ResourceState after a run.
#include "mca-core/report/collectors.h"

#include "mca-core/report/resource_units.h"

#include "llvm/MCA/Support.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

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
  Summary summary;
  summary.iterations = iterations;
  summary.instructions = uint64_t(iterations) * instructions_;
  summary.cycles = cycles_;
  summary.microOps = uint64_t(iterations) * microOps;
  summary.dispatchWidth = dispatchWidth;
  summary.blockReciprocalThroughput =
      llvm::mca::computeBlockRThroughput(resources.model(), dispatchWidth, microOps, resourceCycles);
  return summary;
}

ResourcePressure measurePressure(const Body &body, const ResourceTable &resources, const ResourceState &state,
                                 uint32_t iterations) {
  ResourcePressure pressure;
  const UnitColumns columns(resources, pressure.units);
  // llvm-mca adds in 32 bits.
  std::vector<uint32_t> sums(columns.size(), 0), cycles(columns.size(), 0);
  pressure.byInstruction.resize(body.instructions.size() * columns.size());
  double *row = pressure.byInstruction.data();
  llvm::SmallVector<uint32_t, 16> touched;
  for (uint32_t instructionIndex = 0; instructionIndex < body.instructions.size();
       ++instructionIndex, row += columns.size()) {
    const auto uses = body.resourcesOf(body.instructions[instructionIndex]);
    const auto add = [&](uint32_t column, uint32_t held) {
      cycles[column] += held;
      touched.push_back(column);
    };
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

void TimelineCollector::reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles, bool oneCycle) {
  instructions_ = instructions;
  maxCycles_ = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  cycle_ = 0;
  oneCycle_ = oneCycle;
  timeline_ = {};
  timeline_.iterations = iterations;
  timeline_.entries.resize(size_t(instructions) * iterations);
  timeline_.waits.resize(instructions);
  retired_.assign(timeline_.entries.size(), 0);
}

TimelineEntry *TimelineCollector::entryOf(uint64_t id) {
  if (id >= timeline_.entries.size())
    return nullptr;
  recordCycle(cycle_);
  return &timeline_.entries[id];
}

void TimelineCollector::onDispatched(uint64_t id) {
  // Only the first cycle of a long dispatch counts.
  if (TimelineEntry *entry = entryOf(id); entry && entry->dispatched < 0)
    entry->dispatched = cycle_;
}

void TimelineCollector::onReady(uint64_t id) {
  if (TimelineEntry *entry = entryOf(id))
    entry->ready = cycle_;
}

void TimelineCollector::onIssued(uint64_t id) {
  if (TimelineEntry *entry = entryOf(id))
    entry->issued = cycle_;
}

void TimelineCollector::onExecuted(uint64_t id) {
  if (TimelineEntry *entry = entryOf(id))
    entry->executed = cycle_;
}

void TimelineCollector::onRetired(uint64_t id) {
  if (entryOf(id))
    retire(id, cycle_);
}

void TimelineCollector::retire(uint64_t id, int64_t cycle) {
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
    if (const int64_t retired = retired_[id - instances] + cycles; retired >= cycle_) {
      recordCycle(retired);
      retire(id, retired);
    }
  }
}

} // namespace mca
