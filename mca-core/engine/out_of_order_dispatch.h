// The dispatch stage of OutOfOrderMachine, and the pressure events at the end of a cycle. Included only by
// out_of_order.h.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

/// Starts the dispatch stage: micro-ops carried over from the last cycle come first (DispatchStage::cycleStart).
template <typename Events>
void OutOfOrderMachine<Events>::startDispatch() {
  if (!carryOver_) {
    width_ = options_.dispatchWidth;
    return;
  }
  width_ = carryOver_ >= options_.dispatchWidth ? 0 : options_.dispatchWidth - carryOver_;
  const uint32_t microOps = options_.dispatchWidth - width_;
  carryOver_ -= microOps;
  progress_ = true;
  carriedDispatch_.first = false;
  events_->onDispatched(carried_, at(carried_).step->instructionIndex, microOps, carriedDispatch_);
}

/// Decodes instructions into the micro-op queue (MicroOpQueueStage::isAvailable). Each takes at least one entry, and at
/// most the whole queue.
template <typename Events>
void OutOfOrderMachine<Events>::fetch() {
  for (uint32_t decoded = 0; fetched_ < last_ && !(options_.decoders && decoded == options_.decoders); ++decoded) {
    const uint32_t microOps = body_->instructions[fetchAt_].microOps;
    const uint32_t entries = std::max(1u, std::min(options_.microOpQueue, microOps));
    if (entries > freeQueueEntries_)
      return;
    freeQueueEntries_ -= entries;
    ++fetched_;
    if (++fetchAt_ == count_)
      fetchAt_ = 0;
    progress_ = true;
  }
}

/// Dispatches from the micro-op queue (MicroOpQueueStage::moveInstructions).
template <typename Events>
void OutOfOrderMachine<Events>::drainQueue() {
  while (dispatched_ < fetched_ && canDispatch()) {
    const uint32_t microOps = next_->code->microOps;
    freeQueueEntries_ += std::max(1u, std::min(options_.microOpQueue, microOps));
    dispatch();
  }
}

/// Whether the next instruction can be dispatched (DispatchStage::isAvailable, canDispatch). If stalls are reported,
/// all checks run, because each has an event of its own.
template <typename Events>
bool OutOfOrderMachine<Events>::canDispatch() {
  const Step &step = *next_;
  if (width_ < step.width)
    return false;
  const bool tokens = freeEntries_ >= step.entries;
  const bool room = !step.needsRegisters || registers_.hasRoom(*step.code);
  if constexpr (kDetails) {
    if (!tokens)
      events_->onStall(DispatchStall::RetireTokens);
    if (!room)
      events_->onStall(DispatchStall::RegisterFile);
    return schedulerAccepts(step) && tokens && room;
  }
  return tokens && room && schedulerAccepts(step);
}

/// Whether the scheduler has room: buffers first, then load queue, then store queue (Scheduler::isAvailable). A refusal
/// is remembered until the next check, even over cycles without one (Scheduler::HadTokenStall).
template <typename Events>
bool OutOfOrderMachine<Events>::schedulerAccepts(const Step &step) {
  if constexpr (kDetails)
    tokenStall_ = true;
  if (!resources_.buffers().haveRoom(step.buffers)) {
    if constexpr (kDetails)
      events_->onStall(resources_.buffers().isReserved(step.buffers) ? DispatchStall::Group : DispatchStall::Scheduler);
    return false;
  }
  if (step.isQueued && step.code->mayLoad && memory_.loadQueueFull()) {
    if constexpr (kDetails)
      events_->onStall(DispatchStall::LoadQueue);
    return false;
  }
  if (step.isQueued && step.code->mayStore && memory_.storeQueueFull()) {
    if constexpr (kDetails)
      events_->onStall(DispatchStall::StoreQueue);
    return false;
  }
  if constexpr (kDetails)
    tokenStall_ = false;
  return true;
}

/// Dispatches the next instruction: renames it and hands it to the scheduler (DispatchStage::dispatch). An eliminated
/// move completes at once (ExecuteStage::handleInstructionEliminated).
template <typename Events>
void OutOfOrderMachine<Events>::dispatch() {
  const Step &step = *next_;
  newIteration_ |= step.endsIteration;
  if (++next_ == stepsEnd_) {
    if (!trace_.isOpen())
      next_ = repeatFrom_;
    else if (trace_.hasNext())
      followTrace();
  }
  const uint64_t id = dispatched_++;
  Instance &instance = at(id);
  instance.id = id;
  instance.step = &step;
  instance.stage = Stage::Waiting;
  instance.unresolved = instance.userCount = 0;
  instance.ready = now_;
  instance.executed = TimeWheel::kNever;
  instance.eliminated = step.eliminated;
  progress_ = true;
  if constexpr (kDetails) {
    instance.leaving = false;
    std::fill_n(operandsOf(instance), step.code->operands, Operand());
    delaysOf(instance) = {};
    if (waits_)
      lastOperands_[slotOf(instance)] = {};
  }

  width_ -= step.microOps;
  freeEntries_ -= step.entries;
  if (renames_)
    rename(instance);
  else
    addDependencies(instance);
  Dispatched dispatched{.eliminated = instance.eliminated, .zeroMoves = step.zeroMoves};
  if (kDetails && instance.eliminated && renames_)
    dispatched.zeroMoves = registers_.zeroMoves();
  if (step.isLong)
    carryOver(id, dispatched);
  events_->onDispatched(id, step.instructionIndex, step.microOps, dispatched);
  if (!instance.eliminated)
    return schedule(instance);
  events_->onReady(id, step.instructionIndex);
  events_->onIssued({.id = id,
                     .instructionIndex = step.instructionIndex,
                     .last = id + 1 == last_ && !trace_.isOpen(),
                     .eliminated = true});
  finish(instance);
}

