// The member functions of OutOfOrderMachine, in the order of a cycle. Included by out_of_order.h alone.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

template <typename Events>
void OutOfOrderMachine<Events>::cycle() {
  retire();
  startExecution();
  startDispatch();
  fetch();
  drainQueue();
  if (options_.pressure)
    reportPressure();
  events_.onCycleEnd();
  ++now_;
}

template <typename Events>
void OutOfOrderMachine<Events>::retire() {
  registers_.startCycle();
  for (uint32_t count = 0; retired_ < dispatched_; ++count) {
    Instance &instance = at(retired_);
    if (instance.stage != Stage::Executed || (options_.maxRetired && count == options_.maxRetired))
      return;
    const BodyInstruction &instruction = bodyOf(instance);
    if (isMemory(instruction))
      memory_.retired(instruction);
    if (!instance.eliminated)
      for (uint32_t i = 0; i < instruction.writes; ++i)
        registers_.retire(body_.writes[instruction.firstWrite + i], instance.writes[i].zero);
    events_.onRetired(instance.id, instance.what, registers_.changed());
    freeEntries_ += instance.entries;
    ++retired_;
  }
}

template <typename Events>
void OutOfOrderMachine<Events>::startExecution() {
  memory_.startCycle(now_);
  resources_.startCycle(now_);
  for (size_t i = 0; i < executing_.size();) {
    Instance &instance = at(executing_[i]);
    if (instance.executed > now_) {
      ++i;
      continue;
    }
    executing_[i] = executing_.back();
    executing_.pop_back();
    if (isMemory(bodyOf(instance)))
      memory_.executed(instance.group, instance.id);
    finish(instance);
  }
  busyResources_ = 0;
  dispatchedMicroOps_ = issuedMicroOps_ = 0;
  dispatchedToPending_ = 0;
  promoteWaiting();
  promotePending();
  issueReady();
}

template <typename Events>
void OutOfOrderMachine<Events>::finish(Instance &instance) {
  instance.stage = Stage::Executed;
  instance.executed = now_;
  events_.onExecuted(instance.id, instance.what);
}

template <typename Events>
bool OutOfOrderMachine<Events>::isReadyNow(const Instance &instance) const {
  return instance.ready <= now_ && (!isMemory(bodyOf(instance)) || memory_.isReady(instance.group));
}

/// Takes out of `list` what `leaves` accepts, in the order in which LLVM's scheduler does: the last one takes the
/// place.
template <typename Leaves>
size_t takeOut(std::vector<uint64_t> &list, Leaves leaves) {
  size_t count = list.size();
  for (size_t i = 0; i < count;)
    if (leaves(list[i]))
      std::swap(list[i], list[--count]);
    else
      ++i;
  const size_t taken = list.size() - count;
  list.resize(count);
  return taken;
}

/// Moves on those whose producers and predecessors have all been issued. Returns whether there were any.
template <typename Events>
bool OutOfOrderMachine<Events>::promoteWaiting() {
  const size_t before = pending_.size();
  takeOut(waiting_, [this](uint64_t id) {
    const Instance &instance = at(id);
    if (instance.unresolved || (isMemory(bodyOf(instance)) && memory_.isWaiting(instance.group)))
      return false;
    pending_.push_back(id);
    return true;
  });
  return pending_.size() != before;
}

/// Moves on those that wait for nothing more.
template <typename Events>
void OutOfOrderMachine<Events>::promotePending() {
  takeOut(pending_, [this](uint64_t id) {
    Instance &instance = at(id);
    if (!isReadyNow(instance))
      return false;
    instance.stage = Stage::Ready;
    ready_.push_back(id);
    events_.onReady(id, instance.what);
    return true;
  });
}

template <typename Events>
void OutOfOrderMachine<Events>::issueReady() {
  for (size_t best = selectReady(); best != ready_.size(); best = selectReady()) {
    Instance &instance = at(ready_[best]);
    ready_[best] = ready_.back();
    ready_.pop_back();
    issue(instance);
  }
}

/// The oldest one counts, where each user of its results makes an instruction one older. Returns the number of the
/// ready when none can be issued.
template <typename Events>
size_t OutOfOrderMachine<Events>::selectReady() {
  size_t best = ready_.size();
  int bestRank = 0;
  for (size_t i = 0; i < ready_.size(); ++i) {
    Instance &instance = at(ready_[i]);
    // 32 bits, as in LLVM.
    const int rank = static_cast<int>(instance.id) - static_cast<int>(instance.userCount);
    if (best != ready_.size() && !(rank < bestRank || (rank == bestRank && instance.id < ready_[best])))
      continue;
    const BodyInstruction &instruction = bodyOf(instance);
    if (options_.pressure) {
      const uint64_t busy = resources_.busyMask(instruction, resourcesOf(instruction));
      if (busy)
        instance.criticalResources = busy;
      busyResources_ |= busy;
      if (busy)
        continue;
    } else if (!resources_.canIssue(instruction, resourcesOf(instruction))) {
      continue;
    }
    best = i;
    bestRank = rank;
  }
  return best;
}

