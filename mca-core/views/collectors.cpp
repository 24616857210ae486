#include "mca-core/views/collectors.h"

#include "llvm/MCA/Support.h"

#include <algorithm>
#include <bit>
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
    std::vector<uint32_t> first(resources.size(), 0);
    for (unsigned resource = 1; resource < resources.size(); ++resource)
      if (!resources.isGroup(resource)) {
        first[resource] = units_;
        units_ += resources.describe(resource).NumUnits;
      }
    columns_.clear();
    for (const ResourceState::Slot &slot : slots)
      columns_.push_back(slot.unitMask ? first[slot.resource] + std::countr_zero(slot.unitMask) : ~0u);
  }
  rows_.resize(body.resources.size());
  for (uint32_t row = 0; row < body.instructions.size(); ++row)
    for (uint32_t i = 0; i < body.instructions[row].resources.count; ++i)
      rows_[body.instructions[row].resources.first + i] = row * units_;
  log_.clear();
  flushed_ = 0;
  cycles_.assign(body.instructions.size() * units_, 0);
}

void PressureCollector::add(uint32_t use, uint32_t column, uint32_t times) {
  if (column != ~0u)
    cycles_[rows_[use] + column] += body_->resources[use].cycles * times;
}

void PressureCollector::count(std::vector<Taken>::const_iterator from, uint32_t times) {
  for (; from != log_.end(); ++from)
    add(from->use, columns_[from->slot], times);
}

void PressureCollector::flush() {
  count(log_.begin(), 1);
  flushed_ += log_.size();
  log_.clear();
}

ResourcePressure PressureCollector::finish(uint32_t iterations) {
  flush();
  for (uint32_t use = 0; use < body_->resources.size(); ++use) {
    const BodyResource &resource = body_->resources[use];
    if (!resource.onlyUnit)
      continue;
    // The slot of a resource's only unit is its first.
    const unsigned id = resources_->resourceOf(resource.mask);
    const auto slot = std::find_if(slots_->begin(), slots_->end(), [id](const auto &s) { return s.resource == id; });
    add(use, columns_[slot - slots_->begin()], iterations);
  }
  ResourcePressure pressure;
  pressure.units.reserve(units_);
  for (unsigned resource = 1; resource < resources_->size(); ++resource) {
    const llvm::MCProcResourceDesc &description = resources_->describe(resource);
    if (!resources_->isGroup(resource))
      for (unsigned unit = 0; unit < description.NumUnits; ++unit)
        pressure.units.push_back({description.Name, resource, unit, description.NumUnits});
  }
  const auto share = [&](uint32_t cycles) { return double(cycles) / iterations; };
  pressure.byInstruction.resize(cycles_.size());
  std::transform(cycles_.begin(), cycles_.end(), pressure.byInstruction.begin(), share);
  std::vector<uint32_t> sums(units_, 0);
  for (size_t row = 0; row < cycles_.size(); row += units_)
    for (uint32_t column = 0; column < units_; ++column)
      sums[column] += cycles_[row + column];
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
