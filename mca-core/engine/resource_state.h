// The processor's resources while a region runs: which units are free, who reserved what, and which unit is next.
//
// The rules are llvm-mca 22.1's (class ResourceManager of LLVM's MCA library, and DefaultResourceStrategy for the
// choice of a unit): a unit that is taken is taken in every group that holds it; a group gives out its highest free
// unit that is next in sequence, and a round ends when none is left; uses by other groups count for the next round.
// Groups that the region asks nothing of are left out: nothing depends on them.
#pragma once

#include "mca-core/engine/group_lanes.h"
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
  uint32_t use = 0; ///< into Body::resources
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
    if (signature.plain && body_->monotone)
      return areReady(signature.units);
    if (signature.oneEach && quick_)
      return areReady(signature.units) && !(signature.groups & reservedGroups_) &&
             (!signature.overlappingGroups || hasUnitsForAll(signature));
    if (!body_->monotone)
      return busyMask(signature) == 0;
    return (extended_ || areReady(signature.units)) && busyMask(signature) == 0;
  }
  /// The masks of what is missing; 0 when nothing is.
  uint64_t busyMask(const Signature &signature) const;
  /// Takes the units, from cycle `now` on, and tells each to `onTaken(TakenUnit)`.
  template <typename OnTaken>
  void issue(const BodyInstruction &instruction, int64_t now, OnTaken onTaken) {
    if (!instruction.takesUnits) {
      taken_.clear();
      issueUnusual(instruction, now);
      for (const TakenUnit &unit : std::span<const TakenUnit>(taken_))
        onTaken(unit);
      return;
    }
    const uint32_t end = instruction.resources.first + instruction.resources.count;
    for (uint32_t use = instruction.resources.first; use != end; ++use)
      onTaken(TakenUnit{use, take(uses_[use], now), uses_[use].onlyUnit});
  }
  /// Gives back what is free again at the start of cycle `now`. Returns whether there was anything.
  bool startCycle(int64_t now) {
    const uint64_t moment = 1ull << now % kSoon;
    const bool any = brief_ || (moments_ & moment);
    if (brief_)
      giveBackBrief();
    if (moments_ & moment) {
      moments_ ^= moment;
      Releases &due = releases_[static_cast<size_t>(now) % kSoon];
      if (due.singles)
        giveBackSingles(std::exchange(due.singles, 0), now);
      if (due.places)
        giveBackPlaces(std::exchange(due.places, 0), now);
    }
    return wheel_.empty() ? any : giveBackOthers(now) || any;
  }
  /// Whether a unit is free of each of these resources and groups: all that a plain signature of a monotone body needs.
  bool areReady(uint64_t units) const { return !(units & ~ready_); }
  /// The next cycle in which something may come free.
  int64_t nextRelease(int64_t now) const;

  /// Passes everything that later cycles depend on to `sink`, relative to `now`; stops when that returns false.
  template <typename Sink>
  bool describe(int64_t now, Sink &sink) const;
  /// A number that differs for most different states, and costs little.
  uint64_t fingerprint() const;

