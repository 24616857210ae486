#include "mca-core/views/collectors.h"

#include "llvm/MCA/Support.h"

#include <algorithm>
#include <bit>
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
  for (uint32_t what = 0; what < body.instructions.size(); ++what, row += columns.size()) {
    const auto uses = body.resourcesOf(body.instructions[what]);
    const auto add = [&](uint32_t column, uint32_t held) {
      cycles[column] += held;
      touched.push_back(column);
    };
    for (const BodyResource &use : uses)
      if (use.onlyUnit)
        add(columns.firstOf(resources.resourceOf(use.mask)), use.cycles * iterations);
    state.forEachTaken(what, [&](uint32_t use, uint32_t slot, uint32_t times) {
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

void TimelineCollector::reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles) {
  instructions_ = instructions;
  maxCycles_ = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  cycle_ = 0;
  timeline_ = {};
  timeline_.iterations = iterations;
  timeline_.entries.resize(size_t(instructions) * iterations);
  timeline_.waits.resize(instructions);
}

TimelineEntry *TimelineCollector::touch(uint64_t id) {
  if (id >= timeline_.entries.size())
    return nullptr;
  if (cycle_ < maxCycles_)
    timeline_.lastCycle = std::max<uint64_t>(timeline_.lastCycle, cycle_);
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
  TimelineEntry *entry = touch(id);
  if (!entry)
    return;
  if (cycle_ < maxCycles_)
    entry->retired = cycle_;
  WaitTimes &waits = timeline_.waits[id % instructions_];
  waits.inScheduler += entry->issued - entry->dispatched;
  waits.inSchedulerReady += entry->issued - entry->ready;
  if (cycle_ > entry->executed)
    waits.beforeRetire += (cycle_ - 1) - entry->executed;
}

} // namespace mca
