// The in-order machine: instructions issue in program order, and one that cannot issue blocks all later ones.
//
// Every cycle has the same result as in llvm-mca 22.1's in-order pipeline (InOrderIssueStage in LLVM's MCA library). An
// instruction waits for its registers, for free resources, for the memory order, for the target's own hazards, and for
// the write-back of earlier results unless it may retire out of order. An instruction with more micro-ops than the
// cycle has left is carried over into the next cycles. Executed instructions retire at once.
#pragma once

#include "mca-core/engine/custom_hazards.h"
#include "mca-core/engine/machine.h"
#include "mca-core/engine/steady_state.h"
#include "mca-core/engine/trace_fetch.h"

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
           CustomHazards *hazards = nullptr) {
    reset(body, options, events, iterations, hazards);
    do {
      if (std::exchange(newIteration_, false) && steady_.isSearching())
        skipPeriods();
      if (!cycle())
        return false;
    } while (!isOver());
    return true;
  }

  /// As in OutOfOrderMachine.
  bool run(const Body &body, const MachineOptions &options, Events &events, InstructionStream &stream,
           uint32_t redirectCycles) {
    reset(body, options, events, /*iterations=*/0, /*hazards=*/nullptr);
    trace_.reset(&stream, redirectCycles);
    do {
      if (!cycle())
        return false;
    } while (!isOver());
    return true;
  }

  /// As in OutOfOrderMachine.
  InstanceRate rate() const { return steady_.rate(); }
  /// As in OutOfOrderMachine. `hazards` must have nothing in flight, and cannot be reused afterwards.
  InstanceRate findSteadyRate(const Body &body, const MachineOptions &options, Events &events,
                              CustomHazards *hazards = nullptr) {
    reset(body, options, events, options.rateSearchLimit / body.instructions.size(), hazards);
    LaterHalf laterHalf(last_);
    while (cycle() && fetched_ < last_) {
      if (!std::exchange(newIteration_, false))
        continue;
      if (const Period period = findPeriod(); period.since)
        return period.rate;
      laterHalf.record(now_, fetched_);
    }
    return laterHalf.rate();
  }

