// The rules for resource units: which unit an instruction gets, who reserves a group, and when units are free again.
//
// They are llvm-mca 22.1's (ResourceManager in LLVM's MCA library, and DefaultResourceStrategy for the choice of a
// unit). A unit that is taken is taken in every group that contains it. A group hands out its highest free unit that is
// next in sequence; a round ends when none is left, and uses through other groups count for the next round.
//
// The code favours clarity over speed, because ResourceAutomaton caches its results. It handles one component at a
// time: resources that share groups.
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// The resources of a scheduling model, by state index. Slots number the units of all resources; each resource has one
/// more slot, behind its units, that stands for no unit.
struct ProcessorResources {
  explicit ProcessorResources(const ResourceTable &table);

  struct Slot {
    uint16_t resource = 0; ///< index in the scheduling model
    /// One bit; 0 for no unit. LLVM grants no unit to an instruction that requests more units than exist (ARM's
    /// cortex-a9). The slot also records the reservation of a whole group.
    uint64_t unitMask = 0;
  };
  struct Resource {
    uint64_t units = 0; ///< bits of its units, or of a group's members
    uint32_t firstSlot = 0;
    uint32_t slots = 0;
    int32_t bufferSize = 0;
  };

  std::vector<Resource> resources;
  std::vector<Slot> slots;
  // State bits of resources:
  uint64_t groups = 0;
  uint64_t singles = 0;     ///< with one unit
  uint64_t multiUnit = 0;   ///< with several units
  uint64_t buffered = 0;    ///< with a buffer of limited size
  uint64_t zeroBuffers = 0; ///< with a buffer of size 0
};

/// The uses of one instruction in one component.
struct ResourceRequest {
  std::vector<BodyResource> uses;
  uint64_t groups = 0;      ///< state bits of groups that must not be reserved
  bool overlapping = false; ///< groups that the instruction uses share units

  bool operator==(const ResourceRequest &) const = default;
};

/// A unit that a request was granted.
struct GrantedUnit {
  uint16_t use = 0;  ///< of the request
  uint16_t slot = 0; ///< of the component
};

/// The side effects of a step.
struct ResourceEffects {
  std::vector<GrantedUnit> granted;
  uint64_t toggledBuffers = 0; ///< state bits of the buffers of size 0 that change between reserved and free
  bool released = false;       ///< something was released
};

/// The resources that a request is missing. ResourceManager::checkAvailability makes three checks in this order, and
/// stops at the first that finds a missing resource.
struct Missing {
  unsigned failedCheck = 0; ///< its number; 0: nothing is missing
  uint64_t mask = 0;
};

/// The rules of one component. A state is a sequence of words that later states depend on; its times are relative to
/// the current cycle.
class ResourceRules {
public:
  /// `component`: state bits of its resources, and of its groups that the region uses.
  ResourceRules(const ProcessorResources &processor, uint64_t component);

  size_t words() const { return words_; }
  /// By slot of the component: the processor's slot.
  std::span<const uint32_t> slots() const { return slots_; }
  /// Makes everything free.
  void start(std::span<uint64_t> state) const;
  /// Takes the request's units, even if they are not free: callers check missing() first.
  void issue(std::span<uint64_t> state, const ResourceRequest &request, ResourceEffects &effects) const;
  /// Advances to the next cycle.
  void advance(std::span<uint64_t> state, ResourceEffects &effects) const;
  Missing missing(std::span<const uint64_t> state, const ResourceRequest &request) const;
  /// Returns the state bits of the resources with a free unit.
  uint64_t ready(std::span<const uint64_t> state) const;
  /// Returns the cycles until the next release; 0 if everything is free.
  uint32_t nextRelease(std::span<const uint64_t> state) const;

private:
  // The first words of a state hold state bits of resources.
  enum Word : size_t { SeenFree, FreeSingles, Reserved, ReservedGroups, FirstOther };
  using State = std::span<uint64_t>;
  using ConstState = std::span<const uint64_t>;

  bool isBlocked(ConstState state, unsigned index) const;
  uint64_t freeOf(ConstState state, unsigned index) const;
  bool isReady(ConstState state, unsigned index, unsigned units = 1) const;
  void toggle(State state, unsigned index, uint64_t unit) const;
  uint64_t nextOf(State state, unsigned index) const;
  unsigned chooseMember(State state, unsigned group) const;
  void take(State state, const BodyResource &use, uint16_t number, ResourceEffects &effects) const;
  void leaveRounds(State state, uint64_t member) const;
  void reserve(State state, const BodyResource &use) const;
  void unreserve(State state, unsigned index, ResourceEffects &effects) const;
  void releaseUnit(State state, unsigned index, uint64_t unit) const;
  uint64_t missingInOverlap(ConstState state, const ResourceRequest &request,
                            std::vector<std::pair<uint64_t, unsigned>> &available, uint64_t consumed) const;
  uint32_t left(ConstState state, size_t slot) const { return uint32_t(state[firstTime_ + slot / 2] >> slot % 2 * 32); }
  void setLeft(State state, size_t slot, uint32_t cycles) const;
  void hold(State state, size_t slot, uint32_t cycles) const;

  const ProcessorResources &processor_;
  uint64_t component_;
  uint64_t groups_; ///< of the component
  size_t words_ = FirstOther;
  size_t firstTime_ = 0; ///< first word of the remaining cycles, two slots per word
  /// By state index, the first of two words. For several units: the free units, and those left in the round. For a
  /// group: the members left in the round, and those to leave out of the next one.
  std::array<uint8_t, 64> wordOf_{};
  std::array<uint16_t, 64> firstSlot_{}; ///< by state index: slot of the component
  std::vector<uint32_t> slots_;
};

} // namespace mca