/// Ends the dispatch of this cycle after an instruction that ends its group or needs further cycles.
template <typename Events>
void OutOfOrderMachine<Events>::carryOver(uint64_t id, const Dispatched &dispatched) {
  const BodyInstruction &instruction = bodyOf(at(id));
  width_ = 0;
  if (instruction.microOps <= options_.dispatchWidth)
    return;
  carryOver_ = instruction.microOps - options_.dispatchWidth;
  carried_ = id;
  carriedDispatch_ = dispatched;
}

/// Adds the precomputed dependencies. Producers that have retired, or that lie before the first iteration, are skipped:
/// a body with late reads has no precomputed dependencies.
template <typename Events>
inline void OutOfOrderMachine<Events>::addDependencies(Instance &instance) {
  if (instance.eliminated)
    return;
  uint32_t unresolved = 0;
  int64_t ready = now_;
  for (const BodyDependency &dependency : instance.step->dependencies) {
    if (instance.id < retired_ + dependency.distance)
      continue;
    Instance &producer = at(instance.id - dependency.distance);
    if (producer.stage < Stage::Executing) {
      ++unresolved;
      countUser(producer);
    } else if constexpr (kDetails) {
      resolveFromIssued(instance, dependency.wait, producer);
    } else {
      ready = std::max(ready, producer.issued + dependency.wait.delay);
    }
  }
  instance.unresolved = unresolved;
  if constexpr (!kDetails)
    instance.ready = ready;
  registers_.allocate(instance.step->registers);
}

/// Renames the instance and resolves what it waits for.
template <typename Events>
[[gnu::flatten]] void OutOfOrderMachine<Events>::rename(Instance &instance) {
  instance.users = kEnd;
  instance.eliminated =
      registers_.rename(bodyOf(instance), instance.id, [&](const WriteRef &writer, const OperandWait &wait) {
        if (writer.id >= retired_)
          waitFor(instance, writer, wait);
        else if (wait.cycles > 0)
          waitForRetired(instance, writer, wait);
      });
  if (!instance.eliminated)
    registers_.allocate(instance.step->registers);
}

/// A read with a negative read-advance waits for a retired definition: the wait counts from its execution
/// (RegisterFile::addRegisterRead, getElapsedCyclesFromWriteBack).
template <typename Events>
inline void OutOfOrderMachine<Events>::waitForRetired(Instance &instance, const WriteRef &writer, OperandWait wait) {
  const History &history = history_[writer.id & (history_.size() - 1)];
  const int64_t left = wait.cycles - (now_ - history.executed);
  if (history.id != writer.id || left <= 0)
    return;
  wait.delay = wait.cycles = static_cast<int32_t>(left);
  resolveOperand(instance, wait, writer.id);
}

/// Makes `instance` wait for a definition in flight.
template <typename Events>
[[gnu::always_inline]] inline void OutOfOrderMachine<Events>::waitFor(Instance &instance, const WriteRef &writer,
                                                                      OperandWait wait) {
  Instance &producer = at(writer.id);
  const int32_t latency = body_->writes[writer.write].latency;
  if (producer.stage >= Stage::Executing) {
    // LLVM's Instruction::cycleEvent stops counting once an instruction is executed, even before it retires.
    const int64_t elapsed = std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency);
    return resolveOperand(instance, waitAfter(latency - static_cast<int32_t>(elapsed), wait), writer.id);
  }
  wait = waitAfter(latency, wait);
  if (freeUser_ == kEnd)
    addFreeUsers();
  const uint32_t userIndex = freeUser_;
  User &user = users_[userIndex];
  freeUser_ = user.next;
  user = {.wait = wait, .slot = slotOf(instance), .next = producer.users};
  producer.users = userIndex;
  ++instance.unresolved;
  countUser(producer);
}

/// All of users_ are in use: adds some.
template <typename Events>
[[gnu::noinline]] void OutOfOrderMachine<Events>::addFreeUsers() {
  constexpr uint32_t kMore = 256;
  const auto first = static_cast<uint32_t>(users_.size());
  for (uint32_t index = first; index < first + kMore; ++index)
    users_.push_back({.next = index + 1});
  users_.back().next = kEnd;
  freeUser_ = first;
}

