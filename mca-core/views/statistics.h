// Collectors of the hardware statistics: what llvm-mca shows for -dispatch-stats, -scheduler-stats, -retire-stats and
// -register-file-stats.
//
// Like the other collectors they take plain values in the order of the machine's time; onCycleEnd() ends each cycle.
#pragma once

#include "mca-core/model/resources.h"
#include "mca-core/views/report_statistics.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// Counts for each number how many cycles had it.
class HistogramBuilder {
public:
  void add(uint32_t count) {
    if (count >= cycles_.size())
      cycles_.resize(count + 1, 0);
    ++cycles_[count];
  }
  CycleHistogram finish() const;

private:
  std::vector<uint32_t> cycles_; // by count
};

class DispatchStatisticsCollector {
public:
  /// `microOps`: those that this cycle dispatches, which may be a part of the instruction's.
  void onDispatched(uint32_t microOps) { dispatched_ += microOps; }
  void onStall(DispatchStall stall) { ++statistics_.stalls[static_cast<unsigned>(stall)]; }
  void onCycleEnd() {
    ++statistics_.cycles;
    histogram_.add(dispatched_);
    dispatched_ = 0;
  }
  DispatchStatistics finish();

private:
  DispatchStatistics statistics_;
  HistogramBuilder histogram_;
  uint32_t dispatched_ = 0; // in this cycle
};

/// Load and store queues are counted from an instruction's dispatch to the end of its execution, other buffers as the
/// scheduler says.
class SchedulerStatisticsCollector {
public:
  explicit SchedulerStatisticsCollector(const ResourceTable &resources);
  /// May come several times for an instruction that takes several cycles to dispatch.
  void onDispatched(uint64_t id, bool mayLoad, bool mayStore);
  void onIssued(uint32_t microOps) { issued_ += microOps; }
  void onExecuted(bool mayLoad, bool mayStore);
  /// `resources`: those whose buffer an instruction takes an entry of, or gives one back to.
  void onReserved(std::span<const unsigned> resources) { addToBuffers(resources, 1); }
  void onReleased(std::span<const unsigned> resources) { addToBuffers(resources, -1); }
  void onCycleEnd();
  SchedulerStatistics finish() const;

private:
  struct Usage {
    uint32_t now = 0;
    uint32_t max = 0;
    uint64_t sum = 0;
  };
  void addToBuffers(std::span<const unsigned> resources, uint32_t change);

  const ResourceTable &resources_;
  unsigned loadQueue_ = 0; // resource; 0: none
  unsigned storeQueue_ = 0;
  uint64_t lastLoad_ = ~0ull; // most recent instance that entered the load queue
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
  void onCycleEnd();
  RetireStatistics finish();

private:
  RetireStatistics statistics_;
  HistogramBuilder histogram_;
  uint32_t used_ = 0;
  uint32_t retired_ = 0; // in this cycle
};

/// What became of one move that the renaming logic may eliminate.
struct MoveOutcome {
  bool eliminated = false;
  bool zero = false; ///< it passes on a register that is known to be zero
};

class RegisterFileStatisticsCollector {
public:
  explicit RegisterFileStatisticsCollector(const llvm::MCSchedModel &model);
  /// `mappings`: by register file, created for an instruction.
  void onDispatched(std::span<const unsigned> mappings);
  void onMove(unsigned registerFile, MoveOutcome outcome);
  /// `mappings`: by register file, given back by an instruction.
  void onRetired(std::span<const unsigned> mappings);
  void onCycleEnd();
  RegisterFileStatistics finish() { return std::move(statistics_); }

private:
  struct Now {
    uint32_t mappings = 0;
    uint32_t eliminated = 0; // in this cycle
  };
  RegisterFileStatistics statistics_;
  std::vector<Now> now_; // by register file
};

} // namespace mca
