// The load/store unit: which memory operations must wait for which.
//
// The rules are llvm-mca 22.1's (class LSUnit of LLVM's MCA library). Operations form groups in program order: a store
// is a group of its own, loads without a store between them share one until it starts to execute. A group waits for
// earlier ones: for their data (they must be executed) or only for their order (they must be issued).
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/views/collectors.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace mca {

/// The operation of a group that takes longest, as those behind it see it.
struct MemoryWait {
  uint64_t id = 0;
  int64_t until = 0; ///< cycle in which it will be executed
  bool known = false;
};

class MemoryOrder {
public:
  MemoryOrder(uint32_t loadQueue, uint32_t storeQueue, bool assumeNoAlias)
      : loadQueue_(loadQueue), storeQueue_(storeQueue), assumeNoAlias_(assumeNoAlias) {}

  bool loadQueueFull() const { return loadQueue_ && loadQueue_ == loads_; }
  bool storeQueueFull() const { return storeQueue_ && storeQueue_ == stores_; }

  /// Returns the operation's group.
  uint32_t dispatch(const BodyInstruction &instruction);
  bool isWaiting(uint32_t group) const { return at(group).isWaiting(); }
  bool isPending(uint32_t group) const { return at(group).isPending(); }
  bool isReady(uint32_t group) const { return at(group).isReady(); }
  bool hasSuccessors(uint32_t group) const {
    return !at(group).isExecuted() && (!at(group).inOrder.empty() || !at(group).onData.empty());
  }
  void issued(uint32_t group, uint64_t id, int64_t executedAt);
  void executed(uint32_t group, uint64_t id);
  void retired(const BodyInstruction &instruction) {
    loads_ -= instruction.mayLoad;
    stores_ -= instruction.mayStore;
  }
  /// Which operation delayed the group, and by how many cycles; 0 when none did. At the end of its waiting.
  CriticalWait criticalPredecessor(uint32_t group) const { return at(group).critical; }
  /// To be called at the start of each cycle.
  void startCycle(int64_t now);

private:
  struct Group {
    uint32_t predecessors = 0, executing = 0, executed = 0;
    uint32_t operations = 0, operationsExecuting = 0, operationsExecuted = 0;
    std::vector<uint32_t> inOrder, onData; // successors
    CriticalWait critical;
    MemoryWait slowest;
    bool alive = false;

    bool isWaiting() const { return predecessors > executing + executed; }
    bool isPending() const { return executing && executed + executing == predecessors; }
    bool isReady() const { return executed == predecessors; }
    bool isExecuting() const { return operationsExecuting && operationsExecuting == operations - operationsExecuted; }
    bool isExecuted() const { return operations == operationsExecuted; }
  };
  const Group &at(uint32_t group) const { return groups_[group - first_]; }
  Group &at(uint32_t group) { return groups_[group - first_]; }
  uint32_t newGroup();
  void addSuccessor(uint32_t from, uint32_t to, bool forData);
  void groupIssued(Group &group, const MemoryWait &slowest, bool forData);

  uint32_t loadQueue_, storeQueue_;
  bool assumeNoAlias_;
  uint32_t loads_ = 0, stores_ = 0;
  std::deque<Group> groups_; // consecutive numbers from first_; 0 is no group
  uint32_t first_ = 1;
  uint32_t currentLoad_ = 0, currentLoadBarrier_ = 0, currentStore_ = 0, currentStoreBarrier_ = 0;
  int64_t now_ = 0;
};

} // namespace mca
