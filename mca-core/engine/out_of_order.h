// The out-of-order machine: dispatch, wait, issue, execute, retire, cycle by cycle.
//
// It gives in every cycle what llvm-mca 22.1's default pipeline gives. A cycle has a fixed order: instructions retire;
// resources come free, what is executed leaves, what has become ready is issued; then new instructions are dispatched,
// and those that cannot wait are issued at once. Countdowns of LLVM's are absolute cycles here, and cycles in which
// nothing can happen are passed over.
//
// Everything that happens is told to `Events` through inlined calls: a view that is off costs nothing.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/engine/ready_queue.h"
#include "mca-core/engine/steady_state.h"
#include "mca-core/engine/store_order.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

template <typename Events>
class OutOfOrderMachine {
public:
  explicit OutOfOrderMachine(const ResourceTable &resources) : resources_(resources) {}

  ResourceState &resources() { return resources_; }

  /// Runs `iterations` of the body to the end. Returns false when the machine comes to a halt before: an instruction
  /// asks for more than the processor has.
  bool run(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations);

  /// Of the period that the last run found; none when it found none in time, see MachineOptions::paceWithin.
  InstanceRate rate() const { return rate_; }
  /// Runs the body until it repeats, or for MachineOptions::paceWithin instances, a whole number of iterations: then
  /// the pace is that of the later half. None when the machine comes to a halt before.
  InstanceRate findSteadyRate(const Body &body, const MachineOptions &options, Events &events);

  /// Whether the last run ended because what is found busy depends on the order in which LLVM's scheduler looks, and
  /// the order was not kept: what was told is void, and the run has to be repeated with MachineOptions::keepsOrder.
  bool orderMatters() const { return orderMatters_; }

private:
  static constexpr uint32_t kEnd = ~0u;
  static constexpr bool kPressure = Events::kPressure;
  static constexpr bool kDetails = Events::kDetails;
  static constexpr bool kWaits = Events::kWaits;

  enum class Stage : uint8_t { Waiting, Pending, Ready, Executing, Executed };

  /// An instruction, renamed or not, as the run looks at it: what it needs each time, side by side.
  struct Step {
    const BodyInstruction *code = nullptr;
    std::span<const BodyDependency> dependencies, dependents;
    ResourceState::Allocation allocation;
    ResourceState::Buffers buffers;
    uint64_t registers = 0;        ///< physical ones that it takes, see RegisterState::countedOf()
    int32_t latency = 0;           ///< cycles
    uint32_t instructionIndex = 0; ///< position in the body
    uint32_t width = 0;            ///< micro-ops that must still be dispatchable in the cycle
    uint32_t microOps = 0;         ///< of them in its first cycle
    uint32_t entries = 0;          ///< of the reorder buffer
    uint32_t signature = 0;
    uint32_t zeroMoves = 0; ///< that pass on a known zero, when it is eliminated
    bool eliminated = false;
    bool isMemory = false; ///< and the order of memory operations matters
    bool isStore = false;  ///< of them
    bool isQueued = false; ///< and takes an entry of a queue that may be full
    bool endsIteration = false;
    bool needsRegisters = false; ///< from a file that may be full
    bool isAwaited = false;      ///< is a memory operation for the execution of which others may wait
    bool isLong = false;         ///< takes more than a cycle to dispatch, or is the last of its cycle
  };
  struct Instance {
    uint64_t id = 0;
    int64_t ready = 0;    ///< cycle in which the operands are there, as far as it is known
    int64_t issued = 0;   ///< cycle in which it was
    int64_t executed = 0; ///< cycle in which it is; TimeWheel::kNever until it has been issued
    const Step *step = nullptr;
    uint32_t unresolved = 0; ///< definitions it waits for that have not been issued
    uint32_t userCount = 0;  ///< those who wait for its definitions
    uint32_t users = kEnd;   ///< list of them
    uint32_t group = 0;      ///< of memory operations
    uint32_t listIndex = 0;  ///< in waiting_, pending_ or ready_
    Stage stage = Stage::Waiting;
    bool eliminated = false;
    bool leaving = false; ///< of the list it is in
  };
  /// Somebody who waits for a definition: a read, or a partial write that is merged into it. Only where renaming has
  /// to find out who waits for whom.
  struct User {
    OperandWait wait;
    uint32_t slot = 0; ///< of the one who waits
    uint32_t next = kEnd;
  };
  /// What pressure events need to know of an operand.
  struct Operand {
    int64_t until = 0; ///< latest cycle known so far
    CriticalWait critical;
    uint32_t write = 0; ///< the one it waits for
  };
  /// What pressure events need to know of an instance.
  struct Delays {
    PressureDelays cycles;
    uint32_t signatureCycles = 0; ///< counter of the signature when it became ready
    int64_t readySince = 0;       ///< first cycle in which it was looked at and found busy, if it is ready
    uint64_t criticalResources = 0;
  };

