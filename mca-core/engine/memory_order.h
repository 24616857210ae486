// The load/store unit: decides which memory operations wait for which.
//
// The rules are llvm-mca 22.1's (LSUnit in LLVM's MCA library). Operations form groups in program order: each store is
// a group of its own; loads without a store between them share a group until it starts to execute. A group waits for
// earlier groups, either for their data (until they have been executed) or only for their order (until they have
// issued). docs/engine.md has the table.
//
// Classes of memory operations, which LLVM does not have, replace one of its rules: which stores a load waits for.
#pragma once

#include "mca-core/model/body.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// The longest wait of an instruction, and the instance that it waits for. `cycles` is 0 if there is none.
struct CriticalWait {
  uint64_t id = 0;
  uint32_t reg = 0; ///< LLVM's register number; unused for memory
  uint32_t cycles = 0;
};

class MemoryOrder {
public:
  /// Empties the unit. A queue of size 0 has no limit. `classes`: Body::memoryClasses, which must outlive the run.
  /// `places`: Body::memoryPlaces.
  void reset(uint32_t loadQueue, uint32_t storeQueue, bool assumeNoAlias, std::span<const MemoryClass> classes = {},
             uint32_t places = 0);

  bool loadQueueFull() const { return loadQueue_ && loadQueue_ == loads_; }
  bool storeQueueFull() const { return storeQueue_ && storeQueue_ == stores_; }

  /// Occupies the operation's queue entries until retired().
  void enqueue(const BodyInstruction &instruction) {
    loads_ += instruction.mayLoad;
    stores_ += instruction.mayStore;
  }
  /// Adds the operation, and returns its group.
  uint32_t dispatch(const BodyInstruction &instruction, int64_t now);
  bool isWaiting(uint32_t group) const { return at(group).isWaiting(); }
  bool isPending(uint32_t group) const { return at(group).isPending(); }
  bool isReady(uint32_t group) const { return at(group).isReady(); }
  /// Adds the handle `waiter` to `woken` when the group's state changes. Only for groups that are not ready.
  void addWaiter(uint32_t group, uint32_t waiter);
  void issued(uint32_t group, uint64_t id, int64_t executedAt, int64_t now);
  void executed(uint32_t group, uint64_t id);
  /// Marks an operation of the group that will never complete. Groups that wait for its data wait forever.
  void forget(uint32_t group) {
    at(group).forgotten = true;
    removeFinished();
  }
  void retired(const BodyInstruction &instruction) {
    loads_ -= instruction.mayLoad;
    stores_ -= instruction.mayStore;
  }
  /// The handles whose groups no longer wait or are now ready. The caller empties the list; a handle may occur twice.
  std::vector<uint32_t> &woken() { return woken_; }
  /// Returns the operation that delayed the group and its cycles, or 0 cycles. Valid when the group stops waiting.
  CriticalWait criticalPredecessor(uint32_t group) const { return at(group).critical; }

  /// Returns the operation whose issue or execution made the group ready; kNoInstance if it waited for none.
  uint64_t releasedBy(uint32_t group) const { return at(group).releasedBy; }

  /// Passes everything that later cycles depend on to `sink`, relative to the oldest instance in flight, the oldest
  /// group and `now`; stops if that returns false.
  template <typename Sink>
  bool describe(uint64_t oldest, int64_t now, Sink &sink) const;
  uint32_t oldestGroup() const { return first_; }
  /// Whether no operation is in flight, and none was forgotten.
  bool isEmpty() const { return first_ == end_; }

private:
  static constexpr uint32_t kEnd = ~0u;

  /// The operation of a group that completes last; later groups wait for it.
  struct Slowest {
    uint64_t id = 0;
    int64_t until = 0; ///< cycle in which it completes
    bool known = false;
  };
  struct Group {
    uint32_t predecessors = 0, executing = 0, executed = 0;
    uint32_t operations = 0, operationsExecuting = 0, operationsExecuted = 0;
    uint32_t inOrder = kEnd, onData = kEnd; ///< successors: lists in links_
    uint32_t waiters = kEnd;
    CriticalWait critical; ///< valid at cycle criticalSince, while the group waits
    int64_t criticalSince = 0;
    Slowest slowest;
    uint64_t releasedBy = ~0ull; ///< the last operation that it waited for
    bool alive = false;
    bool forgotten = false;

