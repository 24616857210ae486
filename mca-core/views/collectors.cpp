#include "mca-core/views/collectors.h"

#include "llvm/MCA/Support.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace mca {

SummaryCollector::SummaryCollector(const ResourceTable &resources, uint32_t instructions, uint32_t dispatchWidth)
    : resources_(resources), instructions_(instructions), dispatchWidth_(dispatchWidth),
      resourceCycles_(resources.size(), 0) {}

void SummaryCollector::onRetired(uint64_t id, uint32_t microOps,
                                 std::span<const std::pair<uint64_t, uint32_t>> resourceCycles) {
  if (id >= instructions_)
    return;
  microOps_ += microOps;
  for (const auto &[mask, cycles] : resourceCycles)
    if (cycles)
      resourceCycles_[resources_.resourceOf(mask)] += cycles;
}

Summary SummaryCollector::finish(uint32_t iterations) const {
  Summary summary;
  summary.iterations = iterations;
  summary.instructions = uint64_t(iterations) * instructions_;
  summary.cycles = cycles_;
  summary.microOps = uint64_t(iterations) * microOps_;
  summary.dispatchWidth = dispatchWidth_;
  summary.blockReciprocalThroughput =
      llvm::mca::computeBlockRThroughput(resources_.model(), dispatchWidth_, microOps_, resourceCycles_);
  return summary;
}

PressureCollector::PressureCollector(const ResourceTable &resources, uint32_t instructions)
    : instructions_(instructions), firstUnit_(resources.size(), 0) {
  for (unsigned resource = 1; resource < resources.size(); ++resource) {
    const llvm::MCProcResourceDesc &description = resources.describe(resource);
    // Groups are not held themselves: one of their units is.
    if (resources.isGroup(resource) || !description.NumUnits)
      continue;
    firstUnit_[resource] = static_cast<uint32_t>(units_.size());
    for (unsigned unit = 0; unit < description.NumUnits; ++unit)
      units_.push_back({description.Name, resource, unit, description.NumUnits});
  }
  shares_.resize(units_.size() * (instructions + 1));
}

/// In 32 bits, as llvm-mca adds.
void PressureCollector::Share::add(uint32_t moreCycles, uint32_t moreParts) {
  if (parts == moreParts) {
    cycles += moreCycles;
    return;
  }
  const uint32_t common = parts * moreParts / std::gcd(parts, moreParts);
  cycles = cycles * (common / parts) + moreCycles * (common / moreParts);
  parts = common;
}

void PressureCollector::onIssued(uint64_t id, std::span<const UsedUnit> used) {
  const size_t row = id % instructions_;
  for (const UsedUnit &use : used) {
    if (!use.unitMask)
      continue;
    const size_t unit = firstUnit_[use.resource] + use.unit();
    shares_[row * units_.size() + unit].add(use.cycles, use.parts);
    shares_[instructions_ * units_.size() + unit].add(use.cycles, use.parts);
  }
}

ResourcePressure PressureCollector::finish(uint32_t iterations) const {
  ResourcePressure pressure;
  pressure.units = units_;
  const size_t cells = units_.size() * instructions_;
  pressure.byInstruction.reserve(cells);
  for (size_t i = 0; i < shares_.size(); ++i)
    (i < cells ? pressure.byInstruction : pressure.perIteration).push_back(shares_[i].value() / iterations);
  return pressure;
}

TimelineCollector::TimelineCollector(uint32_t instructions, uint32_t iterations, uint32_t maxCycles)
    : instructions_(instructions), maxCycles_(maxCycles ? maxCycles : std::numeric_limits<int64_t>::max()) {
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
