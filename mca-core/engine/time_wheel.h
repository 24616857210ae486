// A timer wheel: finds the items that are due in a cycle, in a ring of 256 buckets that each cover one cycle.
//
// An item further away than the length of the ring is visited too early and put back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace mca {

class TimeWheel {
public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// Removes all items. Items are numbers below `items`, each in the wheel at most once.
  void reset(std::size_t items) {
    occupied_.fill(0);
    heads_.fill(kEnd);
    if (next_.size() < items)
      next_.resize(items);
  }

  void add(int64_t time, uint32_t item) {
    const std::size_t bucket = bucketOf(time);
    next_[item] = heads_[bucket];
    heads_[bucket] = item;
    occupied_[bucket / 64] |= 1ull << bucket % 64;
  }

  /// Calls `visit` with each due item; `timeOf` returns an item's time. Cycles must be visited one by one, except those
  /// before next().
  template <typename TimeOf, typename Visit>
  void visit(int64_t now, TimeOf timeOf, Visit visit) {
    const std::size_t bucket = bucketOf(now);
    uint32_t item = heads_[bucket];
    if (item == kEnd)
      return;
    heads_[bucket] = kEnd;
    occupied_[bucket / 64] &= ~(1ull << bucket % 64);
    while (item != kEnd) {
      const uint32_t following = next_[item];
      if (const int64_t time = timeOf(item); time > now)
        add(time, item);
      else
        visit(item);
      item = following;
    }
  }

  /// Returns the next cycle after `now` that may have due items; kNever if the wheel is empty. The search ends in the
  /// word that it began in, whose lower bits stand for the farthest cycles.
  int64_t next(int64_t now) const {
    const std::size_t first = bucketOf(now + 1);
    for (std::size_t step = 0; step <= kWords; ++step) {
      const std::size_t word = (first / 64 + step) % kWords;
      uint64_t bits = occupied_[word];
      if (step == 0)
        bits &= ~0ull << first % 64;
      if (bits) {
        const std::size_t bucket = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        return now + 1 + static_cast<int64_t>((bucket - first) % kBuckets);
      }
    }
    return kNever;
  }

private:
  static constexpr std::size_t kBuckets = 256, kWords = 4;
  static constexpr uint32_t kEnd = ~0u;
  static std::size_t bucketOf(int64_t time) { return static_cast<std::size_t>(time) % kBuckets; }

  std::array<uint32_t, kBuckets> heads_;
  std::array<uint64_t, kWords> occupied_;
  std::vector<uint32_t> next_; // by item
};

} // namespace mca