  /// The ready instances of one signature.
  struct alignas(64) SignatureQueue {
    ResourceState::Needs needs; ///< of the signature
    ReadyQueue queue;
    uint32_t signature = 0;
    bool active = false; ///< in active_
  };
  /// A signature that could issue when it was last looked at, and the head of its queue.
  struct Candidate {
    ReadyQueue::Key key = 0;
    SignatureQueue *signatureQueue = nullptr;
  };
  /// The register that an instance waited for last.
  struct LastOperand {
    uint64_t producer = WriteRef::kNoInstance;
    uint32_t reg = 0;
  };

  Instance &at(uint64_t id) { return inFlight_[id & mask_]; }
  const Instance &at(uint64_t id) const { return inFlight_[id & mask_]; }
  uint32_t slotOf(const Instance &instance) const { return static_cast<uint32_t>(instance.id & mask_); }
  static const BodyInstruction &bodyOf(const Instance &instance) { return *instance.step->code; }
  bool canIssue(const SignatureQueue &signatureQueue) {
    return resources_.canIssue(signatureQueue.needs, signatureQueue.signature);
  }
  Operand *operandsOf(const Instance &instance) { return &operands_[size_t(slotOf(instance)) * body_->maxOperands]; }
  Delays &delaysOf(const Instance &instance) { return delays_[slotOf(instance)]; }
  /// Before the present cycle.
  bool wasExecuted(const Instance &instance) const { return instance.executed < now_; }

  void reset(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations);
  bool needsMemoryOrder() const;
  bool ordersStoresOnly() const { return !kPressure && ordersStoresOnly_; }
  void makeSteps();

  // Cycles, and the parts of a cycle in their order.
  [[gnu::flatten]] bool runCycles();
  bool isOver() const { return fetched_ == last_ && retired_ == fetched_; }
  void retire();
  void startExecution();
  void startDispatch();
  void fetch();
  void drainQueue();
  bool endCycle();
  void reportPressure(int64_t cycles);

  // Memory operations.
  bool dispatchMemory(Instance &instance);
  bool isOrdered(const Instance &instance) const;
  void issueMemory(Instance &instance);

  // Waiting and issuing.
  void handleDue(uint32_t slot);
  void promote(Instance &instance);
  void promoteWoken();
  void makeReady(Instance &instance);
  void promoteWaiting();
  void promotePending();
  void findCandidates();
  size_t bestCandidate() const;
  void issueReady();
  void issueCandidates();
  void issueReadyInOrder();
  size_t selectInOrder();
  void recordBusyResources();
  uint64_t recordEarlierBusy(const SignatureQueue &signatureQueue);
  void reportHeld();
  void reportOperands(const Instance &instance);
  void issue(Instance &instance);
  void finish(Instance &instance);
  void wakeUsers(Instance &instance);
  void wakeDependents(const Instance &instance);
  void resolveOperand(Instance &user, const OperandWait &wait, uint64_t producer);
  void resolveFromIssued(Instance &user, const OperandWait &wait, const Instance &producer);
  void collectDelays(Instance &instance, IssuedInstruction &issued);

  // Dispatching.
  bool canDispatch();
  bool schedulerAccepts(const Step &step);
  void dispatch();
  void carryOver(uint64_t id, const Dispatched &dispatched);
  void rename(Instance &instance);
  void addDependencies(Instance &instance);
  void readRegister(Instance &instance, const BodyRead &read);
  void waitFor(Instance &instance, const WriteRef &writer, OperandWait wait);
  void countUser(Instance &producer);
  void schedule(Instance &instance);

  // The steady state.
  using Period = typename SteadyState<MachineMark<Events>>::Period;
  Period findPeriod();
  void trySkipPeriods();
  uint64_t fingerprint() const;
  template <typename Sink>
  bool describe(Sink &sink) const;
  template <typename Sink>
  bool describeInstance(const Instance &instance, Sink &sink) const;
  template <typename Sink>
  bool describePressure(const Instance &instance, Sink &sink) const;
  template <typename Sink>
  bool describeWriter(const WriteRef &writer, Sink &sink) const;

