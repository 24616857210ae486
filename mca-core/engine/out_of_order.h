// The out-of-order machine: dispatch, wait, issue, execute, retire, cycle by cycle.
//
// It gives in every cycle what llvm-mca 22.1's default pipeline gives. A cycle has a fixed order: instructions retire;
// resources come free, what is executed leaves, what has become ready is issued; then new instructions are dispatched,
// and those that cannot wait are issued at once. Countdowns of LLVM's are absolute cycles here.
//
// Everything that happens is told to `Events` through inlined calls: a view that is off costs nothing.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/engine/memory_order.h"
#include "mca-core/engine/register_state.h"
#include "mca-core/engine/resource_state.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

namespace mca {

template <typename Events>
class OutOfOrderMachine {
public:
  OutOfOrderMachine(const Body &body, const ResourceTable &resources, const MachineOptions &options, Events &events)
      : body_(body), options_(options), events_(events), registers_(body), resources_(resources),
        memory_(options.loadQueue, options.storeQueue, options.assumeNoAlias) {
    // A late read may ask for the definition of an instruction that has retired some cycles ago.
    const uint64_t remembered = uint64_t(options.reorderBuffer) * (body.longestLateRead + 1) + 2;
    flight_.resize(std::bit_ceil(remembered));
    freeEntries_ = options.reorderBuffer;
    if (options.microOpQueue)
      freeQueueEntries_ = options.microOpQueue;
  }

  /// Runs `iterations` of the body to the end.
  void run(uint64_t iterations) {
    last_ = iterations * body_.instructions.size();
    do
      cycle();
    while (fetched_ < last_ || !queue_.empty() || retired_ < dispatched_);
  }

private:
  static constexpr int64_t kUnknown = INT64_MIN;
  static constexpr uint32_t kEnd = ~0u;

  enum class Stage : uint8_t { Waiting, Pending, Ready, Executing, Executed };

  /// Somebody who waits for a definition: a read, or a partial write that is merged into it.
  struct User {
    uint64_t id;
    uint32_t operand; ///< number of the read, or reads + number of the write
    int32_t advance;
    uint32_t next;
  };
  struct Write {
    uint32_t users = kEnd;
    int64_t known = kUnknown; ///< cycle of issue
    bool zero = false;
  };
  struct Operand {
    int64_t until = 0; ///< latest cycle known so far
    CriticalWait critical;
  };
  struct Instance {
    uint64_t id = 0;
    uint32_t what = 0; ///< instruction of the body
    Stage stage = Stage::Waiting;
    bool eliminated = false;
    uint32_t unresolved = 0; ///< definitions it waits for that have not been issued
    uint32_t userCount = 0;
    uint32_t entries = 0; ///< of the reorder buffer
    uint32_t group = 0;   ///< of memory operations
    int64_t ready = 0;    ///< cycle in which the operands are there, once nothing is unresolved
    int64_t executed = kUnknown;
    uint64_t criticalResources = 0;
    std::vector<Write> writes;
    std::vector<Operand> operands; ///< reads, then writes
  };

  Instance &at(uint64_t id) { return flight_[id & (flight_.size() - 1)]; }
  const BodyInstruction &bodyOf(const Instance &instance) const { return body_.instructions[instance.what]; }
  const BodyResource *resourcesOf(const BodyInstruction &instruction) const {
    return body_.resources.data() + instruction.firstResource;
  }
  static bool isMemory(const BodyInstruction &instruction) { return instruction.mayLoad || instruction.mayStore; }

  // The parts of a cycle, in their order.
  void cycle();
  void retire();
  void startExecution();
  void startDispatch();
  void fetch();
  void drainQueue();
  void reportPressure();

  // Waiting and issuing.
  void issueReady();
  size_t selectReady();
  void issue(Instance &instance);
  void finish(Instance &instance);
  void wakeUsers(Instance &instance);
  void arrive(Instance &user, uint32_t operand, uint64_t producer, const BodyWrite &write, int64_t cycles);
  bool promoteWaiting();
  void promotePending();
  bool isReadyNow(const Instance &instance) const;
  CriticalWait criticalRegister(const Instance &instance) const;

  // Dispatching.
  bool canDispatch(uint64_t id);
  bool schedulerTakes(const BodyInstruction &instruction);
  void dispatch(uint64_t id);
  void readRegister(Instance &instance, uint32_t operand, const BodyRead &read);
  void waitFor(Instance &instance, uint32_t operand, const WriteRef &writer, int32_t advance);
  void define(Instance &instance, uint32_t number, bool zero);
  void schedule(Instance &instance);

  const Body &body_;
  MachineOptions options_;
  Events &events_;
  RegisterState registers_;
  ResourceState resources_;
  MemoryOrder memory_;

  int64_t now_ = 0;
  uint64_t last_ = 0;       ///< instances to run
  uint64_t fetched_ = 0;    ///< of them have left the source
  uint64_t dispatched_ = 0; ///< of them have been dispatched
  uint64_t retired_ = 0;
  std::vector<Instance> flight_;
  std::vector<User> users_;
  uint32_t freeUser_ = kEnd;

  std::deque<uint64_t> queue_; ///< the micro-op queue
  uint32_t freeQueueEntries_ = 0;
  uint32_t freeEntries_ = 0;
  uint32_t width_ = 0;     ///< micro-ops that may still be dispatched in this cycle
  uint32_t carryOver_ = 0; ///< micro-ops of the last instruction that take further cycles
  uint64_t carried_ = 0;

  std::vector<uint64_t> waiting_; ///< for somebody to be issued (without pressure events: memory operations alone)
  std::vector<uint64_t> pending_; ///< operands known but not there yet, or memory order in the way
  std::vector<uint64_t> ready_;
  std::vector<uint64_t> executing_;
  bool newlyPending_ = false;        ///< an issue has made somebody pending
  uint32_t dispatchedToPending_ = 0; ///< of pending_, in this cycle
  std::vector<UsedUnit> used_;
  std::vector<bool> zeros_;
  uint32_t dispatchedMicroOps_ = 0, issuedMicroOps_ = 0;
  uint64_t busyResources_ = 0;
  bool tokenStall_ = false;
  std::vector<DelayedInstruction> delayed_;
};

} // namespace mca

#include "mca-core/engine/out_of_order_parts.h"