private:
  struct Resource {
    uint64_t units = 0;  ///< all of them: bits of units, or of the members of a group
    uint64_t self = 0;   ///< its state bit
    uint64_t free = 0;   ///< of several units
    uint64_t brief = 0;  ///< of several units: those taken for this cycle alone
    uint64_t groups = 0; ///< bits of the groups that hold it and that the region uses
    uint64_t next = 0;   ///< of several units: those left in this round
    uint64_t lane = 0;   ///< of a group that the region uses, see GroupLanes
    int32_t bufferSize = 0;
    uint32_t freeSlots = 0;
    uint32_t firstSlot = 0; ///< those of its units, then one for no unit
    uint32_t unitCount = 0;
    uint16_t id = 0;              ///< in the scheduling model
    uint8_t firstPlace = 0;       ///< of several units: see Releases
    uint8_t lanes = 0;            ///< of a group: 0 in smallGroups_, else into furtherGroups_ and one more
    bool inFurtherGroups = false; ///< one of the groups that hold it is not in smallGroups_
    bool group = false;
    bool reserved = false;
    bool several = false; ///< a single resource with several units
  };

  /// A use of a resource as it is taken: one of Body::resources.
  struct Use {
    uint64_t lane = 0; ///< of a group
    uint32_t cycles = 0;
    uint8_t lanes = 0; ///< of a group, as Resource::lanes
    uint8_t index = 0;
    bool onlyUnit = false;
  };

  /// What comes free in a cycle, of what soon will.
  struct Releases {
    uint64_t singles = 0; ///< bits of resources with one unit
    uint64_t places = 0;  ///< of resources with several: bits of their units, which stand side by side
  };

  static constexpr int64_t kSoon = 64;      ///< cycles
  static constexpr unsigned kSmallLane = 8; ///< bits: for groups of up to seven units

  static unsigned highestBit(uint64_t mask) { return 63 - static_cast<unsigned>(std::countl_zero(mask)); }
  static bool isBlocked(const Resource &resource) { return resource.reserved && resource.bufferSize != 0; }
  uint64_t freeOf(const Resource &resource) const {
    if (resource.several)
      return resource.free;
    return resource.group ? resource.units & freeInGroups_ : uint64_t((freeSingles_ & resource.self) != 0);
  }
  bool isReady(const Resource &resource, unsigned units = 1) const {
    if (isBlocked(resource))
      return false;
    const uint64_t free = freeOf(resource);
    return units == 1 ? free != 0 : !units || static_cast<unsigned>(std::popcount(free)) >= units;
  }
  /// Takes a free unit or gives it back; 0 is no unit.
  void toggle(Resource &resource, uint64_t unit) {
    if (resource.several)
      resource.free ^= unit;
    else if (unit)
      freeSingles_ ^= resource.self;
  }
  void updateReady(unsigned index) {
    const uint64_t bit = 1ull << index;
    ready_ = isReady(resources_[index]) ? ready_ | bit : ready_ & ~bit;
  }
  /// The groups see that nothing of a resource is free any more.
  void takeFromGroups(const Resource &resource, unsigned index, bool brief) {
    freeInGroups_ ^= resource.self;
    if (!resource.groups)
      return;
    ready_ &= ~smallGroups_.take(index, brief);
    if (resource.inFurtherGroups)
      for (GroupLanes &lanes : furtherGroups_)
        ready_ &= ~lanes.take(index, brief);
  }
  void giveToGroups(const Resource &resource, unsigned index) {
    smallGroups_.giveBack(index);
    if (resource.inFurtherGroups)
      for (GroupLanes &lanes : furtherGroups_)
        lanes.giveBack(index);
  }
  /// The unit that a group hands on to.
  unsigned choose(const Use &use) {
    return use.lanes ? furtherGroups_[use.lanes - 1].choose(use.lane) : smallGroups_.choose(use.lane);
  }
  uint32_t slotOf(const Resource &resource, uint64_t unit) const {
    return resource.firstSlot + (unit ? static_cast<uint32_t>(std::countr_zero(unit)) : resource.unitCount);
  }
  /// The unit of a resource with several that is next. Nobody else uses them: each round is of all units.
  static uint64_t choose(Resource &resource) {
    if (!(resource.free & resource.next))
      resource.next = resource.units;
    const uint64_t unit = 1ull << highestBit(resource.free & resource.next);
    resource.next &= unit - 1;
    if (!resource.next)
      resource.next = resource.units;
    return unit;
  }
  /// The usual case: something is free, and taken for this cycle alone.
  uint32_t takeBriefly(Resource &resource, unsigned index) {
    const uint64_t bit = resource.self;
    brief_ |= bit;
    briefGroups_ |= resource.groups;
    uint32_t number = 0;
    if (singles_ & bit) {
      freeSingles_ ^= bit;
    } else {
      const uint64_t unit = choose(resource);
      number = static_cast<uint32_t>(std::countr_zero(unit));
      resource.free ^= unit;
      resource.brief |= unit;
    }
    if (!resource.free) {
      ready_ ^= bit;
      takeFromGroups(resource, index, true);
    }
    return resource.firstSlot + number;
  }
  uint32_t take(const Use &use, int64_t now) {
    const unsigned index = use.lane ? choose(use) : use.index;
    Resource &resource = resources_[index];
    const uint64_t bit = resource.self;
    if (use.cycles == 1 && (quick_ & ready_ & bit))
      return takeBriefly(resource, index);
    if (use.cycles >= kSoon || !((singles_ | placed_) & ready_ & bit))
      return takeOther(resource, index, use.cycles, now);
    // Something is free, and soon will be again.
    const auto moment = static_cast<size_t>(now + use.cycles) % kSoon;
    moments_ |= 1ull << moment;
    uint32_t number = 0;
    if (singles_ & bit) {
      freeSingles_ ^= bit;
      releases_[moment].singles |= bit;
    } else {
      const uint64_t unit = choose(resource);
      number = static_cast<uint32_t>(std::countr_zero(unit));
      resource.free ^= unit;
      releases_[moment].places |= unit << resource.firstPlace;
    }
    if (!resource.free) {
      ready_ &= ~bit;
      takeFromGroups(resource, index, resource.brief != 0);
    }
    const uint32_t slot = resource.firstSlot + number;
    until_[slot] = now + use.cycles;
    return slot;
  }
  uint32_t takeOther(Resource &resource, unsigned index, uint32_t cycles, int64_t now);
  void giveBackBrief() {
    smallGroups_.giveBackBrief();
    for (GroupLanes &lanes : furtherGroups_)
      lanes.giveBackBrief();
    uint64_t full = brief_ & singles_;
    freeSingles_ |= full;
    for (uint64_t bits = brief_ ^ full; bits; bits &= bits - 1) {
      Resource &resource = resources_[static_cast<unsigned>(std::countr_zero(bits))];
      if (!resource.free)
        full |= resource.self;
      resource.free |= std::exchange(resource.brief, 0);
    }
    freeInGroups_ ^= full;
    ready_ |= std::exchange(brief_, 0) | std::exchange(briefGroups_, 0);
    reservedBuffers_ ^= full & zeroBuffers_;
  }
  void giveBackSingles(uint64_t resources, int64_t now) {
    if (!quick_)
      return giveBackUnusual(resources, now);
    uint64_t groups = 0;
    for (uint64_t bits = resources; bits; bits &= bits - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(bits));
      const Resource &resource = resources_[index];
      groups |= resource.groups;
      if (resource.groups)
        giveToGroups(resource, index);
    }
    freeSingles_ |= resources;
    freeInGroups_ ^= resources;
    ready_ |= resources | groups;
    reservedBuffers_ ^= resources & zeroBuffers_;
  }
  void giveBackUnusual(uint64_t resources, int64_t now);
  void giveBackPlaces(uint64_t places, int64_t now) {
    for (; places; places &= places - 1) {
      const auto place = static_cast<unsigned>(std::countr_zero(places));
      const unsigned index = resourceAt_[place];
      Resource &resource = resources_[index];
      const unsigned unit = place - resource.firstPlace;
      if (extended_ && until_[resource.firstSlot + unit] > now) {
        wheel_.add(until_[resource.firstSlot + unit], resource.firstSlot + unit);
        continue;
      }
      if (!resource.free) {
        freeInGroups_ ^= 1ull << index;
        ready_ |= 1ull << index | resource.groups;
        giveToGroups(resource, index);
      }
      resource.free |= 1ull << unit;
      reservedBuffers_ ^= 1ull << index & zeroBuffers_;
    }
  }
  bool giveBackOthers(int64_t now);
  void giveBack(uint32_t slot);
  void reserve(const BodyResource &use, int64_t now);
  void unreserve(unsigned index);
  void holdUntil(uint32_t slot, int64_t now, uint32_t cycles);
  void addGroup(unsigned index);
  void addPlaces(uint64_t resources);
  void issueUnusual(const BodyInstruction &instruction, int64_t now);
  void issueOverlapping(const BodyInstruction &instruction, int64_t now);
  void takeFor(uint32_t use, int64_t now) { taken_.add({use, take(uses_[use], now), uses_[use].onlyUnit}); }
  bool hasUnitsForAll(const Signature &signature) const;
  uint64_t busyInOverlap(const Signature &signature, uint64_t consumed) const;

  const Body *body_ = nullptr;
  std::vector<Use> uses_; // as Body::resources
  // The groups that the region uses: a word of small ones, and as many more as are needed.
  GroupLanes smallGroups_{kSmallLane};
  std::vector<GroupLanes> furtherGroups_;
  std::vector<Resource> resources_; // by state index
  std::vector<Resource> initial_;
  std::vector<Slot> slots_;
  std::vector<uint8_t> resourceOfSlot_;
  std::vector<int64_t> until_; ///< by slot: the cycle in which it comes free
  /// By cycle, for what soon comes free. Those that are not empty have a bit in moments_.
  std::array<Releases, kSoon> releases_{};
  uint64_t moments_ = 0;
  std::array<uint8_t, 64> resourceAt_{}; ///< by place: state index
  uint64_t placed_ = 0;                  ///< bits of resources with several units that have places
  bool extended_ = false;                ///< some unit has been held for longer than it was taken for
  TimeWheel wheel_;                      ///< slots of everything else
  uint64_t singles_ = 0;                 ///< bits of resources with one unit
  uint64_t quick_ = 0;                   ///< bits of resources of which a unit may be taken briefly
  uint64_t freeSingles_ = 0;             ///< bits of resources whose only unit is free
  uint64_t brief_ = 0;                   ///< bits of resources of which something is taken for this cycle alone
  uint64_t briefGroups_ = 0;             ///< bits of the groups that hold these
  uint64_t zeroBuffers_ = 0;             ///< bits of resources with a buffer of size 0
  uint64_t ready_ = 0;                   ///< bits of resources with a free unit, and of used groups; reservations aside
  uint64_t freeInGroups_ = 0;            ///< bits of resources that their groups see as free
  uint64_t unitMask_ = 0;                ///< bits of resources that are no groups
  uint64_t several_ = 0;                 ///< bits of resources with several units
  uint64_t reservedGroups_ = 0;
  uint64_t reservedBuffers_ = 0;
  uint64_t freeBuffers_ = ~0ull;
  uint64_t buffered_ = 0;                                        ///< bits of resources whose buffer has a size
  TakenUnits taken_;                                             // scratch
  mutable std::vector<std::pair<uint64_t, unsigned>> available_; // scratch
};

template <typename Sink>
bool ResourceState::describe(int64_t now, Sink &sink) const {
  if (!sink(ready_) || !sink(freeInGroups_) || !sink(reservedGroups_) || !sink(reservedBuffers_) || !sink(freeBuffers_))
    return false;
  if (!sink(smallGroups_.left()) || !sink(smallGroups_.skipped()))
    return false;
  for (const GroupLanes &lanes : furtherGroups_)
    if (!sink(lanes.left()) || !sink(lanes.skipped()))
      return false;
  for (uint64_t bits = several_; bits; bits &= bits - 1) {
    const Resource &resource = resources_[static_cast<unsigned>(std::countr_zero(bits))];
    if (!sink(resource.free) || !sink(resource.next))
      return false;
  }
  for (uint64_t bits = buffered_; bits; bits &= bits - 1)
    if (!sink(resources_[static_cast<unsigned>(std::countr_zero(bits))].freeSlots))
      return false;
  for (uint32_t slot = 0; slot < until_.size(); ++slot)
    if (!sink(static_cast<uint64_t>(std::max<int64_t>(0, until_[slot] - now))))
      return false;
  for (const Resource &resource : resources_)
    if (!sink(resource.reserved))
      return false;
  return true;
}

} // namespace mca
