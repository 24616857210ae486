// The issue stage of OutOfOrderMachine: promotes waiting instances, selects the next one and issues it. Included only
// by out_of_order.h.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

/// Moves an instance whose producers have all issued to the next stage that its operands and the memory order allow. A
/// run with details only marks it, because LLVM's scheduler takes instances from its lists in the lists' order.
template <typename Events>
void OutOfOrderMachine<Events>::promote(Instance &instance) {
  const bool memory = instance.step->isMemory;
  if constexpr (kDetails) {
    const bool leaves = instance.stage == Stage::Waiting
                            ? !memory || !memory_.isWaiting(instance.group)
                            : instance.ready <= now_ && (!memory || memory_.isReady(instance.group));
    if (!leaves || instance.leaving)
      return;
    instance.leaving = true;
    (instance.stage == Stage::Waiting ? leaveWaiting_ : leavePending_).push_back(slotOf(instance));
    return;
  }
  if (memory && !isOrdered(instance))
    return;
  if (instance.ready > now_) {
    instance.stage = Stage::Pending;
    wheel_.add(instance.ready, slotOf(instance));
    return;
  }
  makeReady(instance);
}

/// Whether no earlier memory operation blocks the instance any more.
template <typename Events>
inline bool OutOfOrderMachine<Events>::isOrdered(const Instance &instance) const {
  if (ordersStoresOnly())
    return !instance.step->isStore || stores_.isReady(instance.group);
  return memory_.isReady(instance.group);
}

/// Promotes instances whose memory group has changed its state.
template <typename Events>
void OutOfOrderMachine<Events>::promoteWoken() {
  std::vector<uint32_t> &woken = memory_.woken();
  if (woken.empty())
    return;
  for (const uint32_t slot : woken) {
    Instance &instance = inFlight_[slot];
    // In a plain run, a pending instance waits only for its operands, and the wheel wakes it.
    if (!instance.unresolved && (instance.stage == Stage::Waiting || (kDetails && instance.stage == Stage::Pending)))
      promote(instance);
  }
  woken.clear();
}

/// Puts the instance into its signature's queue, or into the ready list of an ordered run.
template <typename Events>
void OutOfOrderMachine<Events>::makeReady(Instance &instance) {
  instance.stage = Stage::Ready;
  if constexpr (kDetails)
    if (waits_)
      reportOperands(instance);
  events_->onReady(instance.id, instance.step->instructionIndex);
  if constexpr (kDetails) {
    Delays &delays = delaysOf(instance);
    delays.readySince = now_;
    delays.signatureCycles = busyCycles_[instance.step->signature];
    if (keepsOrder_) {
      instance.listIndex = static_cast<uint32_t>(ready_.size());
      ready_.push_back(slotOf(instance));
      return;
    }
  }
  const uint32_t signature = instance.step->signature;
  SignatureQueue &signatureQueue = signatureQueues_[signature];
  readyChanged_ = true;
  signatureQueue.queue.insert(ReadyQueue::keyOf(instance.id, instance.userCount));
  if (!signatureQueue.active) {
    signatureQueue.active = true;
    active_.push_back(signature);
  }
}

/// Removes the instances marked `leaving` from `list` in the same way as LLVM's scheduler
/// (Scheduler::promoteToPendingSet): from the front, and the last element fills each gap.
template <typename Instances, typename Visit>
void removeLeaving(std::vector<uint32_t> &list, std::vector<uint32_t> &leaving, Instances &instances, Visit visit) {
  std::sort(leaving.begin(), leaving.end(),
            [&](uint32_t a, uint32_t b) { return instances[a].listIndex < instances[b].listIndex; });
  for (const uint32_t first : leaving) {
    const uint32_t listIndex = instances[first].listIndex;
    // It filled another instance's gap and was removed there.
    if (!instances[first].leaving)
      continue;
    while (listIndex < list.size() && instances[list[listIndex]].leaving) {
      const uint32_t slot = list[listIndex];
      instances[slot].leaving = false;
      list[listIndex] = list.back();
      instances[list[listIndex]].listIndex = listIndex;
      list.pop_back();
      visit(slot);
    }
  }
  leaving.clear();
}