    bool isWaiting() const { return predecessors > executing + executed; }
    bool isPending() const { return executing && executed + executing == predecessors; }
    bool isReady() const { return executed == predecessors; }
    bool isExecuting() const { return operationsExecuting && operationsExecuting == operations - operationsExecuted; }
    bool isExecuted() const { return operations == operationsExecuted; }
  };
  struct Link {
    uint32_t item;
    uint32_t next;
  };
  const Group &at(uint32_t group) const { return groups_[group & (groups_.size() - 1)]; }
  Group &at(uint32_t group) { return groups_[group & (groups_.size() - 1)]; }
  /// The last group that loads, or that a load barrier opened; 0 if there is none.
  uint32_t lastLoad() const { return std::max(currentLoad_, currentLoadBarrier_); }
  uint32_t dispatchStore(const BodyInstruction &instruction, int64_t now);
  uint32_t dispatchLoad(const BodyInstruction &instruction, int64_t now);
  uint32_t dispatchClassifiedStore(const BodyInstruction &instruction, int64_t now);
  uint32_t dispatchClassifiedLoad(const BodyInstruction &instruction, int64_t now);
  void waitForLoads(uint32_t group, bool forData, int64_t now);
  void waitForStores(uint32_t group, const MemoryClass &ofLoad, int64_t now);
  void startClassifiedLoads(uint32_t group, const BodyInstruction &instruction);
  uint32_t &lastStoreTo(uint32_t place) { return latest_[MemoryClass::kPointers + place - 1]; }
  std::span<uint32_t> currentLoads() { return std::span(latest_).subspan(MemoryClass::kPointers + places_); }
  /// The group, or 0 if it has been executed.
  uint32_t alive(uint32_t group) const { return group >= first_ && at(group).alive ? group : 0; }
  bool isCurrent(uint32_t group) const;
  void startLoads(uint32_t group, bool isBarrier);
  uint32_t newGroup();
  void prepend(uint32_t &list, uint32_t item);
  void freeList(uint32_t &list);
  void wake(Group &group);
  void removeFinished();
  void addSuccessor(uint32_t from, uint32_t to, bool forData, int64_t now);
  void predecessorIssued(Group &group, const Slowest &slowest, bool forData, int64_t now);
  void predecessorDone(Group &group, uint64_t id);

  uint32_t loadQueue_ = 0, storeQueue_ = 0;
  bool assumeNoAlias_ = true;
  uint32_t loads_ = 0, stores_ = 0;
  std::vector<Group> groups_; // a ring of the groups first_ to end_; group 0 is none
  uint32_t first_ = 1, end_ = 1;
  std::vector<Link> links_;
  uint32_t freeLink_ = kEnd;
  std::vector<uint32_t> woken_;
  uint32_t currentLoad_ = 0, currentLoadBarrier_ = 0, currentStore_ = 0, currentStoreBarrier_ = 0;
  std::span<const MemoryClass> classes_;
  uint32_t places_ = 0;
  /// With classes: the last store through each pointer and to each place, then the current group of loads of each
  /// class, which replace currentLoad_. 0: none. A group stays here after it has been executed, see alive().
  std::vector<uint32_t> latest_;
  std::vector<uint32_t> loading_; ///< with classes: those that may have a current group, ascending
};

template <typename Sink>
bool MemoryOrder::describe(uint64_t oldest, int64_t now, Sink &sink) const {
  const auto place = [this](uint32_t current) { return current ? current - first_ + 1 : 0; };
  if (!sink(place(currentLoad_), place(currentLoadBarrier_), place(currentStore_), place(currentStoreBarrier_),
            loadQueue_ ? loads_ : 0, storeQueue_ ? stores_ : 0, end_ - first_))
    return false;
  for (const uint32_t current : latest_)
    if (!sink(place(alive(current))))
      return false;
  const auto list = [&](uint32_t link) {
    for (; link != kEnd; link = links_[link].next)
      if (!sink(links_[link].item - first_))
        return false;
    return sink(~0ull);
  };
  for (uint32_t number = first_; number != end_; ++number) {
    const Group &group = at(number);
    // Only remaining operations count, because a group may absorb loads forever.
    if (!sink(uint64_t(group.alive) << 63 | uint64_t(group.predecessors - group.executed) << 32 | group.executing,
              uint64_t(group.operations - group.operationsExecuted) << 32 | group.operationsExecuting))
      return false;
    if (!group.alive)
      continue;
    const uint64_t age = group.isWaiting() ? static_cast<uint64_t>(now - group.criticalSince) : 0;
    const Slowest &slowest = group.slowest;
    if (!list(group.inOrder) || !list(group.onData) ||
        !sink(group.critical.cycles > age ? group.critical.cycles - age : 0,
              group.critical.cycles ? group.critical.id - oldest : 0, slowest.known,
              slowest.known ? slowest.id - oldest : 0, slowest.known ? slowest.until - now : 0))
      return false;
  }
  return true;
}

} // namespace mca
