// The collectors of the hardware statistics: -dispatch-stats, -scheduler-stats, -retire-stats, -register-file-stats.
// They count as the views of these names in llvm/tools/llvm-mca/Views do.
//
// Events arrive in the order of simulated time; onCyclesEnd() ends a cycle, which may stand for several equal ones.
// visitCounters() visits every counter that grows with time, so that the steady state can multiply one period's growth.
// describe() passes on what is in use, which belongs to the state.
#pragma once

#include "mca-core/engine/bits.h"
#include "mca-core/model/body.h"
#include "mca-core/report/report.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mca {

/// Counts the cycles by number of events in them.
struct HistogramBuilder {
  std::vector<uint32_t> cycles; ///< by number of events

  /// Ends `more` equal cycles: counts them, and sets `events` to 0.
  void add(uint32_t &events, int64_t more) {
    if (events >= cycles.size())
      cycles.resize(events + 1, 0);
    cycles[std::exchange(events, 0)] += static_cast<uint32_t>(more);
  }
  CycleHistogram finish() const {
    CycleHistogram histogram;
    for (uint32_t count = 0; count < cycles.size(); ++count)
      if (cycles[count])
        histogram.push_back({count, cycles[count]});
    return histogram;
  }
};

/// A cycle can have stalls of several kinds; llvm-mca counts each.
class DispatchStatisticsCollector {
public:
  /// `microOps`: those dispatched in this cycle, possibly only a part of the instruction's.
  void onDispatched(uint32_t microOps) { dispatched_ += microOps; }
  void onStall(DispatchStall stall) { ++stalls_[static_cast<unsigned>(stall)]; }
  void onCyclesEnd(int64_t cycles) {
    statistics_.cycles += static_cast<uint32_t>(cycles);
    for (unsigned stall = 0; stall < kDispatchStalls; ++stall)
      statistics_.stalls[stall] += std::exchange(stalls_[stall], 0) * static_cast<uint32_t>(cycles);
    histogram_.add(dispatched_, cycles);
  }
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(statistics_.cycles);
    for (uint32_t &stall : statistics_.stalls)
      visit(stall);
    visit(histogram_.cycles);
  }
  DispatchStatistics finish() {
    statistics_.microOps = histogram_.finish();
    return std::move(statistics_);
  }

private:
  DispatchStatistics statistics_;
  HistogramBuilder histogram_;
  uint32_t dispatched_ = 0;               // in this cycle
  uint32_t stalls_[kDispatchStalls] = {}; // in this cycle
};

/// Counts entries of load and store queues from dispatch to the end of execution, as SchedulerStatistics in LLVM does,
/// and entries of other buffers as the scheduler reports them.
class SchedulerStatisticsCollector {
public:
  explicit SchedulerStatisticsCollector(const ResourceTable &resources)
      : resources_(resources), usage_(resources.size()) {
    if (!resources.model().hasExtraProcessorInfo())
      return;
    loadQueue_ = resources.model().getExtraProcessorInfo().LoadQueueID;
    storeQueue_ = resources.model().getExtraProcessorInfo().StoreQueueID;
  }
  /// May be called several times for an instruction that needs several cycles to dispatch.
  void onDispatched(uint64_t id, bool mayLoad, bool mayStore) {
    if (loadQueue_ && mayLoad)
      usage_[loadQueue_].now += std::exchange(lastLoad_, id) != id;
    if (storeQueue_ && mayStore)
      usage_[storeQueue_].now += std::exchange(lastStore_, id) != id;
  }
  void onIssued(uint32_t microOps) { issued_ += microOps; }
  void onExecuted(bool mayLoad, bool mayStore) {
    if (loadQueue_ && mayLoad)
      --usage_[loadQueue_].now;
    if (storeQueue_ && mayStore)
      --usage_[storeQueue_].now;
  }
  /// `buffers`: state bits of the buffers that an instruction enters or leaves.
  void onReserved(uint64_t buffers) { addToBuffers(buffers, 1); }
  void onReleased(uint64_t buffers) { addToBuffers(buffers, ~0u); }
  void onCyclesEnd(int64_t cycles) {
    cycles_ += static_cast<uint32_t>(cycles);
    for (Usage &usage : usage_) {
      usage.sum += uint64_t(usage.now) * static_cast<uint64_t>(cycles);
      usage.max = std::max(usage.max, usage.now);
    }
    histogram_.add(issued_, cycles);
  }
  SchedulerStatistics finish() const {
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
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(cycles_);
    for (Usage &usage : usage_)
      visit(usage.sum);
    visit(histogram_.cycles);
  }
  template <typename Sink>
  bool describe(Sink &sink) const {
    return llvm::all_of(usage_, [&](const Usage &usage) { return sink(usage.now); });
  }

private:
  struct Usage {
    uint32_t now = 0;
    uint32_t max = 0;
    uint64_t sum = 0;
  };
  void addToBuffers(uint64_t buffers, uint32_t change) {
    forEachBit(buffers, [&](unsigned index) {
      const unsigned resource = resources_.resourceOf(bitOf(index));
      // These two are counted by loads and stores in flight instead.
      if (resource != loadQueue_ && resource != storeQueue_)
        usage_[resource].now += change;
    });
  }