/// Promotes instances whose producers and predecessors have all issued.
template <typename Events>
void OutOfOrderMachine<Events>::promoteWaiting() {
  if (leaveWaiting_.empty())
    return;
  removeLeaving(waiting_, leaveWaiting_, inFlight_, [this](uint32_t slot) {
    Instance &instance = inFlight_[slot];
    instance.stage = Stage::Pending;
    instance.listIndex = static_cast<uint32_t>(pending_.size());
    pending_.push_back(slot);
    if (instance.ready > now_)
      wheel_.add(instance.ready, slot);
    else
      promote(instance);
  });
}

/// Promotes instances that wait for nothing more.
template <typename Events>
void OutOfOrderMachine<Events>::promotePending() {
  if (leavePending_.empty())
    return;
  removeLeaving(pending_, leavePending_, inFlight_, [this](uint32_t slot) { makeReady(inFlight_[slot]); });
}

/// Collects the signatures that can issue now.
///
/// Before its next selection, LLVM's scheduler scans only some of the ready set, depending on its order. With
/// checksOrder_, this function collects the resources that any such scan may find busy. The order does not matter as
/// long as all of them are also busy at the end of the cycle, when LLVM scans the whole set.
template <typename Events>
void OutOfOrderMachine<Events>::findCandidates() {
  size_t count = 0;
  for (size_t i = 0; i < active_.size();) {
    SignatureQueue &signatureQueue = signatureQueues_[active_[i]];
    if (signatureQueue.queue.empty()) {
      signatureQueue.active = false;
      active_[i] = active_.back();
      active_.pop_back();
      continue;
    }
    ++i;
    if (kDetails && checksOrder_) {
      const uint64_t busy = resources_.busyMask(signatureQueue.signature);
      earlierBusy_ |= busy;
      if (busy)
        continue;
    } else if (!canIssue(signatureQueue)) {
      continue;
    }
    candidates_[count++] = {signatureQueue.queue.front(), &signatureQueue};
  }
  candidateCount_ = count;
  readyChanged_ = false;
}

template <typename Events>
inline size_t OutOfOrderMachine<Events>::bestCandidate() const {
  size_t best = 0;
  ReadyQueue::Key bestKey = candidates_[0].key;
  for (size_t i = 1; i < candidateCount_; ++i)
    if (candidates_[i].key < bestKey) {
      best = i;
      bestKey = candidates_[i].key;
    }
  return best;
}

/// Issues ready instances until none can: always the oldest; each waiting user counts as one more instance of age
/// (Scheduler::select).
template <typename Events>
void OutOfOrderMachine<Events>::issueReady() {
  if (!active_.empty()) {
    findCandidates();
    issueCandidates();
  }
  if constexpr (kDetails) {
    findCandidates();
    recordBusyResources();
  }
}

/// Issues the best candidate until none is left. LLVM scans the whole ready set before each issue. In a monotone body,
/// an issue only makes further instructions impossible, so only the next best has to be checked again.
template <typename Events>
void OutOfOrderMachine<Events>::issueCandidates() {
  bool candidatesAreFresh = true; // all candidates are known to fit
  while (candidateCount_) {
    Candidate &best = candidates_[bestCandidate()];
    const Candidate chosen = best;
    const bool can = candidatesAreFresh || canIssue(*chosen.signatureQueue);
    ReadyQueue &queue = chosen.signatureQueue->queue;
    if (can)
      queue.popFront();
    if (!can || queue.empty())
      best = candidates_[--candidateCount_];
    else
      best.key = queue.front();
    candidatesAreFresh = false;
    if (!can)
      continue;
    issue(at(ReadyQueue::idOf(chosen.key)));
    if (readyChanged_ || !monotone_ || (kDetails && checksOrder_ && candidateCount_)) {
      findCandidates();
      candidatesAreFresh = true;
    }
  }
}

/// Records what blocks the instances that remain.
template <typename Events>
void OutOfOrderMachine<Events>::recordBusyResources() {
  for (const uint32_t signature : active_) {
    busyAtEnd_[signature] = resources_.busyMask(signature);
    busyResources_ |= busyAtEnd_[signature];
  }
  // See findCandidates().
  orderMatters_ |= checksOrder_ && (earlierBusy_ & ~busyResources_);
}

