// The processor's resources while a region runs: which units are free, which buffers have room, and which units each
// instruction got.
//
// Resources that share groups form a component, and components are independent of each other (see
// ResourceRules). A component is represented in one of two ways:
// - counted: its units are interchangeable for every instruction of the region, so a number of free units is enough
//   (CountedUnits). Which unit an instruction got follows from the round-robin order.
// - an automaton: the component is in a state of a ResourceAutomaton, which follows LLVM's rules exactly.
// Groups that the region requests no unit of are left out, because nothing depends on them. Buffers are counted
// separately (BufferState). All three share one cycle and one list of counters, which is why this class combines them.
#pragma once

#include "mca-core/engine/buffer_state.h"
#include "mca-core/engine/counted_units.h"
#include "mca-core/engine/resource_automaton.h"
#include "mca-core/model/body.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace mca {

/// A unit that a use of a resource got.
struct TakenUnit {
  uint32_t use = 0;  ///< into Body::resources
  uint32_t slot = 0; ///< see ProcessorResources::slots
};

class ResourceState {
  struct Request;

public:
  using Slot = ProcessorResources::Slot;
  /// What a signature needs to issue.
  struct Needs {
    uint64_t units = 0;   ///< state bits of the resources that must have a free unit
    uint64_t counted = 0; ///< units of counted components, see CountedUnits
    bool all = false;     ///< the two masks decide alone
  };
  /// What an instruction takes at issue.
  struct Allocation {
    const Request *request = nullptr;
    uint32_t *counts = nullptr; ///< by use and unit of the instruction
    uint32_t firstUse = 0;      ///< into Body::resources
  };

  explicit ResourceState(const ResourceTable &table) : processor_(table) {}
  ResourceState(const ResourceState &) = delete; // its automata refer to it
  ResourceState &operator=(const ResourceState &) = delete;

  /// Frees everything. `body` must outlive the run. `watched`: each unit is reported when it is taken.
  void reset(const Body &body, bool watched, uint32_t bufferScale = 1);

  const std::vector<Slot> &slots() const { return processor_.slots; }

  BufferState &buffers() { return buffers_; }

  const Needs &needsOf(uint32_t signature) const { return needs_[signature]; }
  bool canIssue(const Needs &needs, uint32_t signature) {
    return !(needs.units & ~ready_) && counted_.areFree(needs.counted) && (needs.all || !busyMask(signature));
  }
  /// Whether every resource that the signature needs has a free unit.
  bool canIssue(uint32_t signature) { return canIssue(needs_[signature], signature); }
  /// Returns the masks of the missing resources; 0 if there are none. Does not include counted components.
  uint64_t busyMask(uint32_t signature);

  /// Returns what issue() needs for an instruction of the body.
  Allocation allocationOf(uint32_t instructionIndex) {
    return {.request = &requests_[body_->instructions[instructionIndex].signature],
            .counts = counts_.data() + firstCount_[instructionIndex],
            .firstUse = body_->instructions[instructionIndex].resources.first};
  }
  /// Takes the units, and calls `onTaken(TakenUnit)` for each if they are watched.
  template <bool kWatched, typename OnTaken>
  void issue(const Allocation &allocation, OnTaken onTaken) {
    const Request &request = *allocation.request;
    counted_.take(request.used, request.oneCycleHolds);
    if (request.used != request.oneCycleHolds)
      for (const LongHold &hold : request.longHolds)
        counted_.releaseAt(now_ + hold.cycles, hold.used);
    for (const RoundRobinUse &use : request.roundRobinUses) {
      RoundRobin &roundRobin = *use.of;
      ++allocation.counts[use.counts + roundRobin.next];
      roundRobin.next = roundRobin.next + 1 == roundRobin.units ? 0 : roundRobin.next + 1;
    }
    for (const ComponentUse &componentUse : request.componentUses) {
      Component &component = *componentUse.component;
      const auto &transition = component.automaton->transition(component.state, componentUse.step);
      applyTransition(component, transition);
      busy_ |= component.bit;
      if (componentUse.takesOne)
        ++allocation.counts[componentUse.counts + transition.slot];
      else if (componentUse.hasChoice)
        count(componentUse, transition, allocation.counts);
      if constexpr (kWatched)
        for (const GrantedUnit &unit : component.automaton->granted(transition))
          onTaken(TakenUnit{allocation.firstUse + componentUse.uses[unit.use],
                            component.automaton->rules().slots()[unit.slot]});
    }
  }
  /// Releases what is free again at the start of cycle `now`. Returns whether there was anything.
  bool startCycle(int64_t now) {
    bool any = counted_.startCycle(now);
    if (busy_)
      any |= advance(now - now_);
    now_ = now;
    return any;
  }
  /// Returns the next cycle with a possible release; TimeWheel::kNever if everything is free.
  int64_t nextRelease() const;

