// Groups of resources side by side in one word: what a unit's being taken means to all groups that hold it, at once.
//
// Each group has a lane of 8, 16, 32 or 64 bits, all lanes of a word the same. The bits of a lane are the group's units
// in their order; its highest bit is always 0 and left for sums, which so never leave their lane. The rules of choice
// are those of llvm-mca 22.1's DefaultResourceStrategy.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace mca {

class GroupLanes {
public:
  static unsigned bitsFor(unsigned units) { return std::max(8u, std::bit_ceil(units + 1)); }

  /// `bits`: of a lane.
  explicit GroupLanes(unsigned bits) : bits_(bits) {}
  unsigned bits() const { return bits_; }
  bool isFull() const { return end_ == 64; }

  /// Adds a group, by its state index, whose units, by theirs, are all free. Returns its lane without the highest bit.
  uint64_t add(unsigned group, uint64_t members) {
    const uint64_t first = units_;
    unsigned bit = end_;
    for (; members; members &= members - 1, ++bit) {
      const auto member = static_cast<unsigned>(std::countr_zero(members));
      unitAt_[bit] = static_cast<uint8_t>(member);
      heldBy_[member] |= 1ull << bit;
      units_ |= 1ull << bit;
    }
    end_ += bits_;
    groupAt_[end_ - 1] = static_cast<uint8_t>(group);
    highest_ |= 1ull << (end_ - 1);
    rest_ = restOf(highest_);
    free_ = left_ = units_;
    return units_ ^ first;
  }

  /// Chooses a unit for the group with this lane: the highest that is free and left in the round. Returns its state
  /// index.
  unsigned choose(uint64_t lane) {
    uint64_t candidates = free_ & left_ & lane;
    if (!candidates)
      candidates = beginRound(lane);
    const auto bit = 63 - static_cast<unsigned>(std::countl_zero(candidates));
    left_ &= ~(lane & (~1ull << bit));
    return unitAt_[bit];
  }
  /// Nothing is free any more of a resource, by its state index. Returns the groups that it was the last free one of,
  /// as state bits. A `brief` one comes back with giveBackBrief().
  uint64_t take(unsigned unit, bool brief) {
    const uint64_t held = heldBy_[unit];
    free_ ^= held;
    if (brief)
      brief_ ^= held;
    leaveRound(held);
    uint64_t groups = 0;
    for (uint64_t full = lanesWith(held) & ~lanesWith(free_); full; full &= full - 1)
      groups |= 1ull << groupAt_[static_cast<unsigned>(std::countr_zero(full))];
    return groups;
  }
  /// Something is free again of a resource.
  void giveBack(unsigned unit) { free_ ^= heldBy_[unit]; }
  /// Something is free again of all that were taken briefly.
  void giveBackBrief() { free_ ^= std::exchange(brief_, 0); }

  /// The units that are left in the round of each group, and those to be left out of the next.
  uint64_t left() const { return left_; }
  uint64_t skipped() const { return skipped_; }

private:
  /// The highest bits of those lanes in which some unit's bit is set.
  uint64_t lanesWith(uint64_t units) const { return (units + rest_) & highest_; }
  /// All but the highest bits of lanes.
  uint64_t restOf(uint64_t highest) const { return highest - (highest >> (bits_ - 1)); }

  /// A unit that comes later in the round leaves it; one that has had its turn, or never had, is left out of the next.
  void leaveRound(uint64_t held) {
    const uint64_t past = restOf(highest_ & ~((left_ | highest_) - held));
    skipped_ |= held & past;
    left_ &= ~held | past;
    if (const uint64_t over = highest_ & ~lanesWith(left_)) {
      const uint64_t lanes = restOf(over);
      left_ |= (units_ ^ skipped_) & lanes;
      skipped_ &= ~lanes;
    }
  }
  uint64_t beginRound(uint64_t lane) {
    left_ = (left_ & ~lane) | ((units_ ^ skipped_) & lane);
    skipped_ &= ~lane;
    if (!(free_ & left_ & lane))
      left_ |= lane;
    return free_ & left_ & lane;
  }

  uint64_t units_ = 0;   ///< of all groups
  uint64_t highest_ = 0; ///< bits of the lanes that are used
  uint64_t rest_ = 0;    ///< their other bits
  uint64_t free_ = 0;
  uint64_t brief_ = 0; ///< not free until giveBackBrief()
  uint64_t left_ = 0, skipped_ = 0;
  unsigned bits_;
  unsigned end_ = 0;                  ///< bits that are used
  std::array<uint64_t, 64> heldBy_{}; ///< by the state index of a unit: its bit in each group that holds it
  std::array<uint8_t, 64> unitAt_{};  ///< by bit: state index
  std::array<uint8_t, 64> groupAt_{}; ///< by highest bit of a lane: state index
};

} // namespace mca
