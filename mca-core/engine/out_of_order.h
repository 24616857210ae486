// The out-of-order machine: dispatches, issues, executes and retires instructions, cycle by cycle.
//
// Every cycle has the same result as in llvm-mca 22.1's default pipeline. A cycle has a fixed order: retire
// instructions, release resources, complete executed instructions, issue ready ones, then dispatch new ones and issue
// those that cannot wait. LLVM counts down in every instruction; here the events have absolute cycles, and the machine
// skips cycles in which nothing can happen.
//
// Events are inlined calls, so an unused view costs nothing. The class serves three kinds of runs, selected by the
// constant kDetails of `Events` and by the body:
// - plain (kDetails off): only cycles and the use of units are counted. It keeps no lists of waiting instructions.
// - pressure: the lists waiting_ and pending_ and the delays of each instruction are kept as well.
// - ordered: keepsOrder_ also keeps LLVM's list order, because the scan order of LLVM's scheduler affects which units
//   it finds busy. The machine turns it on only if needed, see orderMatters().
//
// The three share the pipeline and differ in a few `if constexpr` branches; separate classes would repeat every stage.
// The member functions are in out_of_order_cycle.h, out_of_order_dispatch.h, out_of_order_issue.h and
// out_of_order_state.h.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/engine/ready_queue.h"
#include "mca-core/engine/steady_state.h"
#include "mca-core/engine/store_order.h"
#include "mca-core/engine/trace_fetch.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace mca {

template <typename Events>
class OutOfOrderMachine {
public:
  explicit OutOfOrderMachine(const ResourceTable &resources) : resources_(resources) {}

  ResourceState &resources() { return resources_; }

  /// Runs `iterations` of the body to the end. Returns false if the machine gets stuck because an instruction needs
  /// more than the processor has.
  bool run(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations);

  /// Runs the instructions of `stream`, with `redirectCycles` between the execution of a mispredicted branch and the
  /// dispatch of the next instruction. Only for bodies without precomputed dependencies, and without a micro-op queue.
  bool run(const Body &body, const MachineOptions &options, Events &events, InstructionStream &stream,
           uint32_t redirectCycles);

  /// The rate of the period that the last run found within MachineOptions::rateSearchLimit, if any.
  InstanceRate rate() const { return steady_.rate(); }
  /// Runs the body until it repeats, or for a whole number of iterations of at most MachineOptions::rateSearchLimit
  /// instances; then the rate is that of the later half. No rate if the machine gets stuck.
  InstanceRate findSteadyRate(const Body &body, const MachineOptions &options, Events &events);

  /// Whether the last run stopped because LLVM's scan order affects the busy resources and was not kept. Its events are
  /// void: repeat the run with MachineOptions::keepsOrder.
  bool orderMatters() const { return orderMatters_; }

private:
  static constexpr uint32_t kEnd = ~0u;
  static constexpr bool kDetails = Events::kDetails;

  enum class Stage : uint8_t { Waiting, Pending, Ready, Executing, Executed };

  /// Everything that the run needs for one instruction, renamed or not, in one place: dispatch, issue and retirement
  /// read one or two lines of the cache instead of several lists of the body.
  struct Step {
    const BodyInstruction *code = nullptr;
    std::span<const BodyDependency> dependencies, dependents;
    ResourceState::Allocation allocation;
    BufferState::Entries buffers;
    uint64_t registers = 0;        ///< physical registers it takes, see RegisterState::countedOf()
    int32_t latency = 0;           ///< cycles
    uint32_t instructionIndex = 0; ///< position in the body
    uint32_t width = 0;            ///< micro-ops that must still be dispatchable in the cycle
    uint32_t microOps = 0;         ///< dispatched in its first cycle
    uint32_t entries = 0;          ///< reorder buffer entries
    uint32_t signature = 0;
    uint32_t zeroMoves = 0; ///< moves that forward a known zero, if it is eliminated
    bool eliminated = false;
    bool isMemory = false; ///< a memory operation in a body where their order matters
    bool isStore = false;  ///< a memory operation that stores
    bool isQueued = false; ///< a memory operation that occupies an entry of a limited queue
    bool endsIteration = false;
    bool needsRegisters = false; ///< from a register file with a limit
    bool isAwaited = false;      ///< a memory operation whose execution others may wait for
    bool isLong = false;         ///< needs several cycles to dispatch, or ends its dispatch group
  };
  struct Instance {
    uint64_t id = 0;
    int64_t ready = 0;    ///< cycle in which its operands are available, as far as known
    int64_t issued = 0;   ///< cycle of issue
    int64_t executed = 0; ///< cycle in which execution ends; TimeWheel::kNever before issue
    const Step *step = nullptr;
    uint32_t unresolved = 0; ///< definitions that it waits for and that have not issued
    uint32_t userCount = 0;  ///< operands that wait for its definitions
    uint32_t users = kEnd;   ///< list of these, into users_
    uint32_t group = 0;      ///< memory group, or StoreOrder's stretch
    uint32_t listIndex = 0;  ///< index in waiting_, pending_ or ready_
    Stage stage = Stage::Waiting;
    bool eliminated = false;
    bool leaving = false; ///< marked for removal from its list
  };
  /// An operand that waits for a definition: a read, or a partial write that merges into it. Used only if the machine
  /// renames while it runs.
  struct User {
    OperandWait wait;
    uint32_t slot = 0; ///< of the waiting instance
    uint32_t next = kEnd;
  };
  /// The state of an operand for pressure events.
  struct Operand {
    int64_t until = 0; ///< latest known cycle of its arrival
    CriticalWait critical;
    uint32_t write = 0; ///< the write that it waits for
  };
  /// The state of an instance for pressure events.
  struct Delays {
    PressureDelays cycles;
    uint32_t signatureCycles = 0; ///< its signature's busyCycles_ when it became ready
    int64_t readySince = 0;       ///< if ready: the first cycle in which it could not issue
    uint64_t criticalResources = 0;
  };

