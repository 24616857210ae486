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

void PressureCollector::reset(const Body &body, const ResourceTable &resources,
                              const std::vector<ResourceState::Slot> &slots) {
  body_ = &body;
  resources_ = &resources;
  if (slots_ != &slots) {
    slots_ = &slots;
    // Groups are not held themselves: one of their units is.
    units_ = 0;
    firstColumns_.assign(resources.size(), 0);
    for (unsigned resource = 1; resource < resources.size(); ++resource)
      if (!resources.isGroup(resource)) {
        firstColumns_[resource] = units_;
        units_ += resources.describe(resource).NumUnits;
      }
    columns_.clear();
    for (const ResourceState::Slot &slot : slots)
      columns_.push_back(slot.unitMask ? firstColumns_[slot.resource] + std::countr_zero(slot.unitMask) : units_);
  }
  rows_.resize(body.resources.size());
  uint32_t end = 0;
  for (uint32_t use = 0; use < rows_.size(); ++use)
    if (!body.resources[use].onlyUnit)
      rows_[use] = std::exchange(end, end + units_ + 1);
  counts_.assign(end, 0);
  logged_ = 0;
  flushed_ = 0;
}

/// The log has grown to its end.
void PressureCollector::makeRoom() {
  if (room_ >= kLongestLog)
    flush();
  else
    log_.resize(room_ = std::max<size_t>(1024, room_ * 2));
}

void PressureCollector::count(size_t from, uint32_t times) {
  for (; from < logged_; ++from)
    counts_[log_[from]] += times;
}

void PressureCollector::flush() {
  count(0, 1);
  flushed_ += std::exchange(logged_, 0);
}

ResourcePressure PressureCollector::finish(uint32_t iterations) {
  flush();
  // In 32 bits, as llvm-mca adds.
  std::vector<uint32_t> cycles(body_->instructions.size() * units_, 0);
  uint32_t *row = cycles.data();
  for (const BodyInstruction &instruction : body_->instructions) {
    for (uint32_t use = instruction.resources.first, i = 0; i < instruction.resources.count; ++i, ++use) {
      const BodyResource &resource = body_->resources[use];
      if (resource.onlyUnit) {
        row[firstColumns_[resources_->resourceOf(resource.mask)]] += resource.cycles * iterations;
        continue;
      }
      for (uint32_t column = 0; column < units_; ++column)
        row[column] += counts_[rows_[use] + column] * resource.cycles;
    }
    row += units_;
  }
  ResourcePressure pressure;
  pressure.units.reserve(units_);
  for (unsigned resource = 1; resource < resources_->size(); ++resource) {
    const llvm::MCProcResourceDesc &description = resources_->describe(resource);
    if (!resources_->isGroup(resource))
      for (unsigned unit = 0; unit < description.NumUnits; ++unit)
        pressure.units.push_back({description.Name, resource, unit, description.NumUnits});
  }
  const auto share = [&](uint32_t sum) { return double(sum) / iterations; };
  pressure.byInstruction.resize(cycles.size());
  std::transform(cycles.begin(), cycles.end(), pressure.byInstruction.begin(), share);
  std::vector<uint32_t> sums(units_, 0);
  for (size_t row = 0; row < cycles.size(); row += units_)
    for (uint32_t column = 0; column < units_; ++column)
      sums[column] += cycles[row + column];
  pressure.perIteration.resize(units_);
  std::transform(sums.begin(), sums.end(), pressure.perIteration.begin(), share);
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