  /// Whether all units are free.
  bool isIdle() const { return nextRelease() == TimeWheel::kNever; }
  /// If all units are free: which of them are next, for restoreIdle(). Valid as long as generation() is the same.
  std::vector<uint32_t> idleStates() const;
  uint32_t generation() const { return generation_; }
  void restoreIdle(const std::vector<uint32_t> &states);

  /// Passes everything that later cycles depend on to `sink`, relative to `now`; stops if that returns false.
  template <typename Sink>
  bool describe(int64_t now, Sink &sink) const;
  /// Returns a cheap number that differs for most states.
  uint64_t fingerprint() const;

  /// Copies the counters, for repeat().
  void mark(std::vector<uint32_t> &mark) const;
  /// Repeats all uses since `mark` for `times` more times.
  void repeat(const std::vector<uint32_t> &mark, uint64_t times);
  /// Calls `visit(use, slot, times)` for the units that an instruction of the body got; `use` is the index of its use.
  /// May skip uses with only one possible unit.
  template <typename Visit>
  void forEachTaken(uint32_t instructionIndex, Visit visit) const;

private:
  static constexpr size_t kMaxTransitions = 1 << 18; ///< transitions, per component in a run and in total between runs

  /// A component with an automaton.
  struct Component {
    ResourceAutomaton *automaton = nullptr;
    uint64_t resources = 0; ///< state bits
    uint64_t bit = 0;       ///< in busy_
    uint32_t state = 0;
  };
  /// The units of a counted component in round-robin order. Each is held for one cycle, so the next one is always free.
  struct RoundRobin {
    uint32_t units = 0;
    uint32_t next = 0;
    std::vector<uint32_t> slots; ///< in that order
  };
  /// The uses of a signature in one component with an automaton.
  struct ComponentUse {
    Component *component = nullptr;
    uint32_t step = 0;   ///< of the automaton; the next step reports what is missing
    uint32_t counts = 0; ///< offset in the instruction's counters: by use and slot
    uint32_t slots = 0;
    bool hasChoice = false;              ///< some use can get different units
    bool takesOne = false;               ///< that is the only use, and it takes a unit
    llvm::SmallVector<uint32_t, 2> uses; ///< indices of the instruction's uses
  };
  struct LongHold {
    uint64_t used = 0;
    uint32_t cycles = 0;
  };
  struct RoundRobinUse {
    RoundRobin *of = nullptr;
    uint32_t counts = 0; ///< offset in the instruction's counters: by position in the round-robin order
    uint32_t use = 0;    ///< index of the instruction's use
  };
  /// What a signature takes.
  struct Request {
    uint64_t used = 0;          ///< units of counted components
    uint64_t oneCycleHolds = 0; ///< those that are held for one cycle
    llvm::SmallVector<RoundRobinUse, 2> roundRobinUses;
    llvm::SmallVector<ComponentUse, 2> componentUses;
    llvm::SmallVector<LongHold, 0> longHolds;
    uint32_t counts = 0; ///< number of counters per instruction
  };
  /// A set of resources, while components are formed.
  struct Candidate {
    uint64_t resources = 0;
    uint64_t unit = 0;                ///< see CountedUnits::addLane(); 0: it is not counted
    RoundRobin *roundRobin = nullptr; ///< if its units are handed out in turn
    Component *component = nullptr;   ///< if not counted
  };
  using Candidates = llvm::SmallVector<Candidate, 16>;