  /// The ready instances of one signature.
  struct alignas(64) SignatureQueue {
    ResourceState::Needs needs; ///< of the signature
    ReadyQueue queue;
    uint32_t signature = 0;
    bool active = false; ///< is in active_
  };
  /// A signature that could issue when last checked, and the head of its queue.
  struct Candidate {
    ReadyQueue::Key key = 0;
    SignatureQueue *signatureQueue = nullptr;
  };
  /// The last register that an instance waited for.
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
  Operand *operandsOf(const Instance &instance) {
    return operands_.data() + size_t(slotOf(instance)) * body_->maxOperands;
  }
  Delays &delaysOf(const Instance &instance) { return delays_[slotOf(instance)]; }
  /// In an earlier cycle.
  bool wasExecuted(const Instance &instance) const { return instance.executed < now_; }

  void reset(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations);
  void resetQueues();
  void resetPressure();
  bool needsMemoryOrder() const;
  bool ordersStoresOnly() const { return !kDetails && ordersStoresOnly_; }
  void makeSteps();

  // Cycles, and the stages of a cycle in order.
  [[gnu::flatten]] bool runCycles();
  bool isOver() const { return fetched_ == last_ && retired_ == fetched_ && !trace_.isOpen(); }
  /// Whether there is an instruction to fetch in this cycle.
  bool mayFetch() { return fetched_ < last_ || (trace_.isOpen() && fetchTrace()); }
  bool fetchTrace();
  bool isIdle() const;
  void followTrace();
  void retire();
  void startExecution();
  void startDispatch();
  void fetch();
  void drainQueue();
  bool endCycle();
  void reportPressure(int64_t cycles);
  void reportDataPressure(uint32_t cycles);

  // Memory operations.
  bool dispatchMemory(Instance &instance);
  bool isOrdered(const Instance &instance) const;
  void issueMemory(Instance &instance);

  // Wait and issue.
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
  void reportHeld();
  void reportOperands(const Instance &instance);
  void issue(Instance &instance);
  void finish(Instance &instance);
  void wakeUsers(Instance &instance);
  void wakeDependents(const Instance &instance);
  void resolveOperand(Instance &user, const OperandWait &wait, uint64_t producer);
  void resolveFromIssued(Instance &user, const OperandWait &wait, const Instance &producer);
  void collectDelays(Instance &instance, IssuedInstruction &issued);

  // Dispatch.
  bool canDispatch();
  bool schedulerAccepts(const Step &step);
  void dispatch();
  void carryOver(uint64_t id, const Dispatched &dispatched);
  void rename(Instance &instance);
  void addDependencies(Instance &instance);
  void waitForRetired(Instance &instance, const WriteRef &writer, OperandWait wait);
  void waitFor(Instance &instance, const WriteRef &writer, OperandWait wait);
  void addFreeUsers();
  void countUser(Instance &producer);
  void schedule(Instance &instance);

