// What is reserved in the cycles from now on: resources, and the entries of queues that become free.
//
// A ring of cycles, which grows as far as reservations go. A bit for each resource and cycle says that the cycle is
// full, so that a search passes 64 full cycles at a time.
#pragma once

#include "mca-core/model/calibrated_body.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

class CycleCalendar {
public:
  enum Queue : uint32_t { ReorderBuffer, Scheduler, VectorScheduler, LoadQueue, StoreQueue, kQueues };

  /// Starts at cycle 0 with everything free. The ports are resources of one unit, numbered after the others.
  void reset(std::span<const BodyResourceLimit> resources, uint32_t ports);

  int64_t now() const { return now_; }
  /// The last cycle with a reservation, or now.
  int64_t last() const { return last_; }
  /// Passes on to the next cycle. Entries that leave in it are free.
  void advance();

  uint32_t used(Queue queue) const { return used_[queue]; }
  /// Takes entries of a queue now, until they become free in the cycle `free`, which is later than now.
  void occupy(Queue queue, uint32_t entries, int64_t free) {
    assert(free > now_);
    reach(free);
    used_[queue] += entries;
    uint16_t &leaving = rows_[rowIndex(free) + queue];
    leaving = static_cast<uint16_t>(leaving + entries);
  }

  /// Returns the first cycle, not before `from`, in which each of the resources has room; `from` is not before now.
  int64_t earliest(int64_t from, std::span<const CalibratedUse> uses);
  /// Takes what the instruction uses, from this cycle on: what does not fit goes into the next cycles with room.
  void take(int64_t cycle, std::span<const CalibratedUse> uses) {
    for (const CalibratedUse &use : uses)
      take(cycle, use);
  }
  void take(int64_t cycle, CalibratedUse use) {
    reach(cycle);
    uint16_t &taken = rows_[rowIndex(cycle) + kQueues + use.resource];
    if (const uint32_t sum = taken + use.ticks; sum < capacities_[use.resource])
      taken = static_cast<uint16_t>(sum);
    else
      fill(cycle, use);
  }
  /// Ticks of a resource that are taken in this cycle.
  uint32_t taken(int64_t cycle, uint32_t resource) const { return rows_[rowIndex(cycle) + kQueues + resource]; }
  bool isFull(int64_t cycle, uint32_t resource) const { return full_[wordIndex(cycle) + resource] >> (cycle & 63) & 1; }

  /// Appends everything that matters from now on, without the time itself.
  void appendState(std::vector<int32_t> &state) const;

private:
  size_t rowIndex(int64_t cycle) const { return static_cast<size_t>(cycle & (window_ - 1)) * width_; }
  size_t wordIndex(int64_t cycle) const {
    return static_cast<size_t>((cycle & (window_ - 1)) >> 6) * capacities_.size();
  }
  void reach(int64_t cycle) {
    if (cycle >= (now_ & ~int64_t(63)) + window_)
      grow(cycle);
    last_ = std::max(last_, cycle);
  }
  void grow(int64_t cycle);
  /// Takes what fills up the cycle.
  void fill(int64_t cycle, CalibratedUse use);

  static constexpr int64_t kFirstWindow = 1024; // cycles
  std::vector<uint16_t> capacities_;            // ticks
  size_t width_ = 0;                            // of a row: queues, then resources
  int64_t window_ = 0;                          // cycles; a power of two
  int64_t now_ = 0, last_ = 0;
  std::vector<uint16_t> rows_; // by cycle: entries that leave queues, then ticks taken
  std::vector<uint64_t> full_; // by 64 cycles: a word for each resource
  std::array<uint32_t, kQueues> used_{};
};

} // namespace mca
