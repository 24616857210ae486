// The processor's resources while a region runs: which have a free unit, which buffers have room, and which units the
// instructions got.
//
// Resources that share groups are a component, and components know nothing of each other. Most are counted: where all
// units are alike to the instructions of the region, it is enough to know how many are free, and which one each
// instruction got is found out when it is asked for. The others are each in a state of a ResourceAutomaton. Groups that
// the region asks nothing of are left out: nothing depends on them.
#pragma once

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
  /// Entries of buffers.
  struct Buffers {
    uint64_t mask = 0;                 ///< state bits
    std::array<uint64_t, 2> entries{}; ///< see entries_
  };
  /// What a signature needs to issue.
  struct Needs {
    uint64_t units = 0;   ///< state bits: of each a unit
    uint64_t counted = 0; ///< of counted components, see used_
    bool all = false;     ///< nothing else has to be thought of
  };
  /// What an instruction takes.
  struct Allocation {
    const Request *request = nullptr;
    uint32_t *counts = nullptr; ///< of its units
    uint32_t firstUse = 0;      ///< into Body::resources
  };

  explicit ResourceState(const ResourceTable &table) : processor_(table) {}
  ResourceState(const ResourceState &) = delete; // its automata refer to it
  ResourceState &operator=(const ResourceState &) = delete;

  /// Everything free. `body` must outlive the run. `watched`: somebody wants to know each unit when it is taken.
  void reset(const Body &body, bool watched);

  const std::vector<Slot> &slots() const { return processor_.slots; }

  /// Whether one of the buffers is of size 0 and its units are not free yet.
  bool isReserved(const Buffers &buffers) const { return buffers.mask & reservedBuffers_; }
  /// Whether none of the buffers is reserved or full.
  bool hasBuffers(const Buffers &buffers) const {
    return !(buffers.mask & (reservedBuffers_ | fullBuffers_)) &&
           !(((entries_[0] + buffers.entries[0]) | (entries_[1] + buffers.entries[1])) & kFullEntries);
  }
  void reserveBuffers(const Buffers &buffers) {
    // A buffer of size 0 makes dispatch wait until the units are free again.
    reservedBuffers_ ^= buffers.mask & processor_.zeroBuffers;
    entries_[0] += buffers.entries[0];
    entries_[1] += buffers.entries[1];
    for (uint64_t bits = buffers.mask & furtherBuffers_; bits; bits &= bits - 1)
      if (--freeEntries_[static_cast<unsigned>(std::countr_zero(bits))] == 0)
        fullBuffers_ ^= bits & -bits;
  }
  void releaseBuffers(const Buffers &buffers) {
    entries_[0] -= buffers.entries[0];
    entries_[1] -= buffers.entries[1];
    fullBuffers_ &= ~buffers.mask;
    for (uint64_t bits = buffers.mask & furtherBuffers_; bits; bits &= bits - 1)
      ++freeEntries_[static_cast<unsigned>(std::countr_zero(bits))];
  }
  /// What the functions above take for an instruction that waits in buffers with these state bits.
  Buffers buffersOf(uint64_t mask) const;

  const Needs &needsOf(uint32_t signature) const { return needs_[signature]; }
  bool canIssue(const Needs &needs, uint32_t signature) {
    return !(needs.units & ~ready_) && !((used_ + needs.counted) & kFull) && (needs.all || !busyMask(signature));
  }
  /// True when every resource that the signature needs has a free unit.
  bool canIssue(uint32_t signature) { return canIssue(needs_[signature], signature); }
  /// The masks of what is missing; 0 when nothing is. Counted components are left out.
  uint64_t busyMask(uint32_t signature);

  /// What issue() takes for an instruction of the body.
  Allocation allocationOf(uint32_t instructionIndex) {
    return {.request = &requests_[body_->instructions[instructionIndex].signature],
            .counts = counts_.data() + firstCount_[instructionIndex],
            .firstUse = body_->instructions[instructionIndex].resources.first};
  }
  /// Takes the units, and tells each to `onTaken(TakenUnit)` if they are watched.
  template <bool kWatched, typename OnTaken>
  void issue(const Allocation &allocation, OnTaken onTaken) {
    const Request &request = *allocation.request;
    used_ += request.used;
    oneCycleHolds_ += request.oneCycleHolds;
    if (request.used != request.oneCycleHolds)
      scheduleRelease(request);
    for (const RoundRobinUse &turn : request.roundRobin) {
      RoundRobin &roundRobin = *turn.of;
      ++allocation.counts[turn.counts + roundRobin.next];
      roundRobin.next = roundRobin.next + 1 == roundRobin.units ? 0 : roundRobin.next + 1;
    }
    for (const ComponentUse &componentUse : request.componentUses) {
      Component &component = *componentUse.component;
      const auto &transition = component.automaton->transition(component.state, componentUse.step);
      enter(component, transition);
      busy_ |= component.bit;
      if (componentUse.takesOne)
        ++allocation.counts[componentUse.counts + transition.slot];
      else if (componentUse.counted)
        count(componentUse, transition, allocation.counts);
      if constexpr (kWatched)
        for (const GrantedUnit &unit : component.automaton->granted(transition))
          onTaken(TakenUnit{allocation.firstUse + componentUse.uses[unit.use],
                            component.automaton->rules().slots()[unit.slot]});
    }
  }
  /// Gives back what is free again at the start of cycle `now`. Returns whether there was anything.
  bool startCycle(int64_t now) {
    bool any = oneCycleHolds_ != 0;
    used_ -= std::exchange(oneCycleHolds_, 0);
    const uint64_t releaseCycle = 1ull << now % kReleaseRing;
    if (releaseCycles_ & releaseCycle) {
      releaseCycles_ ^= releaseCycle;
      used_ -= std::exchange(releases_[static_cast<size_t>(now) % kReleaseRing], 0);
      any = true;
    }
    if (busy_)
      any |= advance(now - now_);
    now_ = now;
    return any;
  }
  /// The next cycle in which something may come free; TimeWheel::kNever when everything is free.
  int64_t nextRelease() const;

  /// Passes everything that later cycles depend on to `sink`, relative to `now`; stops when that returns false.
  template <typename Sink>
  bool describe(int64_t now, Sink &sink) const;
  /// A number that differs for most different states, and costs little.
  uint64_t fingerprint() const;

  /// What has been taken so far, for repeat().
  void mark(std::vector<uint32_t> &mark) const;
  /// All that was taken since `mark` is taken `times` times more.
  void repeat(const std::vector<uint32_t> &mark, uint64_t times);
  /// Calls `visit(use, slot, times)` with the units that an instruction of the body has got; `use` counts its uses.
  /// Those that have but one unit to get may be left out.
  template <typename Visit>
  void forEachTaken(uint32_t instructionIndex, Visit visit) const;

