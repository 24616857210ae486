// The processor's resources while a region runs: which units are free, who reserved what, and which unit is next.
//
// The rules are llvm-mca 22.1's (class ResourceManager of LLVM's MCA library, and DefaultResourceStrategy for the
// choice of a unit): a unit that is taken is taken in every group that holds it; a group gives out its highest free
// unit that is next in sequence, and a round ends when none is left; uses by other groups count for the next round.
// Groups that the region asks nothing of are left out: nothing depends on them.
#pragma once

#include "mca-core/engine/time_wheel.h"
#include "mca-core/model/body.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace mca {

/// A unit that a use of a resource got. Slots number the units of all resources, see ResourceState::slots().
struct TakenUnit {
  uint32_t use = 0; ///< number of the use among those of the instruction
  uint32_t slot = 0;
  bool only = false; ///< it is the one that all instances get
};

/// The units that an instruction got.
class TakenUnits {
public:
  void clear() { count_ = 0; }
  void add(TakenUnit unit) { units_[count_++] = unit; }
  operator std::span<const TakenUnit>() const { return {units_.data(), count_}; }

private:
  std::array<TakenUnit, 64> units_; // a model has at most so many resources
  size_t count_ = 0;
};

class ResourceState {
public:
  explicit ResourceState(const ResourceTable &table);
  /// Everything free. `body` must outlive the run.
  void reset(const Body &body);

  struct Slot {
    uint16_t resource = 0; ///< in the scheduling model
    /// One bit. 0: no unit; LLVM's simulator gives that to an instruction that asks for more units than there are
    /// (ARM's cortex-a9), and it stands for a whole group that is reserved.
    uint64_t unitMask = 0;
  };
  const std::vector<Slot> &slots() const { return slots_; }

  /// Whether one of the buffers is of size 0 and its units are not free yet.
  bool isReserved(uint64_t buffers) const { return buffers & reservedBuffers_; }
  /// Whether none of the buffers is reserved or full.
  bool hasBuffers(uint64_t buffers) const { return !(buffers & (reservedBuffers_ | ~freeBuffers_)); }
  void reserveBuffers(uint64_t buffers) {
    // A buffer of size 0 makes dispatch wait until the units are free again.
    reservedBuffers_ ^= buffers & zeroBuffers_;
    for (uint64_t bits = buffers & buffered_; bits; bits &= bits - 1)
      if (--resources_[static_cast<unsigned>(std::countr_zero(bits))].freeSlots == 0)
        freeBuffers_ ^= bits & -bits;
  }
  void releaseBuffers(uint64_t buffers) {
    freeBuffers_ |= buffers;
    for (uint64_t bits = buffers & buffered_; bits; bits &= bits - 1)
      ++resources_[static_cast<unsigned>(std::countr_zero(bits))].freeSlots;
  }

  /// True when every resource that the signature needs has a free unit.
  bool canIssue(const Signature &signature) const {
    if (!signature.plain || !body_->monotone)
      return busyMask(signature) == 0;
    return !(signature.units & ~ready_);
  }
  /// The masks of what is missing; 0 when nothing is.
  uint64_t busyMask(const Signature &signature) const;
  /// Takes the units, from cycle `now` on, and lists them in `taken`: all of them, or where `OnlyChoices` those that
  /// are no resource's only one.
  template <bool OnlyChoices = false>
  void issue(const BodyInstruction &instruction, int64_t now, TakenUnits &taken) {
    taken.clear();
    if (!instruction.takesUnits)
      return issueUnusual(instruction, now, taken);
    const BodyResource *use = uses_ + instruction.resources.first;
    for (uint32_t i = 0; i < instruction.resources.count; ++i, ++use) {
      const uint32_t slot = take(use->index, use->cycles, now);
      if (!OnlyChoices || !use->onlyUnit)
        taken.add({i, slot, use->onlyUnit});
    }
  }
  /// Gives back what is free again at the start of cycle `now`. Returns whether there was anything.
  bool startCycle(int64_t now) {
    const uint64_t moment = 1ull << now % kSoon;
    const bool any = moments_ & moment;
    if (any) {
      moments_ ^= moment;
      giveBackSingles(releases_[static_cast<size_t>(now) % kSoon], now);
    }
    return wheel_.empty() ? any : giveBackOthers(now) || any;
  }
  /// The resources and groups of which a unit is free, as bits: all that a plain signature of a monotone body needs.
  uint64_t ready() const { return ready_; }
  /// The next cycle in which something may come free.
  int64_t nextRelease(int64_t now) const;

