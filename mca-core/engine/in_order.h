// The in-order machine: instructions issue in program order, and one that cannot issue blocks all later ones.
//
// Every cycle has the same result as in llvm-mca 22.1's in-order pipeline (InOrderIssueStage in LLVM's MCA library). An
// instruction waits for its registers, for free resources, for the memory order, for the target's own hazards, and for
// the write-back of earlier results unless it may retire out of order. An instruction with more micro-ops than the
// cycle has left is carried over into the next cycles. Executed instructions retire at once. The member functions are
// in in_order_parts.h.
#pragma once

#include "mca-core/engine/custom_hazards.h"
#include "mca-core/engine/machine.h"
#include "mca-core/engine/steady_state.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace mca {

template <typename Events>
class InOrderMachine {
public:
  explicit InOrderMachine(const ResourceTable &resources) : resources_(resources) {}

  ResourceState &resources() { return resources_; }

  /// Runs `iterations` of the body to the end. `hazards` may be null. Returns false if the machine gets stuck because
  /// an instruction waits for an event that never happens.
  bool run(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations,
           CustomHazards *hazards = nullptr);

  /// As in OutOfOrderMachine. `hazards` must have nothing in flight, and cannot be reused afterwards.
  InstanceRate rate() const { return steady_.rate(); }
  InstanceRate findSteadyRate(const Body &body, const MachineOptions &options, Events &events,
                              CustomHazards *hazards = nullptr);

private:
  struct Instance {
    uint64_t id = WriteRef::kNoInstance;
    uint32_t instructionIndex = 0;
    uint32_t group = 0; ///< memory group
    int64_t issued = 0;
    int64_t executed = 0;
    bool done = false;      ///< executed and retired
    bool forgotten = false; ///< executed, but LLVM never retires it
    CriticalWait registerWait, memoryWait;
    uint64_t criticalResources = 0;
    PressureDelays delays;
  };

  Instance &at(uint64_t id) { return instances_[id & (instances_.size() - 1)]; }
  const Instance &at(uint64_t id) const { return instances_[id & (instances_.size() - 1)]; }
  const BodyInstruction &bodyOf(const Instance &instance) const {
    return body_->instructions[instance.instructionIndex];
  }
  int64_t writeBackIn() const { return std::max<int64_t>(0, lastWriteBack_ - now_); }

  void reset(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations,
             CustomHazards *hazards);

  // A cycle and its steps.
  [[gnu::flatten]] bool cycle();
  void startCycle();
  void finishExecuted();
  void continueCarried();
  int64_t nextChange() const;

  // Issue.
  bool isAvailable(const BodyInstruction &instruction) const;
  void accept();
  Instance &newInstance(uint64_t id);
  bool stall(Instance &instance, int64_t cycles, WaitKind reason);
  bool canIssue(Instance &instance);
  int64_t registerHazard(Instance &instance);
  void tryIssue(Instance &instance);
  void reportIssued(const Instance &instance);
  void finish(Instance &instance);
  void reportStall();
  void countDelay(int64_t cycles);
  void reportWait();

  // The steady state.
  using Period = typename SteadyState<Events>::Period;
  uint64_t inFlight() const { return issued_.size() + stalled_; }
  Period findPeriod();
  void skipPeriods();
  template <typename Sink>
  bool describe(Sink &sink) const;
  template <typename Sink>
  bool describeWriter(const WriteRef &writer, Sink &sink) const;

  const Body *body_ = nullptr;
  MachineOptions options_;
  Events *events_ = nullptr;
  CustomHazards *hazards_ = nullptr;
  RegisterState registers_;
  ResourceState resources_;
  MemoryOrder memory_;

  int64_t now_ = 0;
  uint64_t last_ = 0;    ///< instances to run
  uint64_t fetched_ = 0; ///< of them fetched
  uint32_t fetchAt_ = 0; ///< position in the body of the next instruction to fetch
  bool newIteration_ = false;
  bool progress_ = false;                                       ///< something happened in this cycle
  std::vector<Instance> instances_ = std::vector<Instance>(64); // a ring
  std::vector<uint64_t> issued_;                                ///< executing, oldest first
  int64_t firstExecuted_ = TimeWheel::kNever;                   ///< the first cycle in which one of them completes
  uint32_t bandwidth_ = 0;                                      ///< micro-ops that can still issue in this cycle
  uint32_t issuedMicroOps_ = 0;
  int64_t lastWriteBack_ = 0;                   ///< cycle in which the last issued instruction writes its results
  uint64_t lastWriter_ = WriteRef::kNoInstance; ///< that instruction
  bool stalled_ = false;
  bool stallReported_ = false; ///< in this cycle
  uint64_t stalledId_ = 0;
  int64_t stalledUntil_ = 0;
  WaitKind stallReason_ = WaitKind::Register; ///< Register, Resource, Memory, TargetRule or WriteBack
  bool carried_ = false;
  uint64_t carriedId_ = 0;
  uint32_t carriedMicroOps_ = 0;

  SteadyState<Events> steady_;
  bool waits_ = false; ///< wait reasons are requested
};

} // namespace mca

#include "mca-core/engine/in_order_parts.h"