private:
  // Counted components have four bits each in a word: the highest says that more than all units are taken.
  static constexpr unsigned kLaneBits = 4;
  static constexpr uint32_t kMaxUnits = 7;
  static constexpr size_t kMaxLanes = 16;
  static constexpr uint64_t kFull = 0x8888'8888'8888'8888ull;
  static constexpr uint32_t kMaxEntries = 0x7FFF;
  static constexpr uint64_t kFullEntries = 0x8000'8000'8000'8000ull;
  static constexpr int64_t kReleaseRing = 64;  ///< cycles: nothing counted is held for longer
  static constexpr size_t kMaxKnown = 1 << 18; ///< transitions, of a component in a run and of all between runs

  /// In a state of an automaton.
  struct Component {
    ResourceAutomaton *automaton = nullptr;
    uint64_t resources = 0; ///< state bits
    uint64_t bit = 0;       ///< in busy_
    uint32_t state = 0;
  };
  /// A counted component whose units take turns: each is held for a cycle, so that the next one is always free.
  struct RoundRobin {
    uint32_t units = 0;
    uint32_t next = 0;
    std::vector<uint32_t> slots; ///< in their order
  };
  /// What a signature asks of a component with an automaton.
  struct ComponentUse {
    Component *component = nullptr;
    uint32_t step = 0;   ///< of the automaton; the next one asks what is missing
    uint32_t counts = 0; ///< of the instruction's: of each use, by slot
    uint32_t slots = 0;
    bool counted = false;                ///< some use has a choice
    bool takesOne = false;               ///< and there is but one use, which takes a unit
    llvm::SmallVector<uint32_t, 2> uses; ///< of the instruction
  };
  struct LongHold {
    uint64_t used = 0;
    uint32_t cycles = 0;
  };
  struct RoundRobinUse {
    RoundRobin *of = nullptr;
    uint32_t counts = 0; ///< of the instruction's, by turn
    uint32_t use = 0;    ///< of the instruction
  };
  /// What a signature takes.
  struct Request {
    uint64_t used = 0;          ///< of counted components
    uint64_t oneCycleHolds = 0; ///< of them, for one cycle
    llvm::SmallVector<RoundRobinUse, 2> roundRobin;
    llvm::SmallVector<ComponentUse, 2> componentUses;
    llvm::SmallVector<LongHold, 0> longHolds;
    uint32_t counts = 0; ///< that an instruction has
  };
  /// A set of resources, while the components are made.
  struct Candidate {
    uint64_t resources = 0;
    uint64_t unit = 0;                ///< in used_, if it is counted
    RoundRobin *roundRobin = nullptr; ///< if its units take turns
    Component *component = nullptr;   ///< if it is not counted
    bool counted = false;
  };
  using Candidates = llvm::SmallVector<Candidate, 16>;

  void makeBuffers();
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

  void enter(Component &component, const ResourceAutomaton::Transition &transition) {
    component.state = transition.next;
    ready_ = (ready_ & ~component.resources) | transition.ready;
    reservedBuffers_ ^= transition.toggledBuffers;
  }
  void scheduleRelease(const Request &request) {
    for (const LongHold &use : request.longHolds) {
      const auto releaseCycle = static_cast<size_t>(now_ + use.cycles) % kReleaseRing;
      releases_[releaseCycle] += use.used;
      releaseCycles_ |= 1ull << releaseCycle;
    }
  }
  bool advance(int64_t cycles) {
    bool any = false;
    for (uint64_t bits = busy_; bits; bits &= bits - 1)
      for (int64_t i = 0; i != cycles; ++i) {
        Component &component = components_[static_cast<unsigned>(std::countr_zero(bits))];
        ResourceAutomaton &automaton = *component.automaton;
        const auto &transition = automaton.transition(component.state, ResourceAutomaton::kCycle);
        enter(component, transition);
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
  static void repeatRoundRobin(const RoundRobinUse &turn, uint32_t steps, uint64_t times, uint32_t *counts,
                               const uint32_t *then);

  ProcessorResources processor_;
  const Body *body_ = nullptr;
  bool watched_ = false;
  std::map<uint64_t, ResourceAutomaton> automata_; // by the state bits of their components, kept from run to run

  int64_t now_ = 0;
  uint64_t reservedBuffers_ = 0; ///< of size 0
  /// Sixteen bits a buffer: entries that are used, and as many as it lacks to kMaxEntries; the highest bit says that
  /// more than all are.
  std::array<uint64_t, 2> entries_{};
  std::array<uint8_t, 8> buffered_{}; ///< by place in entries_: state index
  size_t bufferCount_ = 0;            ///< of them
  // Of buffers with a size for which that has no room:
  uint64_t furtherBuffers_ = 0;            ///< state bits
  uint64_t fullBuffers_ = 0;               ///< of them
  std::array<uint32_t, 64> freeEntries_{}; ///< by state index
  std::vector<Needs> needs_;               // by signature

  // Counted components.
  uint64_t used_ = 0;          ///< units of each that are taken, and as many as it lacks to kMaxUnits
  uint64_t oneCycleHolds_ = 0; ///< of those taken, those for this cycle alone
  uint64_t releaseCycles_ = 0; ///< by cycle: whether something is released
  std::array<uint64_t, kReleaseRing> releases_{}; ///< by cycle
  std::vector<RoundRobin> roundRobins_;

  // Components with an automaton.
  uint64_t ready_ = 0; ///< state bits of what has a free unit
  uint64_t busy_ = 0;  ///< by number of the component: not everything is free
  std::vector<Component> components_;
  static constexpr uint32_t kCheckEvery = 256; ///< cycles
  uint32_t sinceCheck_ = 0;
  uint32_t generation_ = 0; ///< numbers of states mean something else in each

  std::vector<Request> requests_;    // by signature
  std::vector<uint32_t> firstCount_; // by instruction, into counts_
  std::vector<uint32_t> counts_;     // how often each use got each unit
};

template <typename Sink>
bool ResourceState::describe(int64_t now, Sink &sink) const {
  if (!sink(static_cast<uint64_t>(now - now_) << 32 | generation_) || !sink(reservedBuffers_) || !sink(used_) ||
      !sink(oneCycleHolds_) || !sink(entries_[0]) || !sink(entries_[1]))
    return false;
  const uint64_t releaseCycles = std::rotr(releaseCycles_, static_cast<int>(now_ % kReleaseRing));
  if (!sink(releaseCycles))
    return false;
  for (uint64_t bits = releaseCycles; bits; bits &= bits - 1)
    if (!sink(releases_[static_cast<size_t>(now_ + std::countr_zero(bits)) % kReleaseRing]))
      return false;
  for (const Component &component : components_)
    if (!sink(component.state))
      return false;
  for (uint64_t bits = furtherBuffers_; bits; bits &= bits - 1)
    if (!sink(freeEntries_[static_cast<unsigned>(std::countr_zero(bits))]))
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
    for (size_t use = 0; componentUse.counted && use < componentUse.uses.size(); ++use)
      for (const uint32_t slot : slots)
        if (const uint32_t times = *next++)
          visit(componentUse.uses[use], slot, times);
  }
  for (const RoundRobinUse &turn : request.roundRobin)
    for (uint32_t i = 0; i < turn.of->units; ++i)
      if (const uint32_t times = counts[turn.counts + i])
        visit(turn.use, turn.of->slots[i], times);
}

} // namespace mca