template <typename Events>
void OutOfOrderMachine<Events>::issue(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  const bool memory = isMemory(instruction);
  const bool wakes = instance.userCount > 0 || (memory && memory_.hasSuccessors(instance.group));
  resources_.releaseBuffers(instruction.buffers);
  resources_.issue(instruction, resourcesOf(instruction), now_, used_);
  instance.stage = Stage::Executing;
  instance.executed = now_ + instruction.latency;
  newlyPending_ = false;
  wakeUsers(instance);
  CriticalWait memoryWait;
  if (memory) {
    memory_.issued(instance.group, instance.id, instance.executed);
    memoryWait = memory_.criticalPredecessor(instance.group);
  }
  if (instruction.latency)
    executing_.push_back(instance.id);
  else if (memory)
    memory_.executed(instance.group, instance.id);
  issuedMicroOps_ += instruction.microOps;
  events_.onIssued(instance.id, instance.what, used_,
                   IssuedInstruction{instance.id, instance.criticalResources, criticalRegister(instance), memoryWait});
  if (!instruction.latency)
    finish(instance);
  if (!wakes)
    return;
  if (promoteWaiting() || newlyPending_)
    promotePending();
}

template <typename Events>
CriticalWait OutOfOrderMachine<Events>::criticalRegister(const Instance &instance) const {
  CriticalWait critical;
  if (!options_.pressure)
    return critical;
  const BodyInstruction &instruction = bodyOf(instance);
  // Definitions first, then reads: of those that waited the last one counts.
  for (uint32_t i = 0; i < instruction.writes; ++i)
    if (instance.operands[instruction.reads + i].critical.cycles)
      critical = instance.operands[instruction.reads + i].critical;
  for (uint32_t i = 0; i < instruction.reads; ++i)
    if (instance.operands[i].critical.cycles)
      critical = instance.operands[i].critical;
  return critical;
}

template <typename Events>
void OutOfOrderMachine<Events>::wakeUsers(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  for (uint32_t i = 0; i < instruction.writes; ++i) {
    const BodyWrite &write = body_.writes[instruction.firstWrite + i];
    instance.writes[i].known = now_;
    for (uint32_t next = instance.writes[i].users; next != kEnd;) {
      const User user = users_[next];
      users_[next].next = freeUser_;
      freeUser_ = next;
      next = user.next;
      Instance &waiting = at(user.id);
      arrive(waiting, user.operand, instance.id, write, std::max(0, write.latency - user.advance));
      if (--waiting.unresolved || options_.pressure)
        continue;
      if (isMemory(bodyOf(waiting)) && memory_.isWaiting(waiting.group)) {
        waiting_.push_back(user.id);
      } else {
        pending_.push_back(user.id);
        newlyPending_ = true;
      }
    }
    instance.writes[i].users = kEnd;
  }
}

/// A definition that `user` waits for is known to come in `cycles`.
template <typename Events>
void OutOfOrderMachine<Events>::arrive(Instance &user, uint32_t number, uint64_t producer, const BodyWrite &write,
                                       int64_t cycles) {
  const BodyInstruction &instruction = bodyOf(user);
  Operand &operand = user.operands[number];
  int64_t ready = now_ + cycles;
  const bool isWrite = number >= instruction.reads;
  if (isWrite) {
    // A partial write must not complete before what it is merged into.
    const int32_t latency = body_.writes[instruction.firstWrite + number - instruction.reads].latency;
    ready = std::max(now_, latency ? ready - latency + 1 : ready);
  }
  if (options_.pressure && (isWrite || std::max<int64_t>(0, operand.until - now_) < cycles))
    operand.critical = {static_cast<uint32_t>(producer), body_.registers[write.reg].llvm,
                        static_cast<uint32_t>(cycles)};
  operand.until = std::max(operand.until, now_ + cycles);
  user.ready = std::max(user.ready, ready);
}

template <typename Events>
void OutOfOrderMachine<Events>::startDispatch() {
  if (!carryOver_) {
    width_ = options_.dispatchWidth;
    return;
  }
  width_ = carryOver_ >= options_.dispatchWidth ? 0 : options_.dispatchWidth - carryOver_;
  const uint32_t microOps = options_.dispatchWidth - width_;
  carryOver_ -= microOps;
  events_.onDispatched(carried_, at(carried_).what, microOps, registers_.changed());
}

