// Collectors turn what happens in the simulated machine into the parts of a Report.
//
// `id` is a dynamic instance: position in the region + iteration × instructions of the region. Calls come in the order
// of the machine's time, and onCyclesEnd() ends a cycle, which may stand for several that are alike. A collector serves
// one run after another; reset() begins each.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"
#include "mca-core/views/report.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

class SummaryCollector {
public:
  void reset(const Body &body) {
    instructions_ = body.instructions.size();
    retired_.assign(instructions_, false);
    cycles_ = 0;
  }
  void onRetired(uint64_t id) {
    if (id < instructions_)
      retired_[id] = true;
  }
  void onCyclesEnd(int64_t cycles) { cycles_ += static_cast<uint64_t>(cycles); }
  uint64_t cycles() const { return cycles_; }
  /// Instances whose retirement counts.
  uint64_t watched() const { return instructions_; }
  void repeat(uint64_t cyclesThen, uint64_t times) { cycles_ += (cycles_ - cyclesThen) * times; }
  Summary finish(const Body &body, const ResourceTable &resources, uint32_t iterations, uint32_t dispatchWidth) const;

private:
  size_t instructions_ = 0;
  std::vector<uint8_t> retired_; // of the first iteration: in order, some never do
  uint64_t cycles_ = 0;
};

/// Which units the instructions hold. Uses that have no choice are known without being told.
class PressureCollector {
public:
  void reset(const Body &body, const ResourceTable &resources, const std::vector<ResourceState::Slot> &slots);
  /// A use that had a choice.
  void onTaken(uint32_t use, uint32_t slot) {
    if (logged_ == room_)
      makeRoom();
    log_[logged_++] = rows_[use] + columns_[slot];
  }
  /// A position in time.
  uint64_t mark() const { return flushed_ + logged_; }
  /// False for a time that is too long ago to be repeated.
  bool reaches(uint64_t mark) const { return mark >= flushed_; }
  /// What happened since `mark` happens `times` times more.
  void repeat(uint64_t mark, uint64_t times) { count(mark - flushed_, static_cast<uint32_t>(times)); }
  ResourcePressure finish(uint32_t iterations);

private:
  static constexpr size_t kLongestLog = 1 << 20;
  void makeRoom();
  void count(size_t from, uint32_t times);
  void flush();

  const Body *body_ = nullptr;
  const ResourceTable *resources_ = nullptr;
  const std::vector<ResourceState::Slot> *slots_ = nullptr;
  std::vector<uint32_t> firstColumns_; // by resource
  std::vector<uint32_t> columns_;      // by slot; behind those of the units there is one for no unit
  std::vector<uint32_t> rows_;         // by use: where its row begins in counts_, if it has a choice
  std::vector<uint32_t> counts_;       // how often each use got each unit
  std::vector<uint32_t> log_;          // places in counts_ that are not counted yet
  size_t logged_ = 0;                  // of the log
  size_t room_ = 0;                    // in it
  uint64_t flushed_ = 0;               // entries that are counted and gone
  uint32_t units_ = 0;
};

class TimelineCollector {
public:
  /// `maxCycles` 0: no limit. Without iterations nothing is collected.
  void reset(uint32_t instructions, uint32_t iterations, uint32_t maxCycles);
  void onDispatched(uint64_t id);
  void onReady(uint64_t id);
  void onIssued(uint64_t id);
  void onExecuted(uint64_t id);
  void onRetired(uint64_t id);
  void onCyclesEnd(int64_t cycles) { cycle_ += cycles; }
  /// Instances that have entries.
  uint64_t watched() const { return timeline_.entries.size(); }
  Timeline finish() { return std::move(timeline_); }

private:
  /// The entry of an instance that something happened to; null when it is beyond the timeline's iterations.
  TimelineEntry *touch(uint64_t id);

  uint32_t instructions_ = 0;
  int64_t maxCycles_ = 0;
  int64_t cycle_ = 0;
  Timeline timeline_;
};

} // namespace mca
