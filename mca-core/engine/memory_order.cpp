// Builds the groups and propagates their progress, as MemoryGroup's onGroupIssued and onGroupExecuted do.
#include "mca-core/engine/memory_order.h"

#include <bit>

namespace mca {

void MemoryOrder::reset(uint32_t loadQueue, uint32_t storeQueue, bool assumeNoAlias,
                        std::span<const MemoryClass> classes, uint32_t places) {
  loadQueue_ = loadQueue;
  storeQueue_ = storeQueue;
  assumeNoAlias_ = assumeNoAlias;
  loads_ = stores_ = 0;
  if (groups_.empty())
    groups_.resize(64);
  first_ = end_ = 1;
  links_.clear();
  freeLink_ = kEnd;
  woken_.clear();
  currentLoad_ = currentLoadBarrier_ = currentStore_ = currentStoreBarrier_ = 0;
  classes_ = classes;
  places_ = places;
  latest_.assign(classes.empty() ? 0 : MemoryClass::kPointers + places + classes.size(), 0);
  loading_.clear();
}

/// Opens a group for an operation. The ring grows if it is full.
uint32_t MemoryOrder::newGroup() {
  if (end_ - first_ == groups_.size()) {
    std::vector<Group> larger(groups_.size() * 2);
    for (uint32_t number = first_; number != end_; ++number)
      larger[number & (larger.size() - 1)] = at(number);
    groups_ = std::move(larger);
  }
  at(end_) = Group();
  at(end_).operations = 1;
  at(end_).alive = true;
  return end_++;
}

/// Adds to a list. Lists are short and many, so their links share one vector, and freed links are reused.
void MemoryOrder::prepend(uint32_t &list, uint32_t item) {
  uint32_t link = freeLink_;
  if (link == kEnd) {
    link = static_cast<uint32_t>(links_.size());
    links_.emplace_back();
  } else {
    freeLink_ = links_[link].next;
  }
  links_[link] = {item, list};
  list = link;
}

void MemoryOrder::freeList(uint32_t &list) {
  while (list != kEnd) {
    const uint32_t next = links_[list].next;
    links_[list].next = freeLink_;
    freeLink_ = list;
    list = next;
  }
}

void MemoryOrder::addWaiter(uint32_t group, uint32_t waiter) {
  prepend(at(group).waiters, waiter);
}

/// Notifies the waiters of a group whose state may have changed, and drops them once it is ready.
void MemoryOrder::wake(Group &group) {
  for (uint32_t link = group.waiters; link != kEnd; link = links_[link].next)
    woken_.push_back(links_[link].item);
  if (group.isReady())
    freeList(group.waiters);
}

/// A predecessor starts to execute (MemoryGroup::onGroupIssued). The slowest operation among those predecessors whose
/// data the group waits for becomes its critical wait; order alone never does.
void MemoryOrder::predecessorIssued(Group &group, const Slowest &slowest, bool forData, int64_t now) {
  // The critical wait counts down as long as the group waits (MemoryGroup::cycleEvent).
  if (group.isWaiting() && group.critical.cycles) {
    const int64_t left = int64_t(group.critical.cycles) - (now - group.criticalSince);
    group.critical.cycles = static_cast<uint32_t>(std::max<int64_t>(0, left));
  }
  group.criticalSince = now;
  ++group.executing;
  if (!forData || !slowest.known)
    return;
  const auto cycles = static_cast<uint32_t>(std::max<int64_t>(0, slowest.until - now));
  if (group.critical.cycles < cycles)
    group.critical = {slowest.id, 0, cycles};
}

/// The operation `id` ends the wait for a predecessor (MemoryGroup::onGroupExecuted).
void MemoryOrder::predecessorDone(Group &group, uint64_t id) {
  --group.executing;
  ++group.executed;
  group.releasedBy = id;
  wake(group);
}

/// Makes the group `to` wait for `from` (MemoryGroup::addSuccessor).
void MemoryOrder::addSuccessor(uint32_t from, uint32_t to, bool forData, int64_t now) {
  Group &earlier = at(from);
  // An order dependency on a group that is already executing is void (MemoryGroup::addSuccessor).
  if (!forData && earlier.isExecuting())
    return;
  Group &later = at(to);
  ++later.predecessors;
  if (earlier.isExecuting())
    predecessorIssued(later, earlier.slowest, forData, now);
  prepend(forData ? earlier.onData : earlier.inOrder, to);
}

uint32_t MemoryOrder::dispatch(const BodyInstruction &instruction, int64_t now) {
  if (!classes_.empty())
    return instruction.mayStore ? dispatchClassifiedStore(instruction, now) : dispatchClassifiedLoad(instruction, now);
  return instruction.mayStore ? dispatchStore(instruction, now) : dispatchLoad(instruction, now);
}

/// Adds a store, which always gets a new group (LSUnit::dispatch). It may pass neither an earlier load or load barrier,
/// nor an earlier store; if nothing aliases, these are dependencies of order only. It always waits for the data of a
/// store barrier. An instruction that also loads becomes the current group of both kinds.
uint32_t MemoryOrder::dispatchStore(const BodyInstruction &instruction, int64_t now) {
  const uint32_t earlierLoad = lastLoad(), group = newGroup();
  if (earlierLoad)
    addSuccessor(earlierLoad, group, !assumeNoAlias_, now);
  if (currentStoreBarrier_)
    addSuccessor(currentStoreBarrier_, group, true, now);
  if (currentStore_ && currentStore_ != currentStoreBarrier_)
    addSuccessor(currentStore_, group, !assumeNoAlias_, now);
  currentStore_ = group;
  if (instruction.storeBarrier)
    currentStoreBarrier_ = group;
  if (instruction.mayLoad)
    startLoads(group, instruction.loadBarrier);
  return group;
}

/// Adds a load. It joins the current group, unless one of these has closed it (LSUnit::dispatch): a later store, a
/// barrier, or that the group has started to execute. A load that opens a group waits for the last load barrier and, if
/// aliasing is possible, for the last store. A load barrier waits for all earlier loads.
uint32_t MemoryOrder::dispatchLoad(const BodyInstruction &instruction, int64_t now) {
  const uint32_t earlierLoad = lastLoad();
  // Groups are numbered in program order, so a number up to the last store's means a store in between.
  const bool needsGroup = instruction.loadBarrier || !earlierLoad || currentLoadBarrier_ == earlierLoad ||
                          earlierLoad <= currentStore_ || at(earlierLoad).isExecuting();
  if (!needsGroup) {
    ++at(currentLoad_).operations;
    return currentLoad_;
  }
  const uint32_t group = newGroup();
  if (!assumeNoAlias_ && currentStore_)
    addSuccessor(currentStore_, group, true, now);
  if (const uint32_t before = instruction.loadBarrier ? earlierLoad : currentLoadBarrier_)
    addSuccessor(before, group, true, now);
  startLoads(group, instruction.loadBarrier);
  return group;
}

/// As dispatchStore(). There may be a group of loads of each class, and what the instruction itself loads waits for the
/// data of the stores that its class meets.
uint32_t MemoryOrder::dispatchClassifiedStore(const BodyInstruction &instruction, int64_t now) {
  const MemoryClass &ofInstruction = classes_[instruction.memoryClass];
  const uint32_t group = newGroup();
  waitForLoads(group, !assumeNoAlias_, now);
  if (currentStoreBarrier_)
    addSuccessor(currentStoreBarrier_, group, true, now);
  if (currentStore_ && currentStore_ != currentStoreBarrier_)
    addSuccessor(currentStore_, group, !assumeNoAlias_, now);
  if (instruction.mayLoad)
    waitForStores(group, ofInstruction, now);
  currentStore_ = group;
  if (instruction.storeBarrier)
    currentStoreBarrier_ = group;
  for (uint64_t left = ofInstruction.storesTo; left; left &= left - 1)
    latest_[std::countr_zero(left)] = group;
  if (ofInstruction.storesPlace)
    lastStoreTo(ofInstruction.storesPlace) = group;
  if (instruction.mayLoad)
    startClassifiedLoads(group, instruction);
  return group;
}

/// As dispatchLoad(), by class: loads share a group only if they wait for the same stores.
uint32_t MemoryOrder::dispatchClassifiedLoad(const BodyInstruction &instruction, int64_t now) {
  const uint32_t current = alive(currentLoads()[instruction.memoryClass]);
  const bool needsGroup = instruction.loadBarrier || !current || currentLoadBarrier_ == current ||
                          current <= currentStore_ || at(current).isExecuting();
  if (!needsGroup) {
    ++at(current).operations;
    return current;
  }
  const uint32_t group = newGroup();
  waitForStores(group, classes_[instruction.memoryClass], now);
  if (instruction.loadBarrier)
    waitForLoads(group, true, now);
  else if (currentLoadBarrier_)
    addSuccessor(currentLoadBarrier_, group, true, now);
  startClassifiedLoads(group, instruction);
  return group;
}

/// Makes the group wait for the current groups of loads of all classes, which include the last load barrier.
void MemoryOrder::waitForLoads(uint32_t group, bool forData, int64_t now) {
  const std::span<uint32_t> current = currentLoads();
  std::erase_if(loading_, [&](uint32_t memoryClass) { return !alive(current[memoryClass]); });
  for (const uint32_t memoryClass : loading_)
    addSuccessor(current[memoryClass], group, forData, now);
}

/// Makes the group wait for the data of the last store through each pointer, and to the place, of the load's class.
void MemoryOrder::waitForStores(uint32_t group, const MemoryClass &ofLoad, int64_t now) {
  const uint32_t toPlace = ofLoad.loadsPlace ? alive(lastStoreTo(ofLoad.loadsPlace)) : 0;
  bool waits = false;
  for (uint64_t pointers = ofLoad.waitsFor; pointers; pointers &= pointers - 1)
    if (const uint32_t store = alive(latest_[std::countr_zero(pointers)])) {
      addSuccessor(store, group, true, now);
      waits |= store == toPlace;
    }
  if (toPlace && !waits)
    addSuccessor(toPlace, group, true, now);
}

/// Makes the group the current one of its class. After a load barrier, no class has another one.
void MemoryOrder::startClassifiedLoads(uint32_t group, const BodyInstruction &instruction) {
  if (instruction.loadBarrier) {
    std::ranges::fill(currentLoads(), 0);
    loading_.clear();
    currentLoadBarrier_ = group;
  }
  currentLoads()[instruction.memoryClass] = group;
  const auto at = std::ranges::lower_bound(loading_, instruction.memoryClass);
  if (at == loading_.end() || *at != instruction.memoryClass)
    loading_.insert(at, instruction.memoryClass);
}

/// Makes the group the current one of loads.
void MemoryOrder::startLoads(uint32_t group, bool isBarrier) {
  currentLoad_ = group;
  if (isBarrier)
    currentLoadBarrier_ = group;
}

/// An operation issues. When all operations of its group have, order dependencies end and data dependencies start to
/// count down (MemoryGroup::onInstructionIssued).
void MemoryOrder::issued(uint32_t number, uint64_t id, int64_t executedAt, int64_t now) {
  Group &group = at(number);
  ++group.operationsExecuting;
  if (!group.slowest.known || group.slowest.until < executedAt)
    group.slowest = {id, executedAt, true};
  if (!group.isExecuting())
    return;
  for (uint32_t link = group.inOrder; link != kEnd; link = links_[link].next) {
    Group &successor = at(links_[link].item);
    predecessorIssued(successor, group.slowest, false, now);
    predecessorDone(successor, id);
  }
  freeList(group.inOrder);
  for (uint32_t link = group.onData; link != kEnd; link = links_[link].next) {
    Group &successor = at(links_[link].item);
    predecessorIssued(successor, group.slowest, true, now);
    wake(successor);
  }
}

/// An operation completes. When all operations of its group have, data dependencies end and the group is removed
/// (MemoryGroup::onInstructionExecuted, LSUnit::onInstructionExecuted).
void MemoryOrder::executed(uint32_t number, uint64_t id) {
  Group &group = at(number);
  --group.operationsExecuting;
  ++group.operationsExecuted;
  if (group.slowest.known && group.slowest.id == id)
    group.slowest.known = false;
  if (!group.isExecuted())
    return;
  for (uint32_t link = group.onData; link != kEnd; link = links_[link].next)
    predecessorDone(at(links_[link].item), id);
  freeList(group.onData);
  group.alive = false;
  for (uint32_t *current : {&currentLoad_, &currentLoadBarrier_, &currentStore_, &currentStoreBarrier_})
    if (*current == number)
      *current = 0;
  removeFinished();
}

/// Whether a later operation may have to wait for the group.
bool MemoryOrder::isCurrent(uint32_t group) const {
  return group == currentLoad_ || group == currentLoadBarrier_ || group == currentStore_ ||
         group == currentStoreBarrier_ || std::ranges::find(latest_, group) != latest_.end();
}

/// Removes the oldest groups that no later operation can wait for. Groups leave the ring in program order, but may be
/// executed in any.
void MemoryOrder::removeFinished() {
  const auto isFinished = [&](uint32_t number) {
    const Group &group = at(number);
    return !group.alive || (group.forgotten && group.onData == kEnd && !isCurrent(number));
  };
  while (first_ != end_ && isFinished(first_))
    ++first_;
}

} // namespace mca