template <typename Events>
void OutOfOrderMachine<Events>::fetch() {
  if (!options_.microOpQueue) {
    while (fetched_ < last_ && canDispatch(fetched_))
      dispatch(fetched_++);
    return;
  }
  for (uint32_t decoded = 0; fetched_ < last_ && !(options_.decoders && decoded == options_.decoders); ++decoded) {
    const uint32_t microOps = body_.instructions[fetched_ % body_.instructions.size()].microOps;
    const uint32_t entries = std::max(1u, std::min(options_.microOpQueue, microOps));
    if (entries > freeQueueEntries_)
      return;
    freeQueueEntries_ -= entries;
    queue_.push_back(fetched_++);
  }
}

template <typename Events>
void OutOfOrderMachine<Events>::drainQueue() {
  while (!queue_.empty() && canDispatch(queue_.front())) {
    const uint64_t id = queue_.front();
    queue_.pop_front();
    const uint32_t microOps = body_.instructions[id % body_.instructions.size()].microOps;
    freeQueueEntries_ += std::max(1u, std::min(options_.microOpQueue, microOps));
    dispatch(id);
  }
}

template <typename Events>
bool OutOfOrderMachine<Events>::canDispatch(uint64_t id) {
  const auto what = static_cast<uint32_t>(id % body_.instructions.size());
  const BodyInstruction &instruction = body_.instructions[what];
  if (!width_ || std::min(instruction.microOps, options_.dispatchWidth) > width_)
    return false;
  if (instruction.beginGroup && width_ != options_.dispatchWidth)
    return false;
  const uint32_t entries = std::max(1u, std::min(instruction.microOps, options_.reorderBuffer));
  const bool tokens = freeEntries_ >= entries;
  if (!tokens)
    events_.onStall(Stall::RetireTokens);
  const bool room = registers_.hasRoom(instruction);
  if (!room)
    events_.onStall(Stall::RegisterFile);
  return schedulerTakes(instruction) && tokens && room;
}

template <typename Events>
bool OutOfOrderMachine<Events>::schedulerTakes(const BodyInstruction &instruction) {
  const ResourceState::Buffers buffers = resources_.buffersFor(instruction.buffers);
  tokenStall_ = true;
  if (buffers != ResourceState::Buffers::Free) {
    events_.onStall(buffers == ResourceState::Buffers::Full ? Stall::SchedulerFull : Stall::DispatchGroup);
    return false;
  }
  if (instruction.mayLoad && memory_.loadQueueFull()) {
    events_.onStall(Stall::LoadQueueFull);
    return false;
  }
  if (instruction.mayStore && memory_.storeQueueFull()) {
    events_.onStall(Stall::StoreQueueFull);
    return false;
  }
  tokenStall_ = false;
  return true;
}

template <typename Events>
void OutOfOrderMachine<Events>::dispatch(uint64_t id) {
  Instance &instance = at(id);
  instance.id = id;
  instance.what = static_cast<uint32_t>(id % body_.instructions.size());
  const BodyInstruction &instruction = bodyOf(instance);
  instance.stage = Stage::Waiting;
  instance.eliminated = false;
  instance.unresolved = instance.userCount = 0;
  instance.ready = now_;
  instance.executed = kUnknown;
  instance.criticalResources = 0;
  instance.writes.assign(instruction.writes, {});
  instance.operands.assign(instruction.reads + instruction.writes, {});

  if (instruction.microOps > options_.dispatchWidth) {
    width_ = 0;
    carryOver_ = instruction.microOps - options_.dispatchWidth;
    carried_ = id;
  } else {
    width_ -= instruction.microOps;
  }
  if (instruction.endGroup)
    width_ = 0;

  zeros_.assign(instruction.writes, false);
  if (instruction.optimizableMove)
    instance.eliminated = registers_.eliminate(instruction, zeros_);
  if (!instance.eliminated)
    for (uint32_t i = 0; i < instruction.reads; ++i)
      readRegister(instance, i, body_.reads[instruction.firstRead + i]);
  for (uint32_t i = 0; i < instruction.writes; ++i)
    define(instance, i, zeros_[i] || body_.writes[instruction.firstWrite + i].writesZero);

  instance.entries = std::max(1u, std::min(instruction.microOps, options_.reorderBuffer));
  freeEntries_ -= instance.entries;
  ++dispatched_;
  events_.onDispatched(id, instance.what, std::min(options_.dispatchWidth, instruction.microOps), registers_.changed());
  if (!instance.eliminated)
    return schedule(instance);
  used_.clear();
  events_.onReady(id, instance.what);
  events_.onIssued(id, instance.what, used_, IssuedInstruction{.id = id});
  finish(instance);
}