/// Reports the instances that remain ready, and what blocks them.
template <typename Events>
void OutOfOrderMachine<Events>::reportHeld() {
  if (keepsOrder_) {
    for (const uint32_t slot : ready_)
      events_->onHeld(inFlight_[slot].id, delays_[slot].criticalResources);
    return;
  }
  for (const uint32_t signature : active_)
    for (const ReadyQueue::Key key : signatureQueues_[signature].queue)
      events_->onHeld(ReadyQueue::idOf(key), busyAtEnd_[signature]);
}

/// Reports what delayed an instance that becomes ready.
template <typename Events>
void OutOfOrderMachine<Events>::reportOperands(const Instance &instance) {
  const LastOperand &last = lastOperands_[slotOf(instance)];
  const bool memory = instance.step->isMemory;
  events_->onOperandsReady({.id = instance.id,
                            .canIssue = now_ + issuePhaseIsOver_,
                            .registersReady = instance.ready,
                            .producer = last.producer,
                            .reg = last.reg,
                            .memory = memory ? memory_.releasedBy(instance.group) : WriteRef::kNoInstance});
}

/// Issues ready instances in LLVM's scan order, which in an ordered run affects which resources are found busy. The
/// last element fills the gap, as in Scheduler::select.
template <typename Events>
void OutOfOrderMachine<Events>::issueReadyInOrder() {
  for (size_t best = selectInOrder(); best != ready_.size(); best = selectInOrder()) {
    Instance &instance = inFlight_[ready_[best]];
    ready_[best] = ready_.back();
    ready_.pop_back();
    issue(instance);
  }
}

/// Returns the index of the best instance in ready_, or the size of ready_ if none can issue (Scheduler::select). Like
/// LLVM, it checks the resources of those instances only that rank above the best found so far.
template <typename Events>
size_t OutOfOrderMachine<Events>::selectInOrder() {
  size_t best = ready_.size();
  ReadyQueue::Key bestKey = ~0ull;
  for (size_t i = 0; i < ready_.size(); ++i) {
    Instance &instance = inFlight_[ready_[i]];
    const ReadyQueue::Key key = ReadyQueue::keyOf(instance.id, instance.userCount);
    if (key >= bestKey)
      continue;
    if (const uint64_t busy = resources_.busyMask(instance.step->signature)) {
      delaysOf(instance).criticalResources = busy;
      busyResources_ |= busy;
      continue;
    }
    best = i;
    bestKey = key;
  }
  return best;
}

/// Issues the instance: frees its buffers, takes its units, and informs its users and its memory group
/// (Scheduler::issueInstructionImpl).
template <typename Events>
void OutOfOrderMachine<Events>::issue(Instance &instance) {
  const Step &step = *instance.step;
  const BodyInstruction &instruction = *step.code;
  progress_ = true;
  resources_.buffers().release(step.buffers);
  resources_.issue<kDetails>(step.allocation, [this](const TakenUnit &unit) { events_->onTaken(unit); });
  IssuedInstruction issued{.id = instance.id,
                           .instructionIndex = step.instructionIndex,
                           .executedIn = step.latency,
                           .last = instance.id + 1 == last_ && !trace_.isOpen()};
  if constexpr (kDetails)
    collectDelays(instance, issued);
  instance.stage = Stage::Executing;
  instance.issued = now_;
  instance.executed = now_ + step.latency;
  if (renames_)
    wakeUsers(instance);
  else
    wakeDependents(instance);
  if (step.isMemory) {
    issueMemory(instance);
    if constexpr (kDetails)
      issued.memoryWait = memory_.criticalPredecessor(instance.group);
  }
  if constexpr (kDetails) {
    issuedMicroOps_ += instruction.microOps;
    events_->onBuffersReleased(step.instructionIndex);
  }
  events_->onIssued(issued);
  if (!step.latency)
    finish(instance);
  else if (step.isAwaited || instance.id < trackedExecutions_)
    wheel_.add(instance.executed, slotOf(instance));
  if (step.isAwaited)
    promoteWoken();
  if constexpr (kDetails) {
    promoteWaiting();
    promotePending();
  }
}

/// Informs the memory operations that wait for this one.
template <typename Events>
inline void OutOfOrderMachine<Events>::issueMemory(Instance &instance) {
  if (ordersStoresOnly()) {
    const uint32_t store = stores_.issued(instance.step->isStore, instance.group);
    if (store != StoreOrder::kNoStore && !inFlight_[store].unresolved)
      promote(inFlight_[store]);
    return;
  }
  memory_.issued(instance.group, instance.id, instance.executed, now_);
  if (!instance.step->latency)
    memory_.executed(instance.group, instance.id);
}

