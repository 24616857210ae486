// Counts as the statistics views in llvm/tools/llvm-mca/Views do.
#include "mca-core/report/statistics.h"

#include "llvm/MC/MCSchedule.h"

#include <algorithm>

namespace mca {

CycleHistogram HistogramBuilder::finish() const {
  CycleHistogram histogram;
  for (uint32_t count = 0; count < cycles_.size(); ++count)
    if (cycles_[count])
      histogram.push_back({count, cycles_[count]});
  return histogram;
}

DispatchStatistics DispatchStatisticsCollector::finish() {
  statistics_.microOps = histogram_.finish();
  return std::move(statistics_);
}

SchedulerStatisticsCollector::SchedulerStatisticsCollector(const ResourceTable &resources)
    : resources_(resources), usage_(resources.size()) {
  if (resources.model().hasExtraProcessorInfo()) {
    loadQueue_ = resources.model().getExtraProcessorInfo().LoadQueueID;
    storeQueue_ = resources.model().getExtraProcessorInfo().StoreQueueID;
  }
}

void SchedulerStatisticsCollector::onDispatched(uint64_t id, bool mayLoad, bool mayStore) {
  if (loadQueue_ && mayLoad && lastLoad_ != id) {
    ++usage_[loadQueue_].now;
    lastLoad_ = id;
  }
  if (storeQueue_ && mayStore && lastStore_ != id) {
    ++usage_[storeQueue_].now;
    lastStore_ = id;
  }
}

void SchedulerStatisticsCollector::onExecuted(bool mayLoad, bool mayStore) {
  if (loadQueue_ && mayLoad)
    --usage_[loadQueue_].now;
  if (storeQueue_ && mayStore)
    --usage_[storeQueue_].now;
}

void SchedulerStatisticsCollector::addToBuffers(uint64_t buffers, uint32_t change) {
  for (; buffers; buffers &= buffers - 1) {
    const unsigned resource = resources_.resourceOf(buffers & -buffers);
    if (resource != loadQueue_ && resource != storeQueue_)
      usage_[resource].now += change;
  }
}

void SchedulerStatisticsCollector::onCyclesEnd(int64_t cycles) {
  cycles_ += static_cast<uint32_t>(cycles);
  for (Usage &usage : usage_) {
    usage.sum += uint64_t(usage.now) * static_cast<uint64_t>(cycles);
    usage.max = std::max(usage.max, usage.now);
  }
  histogram_.add(issued_, cycles);
  issued_ = 0;
}

SchedulerStatistics SchedulerStatisticsCollector::finish() const {
  SchedulerStatistics statistics{.cycles = cycles_, .microOps = histogram_.finish()};
  for (unsigned resource = 0; resource < resources_.size(); ++resource) {
    const Usage &usage = usage_[resource];
    statistics.anyBufferUsed |= usage.max > 0;
    const llvm::MCProcResourceDesc &description = resources_.describe(resource);
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
  retired_ = 0;
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
  for (size_t file = 0; file < now_.size(); ++file) {
    now_[file].mappings += mappings[file];
    RegisterFileUsage &usage = statistics_.files[file];
    usage.mappings += mappings[file];
    usage.maxMappings = std::max(usage.maxMappings, now_[file].mappings);
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

void RegisterFileStatisticsCollector::onCyclesEnd() {
  for (size_t file = 0; file < now_.size(); ++file) {
    RegisterFileUsage &usage = statistics_.files[file];
    usage.maxEliminatedInCycle = std::max(usage.maxEliminatedInCycle, now_[file].eliminated);
    usage.eliminatedMoves += now_[file].eliminated;
    now_[file].eliminated = 0;
  }
}

} // namespace mca