  /// Passes everything that later cycles depend on to `sink`, relative to `now`; stops when that returns false.
  template <typename Sink>
  bool describe(int64_t now, Sink &sink) const;
  /// A number that differs for most different states, and costs little.
  uint64_t fingerprint() const;

private:
  struct Resource {
    uint64_t units = 0;   ///< all of them: bits of units, or of the members of a group
    uint64_t free = 0;    ///< of a single resource
    uint64_t groups = 0;  ///< bits of the groups that hold it and that the region uses
    uint64_t next = 0;    ///< of the selection strategy: units left in this round
    uint64_t skipped = 0; ///< used by others, to be left out of the next round
    int32_t bufferSize = 0;
    uint32_t freeSlots = 0;
    uint32_t firstSlot = 0; ///< those of its units, then one for no unit
    uint32_t unitCount = 0;
    uint16_t id = 0; ///< in the scheduling model
    bool group = false;
    bool reserved = false;
    bool several = false; ///< a single resource with several units
  };

  static constexpr int64_t kSoon = 64; ///< cycles
  static constexpr int64_t kFree = INT64_MIN;

  static unsigned highestBit(uint64_t mask) { return 63 - static_cast<unsigned>(std::countl_zero(mask)); }
  static bool isBlocked(const Resource &resource) { return resource.reserved && resource.bufferSize != 0; }
  uint64_t freeOf(const Resource &resource) const {
    return resource.group ? resource.units & freeInGroups_ : resource.free;
  }
  bool isReady(const Resource &resource, unsigned units = 1) const {
    if (isBlocked(resource))
      return false;
    const uint64_t free = freeOf(resource);
    return units == 1 ? free != 0 : static_cast<unsigned>(std::popcount(free)) >= units;
  }
  void updateReady(unsigned index) {
    const uint64_t bit = 1ull << index;
    ready_ = isReady(resources_[index]) ? ready_ | bit : ready_ & ~bit;
  }
  /// The groups see that nothing of a resource is free any more.
  void takeFromGroups(uint64_t bit, uint64_t groups) {
    freeInGroups_ ^= bit;
    for (; groups; groups &= groups - 1) {
      Resource &group = resources_[static_cast<unsigned>(std::countr_zero(groups))];
      noteUse(group, bit);
      if (!(group.units & freeInGroups_))
        ready_ &= ~(groups & -groups);
    }
  }
  uint32_t slotOf(const Resource &resource, uint64_t unit) const {
    return resource.firstSlot + (unit ? static_cast<uint32_t>(std::countr_zero(unit)) : resource.unitCount);
  }
  uint64_t select(Resource &resource) const {
    const uint64_t free = freeOf(resource);
    uint64_t candidates = free & resource.next;
    if (!candidates) {
      resource.next = resource.units ^ resource.skipped;
      resource.skipped = 0;
      candidates = free & resource.next;
      if (!candidates) {
        resource.next = resource.units;
        candidates = free;
      }
    }
    const uint64_t unit = 1ull << highestBit(candidates);
    resource.next &= unit | (unit - 1);
    return unit;
  }
  /// Without branches: they could not be predicted.
  static void noteUse(Resource &resource, uint64_t unit) {
    const bool wasSkipped = unit > resource.next;
    const uint64_t skipped = resource.skipped | (wasSkipped ? unit : 0);
    const uint64_t next = wasSkipped ? resource.next : resource.next & ~unit;
    const bool newRound = !wasSkipped && !next;
    resource.next = newRound ? resource.units ^ skipped : next;
    resource.skipped = newRound ? 0 : skipped;
  }
  uint32_t take(unsigned index, uint32_t cycles, int64_t now) {
    // A group hands on to one of its members.
    while (!(unitMask_ >> index & 1))
      index = highestBit(select(resources_[index]));
    const uint64_t bit = 1ull << index;
    Resource &resource = resources_[index];
    if (!(singles_ & ready_ & bit) || cycles >= kSoon)
      return takeOther(resource, index, cycles, now);
    // The only unit of a resource, free and soon free again.
    resource.free = 0;
    ready_ &= ~bit;
    takeFromGroups(bit, resource.groups);
    until_[resource.firstSlot] = now + cycles;
    const auto moment = static_cast<size_t>(now + cycles) % kSoon;
    releases_[moment] = (moments_ >> moment & 1 ? releases_[moment] : 0) | bit;
    moments_ |= 1ull << moment;
    return resource.firstSlot;
  }
  uint32_t takeOther(Resource &resource, unsigned index, uint32_t cycles, int64_t now);
  void giveBackSingles(uint64_t resources, int64_t now) {
    if (extended_ || !body_->monotone)
      return giveBackUnusual(resources, now);
    uint64_t groups = 0;
    for (uint64_t bits = resources; bits; bits &= bits - 1) {
      Resource &resource = resources_[static_cast<unsigned>(std::countr_zero(bits))];
      until_[resource.firstSlot] = kFree;
      resource.free = 1;
      groups |= resource.groups;
    }
    freeInGroups_ ^= resources;
    ready_ |= resources | groups;
    reservedBuffers_ ^= resources & zeroBuffers_;
  }
  void giveBackUnusual(uint64_t resources, int64_t now);
  bool giveBackOthers(int64_t now);
  void giveBack(uint32_t slot);
  void reserve(const BodyResource &use, int64_t now);
  void unreserve(unsigned index);
  void holdUntil(uint32_t slot, int64_t now, uint32_t cycles);
  void issueUnusual(const BodyInstruction &instruction, int64_t now, TakenUnits &taken);
  void issueOverlapping(const BodyInstruction &instruction, int64_t now, TakenUnits &taken);
  uint64_t busyInOverlap(const Signature &signature, uint64_t consumed) const;

