#include "mca-core/report/collectors.h"

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

namespace {

/// Where the units of resources stand in a report. Groups are not held themselves: one of their units is.
class UnitColumns {
public:
  explicit UnitColumns(const ResourceTable &resources) : first_(resources.size(), 0) {
    for (unsigned resource = 1; resource < resources.size(); ++resource)
      if (!resources.isGroup(resource)) {
        first_[resource] = size_;
        size_ += resources.describe(resource).NumUnits;
      }
  }
  uint32_t size() const { return size_; }
  uint32_t firstOf(unsigned resource) const { return first_[resource]; }
  uint32_t of(const ResourceState::Slot &slot) const {
    return first_[slot.resource] + static_cast<uint32_t>(std::countr_zero(slot.unitMask));
  }

private:
  std::vector<uint32_t> first_; // by resource
  uint32_t size_ = 0;
};

} // namespace

ResourcePressure measurePressure(const Body &body, const ResourceTable &resources, const ResourceState &state,
                                 uint32_t iterations) {
  const UnitColumns columns(resources);
  ResourcePressure pressure;
  pressure.units.reserve(columns.size());
  for (unsigned resource = 1; resource < resources.size(); ++resource) {
    const llvm::MCProcResourceDesc &description = resources.describe(resource);
    if (!resources.isGroup(resource))
      for (unsigned unit = 0; unit < description.NumUnits; ++unit)
        pressure.units.push_back({description.Name, resource, unit, description.NumUnits});
  }
  // In 32 bits, as llvm-mca adds.
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

TimelineEntry *TimelineCollector::touch(uint64_t id) {
  if (id >= timeline_.entries.size())
    return nullptr;
  recordCycle(cycle_);
  return &timeline_.entries[id];
}

void TimelineCollector::onDispatched(uint64_t id) {
  // An instruction of many micro-ops may need several cycles to dispatch: the first one counts.
  if (TimelineEntry *entry = touch(id); entry && entry->dispatched < 0)
    entry->dispatched = cycle_;
}

void TimelineCollector::onReady(uint64_t id) {
  if (TimelineEntry *entry = touch(id))
    entry->ready = cycle_;
}

void TimelineCollector::onIssued(uint64_t id) {
  if (TimelineEntry *entry = touch(id))
    entry->issued = cycle_;
}

void TimelineCollector::onExecuted(uint64_t id) {
  if (TimelineEntry *entry = touch(id))
    entry->executed = cycle_;
}

void TimelineCollector::onRetired(uint64_t id) {
  if (touch(id))
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
    // What has happened to this one by now had happened to the earlier one by the start of the period: of the earlier
    // one's cycles those within the period are still to come for this one.
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
