// Counts the units in use of resources whose units are interchangeable.
//
// If every use takes one unit, any of them, and releases it soon, timing depends only on how many units are taken. Each
// such component has a four-bit lane of one word, so that one addition checks all lanes of an instruction, and a ring
// holds the releases of the next 64 cycles.
#pragma once

#include "mca-core/engine/bits.h"
#include "mca-core/engine/time_wheel.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mca {

class CountedUnits {
public:
  static constexpr uint32_t kMaxUnits = 7;    ///< that a lane can count
  static constexpr int64_t kReleaseRing = 64; ///< cycles; every hold must be shorter
  static constexpr unsigned kMaxLanes = 16;

  void reset() {
    used_ = oneCycleHolds_ = releaseCycles_ = 0;
    releases_.fill(0);
    lanes_ = 0;
  }
  bool hasLane() const { return lanes_ != kMaxLanes; }
  /// Adds a component with at most kMaxUnits units. Returns the word that stands for one of its units.
  uint64_t addLane(size_t units) {
    const uint64_t unit = 1ull << kLaneBits * lanes_++;
    used_ += unit * (kMaxUnits - units);
    return unit;
  }

  /// Whether there are free units; `units` is a sum of words that addLane() returned.
  bool areFree(uint64_t units) const { return !((used_ + units) & kFullLanes); }
  /// Takes units. Those in `oneCycle` are released at the start of the next cycle, the caller passes the others to
  /// releaseAt().
  void take(uint64_t units, uint64_t oneCycle) {
    used_ += units;
    oneCycleHolds_ += oneCycle;
  }
  void releaseAt(int64_t cycle, uint64_t units) {
    const auto slot = static_cast<size_t>(cycle) % kReleaseRing;
    releases_[slot] += units;
    releaseCycles_ |= 1ull << slot;
  }
  /// Releases the units that are free again at the start of cycle `now`. Returns whether there are any.
  bool startCycle(int64_t now) {
    bool any = oneCycleHolds_ != 0;
    used_ -= std::exchange(oneCycleHolds_, 0);
    const uint64_t slot = 1ull << now % kReleaseRing;
    if (releaseCycles_ & slot) {
      releaseCycles_ ^= slot;
      used_ -= std::exchange(releases_[static_cast<size_t>(now) % kReleaseRing], 0);
      any = true;
    }
    return any;
  }
  /// Returns the next cycle after `now` with a release; TimeWheel::kNever if there is none.
  int64_t nextRelease(int64_t now) const {
    if (oneCycleHolds_)
      return now + 1;
    if (!releaseCycles_)
      return TimeWheel::kNever;
    return now + 1 + std::countr_zero(std::rotr(releaseCycles_, static_cast<int>((now + 1) % kReleaseRing)));
  }

  /// Passes everything that later cycles depend on to `sink`, relative to `now`; stops if that returns false.
  template <typename Sink>
  bool describe(int64_t now, Sink &sink) const {
    const uint64_t cycles = std::rotr(releaseCycles_, static_cast<int>(now % kReleaseRing));
    bool same = sink(used_, oneCycleHolds_, cycles);
    forEachBit(cycles, [&](unsigned slot) {
      same = same && sink(releases_[(static_cast<size_t>(now) + slot) % kReleaseRing]);
    });
    return same;
  }
  uint64_t fingerprint() const { return std::rotl(used_, 17) ^ releaseCycles_; }

private:
  static constexpr unsigned kLaneBits = 4;
  static constexpr uint64_t kFullLanes = 0x8888'8888'8888'8888ull;

  /// By lane: the units taken, plus kMaxUnits minus the number of units. The highest bit of a lane is set when more
  /// than all units are taken.
  uint64_t used_ = 0;
  uint64_t oneCycleHolds_ = 0;                    ///< of used_: units that are held for this cycle only
  uint64_t releaseCycles_ = 0;                    ///< the slots of releases_ in use
  std::array<uint64_t, kReleaseRing> releases_{}; ///< by cycle: units
  unsigned lanes_ = 0;
};

} // namespace mca