  const ResourceTable &resources_;
  unsigned loadQueue_ = 0; // resource; 0: none
  unsigned storeQueue_ = 0;
  // An instruction of several cycles of dispatch is reported in each, and enters its queue once.
  uint64_t lastLoad_ = ~0ull; // the last instance that entered the load queue
  uint64_t lastStore_ = ~0ull;
  std::vector<Usage> usage_; // by resource
  HistogramBuilder histogram_;
  uint32_t issued_ = 0; // in this cycle
  uint32_t cycles_ = 0;
};

/// Entries of the reorder buffer are micro-ops, and are in use from dispatch to retirement.
class RetireStatisticsCollector {
public:
  explicit RetireStatisticsCollector(const llvm::MCSchedModel &model) {
    statistics_.entries = model.MicroOpBufferSize;
    if (model.hasExtraProcessorInfo() && model.getExtraProcessorInfo().ReorderBufferSize)
      statistics_.entries = model.getExtraProcessorInfo().ReorderBufferSize;
  }
  void onDispatched(uint32_t microOps) { used_ += microOps; }
  void onRetired(uint32_t microOps) {
    used_ -= microOps;
    ++retired_;
  }
  void onCyclesEnd(int64_t cycles) {
    statistics_.cycles += static_cast<uint32_t>(cycles);
    histogram_.add(retired_, cycles);
    statistics_.maxUsed = std::max(statistics_.maxUsed, used_);
    statistics_.sumOfCycles += used_ * static_cast<uint32_t>(cycles);
  }
  RetireStatistics finish() {
    statistics_.instructions = histogram_.finish();
    return std::move(statistics_);
  }
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(statistics_.cycles);
    visit(statistics_.sumOfCycles);
    visit(histogram_.cycles);
  }
  template <typename Sink>
  bool describe(Sink &sink) const {
    return sink(used_);
  }

private:
  RetireStatistics statistics_;
  HistogramBuilder histogram_;
  uint32_t used_ = 0;
  uint32_t retired_ = 0; // in this cycle
};

/// Physical registers are in use from the dispatch of the definition to its retirement. Eliminated moves have none.
class RegisterFileStatisticsCollector {
public:
  explicit RegisterFileStatisticsCollector(const llvm::MCSchedModel &model) {
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
  /// `mappings`: physical registers that an instruction allocates or frees.
  void onDispatched(RegisterCounts mappings) {
    for (auto [file, now, usage] : llvm::enumerate(now_, statistics_.files)) {
      now.mappings += mappings[file];
      usage.mappings += mappings[file];
      usage.maxMappings = std::max(usage.maxMappings, now.mappings);
    }
  }
  void onRetired(RegisterCounts mappings) {
    for (size_t file = 0; file < now_.size(); ++file)
      now_[file].mappings -= mappings[file];
  }
  /// An instruction with `moves` moves that renaming may eliminate; `zeros` of them forward a known zero.
  void onMoves(uint16_t file, uint32_t moves, bool eliminated, uint32_t zeros) {
    RegisterFileUsage &usage = statistics_.files[file];
    usage.optimizableMoves += moves;
    usage.zeroMoves += zeros;
    now_[file].eliminated += eliminated ? moves : 0;
  }
  void onCyclesEnd(int64_t) {
    for (auto [usage, now] : llvm::zip_equal(statistics_.files, now_)) {
      usage.maxEliminatedInCycle = std::max(usage.maxEliminatedInCycle, now.eliminated);
      usage.eliminatedMoves += std::exchange(now.eliminated, 0);
    }
  }
  RegisterFileStatistics finish() { return std::move(statistics_); }
  template <typename Visit>
  void visitCounters(Visit &visit) {
    for (RegisterFileUsage &usage : statistics_.files) {
      visit(usage.mappings);
      visit(usage.optimizableMoves);
      visit(usage.eliminatedMoves);
      visit(usage.zeroMoves);
    }
  }
  template <typename Sink>
  bool describe(Sink &sink) const {
    return llvm::all_of(now_, [&](const Now &now) { return sink(now.mappings); });
  }

private:
  struct Now {
    uint32_t mappings = 0;
    uint32_t eliminated = 0; // in this cycle
  };
  RegisterFileStatistics statistics_;
  std::vector<Now> now_; // by register file
};

} // namespace mca