/// Collects what delayed the instruction.
template <typename Events>
void OutOfOrderMachine<Events>::collectDelays(Instance &instance, IssuedInstruction &issued) {
  const BodyInstruction &instruction = bodyOf(instance);
  Delays &delays = delaysOf(instance);
  issued.delays = delays.cycles;
  if (!keepsOrder_) {
    const bool wasBusy = delays.readySince < now_;
    issued.delays.resource = wasBusy ? busyCycles_[instruction.signature] - delays.signatureCycles : 0;
    issued.criticalResources = wasBusy ? busyAtEnd_[instruction.signature] : 0;
  } else {
    issued.criticalResources = delays.criticalResources;
  }
  // Definitions first, then reads: the last of those that waited counts, because Instruction::computeCriticalRegDep
  // compares each with a maximum that stays 0. In operands_, the reads come first.
  const Operand *operands = operandsOf(instance);
  for (uint32_t i = 0; i < instruction.writes.count; ++i)
    if (operands[instruction.operandReads + i].critical.cycles)
      issued.registerWait = operands[instruction.operandReads + i].critical;
  for (uint32_t i = 0; i < instruction.operandReads; ++i)
    if (operands[i].critical.cycles)
      issued.registerWait = operands[i].critical;
}

/// Resolves the operands that wait for the instance's definitions (WriteState::onInstructionIssued).
template <typename Events>
void OutOfOrderMachine<Events>::wakeUsers(Instance &instance) {
  for (uint32_t next = instance.users; next != kEnd;) {
    const User user = users_[next];
    users_[next].next = freeUser_;
    freeUser_ = next;
    next = user.next;
    Instance &waiting = inFlight_[user.slot];
    resolveOperand(waiting, user.wait, instance.id);
    if (--waiting.unresolved == 0)
      promote(waiting);
  }
  instance.users = kEnd;
}

/// The same with precomputed dependencies.
template <typename Events>
inline void OutOfOrderMachine<Events>::wakeDependents(const Instance &instance) {
  for (const BodyDependency &dependent : instance.step->dependents) {
    const uint64_t id = instance.id + dependent.distance;
    if (id >= dispatched_)
      return;
    Instance &waiting = at(id);
    resolveOperand(waiting, dependent.wait, instance.id);
    if (--waiting.unresolved == 0)
      promote(waiting);
  }
}

/// The producer issued before the user was dispatched: what has passed since is subtracted, but not more than LLVM
/// counts (see waitFor()).
template <typename Events>
inline void OutOfOrderMachine<Events>::resolveFromIssued(Instance &user, const OperandWait &wait,
                                                         const Instance &producer) {
  const auto elapsed = static_cast<int32_t>(std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency));
  OperandWait left = wait;
  left.delay = std::max(0, wait.delay - elapsed);
  left.cycles = std::max(0, wait.cycles - elapsed);
  resolveOperand(user, left, producer.id);
}

/// A definition that `user` waits for now has a known cycle (ReadState::writeStartEvent for reads,
/// WriteState::writeStartEvent for partial writes). A read keeps its longest wait, a partial write its last one.
template <typename Events>
inline void OutOfOrderMachine<Events>::resolveOperand(Instance &user, const OperandWait &wait, uint64_t producer) {
  if (kDetails && waits_ && now_ + wait.delay > user.ready)
    lastOperands_[slotOf(user)] = {producer, body_->writes[wait.write].reg};
  user.ready = std::max(user.ready, now_ + wait.delay);
  if constexpr (kDetails) {
    Operand &operand = operandsOf(user)[wait.operand];
    const bool isWrite = wait.operand >= bodyOf(user).operandReads;
    const int64_t left = std::max<int64_t>(0, operand.until - now_);
    // If two definitions of one instruction arrive at the same time, the first counts.
    const bool isEarlierWrite = left == wait.cycles && wait.cycles && operand.critical.cycles &&
                                operand.critical.id == producer && wait.write < operand.write;
    if (isWrite || left < wait.cycles || isEarlierWrite) {
      operand.critical = {producer, body_->writes[wait.write].reg, static_cast<uint32_t>(wait.cycles)};
      operand.write = wait.write;
    }
    operand.until = std::max(operand.until, now_ + wait.cycles);
  }
}

} // namespace mca