  // The steady state.
  using Period = typename SteadyState<Events>::Period;
  Period findPeriod();
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
  StoreOrder stores_;             ///< replaces memory_ if ordersStoresOnly_
  bool ordersStoresOnly_ = false; ///< no aliasing and no barriers, see store_order.h

  int64_t now_ = 0;
  TraceFetch trace_;
  uint64_t last_ = 0;       ///< instances to run; along a trace, as far as it has been read
  uint64_t fetched_ = 0;    ///< of them fetched
  uint64_t dispatched_ = 0; ///< of them dispatched
  uint64_t retired_ = 0;
  uint32_t count_ = 0;   ///< instructions of the body
  uint32_t fetchAt_ = 0; ///< position in the body of the next instruction to fetch
  std::vector<Step> steps_;
  const Step *next_ = nullptr;       ///< the next to dispatch
  const Step *stepsEnd_ = nullptr;   ///< one past the last
  const Step *repeatFrom_ = nullptr; ///< follows the last
  bool newIteration_ = false;
  /// The number of instances whose end of execution is reported or recorded. Later ones complete unnoticed, except
  /// memory operations.
  uint64_t trackedExecutions_ = 0;
  bool monotone_ = false;    ///< see Body::monotone
  bool keepsOrder_ = false;  ///< ordered runs: LLVM's list order is kept
  bool checksOrder_ = false; ///< or the machine checks whether that order matters
  bool orderMatters_ = false;
  bool renames_ = false;           ///< dependencies are resolved while the machine runs
  uint32_t retireWidth_ = 0;       ///< instructions per cycle
  bool progress_ = false;          ///< something happened in this cycle
  std::vector<Instance> inFlight_; // a ring
  uint64_t mask_ = 0;
  struct History {
    uint64_t id = WriteRef::kNoInstance;
    int64_t executed = 0;
  };
  /// A ring, for late reads: the cycle in which an instance, perhaps retired, was executed.
  std::vector<History> history_;
  std::vector<User> users_;
  uint32_t freeUser_ = kEnd;
  TimeWheel wheel_; ///< by cycle: pending instances whose operands arrive, executing instances that complete

  uint32_t freeQueueEntries_ = 0; ///< in the micro-op queue
  uint32_t freeEntries_ = 0;      ///< in the reorder buffer
  uint32_t width_ = 0;            ///< micro-ops that can still be dispatched in this cycle
  uint32_t carryOver_ = 0;        ///< micro-ops of the last instruction that need further cycles
  uint64_t carried_ = 0;
  Dispatched carriedDispatch_; ///< its first dispatch event

  std::vector<SignatureQueue> signatureQueues_; // by signature
  std::vector<uint32_t> active_;                ///< signatures whose queue may not be empty, in any order
  std::vector<Candidate> candidates_;           ///< the first candidateCount_ are valid
  size_t candidateCount_ = 0;
  bool readyChanged_ = false; ///< an instance became ready after the candidates were collected

  // For pressure events: the instances by stage, in LLVM's order if keepsOrder_.
  std::vector<uint32_t> waiting_; ///< a producer or an earlier memory group has not issued
  std::vector<uint32_t> pending_; ///< all have issued, but an operand or earlier memory operation is not complete
  std::vector<uint32_t> ready_;   ///< only if keepsOrder_
  std::vector<uint32_t> leaveWaiting_, leavePending_;
  std::vector<uint32_t> finished_;   ///< whose operands become available in this cycle
  std::vector<uint32_t> newlyReady_; ///< dispatched in this cycle and immediately ready
  std::vector<Operand> operands_;    // by slot
  std::vector<Delays> delays_;       // by slot
  std::vector<uint64_t> busyAtEnd_;  // by signature: the resources busy at the end of the last cycle
  std::vector<uint32_t> busyCycles_; // by signature: cycles of delay reported so far
  uint32_t dispatchedToPending_ = 0; ///< instances added to pending_ in this cycle
  uint32_t dispatchedMicroOps_ = 0, issuedMicroOps_ = 0;
  uint64_t busyResources_ = 0, earlierBusy_ = 0;
  bool tokenStall_ = false;

  // For wait reasons.
  bool waits_ = false;                    ///< wait reasons are requested
  bool issuePhaseIsOver_ = false;         ///< of this cycle
  std::vector<LastOperand> lastOperands_; // by slot

  SteadyState<Events> steady_;
};

} // namespace mca

#include "mca-core/engine/out_of_order_cycle.h"
#include "mca-core/engine/out_of_order_dispatch.h"
#include "mca-core/engine/out_of_order_issue.h"
#include "mca-core/engine/out_of_order_state.h"