  uint64_t usedBuffers() const;
  Candidates findComponents();
  std::vector<uint32_t> interchangeableUnits(uint64_t resources) const;
  bool isCounted(const Candidate &candidate, size_t units) const;
  bool hasChoice(const Candidate &candidate) const;
  void makeCounted(Candidates &candidates);
  void makeComponents(Candidates &candidates);
  void makeRequests(const Candidates &candidates);
  void addCounted(const Signature &signature, const Candidates &candidates, Request &request);
  void addComponentUses(const Signature &signature, const Candidates &candidates, Request &request);
  uint32_t stepOf(const Signature &signature, const ComponentUse &componentUse) const;

  void applyTransition(Component &component, const ResourceAutomaton::Transition &transition) {
    component.state = transition.next;
    ready_ = (ready_ & ~component.resources) | transition.ready;
    buffers_.toggleReserved(transition.toggledBuffers);
  }
  bool advance(int64_t cycles) {
    bool any = false;
    for (uint64_t bits = busy_; bits; bits &= bits - 1)
      for (int64_t i = 0; i != cycles; ++i) {
        Component &component = components_[static_cast<unsigned>(std::countr_zero(bits))];
        ResourceAutomaton &automaton = *component.automaton;
        const auto &transition = automaton.transition(component.state, ResourceAutomaton::kCycle);
        applyTransition(component, transition);
        any |= transition.released;
        if (transition.idle) {
          busy_ ^= bits & -bits;
          break;
        }
      }
    if (++sinceCheck_ == kCheckEvery)
      keepSmall();
    return any;
  }
  void keepSmall();
  void count(const ComponentUse &componentUse, const ResourceAutomaton::Transition &transition,
             uint32_t *counts) const {
    for (const GrantedUnit &unit : componentUse.component->automaton->granted(transition))
      ++counts[componentUse.counts + unit.use * componentUse.slots + unit.slot];
  }
  static void repeatRoundRobin(const RoundRobinUse &use, uint32_t steps, uint64_t times, uint32_t *counts,
                               const uint32_t *then);

  ProcessorResources processor_;
  const Body *body_ = nullptr;
  bool watched_ = false;
  std::map<uint64_t, ResourceAutomaton> automata_; // by the state bits of their components; kept between runs

  int64_t now_ = 0;
  BufferState buffers_;
  CountedUnits counted_;
  std::vector<Needs> needs_; // by signature

  std::vector<RoundRobin> roundRobins_;

  // Components with an automaton.
  uint64_t ready_ = 0; ///< state bits of the resources with a free unit
  uint64_t busy_ = 0;  ///< by component: not everything is free
  std::vector<Component> components_;
  static constexpr uint32_t kCheckEvery = 256; ///< cycles
  uint32_t sinceCheck_ = 0;
  uint32_t generation_ = 0; ///< changes when states get new numbers

  std::vector<Request> requests_;    // by signature
  std::vector<uint32_t> firstCount_; // by instruction, into counts_
  std::vector<uint32_t> counts_;     // how often each use got each unit
};

template <typename Sink>
bool ResourceState::describe(int64_t now, Sink &sink) const {
  if (!sink(now - now_) || !buffers_.describe(sink) || !counted_.describe(now_, sink))
    return false;
  for (const Component &component : components_)
    for (const uint64_t word : component.automaton->words(component.state))
      if (!sink(word))
        return false;
  return true;
}

template <typename Visit>
void ResourceState::forEachTaken(uint32_t instructionIndex, Visit visit) const {
  const Request &request = requests_[body_->instructions[instructionIndex].signature];
  const uint32_t *const counts = counts_.data() + firstCount_[instructionIndex];
  for (const ComponentUse &componentUse : request.componentUses) {
    const auto slots = componentUse.component->automaton->rules().slots();
    const uint32_t *next = counts + componentUse.counts;
    for (size_t use = 0; componentUse.hasChoice && use < componentUse.uses.size(); ++use)
      for (const uint32_t slot : slots)
        if (const uint32_t times = *next++)
          visit(componentUse.uses[use], slot, times);
  }
  for (const RoundRobinUse &use : request.roundRobinUses)
    for (uint32_t i = 0; i < use.of->units; ++i)
      if (const uint32_t times = counts[use.counts + i])
        visit(use.use, use.of->slots[i], times);
}

} // namespace mca
