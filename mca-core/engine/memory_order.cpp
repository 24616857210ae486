#include "mca-core/engine/memory_order.h"

#include <algorithm>

namespace mca {

uint32_t MemoryOrder::newGroup() {
  groups_.emplace_back().alive = true;
  return first_ + static_cast<uint32_t>(groups_.size()) - 1;
}

void MemoryOrder::groupIssued(Group &group, const MemoryWait &slowest, bool forData) {
  ++group.executing;
  if (!forData || !slowest.known)
    return;
  const auto cycles = static_cast<uint32_t>(std::max<int64_t>(0, slowest.until - now_));
  if (group.critical.cycles < cycles)
    group.critical = {static_cast<uint32_t>(slowest.id), 0, cycles};
}

void MemoryOrder::addSuccessor(uint32_t from, uint32_t to, bool forData) {
  Group &earlier = at(from);
  // What waits for the order alone need not wait for what is executing.
  if (!forData && earlier.isExecuting())
    return;
  Group &later = at(to);
  ++later.predecessors;
  if (earlier.isExecuting())
    groupIssued(later, earlier.slowest, forData);
  (forData ? earlier.onData : earlier.inOrder).push_back(to);
}

uint32_t MemoryOrder::dispatch(const BodyInstruction &instruction) {
  loads_ += instruction.mayLoad;
  stores_ += instruction.mayStore;
  const uint32_t earlierLoad = std::max(currentLoad_, currentLoadBarrier_);
  if (instruction.mayStore) {
    const uint32_t group = newGroup();
    at(group).operations = 1;
    if (earlierLoad)
      addSuccessor(earlierLoad, group, !assumeNoAlias_);
    if (currentStoreBarrier_)
      addSuccessor(currentStoreBarrier_, group, true);
    if (currentStore_ && currentStore_ != currentStoreBarrier_)
      addSuccessor(currentStore_, group, !assumeNoAlias_);
    currentStore_ = group;
    if (instruction.storeBarrier)
      currentStoreBarrier_ = group;
    if (instruction.mayLoad) {
      currentLoad_ = group;
      if (instruction.loadBarrier)
        currentLoadBarrier_ = group;
    }
    return group;
  }

  const bool needsGroup = instruction.loadBarrier || !earlierLoad || currentLoadBarrier_ == earlierLoad ||
                          earlierLoad <= currentStore_ || at(earlierLoad).isExecuting();
  if (!needsGroup) {
    ++at(currentLoad_).operations;
    return currentLoad_;
  }
  const uint32_t group = newGroup();
  at(group).operations = 1;
  if (!assumeNoAlias_ && currentStore_)
    addSuccessor(currentStore_, group, true);
  if (instruction.loadBarrier) {
    if (earlierLoad)
      addSuccessor(earlierLoad, group, true);
  } else if (currentLoadBarrier_) {
    addSuccessor(currentLoadBarrier_, group, true);
  }
  currentLoad_ = group;
  if (instruction.loadBarrier)
    currentLoadBarrier_ = group;
  return group;
}

void MemoryOrder::issued(uint32_t number, uint64_t id, int64_t executedAt) {
  Group &group = at(number);
  ++group.operationsExecuting;
  if (!group.slowest.known || group.slowest.until < executedAt)
    group.slowest = {id, executedAt, true};
  if (!group.isExecuting())
    return;
  for (const uint32_t successor : group.inOrder) {
    groupIssued(at(successor), group.slowest, false);
    --at(successor).executing;
    ++at(successor).executed;
  }
  for (const uint32_t successor : group.onData)
    groupIssued(at(successor), group.slowest, true);
}

void MemoryOrder::executed(uint32_t number, uint64_t id) {
  Group &group = at(number);
  --group.operationsExecuting;
  ++group.operationsExecuted;
  if (group.slowest.known && group.slowest.id == id)
    group.slowest.known = false;
  if (!group.isExecuted())
    return;
  for (const uint32_t successor : group.onData) {
    --at(successor).executing;
    ++at(successor).executed;
  }
  group.alive = false;
  for (uint32_t *current : {&currentLoad_, &currentLoadBarrier_, &currentStore_, &currentStoreBarrier_})
    if (*current == number)
      *current = 0;
  while (!groups_.empty() && !groups_.front().alive) {
    groups_.pop_front();
    ++first_;
  }
}

void MemoryOrder::startCycle(int64_t now) {
  now_ = now;
  for (Group &group : groups_)
    if (group.alive && group.isWaiting() && group.critical.cycles)
      --group.critical.cycles;
}

} // namespace mca
