// Counts as the statistics views in llvm/tools/llvm-mca/Views do.
#include "mca-core/report/statistics.h"

#include "mca-core/engine/bits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mca {

CycleHistogram HistogramBuilder::finish() const {
  CycleHistogram histogram;
  for (uint32_t count = 0; count < cycles.size(); ++count)
    if (cycles[count])
      histogram.push_back({count, cycles[count]});
  return histogram;
}

void DispatchStatisticsCollector::onCyclesEnd(int64_t cycles) {
  statistics_.cycles += static_cast<uint32_t>(cycles);
  for (unsigned stall = 0; stall < kDispatchStalls; ++stall)
    statistics_.stalls[stall] += std::exchange(stalls_[stall], 0) * static_cast<uint32_t>(cycles);
  histogram_.add(dispatched_, cycles);
}

DispatchStatistics DispatchStatisticsCollector::finish() {
  statistics_.microOps = histogram_.finish();
  return std::move(statistics_);
}

SchedulerStatisticsCollector::SchedulerStatisticsCollector(const ResourceTable &resources)
    : resources_(resources), usage_(resources.size()) {
  if (!resources.model().hasExtraProcessorInfo())
    return;
  loadQueue_ = resources.model().getExtraProcessorInfo().LoadQueueID;
  storeQueue_ = resources.model().getExtraProcessorInfo().StoreQueueID;
}

void SchedulerStatisticsCollector::onDispatched(uint64_t id, bool mayLoad, bool mayStore) {
  if (loadQueue_ && mayLoad)
    usage_[loadQueue_].now += std::exchange(lastLoad_, id) != id;
  if (storeQueue_ && mayStore)
    usage_[storeQueue_].now += std::exchange(lastStore_, id) != id;
}

void SchedulerStatisticsCollector::onExecuted(bool mayLoad, bool mayStore) {
  if (loadQueue_ && mayLoad)
    --usage_[loadQueue_].now;
  if (storeQueue_ && mayStore)
    --usage_[storeQueue_].now;
}

void SchedulerStatisticsCollector::addToBuffers(uint64_t buffers, uint32_t change) {
  forEachBit(buffers, [&](unsigned index) {
    const unsigned resource = resources_.resourceOf(bitOf(index));
    if (resource != loadQueue_ && resource != storeQueue_)
      usage_[resource].now += change;
  });
}

void SchedulerStatisticsCollector::onCyclesEnd(int64_t cycles) {
  cycles_ += static_cast<uint32_t>(cycles);
  for (Usage &usage : usage_) {
    usage.sum += uint64_t(usage.now) * static_cast<uint64_t>(cycles);
    usage.max = std::max(usage.max, usage.now);
  }
  histogram_.add(issued_, cycles);
}

SchedulerStatistics SchedulerStatisticsCollector::finish() const {
  SchedulerStatistics statistics{.cycles = cycles_, .microOps = histogram_.finish()};
  for (const auto [resource, usage] : llvm::enumerate(usage_)) {
    statistics.anyBufferUsed |= usage.max > 0;
    const llvm::MCProcResourceDesc &description = resources_.describe(static_cast<unsigned>(resource));
    if (description.BufferSize > 0)
      statistics.buffers.push_back(
          {description.Name, static_cast<uint32_t>(description.BufferSize), usage.max, usage.sum});
  }
  return statistics;
}

RetireStatisticsCollector::RetireStatisticsCollector(const llvm::MCSchedModel &model) {
  statistics_.entries = model.MicroOpBufferSize;
  if (model.hasExtraProcessorInfo() && model.getExtraProcessorInfo().ReorderBufferSize)
    statistics_.entries = model.getExtraProcessorInfo().ReorderBufferSize;
}

void RetireStatisticsCollector::onCyclesEnd(int64_t cycles) {
  statistics_.cycles += static_cast<uint32_t>(cycles);
  histogram_.add(retired_, cycles);
  statistics_.maxUsed = std::max(statistics_.maxUsed, used_);
  statistics_.sumOfCycles += used_ * static_cast<uint32_t>(cycles);
}

RetireStatistics RetireStatisticsCollector::finish() {
  statistics_.instructions = histogram_.finish();
  return std::move(statistics_);
}

RegisterFileStatisticsCollector::RegisterFileStatisticsCollector(const llvm::MCSchedModel &model) {
  // File 0 stands for all registers; a model without register files has only this one.
  statistics_.files.emplace_back();
  if (model.hasExtraProcessorInfo()) {
    const llvm::MCExtraProcessorInfo &info = model.getExtraProcessorInfo();
    for (unsigned file = 1; file < info.NumRegisterFiles; ++file)
      statistics_.files.push_back(
          {.name = info.RegisterFiles[file].Name, .physicalRegisters = info.RegisterFiles[file].NumPhysRegs});
  }
  now_.resize(statistics_.files.size());
}

void RegisterFileStatisticsCollector::onDispatched(RegisterCounts mappings) {
  for (auto [file, now, usage] : llvm::enumerate(now_, statistics_.files)) {
    now.mappings += mappings[file];
    usage.mappings += mappings[file];
    usage.maxMappings = std::max(usage.maxMappings, now.mappings);
  }
}

void RegisterFileStatisticsCollector::onRetired(RegisterCounts mappings) {
  for (size_t file = 0; file < now_.size(); ++file)
    now_[file].mappings -= mappings[file];
}

void RegisterFileStatisticsCollector::onMoves(uint16_t file, uint32_t moves, bool eliminated, uint32_t zeros) {
  RegisterFileUsage &usage = statistics_.files[file];
  usage.optimizableMoves += moves;
  usage.zeroMoves += zeros;
  now_[file].eliminated += eliminated ? moves : 0;
}

void RegisterFileStatisticsCollector::onCyclesEnd(int64_t) {
  for (auto [usage, now] : llvm::zip_equal(statistics_.files, now_)) {
    usage.maxEliminatedInCycle = std::max(usage.maxEliminatedInCycle, now.eliminated);
    usage.eliminatedMoves += std::exchange(now.eliminated, 0);
  }
}

} // namespace mca
