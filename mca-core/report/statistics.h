// The collectors of the hardware statistics: -dispatch-stats, -scheduler-stats, -retire-stats, -register-file-stats.
//
// Events arrive in the order of simulated time; onCyclesEnd() ends a cycle, which may stand for several equal ones.
// visitCounters() visits every counter that grows with time, so that the steady state can multiply one period's growth.
// describe() passes on what is in use, which belongs to the state.
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"
#include "mca-core/report/report.h"

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
  CycleHistogram finish() const;
};

class DispatchStatisticsCollector {
public:
  /// `microOps`: those dispatched in this cycle, possibly only a part of the instruction's.
  void onDispatched(uint32_t microOps) { dispatched_ += microOps; }
  void onStall(DispatchStall stall) { ++stalls_[static_cast<unsigned>(stall)]; }
  void onCyclesEnd(int64_t cycles);
  template <typename Visit>
  void visitCounters(Visit &visit) {
    visit(statistics_.cycles);
    for (uint32_t &stall : statistics_.stalls)
      visit(stall);
    visit(histogram_.cycles);
  }
  DispatchStatistics finish();

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
  explicit SchedulerStatisticsCollector(const ResourceTable &resources);
  /// May be called several times for an instruction that needs several cycles to dispatch.
  void onDispatched(uint64_t id, bool mayLoad, bool mayStore);
  void onIssued(uint32_t microOps) { issued_ += microOps; }
  void onExecuted(bool mayLoad, bool mayStore);
  /// `buffers`: state bits of the buffers that an instruction enters or leaves.
  void onReserved(uint64_t buffers) { addToBuffers(buffers, 1); }
  void onReleased(uint64_t buffers) { addToBuffers(buffers, ~0u); }
  void onCyclesEnd(int64_t cycles);
  SchedulerStatistics finish() const;
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
  void addToBuffers(uint64_t buffers, uint32_t change);

  const ResourceTable &resources_;
  unsigned loadQueue_ = 0; // resource; 0: none
  unsigned storeQueue_ = 0;
  uint64_t lastLoad_ = ~0ull; // the last instance that entered the load queue
  uint64_t lastStore_ = ~0ull;
  std::vector<Usage> usage_; // by resource
  HistogramBuilder histogram_;
  uint32_t issued_ = 0; // in this cycle
  uint32_t cycles_ = 0;
};

class RetireStatisticsCollector {
public:
  explicit RetireStatisticsCollector(const llvm::MCSchedModel &model);
  void onDispatched(uint32_t microOps) { used_ += microOps; }
  void onRetired(uint32_t microOps) {
    used_ -= microOps;
    ++retired_;
  }
  void onCyclesEnd(int64_t cycles);
  RetireStatistics finish();
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

class RegisterFileStatisticsCollector {
public:
  explicit RegisterFileStatisticsCollector(const llvm::MCSchedModel &model);
  /// `mappings`: physical registers that an instruction allocates or frees.
  void onDispatched(RegisterCounts mappings);
  void onRetired(RegisterCounts mappings);
  /// An instruction with `moves` moves that renaming may eliminate; `zeros` of them forward a known zero.
  void onMoves(uint16_t file, uint32_t moves, bool eliminated, uint32_t zeros);
  void onCyclesEnd(int64_t cycles);
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