private:
  struct Instance {
    uint64_t id = WriteRef::kNoInstance;
    uint32_t instructionIndex = 0;
    uint32_t group = 0; ///< memory group
    int64_t issued = 0;
    int64_t executed = 0;
    bool done = false;      ///< executed and retired; from then on, `executed` is the cycle in which that happened
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
  /// Cycles until the last issued instruction writes its results.
  int64_t writeBackIn() const { return std::max<int64_t>(0, lastWriteBack_ - now_); }
  uint64_t inFlight() const { return issued_.size() + stalled_; }
  bool isOver() const { return fetched_ == last_ && !inFlight() && !carried_ && !trace_.isOpen(); }

  using Period = typename SteadyState<Events>::Period;

  void reset(const Body &body, const MachineOptions &options, Events &events, uint64_t iterations,
             CustomHazards *hazards) {
    body_ = &body;
    options_ = options;
    events_ = &events;
    hazards_ = hazards;
    registers_.reset(body);
    resources_.reset(body, /*watched=*/Events::kDetails);
    memory_.reset(/*loadQueue=*/0, /*storeQueue=*/0, options.assumeNoAlias, body.memoryClasses, body.memoryPlaces);
    trace_.reset(nullptr, 0);
    now_ = 0;
    last_ = iterations * body.instructions.size();
    fetched_ = 0;
    fetchAt_ = 0;
    for (Instance &instance : instances_)
      instance = {};
    issued_.clear();
    firstExecuted_ = TimeWheel::kNever;
    bandwidth_ = issuedMicroOps_ = 0;
    lastWriteBack_ = 0;
    lastWriter_ = WriteRef::kNoInstance;
    if constexpr (Events::kDetails)
      waits_ = events.wantsWaits();
    stalled_ = carried_ = forgets_ = false;
    stalledUntil_ = 0;
    newIteration_ = false;
    steady_.reset(options, iterations);
  }

  /// Runs a cycle, and skips those after it in which nothing can happen. Returns false if nothing ever will. Each cycle
  /// runs all steps once, so their calls are flattened.
  [[gnu::flatten]] bool cycle() {
    progress_ = stallReported_ = false;
    startCycle();
    while (mayFetch() && isAvailable(body_->instructions[fetchAt_]))
      accept();
    int64_t cycles = 1;
    if (!progress_) {
      const int64_t next = nextChange();
      if (next == TimeWheel::kNever)
        return false;
      cycles = next - now_;
    }
    if constexpr (Events::kDetails)
      if (stallReported_) {
        countDelay(cycles);
        if (waits_)
          reportWait();
      }
    events_->onCyclesEnd(cycles);
    now_ += cycles;
    return true;
  }

  /// Starts a cycle as InOrderIssueStage::cycleStart does: releases resources, completes executed instructions,
  /// continues the carried-over one, and retries the stalled one once its wait is over.
  void startCycle() {
    issuedMicroOps_ = 0;
    bandwidth_ = options_.dispatchWidth;
    progress_ |= resources_.startCycle(now_);
    finishExecuted();
    continueCarried();
    if (!stalled_)
      return;
    if (now_ >= stalledUntil_) {
      stalled_ = false;
      tryIssue(at(stalledId_));
    }
    if (stalled_ && now_ < stalledUntil_) {
      reportStall();
      bandwidth_ = 0;
    }
  }

  /// Returns the next cycle in which the state may change if it does not change in this one.
  int64_t nextChange() const {
    int64_t next = std::min({resources_.nextRelease(), firstExecuted_, trace_.resumesAt()});
    // LLVM retries these in every cycle, but the outcome changes only once a unit is released or an instruction is
    // executed.
    const bool byTime = stallReason_ != WaitKind::Resource && stallReason_ != WaitKind::Memory;
    if (stalled_ && byTime)
      next = std::min(next, stalledUntil_);
    return next;
  }

  /// Retires the instructions that have been executed (InOrderIssueStage::updateIssuedInst).
  void finishExecuted() {
    if (firstExecuted_ > now_)
      return;
    firstExecuted_ = TimeWheel::kNever;
    size_t kept = 0;
    for (size_t i = 0; i < issued_.size(); ++i) {
      Instance &instance = at(issued_[i]);
      if (instance.executed > now_) {
        firstExecuted_ = std::min(firstExecuted_, instance.executed);
        issued_[kept++] = issued_[i];
        continue;
      }
      progress_ = true;
      if (hazards_)
        hazards_->onGone(instance.id);
      // While an instruction is carried over, InOrderIssueStage::updateIssuedInst of LLVM 22.1 forgets other
      // instructions that complete: they neither retire nor leave the memory order. We must do the same. The
      // carried-over one itself is left to continueCarried().
      if (!carried_) {
        finish(instance);
      } else if (carriedId_ != instance.id) {
        instance.forgotten = forgets_ = true;
        if (bodyOf(instance).isMemory())
          memory_.forget(instance.group);
      }
    }
    issued_.resize(kept);
  }

  /// Subtracts the remaining micro-ops of the carried-over instruction from this cycle
  /// (InOrderIssueStage::updateCarriedOver). LLVM does not count them as issued, so an instruction that begins a group
  /// may still follow in this cycle.
  void continueCarried() {
    if (!carried_)
      return;
    progress_ = true;
    if (carriedMicroOps_ > bandwidth_) {
      carriedMicroOps_ -= bandwidth_;
      bandwidth_ = 0;
      return;
    }
    Instance &instance = at(carriedId_);
    bandwidth_ = bodyOf(instance).endGroup ? 0 : bandwidth_ - carriedMicroOps_;
    if (instance.executed <= now_)
      finish(instance);
    carried_ = false;
  }

  /// Whether the next instruction may try to issue in this cycle (InOrderIssueStage::isAvailable). An instruction with
  /// more micro-ops than the issue width may start with whatever is left.
  bool isAvailable(const BodyInstruction &instruction) const {
    if (stalled_ || carried_)
      return false;
    if (bandwidth_ < instruction.microOps && instruction.microOps <= options_.dispatchWidth)
      return false;
    return !(instruction.beginGroup && issuedMicroOps_);
  }

  /// Whether there is an instruction to fetch in this cycle.
  bool mayFetch() { return fetched_ < last_ || (trace_.isOpen() && fetchTrace()); }

  /// Reads on in the trace, unless a mispredicted branch holds it back.
  [[gnu::noinline]] bool fetchTrace() {
    if (!trace_.readSegment())
      return false;
    // A branch that holds it back is the last instance.
    if (last_) {
      const bool isStalled = stalled_ && stalledId_ == last_ - 1;
      if (trace_.isHeld(now_, isStalled ? TimeWheel::kNever : at(last_ - 1).executed, *events_))
        return false;
    }
    if constexpr (requires { Events::kOnlyCounts; }) {
      if (trace_.isAfterRedirect() && options_.steadyState && isIdle())
        now_ = trace_.passKnown(now_, *body_, registers_, resources_, *events_);
      else
        trace_.forgetRunning();
    }
    last_ += trace_.enterSegment();
    fetchAt_ = trace_.takeNext();
    return true;
  }

  /// Whether nothing is in flight, and nothing that was executed can still be waited for.
  bool isIdle() const {
    return !inFlight() && !carried_ && bandwidth_ == options_.dispatchWidth && !issuedMicroOps_ && !writeBackIn() &&
           !forgets_ && !body_->longestLateRead && memory_.isEmpty() && resources_.isIdle();
  }

  /// Fetches the next instruction and tries to issue it (InOrderIssueStage::execute).
  void accept() {
    Instance &instance = newInstance(fetched_++);
    instance.instructionIndex = fetchAt_;
    if (trace_.hasNext()) {
      fetchAt_ = trace_.takeNext();
    } else if (++fetchAt_ == body_->instructions.size()) {
      fetchAt_ = 0;
      newIteration_ = true;
    }
    progress_ = true;
    if (bodyOf(instance).isMemory())
      instance.group = memory_.dispatch(bodyOf(instance), now_);
    tryIssue(instance);
    if (stalled_)
      reportStall();
  }

  /// Returns a free slot for the instance. Grows the ring if the slot's previous instance is still needed: nothing
  /// limits the instances in flight, and a late read may wait for a retired one (RegisterFile::checkRAWHazards).
  Instance &newInstance(uint64_t id) {
    const auto isStillNeeded = [this](const Instance &instance) {
      if (instance.id == WriteRef::kNoInstance)
        return false;
      if (instance.done)
        return now_ - instance.executed <= int64_t(body_->longestLateRead);
      return !(instance.forgotten && !body_->longestLateRead);
    };
    while (isStillNeeded(at(id))) {
      std::vector<Instance> larger(instances_.size() * 2);
      for (const Instance &instance : instances_)
        if (instance.id != WriteRef::kNoInstance)
          larger[instance.id & (larger.size() - 1)] = instance;
      instances_ = std::move(larger);
    }
    Instance &instance = at(id);
    instance = {};
    instance.id = id;
    return instance;
  }

  /// Blocks the machine on the instance. Returns false, because it cannot issue.
  bool stall(Instance &instance, int64_t cycles, WaitKind reason) {
    stalled_ = true;
    stalledId_ = instance.id;
    stalledUntil_ = now_ + cycles;
    stallReason_ = reason;
    return false;
  }

  /// Checks the hazards in LLVM's order; the first one found decides how long the instance waits
  /// (InOrderIssueStage::canExecute).
  bool canIssue(Instance &instance) {
    const BodyInstruction &instruction = bodyOf(instance);
    if (const int64_t cycles = registerHazard(instance))
      return stall(instance, cycles, WaitKind::Register);
    if (!resources_.canIssue(instruction.signature)) {
      if constexpr (Events::kDetails)
        instance.criticalResources = resources_.busyMask(instruction.signature);
      return stall(instance, 1, WaitKind::Resource);
    }
    if (instruction.isMemory() && !memory_.isReady(instance.group)) {
      if constexpr (Events::kDetails)
        instance.memoryWait = memory_.criticalPredecessor(instance.group);
      return stall(instance, 1, WaitKind::Memory);
    }
    if (hazards_)
      if (const uint32_t cycles = hazards_->check(instance.id, now_))
        return stall(instance, cycles, WaitKind::TargetRule);
    // The first result must not precede the last one of the previous instruction (findFirstWriteBackCycle in
    // InOrderIssueStage.cpp).
    if (writeBackIn() && !instruction.retireOutOfOrder) {
      int64_t first = instruction.latency;
      for (const BodyWrite &write : body_->writesOf(instruction))
        first = std::min<int64_t>(first, write.latency);
      if (first < writeBackIn())
        return stall(instance, writeBackIn() - first, WaitKind::WriteBack);
    }
    return true;
  }

  /// Returns the cycles until the first blocking read is satisfied; 0 if no read blocks
  /// (RegisterFile::checkRAWHazards). Unlike renaming, this check does not exempt the inputs of a zero idiom
  /// (ReadState::isIndependentFromDef).
  int64_t registerHazard(Instance &instance) {
    for (const BodyRead &read : body_->readsOf(bodyOf(instance))) {
      int64_t wait = 0;
      registers_.forEachWriter(read, [&](const WriteRef &writer) {
        const Instance &producer = at(writer.id);
        if (producer.id != writer.id)
          return;
        const BodyWrite &write = body_->writes[writer.write];
        const int64_t advance = body_->advances[read.advances + write.kind];
        int64_t left = 0;
        // The cycles of a write stop counting once its instruction is executed (Instruction::cycleEvent).
        if (!producer.done)
          left = write.latency - std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency) - advance;
        else if (advance < 0)
          left = -advance - (now_ - producer.executed);
        if (left <= wait)
          return;
        wait = left;
        if constexpr (Events::kDetails)
          instance.registerWait = {writer.id, write.reg, static_cast<uint32_t>(left)};
      });
      if (wait > 0)
        return wait;
    }
    return 0;
  }

  /// Issues the instance if no hazard blocks it (InOrderIssueStage::tryIssue). A blocked instance consumes the rest of
  /// the cycle.
  void tryIssue(Instance &instance) {
    if (!canIssue(instance)) {
      bandwidth_ = 0;
      return;
    }
    const BodyInstruction &instruction = bodyOf(instance);
    progress_ = true;
    registers_.define(instruction, instance.id, /*eliminated=*/false);
    events_->onDispatched(instance.id, instance.instructionIndex, instruction.microOps, Dispatched());
    resources_.template issue<Events::kDetails>(resources_.allocationOf(instance.instructionIndex),
                                                [this](const TakenUnit &unit) { events_->onTaken(unit); });
    instance.issued = now_;
    instance.executed = now_ + instruction.latency;
    if (instruction.isMemory())
      memory_.issued(instance.group, instance.id, instance.executed, now_);
    if (hazards_ && instruction.latency)
      hazards_->onIssued(instance.id, now_);
    events_->onReady(instance.id, instance.instructionIndex);
    reportIssued(instance);

    const bool carries = instruction.microOps > bandwidth_;
    if (carries) {
      carried_ = true;
      carriedId_ = instance.id;
      carriedMicroOps_ = instruction.microOps - bandwidth_;
      bandwidth_ = 0;
    } else {
      issuedMicroOps_ += instruction.microOps;
      bandwidth_ = instruction.endGroup ? 0 : bandwidth_ - instruction.microOps;
    }
    if (!instruction.latency && !carries)
      return finish(instance);
    issued_.push_back(instance.id);
    firstExecuted_ = std::min(firstExecuted_, instance.executed);
    if (!instruction.retireOutOfOrder) {
      lastWriteBack_ = now_ + instruction.latency;
      lastWriter_ = instance.id;
    }
  }

  /// Reports the issue. llvm-mca's in-order pipeline knows no critical waits, so they are left out by default.
  void reportIssued(const Instance &instance) {
    IssuedInstruction issued{.id = instance.id,
                             .instructionIndex = instance.instructionIndex,
                             .executedIn = instance.executed - now_,
                             .last = instance.id + 1 == last_ && !trace_.isOpen()};
    if (Events::kDetails && options_.analysesInOrder) {
      issued.criticalResources = instance.criticalResources;
      issued.registerWait = instance.registerWait;
      issued.memoryWait = instance.memoryWait;
      issued.delays = instance.delays;
    }
    events_->onIssued(issued);
  }

  /// Completes and retires an executed instance (InOrderIssueStage::retireInstruction).
  void finish(Instance &instance) {
    progress_ = true;
    if (bodyOf(instance).isMemory())
      memory_.executed(instance.group, instance.id);
    events_->onExecuted(instance.id, instance.instructionIndex);
    instance.done = true;
    instance.executed = now_;
    events_->onRetired(instance.id, instance.instructionIndex, /*eliminated=*/false);
  }

  /// Reports the stall with the event that LLVM sends for its reason. It sends none for waits for memory and for the
  /// order of write-back (InOrderIssueStage::notifyStallEvent).
  void reportStall() {
    stallReported_ = true;
    if constexpr (Events::kDetails) {
      if (stallReason_ == WaitKind::Register)
        events_->onStall(DispatchStall::RegisterFile);
      else if (stallReason_ == WaitKind::Resource)
        events_->onStall(DispatchStall::Group);
      else if (stallReason_ == WaitKind::TargetRule)
        events_->onStall(DispatchStall::Custom);
    }
  }

  /// Counts the delay of the stalled instruction in each of these cycles. Only waits for registers and resources exist
  /// in llvm-mca, without names; the rest is our own analysis (MachineOptions::analysesInOrder).
  void countDelay(int64_t cycles) {
    Instance &instance = at(stalledId_);
    const auto count = static_cast<uint32_t>(cycles);
    if (stallReason_ == WaitKind::Register) {
      instance.delays.reg += count;
      events_->onPressure(PressureReason::RegisterDependencies, 0);
    } else if (stallReason_ == WaitKind::Resource) {
      instance.delays.resource += count;
      events_->onPressure(PressureReason::Resources, options_.analysesInOrder ? instance.criticalResources : 0);
    } else if (stallReason_ == WaitKind::Memory && options_.analysesInOrder) {
      instance.delays.memory += count;
      events_->onPressure(PressureReason::MemoryDependencies, 0);
    }
  }

  /// Reports why no further instruction issues in this cycle.
  void reportWait() {
    const Instance &instance = at(stalledId_);
    InOrderStall stall{.id = stalledId_, .kind = stallReason_};
    if (stallReason_ == WaitKind::Register) {
      stall.key = instance.registerWait.reg;
      stall.by = instance.registerWait.id;
    } else if (stallReason_ == WaitKind::Resource) {
      stall.key = instance.criticalResources;
    } else if (stallReason_ == WaitKind::Memory && instance.memoryWait.cycles) {
      stall.by = instance.memoryWait.id;
    } else if (stallReason_ == WaitKind::WriteBack) {
      stall.by = lastWriter_;
    }
    events_->onStalledInOrder(stall);
  }

  /// Searches for the current state among the copies.
  Period findPeriod() {
    uint64_t fingerprint = resources_.fingerprint() + (uint64_t(fetchAt_) << 32 | inFlight());
    // The youngest instances differ most often.
    for (size_t i = issued_.size() - std::min<size_t>(issued_.size(), 8); i < issued_.size(); ++i)
      fingerprint = fingerprint * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(at(issued_[i]).executed - now_);
    return steady_.search(fingerprint, {.now = now_, .fetched = fetched_, .inFlight = inFlight()}, *events_, resources_,
                          [&](auto &sink) { return describe(sink); });
  }

  /// Skips periods, if one is found. A stalled instruction is in flight although it has not issued.
  void skipPeriods() {
    const uint64_t next = fetched_ - stalled_;
    const uint64_t oldest = issued_.empty() ? next : std::min(issued_.front(), next);
    steady_.skip(findPeriod(), *events_, resources_, oldest, fetched_, last_);
  }

  /// Passes everything that later cycles depend on to `sink`. Instances count from the next to be fetched.
  template <typename Sink>
  bool describe(Sink &sink) const {
    const auto groupOf = [this](const Instance &instance) -> uint64_t {
      return bodyOf(instance).isMemory() ? instance.group - memory_.oldestGroup() + 1 : 0;
    };
    const auto describeInstance = [&](uint64_t id, int64_t time) {
      return sink((fetched_ - id) << 32 | groupOf(at(id)), time - now_);
    };
    if (!sink(fetchAt_, issued_.size(), writeBackIn()))
      return false;
    for (const uint64_t id : issued_)
      if (!describeInstance(id, at(id).executed))
        return false;
    if (!sink(stalled_, carried_))
      return false;
    if (stalled_ && (!sink(stallReason_) || !describeInstance(stalledId_, stalledUntil_)))
      return false;
    if (carried_ && (!sink(carriedMicroOps_) || !describeInstance(carriedId_, at(carriedId_).executed)))
      return false;
    if (!registers_.describe(sink, /*isStatic=*/false,
                             [&](const WriteRef &writer) { return describeWriter(writer, sink); }))
      return false;
    if (waits_ && !sink(writeBackIn() ? fetched_ - lastWriter_ : 0))
      return false;
    if constexpr (Events::kDetails)
      if (stalled_) {
        const Instance &instance = at(stalledId_);
        const CriticalWait &registers = instance.registerWait, &memory = instance.memoryWait;
        if (!sink(instance.criticalResources, instance.delays.reg, instance.delays.memory, instance.delays.resource,
                  registers.reg, registers.cycles, registers.cycles ? fetched_ - registers.id : 0, memory.cycles,
                  memory.cycles ? fetched_ - memory.id : 0))
          return false;
      }
    return resources_.describe(now_, sink) && memory_.describe(fetched_, now_, sink) &&
           events_->describe(carried_ ? carriedId_ : fetched_, sink);
  }

  /// Describes a writer by what a read can still wait for: the age of its instruction, as far as LLVM counts it.
  template <typename Sink>
  bool describeWriter(const WriteRef &writer, Sink &sink) const {
    constexpr uint64_t kGone = ~0ull;
    if (writer.id == WriteRef::kNoInstance || at(writer.id).id != writer.id)
      return sink(kGone);
    const Instance &producer = at(writer.id);
    const int64_t age =
        producer.done ? now_ - producer.executed : std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency);
    if (producer.done && age >= body_->longestLateRead)
      return sink(kGone);
    return sink(uint64_t(producer.done) << 62 | static_cast<uint64_t>(age) << 32 | writer.write);
  }

  const Body *body_ = nullptr;
  MachineOptions options_;
  Events *events_ = nullptr;
  CustomHazards *hazards_ = nullptr;
  RegisterState registers_;
  ResourceState resources_;
  MemoryOrder memory_;

  int64_t now_ = 0;
  TraceFetch trace_;
  uint64_t last_ = 0;    ///< instances to run; along a trace, as far as it has been read
  uint64_t fetched_ = 0; ///< of them fetched
  uint32_t fetchAt_ = 0; ///< position in the body of the next instruction to fetch
  bool newIteration_ = false;
  bool progress_ = false;                                       ///< something happened in this cycle
  std::vector<Instance> instances_ = std::vector<Instance>(64); // a ring
  std::vector<uint64_t> issued_;                                ///< executing, oldest first
  /// The first cycle in which one of them completes. Before it, the list need not be scanned.
  int64_t firstExecuted_ = TimeWheel::kNever;
  uint32_t bandwidth_ = 0; ///< micro-ops that can still issue in this cycle
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
  bool forgets_ = false; ///< an instance of this run is forgotten

  SteadyState<Events> steady_;
  bool waits_ = false; ///< wait reasons are requested
};

} // namespace mca