/// Each operand that waits for an instruction makes it more urgent (DefaultSchedulerStrategy::computeRank), even if it
/// is ready already, so its place in the queue may change.
template <typename Events>
inline void OutOfOrderMachine<Events>::countUser(Instance &producer) {
  const uint32_t users = ++producer.userCount;
  if (producer.stage == Stage::Ready && (!kDetails || !keepsOrder_))
    signatureQueues_[producer.step->signature].queue.moveUp(ReadyQueue::keyOf(producer.id, users - 1),
                                                            ReadyQueue::keyOf(producer.id, users));
}

/// Puts the instance into the first stage that applies (Scheduler::dispatch), and issues it at once if it must
/// (Scheduler::mustIssueImmediately).
template <typename Events>
void OutOfOrderMachine<Events>::schedule(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  const bool memory = instance.step->isMemory;
  resources_.buffers().reserve(instance.step->buffers);
  const bool ordered = !memory || dispatchMemory(instance);
  if constexpr (kDetails) {
    dispatchedMicroOps_ += instruction.microOps;
    events_->onBuffersReserved(instance.step->instructionIndex);
  }
  if (instance.unresolved || !ordered || instance.ready > now_) {
    if constexpr (kDetails) {
      const bool waits = instance.unresolved || (memory && memory_.isWaiting(instance.group));
      std::vector<uint32_t> &list = waits ? waiting_ : pending_;
      instance.listIndex = static_cast<uint32_t>(list.size());
      list.push_back(slotOf(instance));
      if (waits)
        return;
      instance.stage = Stage::Pending;
      ++dispatchedToPending_;
      if (instance.ready > now_)
        wheel_.add(instance.ready, slotOf(instance));
      return;
    }
    if (instance.unresolved || !ordered)
      return;
    instance.stage = Stage::Pending;
    wheel_.add(instance.ready, slotOf(instance));
    return;
  }
  if (instruction.issuesAtOnce) {
    instance.stage = Stage::Ready;
    events_->onReady(instance.id, instance.step->instructionIndex);
    issue(instance);
    return;
  }
  makeReady(instance);
  if constexpr (kDetails)
    newlyReady_.push_back(slotOf(instance));
}

/// Returns whether the instance waits for no other memory operation.
template <typename Events>
inline bool OutOfOrderMachine<Events>::dispatchMemory(Instance &instance) {
  if (instance.step->isQueued)
    memory_.enqueue(*instance.step->code);
  if (ordersStoresOnly()) {
    instance.group = stores_.dispatch(instance.step->isStore, slotOf(instance));
    return isOrdered(instance);
  }
  instance.group = memory_.dispatch(*instance.step->code, now_);
  if (memory_.isReady(instance.group))
    return true;
  memory_.addWaiter(instance.group, slotOf(instance));
  return false;
}

/// Reports what delays instructions in a cycle in which more is dispatched than issued, or dispatch stalls
/// (ExecuteStage::cycleEnd).
template <typename Events>
void OutOfOrderMachine<Events>::reportPressure(int64_t cycles) {
  const auto count = static_cast<uint32_t>(cycles);
  if (tokenStall_ || dispatchedMicroOps_ > issuedMicroOps_) {
    if (busyResources_) {
      events_->onPressure(PressureReason::Resources, busyResources_);
      // PressureTracker::handlePressureEvent compares 32-bit masks, so only the lowest 32 resources count.
      if (!keepsOrder_) {
        for (const uint32_t signature : active_)
          if (static_cast<uint32_t>(busyAtEnd_[signature]))
            busyCycles_[signature] += count;
      } else {
        for (const uint32_t slot : ready_)
          if (static_cast<uint32_t>(delays_[slot].criticalResources & busyResources_))
            delays_[slot].cycles.resource += count;
      }
    }
    reportDataPressure(count);
  }
  // Instances that were dispatched ready can be delayed from the next cycle on.
  for (const uint32_t slot : newlyReady_) {
    delays_[slot].readySince = now_ + 1;
    delays_[slot].signatureCycles = busyCycles_[inFlight_[slot].step->signature];
  }
  newlyReady_.clear();
}

/// Reports what delays pending instances that could issue otherwise (Scheduler::analyzeDataDependencies).
template <typename Events>
void OutOfOrderMachine<Events>::reportDataPressure(uint32_t cycles) {
  bool byRegisters = false, byMemory = false;
  // Instances that joined in this cycle have not been delayed yet.
  for (size_t i = 0; i + dispatchedToPending_ < pending_.size(); ++i) {
    const Instance &instance = inFlight_[pending_[i]];
    if (!resources_.canIssue(instance.step->signature))
      continue;
    PressureDelays &delays = delays_[pending_[i]].cycles;
    if (instance.ready > now_) {
      delays.reg += cycles;
      byRegisters = true;
    }
    if (instance.step->isMemory && memory_.isPending(instance.group)) {
      delays.memory += cycles;
      byMemory = true;
    }
  }
  if (byRegisters)
    events_->onPressure(PressureReason::RegisterDependencies, 0);
  if (byMemory)
    events_->onPressure(PressureReason::MemoryDependencies, 0);
}

} // namespace mca