template <typename Events>
void OutOfOrderMachine<Events>::readRegister(Instance &instance, uint32_t operand, const BodyRead &read) {
  if (read.independent || read.reg == kNoRegister)
    return;
  registers_.forEachWriter(read.reg, [&](const WriteRef &writer) {
    const BodyWrite &write = body_.writes[writer.write];
    const int32_t advance = body_.advances[read.advances + write.kind];
    if (writer.id >= retired_) {
      waitFor(instance, operand, writer, advance);
    } else if (advance < 0 && at(writer.id).id == writer.id) {
      const int64_t left = -advance - (now_ - at(writer.id).executed);
      if (left > 0)
        arrive(instance, operand, writer.id, write, left);
    }
  });
}

template <typename Events>
void OutOfOrderMachine<Events>::waitFor(Instance &instance, uint32_t operand, const WriteRef &writer, int32_t advance) {
  Instance &producer = at(writer.id);
  const BodyInstruction &instruction = bodyOf(producer);
  Write &written = producer.writes[writer.write - instruction.firstWrite];
  const BodyWrite &write = body_.writes[writer.write];
  if (written.known != kUnknown) {
    // What is executed but not retired has stopped counting.
    const int64_t elapsed = producer.stage == Stage::Executed ? instruction.latency : now_ - written.known;
    return arrive(instance, operand, writer.id, write, std::max<int64_t>(0, write.latency - elapsed - advance));
  }
  if (producer.eliminated)
    return;
  uint32_t slot = freeUser_;
  if (slot == kEnd) {
    slot = static_cast<uint32_t>(users_.size());
    users_.emplace_back();
  } else {
    freeUser_ = users_[slot].next;
  }
  users_[slot] = {instance.id, operand, advance, written.users};
  written.users = slot;
  ++producer.userCount;
  ++instance.unresolved;
}

template <typename Events>
void OutOfOrderMachine<Events>::define(Instance &instance, uint32_t number, bool zero) {
  const BodyInstruction &instruction = bodyOf(instance);
  const uint32_t index = instruction.firstWrite + number;
  instance.writes[number].zero = zero;
  const WriteRef merged = registers_.define(body_.writes[index], index, instance.id, instance.eliminated, zero);
  if (merged.id != WriteRef::kNobody && merged.id >= retired_)
    waitFor(instance, instruction.reads + number, merged, 0);
}

template <typename Events>
void OutOfOrderMachine<Events>::schedule(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  const bool memory = isMemory(instruction);
  resources_.reserveBuffers(instruction.buffers);
  if (memory)
    instance.group = memory_.dispatch(instruction);
  dispatchedMicroOps_ += instruction.microOps;
  events_.onBuffersReserved(instance.id, instance.what);
  const bool waits = memory && memory_.isWaiting(instance.group);
  if (instance.unresolved || waits) {
    // Without pressure events, whoever waits for registers is found through its producers.
    if (!instance.unresolved || options_.pressure)
      waiting_.push_back(instance.id);
    return;
  }
  if (instance.ready > now_ || (memory && memory_.isPending(instance.group))) {
    pending_.push_back(instance.id);
    ++dispatchedToPending_;
    return;
  }
  instance.stage = Stage::Ready;
  events_.onReady(instance.id, instance.what);
  if (instruction.issuesAtOnce)
    issue(instance);
  else
    ready_.push_back(instance.id);
}

/// Cycles in which more is dispatched than issued, or nothing can be: who is held back, and by what.
template <typename Events>
void OutOfOrderMachine<Events>::reportPressure() {
  if (!tokenStall_ && dispatchedMicroOps_ <= issuedMicroOps_)
    return;
  if (busyResources_) {
    delayed_.clear();
    for (const uint64_t id : ready_)
      delayed_.push_back({id, at(id).criticalResources});
    events_.onPressure(PressureReason::Resources, delayed_, busyResources_);
  }
  const auto report = [this](PressureReason reason, auto applies) {
    delayed_.clear();
    // Those that came in this cycle have not been delayed yet.
    for (size_t i = 0; i + dispatchedToPending_ < pending_.size(); ++i) {
      const Instance &instance = at(pending_[i]);
      const BodyInstruction &instruction = bodyOf(instance);
      if (applies(instance) && !resources_.busyMask(instruction, resourcesOf(instruction)))
        delayed_.push_back({instance.id, 0});
    }
    if (!delayed_.empty())
      events_.onPressure(reason, delayed_, 0);
  };
  report(PressureReason::RegisterDependencies, [this](const Instance &instance) { return instance.ready > now_; });
  report(PressureReason::MemoryDependencies,
         [this](const Instance &instance) { return isMemory(bodyOf(instance)) && memory_.isPending(instance.group); });
}

} // namespace mca