  const Body *body_ = nullptr;
  const BodyResource *uses_ = nullptr; ///< the body's
  std::vector<Resource> resources_;    // by state index
  std::vector<Resource> initial_;
  std::vector<Slot> slots_;
  std::vector<uint8_t> resourceOfSlot_;
  std::vector<int64_t> until_; ///< by slot: when it comes free; kFree
  /// Single units that come free, as bits of their resources: by cycle, for those that soon will. Valid where the
  /// cycle's bit in moments_ is set.
  std::array<uint64_t, kSoon> releases_{};
  uint64_t moments_ = 0;
  bool extended_ = false;     ///< some unit has been held for longer than it was taken for
  TimeWheel wheel_;           ///< slots of everything else
  uint64_t singles_ = 0;      ///< bits of resources with one unit
  uint64_t zeroBuffers_ = 0;  ///< bits of resources with a buffer of size 0
  uint64_t ready_ = 0;        ///< bits of resources with a free unit, and of used groups; reservations aside
  uint64_t freeInGroups_ = 0; ///< bits of resources that their groups see as free
  uint64_t unitMask_ = 0;     ///< bits of resources that are no groups
  uint64_t strategies_ = 0;   ///< bits of resources whose choice of a unit matters
  uint64_t reservedGroups_ = 0;
  uint64_t reservedBuffers_ = 0;
  uint64_t freeBuffers_ = ~0ull;
  uint64_t buffered_ = 0;                                        ///< bits of resources whose buffer has a size
  mutable std::vector<std::pair<uint64_t, unsigned>> available_; // scratch
};

template <typename Sink>
bool ResourceState::describe(int64_t now, Sink &sink) const {
  if (!sink(ready_) || !sink(freeInGroups_) || !sink(reservedGroups_) || !sink(reservedBuffers_) || !sink(freeBuffers_))
    return false;
  for (uint64_t bits = strategies_; bits; bits &= bits - 1) {
    const Resource &resource = resources_[static_cast<unsigned>(std::countr_zero(bits))];
    if (!sink(resource.free) || !sink(resource.next) || !sink(resource.skipped))
      return false;
  }
  for (uint64_t bits = buffered_; bits; bits &= bits - 1)
    if (!sink(resources_[static_cast<unsigned>(std::countr_zero(bits))].freeSlots))
      return false;
  for (uint32_t slot = 0; slot < until_.size(); ++slot)
    if (!sink(until_[slot] == kFree ? 0 : static_cast<uint64_t>(until_[slot] - now)))
      return false;
  for (const Resource &resource : resources_)
    if (!sink(resource.reserved))
      return false;
  return true;
}

} // namespace mca
