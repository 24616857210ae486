// What happens to the units of a processor when instructions take them: which one is next, who reserved what, and when
// each is free again.
//
// The rules are llvm-mca 22.1's (class ResourceManager of LLVM's MCA library, and DefaultResourceStrategy for the
// choice of a unit): a unit that is taken is taken in every group that holds it; a group gives out its highest free
// unit that is next in sequence, and a round ends when none is left; uses by other groups count for the next round.
//
// They are written for clarity and work on one component, resources that share groups. ResourceAutomaton remembers
// what they say.
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/model/resources.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// What a scheduling model says of its resources, by state index. Slots number the units of all resources; behind those
/// of each resource comes one for no unit.
struct ProcessorResources {
  explicit ProcessorResources(const ResourceTable &table);

  struct Slot {
    uint16_t resource = 0; ///< in the scheduling model
    /// One bit. 0: no unit; LLVM's simulator gives that to an instruction that asks for more units than there are
    /// (ARM's cortex-a9), and it stands for a whole group that is reserved.
    uint64_t unitMask = 0;
  };
  struct Resource {
    uint64_t units = 0; ///< bits of its units, or of the members of a group
    uint32_t firstSlot = 0;
    uint32_t slots = 0;
    int32_t bufferSize = 0;
  };

  std::vector<Resource> resources;
  std::vector<Slot> slots;
  // State bits of resources
  uint64_t groups = 0;
  uint64_t singles = 0;     ///< with one unit
  uint64_t several = 0;     ///< with several units
  uint64_t buffered = 0;    ///< whose buffer has a size
  uint64_t zeroBuffers = 0; ///< with a buffer of size 0
};

/// What an instruction asks of one component.
struct ResourceRequest {
  std::vector<BodyResource> uses;
  uint64_t groups = 0;      ///< state bits of groups that must not be reserved
  bool overlapping = false; ///< groups of the instruction share units

  bool operator==(const ResourceRequest &) const = default;
};

/// A unit that a request got.
struct GrantedUnit {
  uint16_t use = 0;  ///< of the request
  uint16_t slot = 0; ///< of the component
};

/// What the step from one state to the next does beside.
struct ResourceEffects {
  std::vector<GrantedUnit> granted;
  uint64_t toggledBuffers = 0; ///< of size 0: state bits of those that change between reserved and not
  bool released = false;       ///< something has come free
};

/// What a request finds missing. LLVM's simulator asks three questions one after the other, and stops at the first one
/// that names something.
struct Missing {
  unsigned question = 0; ///< 0: nothing is missing
  uint64_t mask = 0;
};

/// The rules for one component. A state is a number of words, all that its later states depend on; times in it are
/// counted from the present cycle.
class ResourceRules {
public:
  /// `component`: state bits of the resources and of the groups that the region uses of them.
  ResourceRules(const ProcessorResources &processor, uint64_t component);

  size_t words() const { return words_; }
  /// By number in the component: the processor's slot.
  std::span<const uint32_t> slots() const { return slots_; }
  /// Everything free.
  void start(std::span<uint64_t> state) const;
  /// Takes the units. Those that are not free are taken nevertheless: whoever wants to know asks missing() before.
  void issue(std::span<uint64_t> state, const ResourceRequest &request, ResourceEffects &effects) const;
  /// To the next cycle.
  void advance(std::span<uint64_t> state, ResourceEffects &effects) const;
  Missing missing(std::span<const uint64_t> state, const ResourceRequest &request) const;
  /// State bits of what has a free unit.
  uint64_t ready(std::span<const uint64_t> state) const;
  /// Cycles until something comes free; 0 when everything is.
  uint32_t nextRelease(std::span<const uint64_t> state) const;

private:
  // The first words of a state: state bits of resources.
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
  void giveBack(State state, unsigned index, uint64_t unit) const;
  uint64_t missingInOverlap(ConstState state, const ResourceRequest &request,
                            std::vector<std::pair<uint64_t, unsigned>> &available, uint64_t consumed) const;
  uint32_t left(ConstState state, size_t slot) const { return uint32_t(state[firstTime_ + slot / 2] >> slot % 2 * 32); }
  void setLeft(State state, size_t slot, uint32_t cycles) const;
  void hold(State state, size_t slot, uint32_t cycles) const;

  const ProcessorResources &processor_;
  uint64_t component_;
  uint64_t groups_; ///< of it
  size_t words_ = FirstOther;
  size_t firstTime_ = 0; ///< word of the first slot's cycles
  /// By state index: of several units, those free and those next; of a group, what is left of its round and what is to
  /// be left out of the next.
  std::array<uint8_t, 64> wordOf_{};
  std::array<uint16_t, 64> firstSlot_{}; ///< by state index, in the component
  std::vector<uint32_t> slots_;
};

} // namespace mca