  const Body *body_ = nullptr;
  MachineOptions options_;
  Events *events_ = nullptr;
  RegisterState registers_;
  ResourceState resources_;
  MemoryOrder memory_;
  StoreOrder stores_;             ///< instead, where that is all
  bool ordersStoresOnly_ = false; ///< it is

  int64_t now_ = 0;
  uint64_t last_ = 0;       ///< instances to run
  uint64_t fetched_ = 0;    ///< of them have left the source
  uint64_t dispatched_ = 0; ///< of them have been dispatched
  uint64_t retired_ = 0;
  uint32_t count_ = 0;   ///< instructions of the body
  uint32_t fetchAt_ = 0; ///< the instruction of the body that is fetched next
  std::vector<Step> steps_;
  const Step *next_ = nullptr;       ///< the one that is dispatched next
  const Step *stepsEnd_ = nullptr;   ///< behind the last one
  const Step *repeatFrom_ = nullptr; ///< that follows the last one
  bool newIteration_ = false;
  /// Instances whose end of execution is told or remembered. That of others, memory operations aside, passes unnoticed.
  uint64_t trackedExecutions_ = 0;
  bool monotone_ = false;    ///< the body is
  bool keepsOrder_ = false;  ///< for pressure events: LLVM's lists are kept in their order
  bool checksOrder_ = false; ///< or whether it matters has to be looked at
  bool orderMatters_ = false;
  bool renames_ = false;           ///< who waits for whom has to be found out
  uint32_t retireWidth_ = 0;       ///< instructions per cycle
  bool progress_ = false;          ///< something has happened in this cycle
  std::vector<Instance> inFlight_; // a ring
  uint64_t mask_ = 0;
  struct History {
    uint64_t id = WriteRef::kNoInstance;
    int64_t executed = 0;
  };
  std::vector<History> history_; // a ring, for late reads: when an instance was executed, perhaps long after retiring
  std::vector<User> users_;
  uint32_t freeUser_ = kEnd;
  TimeWheel wheel_; ///< slots of pending (when their operands are there) and of executing instances

  uint32_t freeQueueEntries_ = 0; ///< of the micro-op queue
  uint32_t freeEntries_ = 0;      ///< of the reorder buffer
  uint32_t width_ = 0;            ///< micro-ops that may still be dispatched in this cycle
  uint32_t carryOver_ = 0;        ///< micro-ops of the last instruction that take further cycles
  uint64_t carried_ = 0;
  Dispatched carriedDispatch_; ///< what was told of it

  std::vector<SignatureQueue> signatureQueues_; // by signature
  NumberBag active_;                            ///< signatures whose queue may hold something
  std::vector<Candidate> candidates_;           ///< the first candidateCount_
  size_t candidateCount_ = 0;
  bool readyChanged_ = false; ///< something has become ready since the candidates were found

  // For pressure events: who waits for what, in LLVM's order where that matters.
  std::vector<uint32_t> waiting_; ///< for somebody to be issued
  std::vector<uint32_t> pending_; ///< operands known but not there yet, or memory order in the way
  std::vector<uint32_t> ready_;   ///< only where the order is kept
  std::vector<uint32_t> leaveWaiting_, leavePending_;
  std::vector<uint32_t> finished_;   ///< whose operands are there from this cycle on
  std::vector<uint32_t> newlyReady_; ///< dispatched in this cycle, and ready
  std::vector<Operand> operands_;    // by slot
  std::vector<Delays> delays_;       // by slot
  std::vector<uint64_t> busySince_;  // by signature: what was busy at the end of the last cycle
  std::vector<uint32_t> busyCycles_; // by signature: reported cycles of delay
  uint32_t dispatchedToPending_ = 0; ///< of pending_, in this cycle
  uint32_t dispatchedMicroOps_ = 0, issuedMicroOps_ = 0;
  uint64_t busyResources_ = 0, earlierBusy_ = 0;
  bool tokenStall_ = false;

  // For wait reasons.
  bool waits_ = false;                    ///< somebody wants to know them
  bool issuePhaseIsOver_ = false;         ///< of this cycle
  std::vector<LastOperand> lastOperands_; // by slot

  SteadyState<MachineMark<Events>> steady_;
  bool searchesForPeriod_ = false;
  InstanceRate rate_;
};

} // namespace mca

#include "mca-core/engine/out_of_order_cycle.h"
#include "mca-core/engine/out_of_order_dispatch.h"
#include "mca-core/engine/out_of_order_issue.h"
#include "mca-core/engine/out_of_order_state.h"
