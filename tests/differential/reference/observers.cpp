// Summary, pressure and timeline.
#include "tests/differential/reference/observers.h"

#include "tests/differential/reference/bottleneck_observer.h"

#include <algorithm>
#include <bit>

namespace mca::reference {

using llvm::mca::HWInstructionEvent;
using llvm::mca::HWInstructionIssuedEvent;

std::vector<std::unique_ptr<Observer>> makeObservers(const Setting &setting) {
  const SimulationOptions &options = setting.options;
  std::vector<std::unique_ptr<Observer>> observers;
  if (options.pressure)
    observers.push_back(std::make_unique<PressureObserver>(setting));
  if (options.instructionTables)
    return observers;
  observers.push_back(std::make_unique<SummaryObserver>(setting));
  if (options.timeline)
    observers.push_back(std::make_unique<TimelineObserver>(setting));
  if (options.bottlenecks)
    observers.push_back(std::make_unique<BottleneckObserver>(setting));
  if (options.dispatchStatistics)
    observers.push_back(std::make_unique<DispatchObserver>());
  if (options.schedulerStatistics)
    observers.push_back(std::make_unique<SchedulerObserver>(setting));
  if (options.retireStatistics)
    observers.push_back(std::make_unique<RetireObserver>(setting));
  if (options.registerFileStatistics)
    observers.push_back(std::make_unique<RegisterFileObserver>(setting));
  return observers;
}

ResourceMasks::ResourceMasks(const llvm::MCSchedModel &model) : masks_(model.getNumProcResourceKinds(), 0) {
  llvm::mca::computeProcResourceMasks(model, masks_);
}

unsigned ResourceMasks::resourceOf(uint64_t mask) const {
  for (unsigned resource = 1; resource < masks_.size(); ++resource)
    if (llvm::mca::getResourceStateIndex(masks_[resource]) == llvm::mca::getResourceStateIndex(mask))
      return resource;
  return 0;
}

SummaryObserver::SummaryObserver(const Setting &setting)
    : setting_(setting), masks_(setting.model), resourceCycles_(setting.model.getNumProcResourceKinds(), 0) {}

void SummaryObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type != HWInstructionEvent::Retired || event.IR.getSourceIndex() >= setting_.instructions)
    return;
  const llvm::mca::InstrDesc &description = event.IR.getInstruction()->getDesc();
  microOps_ += description.NumMicroOps;
  for (const auto &[mask, usage] : description.Resources)
    if (usage.size())
      resourceCycles_[masks_.resourceOf(mask)] += usage.size();
}

void SummaryObserver::finish(Report &report) {
  const SimulationOptions &options = setting_.options;
  const uint32_t width = options.dispatchWidth ? options.dispatchWidth : setting_.model.IssueWidth;
  report.summary = {.iterations = options.iterations,
                    .instructions = uint64_t(setting_.instructions) * options.iterations,
                    .cycles = cycles_,
                    .microOps = uint64_t(microOps_) * options.iterations,
                    .dispatchWidth = width,
                    .blockReciprocalThroughput =
                        llvm::mca::computeBlockRThroughput(setting_.model, width, microOps_, resourceCycles_)};
}

PressureObserver::PressureObserver(const Setting &setting)
    : setting_(setting), firstUnit_(setting.model.getNumProcResourceKinds(), 0) {
  for (unsigned resource = 1; resource < setting.model.getNumProcResourceKinds(); ++resource) {
    const llvm::MCProcResourceDesc &description = *setting.model.getProcResource(resource);
    if (description.SubUnitsIdxBegin) // a group: what is held is a unit of one of its members
      continue;
    firstUnit_[resource] = units_.size();
    for (unsigned unit = 0; unit < description.NumUnits; ++unit)
      units_.push_back({description.Name, resource, unit, description.NumUnits});
  }
  held_.resize(units_.size() * (setting.instructions + 1));
}

void PressureObserver::onEvent(const HWInstructionEvent &event) {
  if (event.Type != HWInstructionEvent::Issued)
    return;
  const size_t instruction = event.IR.getSourceIndex() % setting_.instructions;
  for (const auto &[unit, cycles] : static_cast<const HWInstructionIssuedEvent &>(event).UsedResources) {
    const auto &[resource, mask] = unit;
    if (!mask) // LLVM found no free unit
      continue;
    const size_t column = firstUnit_[resource] + static_cast<size_t>(std::countr_zero(mask));
    held_[instruction * units_.size() + column] += cycles;
    held_[setting_.instructions * units_.size() + column] += cycles;
  }
}

void PressureObserver::finish(Report &report) {
  const double iterations = setting_.options.instructionTables ? 1 : setting_.options.iterations;
  report.pressure.units = units_;
  for (size_t i = 0; i < held_.size(); ++i) {
    const bool ofTheRegion = i >= setting_.instructions * units_.size();
    (ofTheRegion ? report.pressure.perIteration : report.pressure.byInstruction)
        .push_back(double(held_[i]) / iterations);
  }
}

TimelineObserver::TimelineObserver(const Setting &setting)
    : setting_(setting), maxCycles_(setting.options.timelineMaxCycles) {
  timeline_.iterations = std::min(setting.options.iterations, setting.options.timelineMaxIterations);
  timeline_.entries.resize(size_t(timeline_.iterations) * setting.instructions);
  timeline_.waits.resize(setting.instructions);
}

void TimelineObserver::onEvent(const HWInstructionEvent &event) {
  const uint64_t id = event.IR.getSourceIndex();
  if (id >= timeline_.entries.size())
    return;
  TimelineEntry &entry = timeline_.entries[id];
  switch (event.Type) {
  case HWInstructionEvent::Dispatched:
    if (entry.dispatched == -1) // of several cycles the first
      entry.dispatched = cycle_;
    break;
  case HWInstructionEvent::Ready:
    entry.ready = cycle_;
    break;
  case HWInstructionEvent::Issued:
    entry.issued = cycle_;
    break;
  case HWInstructionEvent::Executed:
    entry.executed = cycle_;
    break;
  case HWInstructionEvent::Retired:
    onRetired(id);
    break;
  default:
    return;
  }
  if (withinLimit())
    timeline_.lastCycle = static_cast<uint64_t>(cycle_);
}

void TimelineObserver::onRetired(uint64_t id) {
  TimelineEntry &entry = timeline_.entries[id];
  WaitTimes &waits = timeline_.waits[id % setting_.instructions];
  waits.inScheduler += entry.issued - entry.dispatched;
  waits.inSchedulerReady += entry.issued - entry.ready;
  waits.beforeRetire += std::max<int64_t>(0, cycle_ - 1 - entry.executed);
  if (withinLimit())
    entry.retired = cycle_;
}

} // namespace mca::reference
