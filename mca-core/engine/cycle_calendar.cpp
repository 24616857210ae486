#include "mca-core/engine/cycle_calendar.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace mca {

void CycleCalendar::reset(std::span<const BodyResourceLimit> resources, uint32_t ports) {
  capacities_.clear();
  for (const BodyResourceLimit &resource : resources)
    capacities_.push_back(static_cast<uint16_t>(resource.ticksPerCycle));
  capacities_.insert(capacities_.end(), ports, static_cast<uint16_t>(kTicksPerUnit));
  width_ = kQueues + capacities_.size();
  window_ = kFirstWindow;
  now_ = last_ = 0;
  rows_.assign(static_cast<size_t>(window_) * width_, 0);
  full_.assign(static_cast<size_t>(window_ >> 6) * capacities_.size(), 0);
  used_.fill(0);
}

void CycleCalendar::advance() {
  std::fill_n(&rows_[rowIndex(now_)], width_, 0);
  if ((now_ & 63) == 63 && !capacities_.empty())
    std::fill_n(&full_[wordIndex(now_)], capacities_.size(), 0);
  ++now_;
  reach(now_);
  const uint16_t *const row = &rows_[rowIndex(now_)];
  for (size_t queue = 0; queue < kQueues; ++queue)
    used_[queue] -= row[queue];
}

int64_t CycleCalendar::earliest(int64_t from, std::span<const CalibratedUse> uses) {
  assert(from >= now_);
  if (uses.empty())
    return from;
  uint64_t wanted = ~uint64_t(0) << (from & 63);
  for (int64_t cycle = from & ~int64_t(63);; cycle += 64, wanted = ~uint64_t(0)) {
    // Everything behind the ring is free.
    if (cycle >= (now_ & ~int64_t(63)) + window_)
      return std::max(cycle, from);
    uint64_t full = 0;
    for (const CalibratedUse &use : uses)
      full |= full_[wordIndex(cycle) + use.resource];
    if (const uint64_t free = ~full & wanted)
      return cycle + std::countr_zero(free);
  }
}

void CycleCalendar::fill(int64_t cycle, CalibratedUse use) {
  const uint32_t capacity = capacities_[use.resource];
  while (use.ticks) {
    reach(cycle);
    uint16_t &taken = rows_[rowIndex(cycle) + kQueues + use.resource];
    const uint32_t ticks = std::min(use.ticks, capacity - taken);
    taken = static_cast<uint16_t>(taken + ticks);
    if (taken == capacity)
      full_[wordIndex(cycle) + use.resource] |= uint64_t(1) << (cycle & 63);
    use.ticks -= ticks;
    ++cycle;
  }
}

void CycleCalendar::grow(int64_t cycle) {
  const int64_t first = now_ & ~int64_t(63), oldWindow = window_;
  while (cycle >= first + window_)
    window_ *= 2;
  std::vector<uint16_t> rows(static_cast<size_t>(window_) * width_);
  std::vector<uint64_t> full(static_cast<size_t>(window_ >> 6) * capacities_.size());
  for (int64_t kept = first; kept < first + oldWindow; ++kept)
    std::copy_n(&rows_[static_cast<size_t>(kept & (oldWindow - 1)) * width_], width_, &rows[rowIndex(kept)]);
  for (int64_t kept = first; kept < first + oldWindow && !capacities_.empty(); kept += 64)
    std::copy_n(&full_[static_cast<size_t>((kept & (oldWindow - 1)) >> 6) * capacities_.size()], capacities_.size(),
                &full[wordIndex(kept)]);
  rows_ = std::move(rows);
  full_ = std::move(full);
}

/// The ticks say which cycles are full. Rows of zeros at the end do not matter.
void CycleCalendar::appendState(std::vector<int32_t> &state) const {
  state.insert(state.end(), used_.begin(), used_.end());
  for (int64_t cycle = now_; cycle <= last_; ++cycle)
    state.insert(state.end(), &rows_[rowIndex(cycle)], &rows_[rowIndex(cycle)] + width_);
  size_t kept = state.size();
  while (kept > 0 && state[kept - 1] == 0)
    --kept;
  state.resize(kept);
}

} // namespace mca
