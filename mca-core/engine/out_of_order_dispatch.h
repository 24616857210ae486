// The part of OutOfOrderMachine that dispatches, and what it tells of pressure at the end of a cycle. Included by
// out_of_order.h alone.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

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
  carriedAs_.first = false;
  events_->onDispatched(carried_, at(carried_).what, microOps, carriedAs_);
}

/// Decodes into the micro-op queue.
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

template <typename Events>
void OutOfOrderMachine<Events>::drainQueue() {
  while (dispatched_ < fetched_ && canDispatch()) {
    const uint32_t microOps = body_->instructions[dispatchAt_].microOps;
    freeQueueEntries_ += std::max(1u, std::min(options_.microOpQueue, microOps));
    dispatch();
  }
}

template <typename Events>
bool OutOfOrderMachine<Events>::canDispatch() {
  const BodyInstruction &instruction = body_->instructions[dispatchAt_];
  if (!width_ || std::min(instruction.microOps, options_.dispatchWidth) > width_)
    return false;
  if (instruction.beginGroup && width_ != options_.dispatchWidth)
    return false;
  const bool tokens = freeEntries_ >= entriesOf(instruction);
  const bool room = !instruction.needs.count || registers_.hasRoom(instruction);
  if constexpr (kDetails) {
    if (!tokens)
      events_->onStall(Stall::RetireTokens);
    if (!room)
      events_->onStall(Stall::RegisterFile);
    return schedulerTakes(instruction) && tokens && room;
  }
  return tokens && room && schedulerTakes(instruction);
}

template <typename Events>
bool OutOfOrderMachine<Events>::schedulerTakes(const BodyInstruction &instruction) {
  const ResourceState::Buffers buffers = resources_.buffersFor(instruction.buffers);
  tokenStall_ = true;
  if (buffers != ResourceState::Buffers::Free) {
    if constexpr (kDetails)
      events_->onStall(buffers == ResourceState::Buffers::Full ? Stall::SchedulerFull : Stall::DispatchGroup);
    return false;
  }
  if (instruction.mayLoad && memory_.loadQueueFull()) {
    if constexpr (kDetails)
      events_->onStall(Stall::LoadQueueFull);
    return false;
  }
  if (instruction.mayStore && memory_.storeQueueFull()) {
    if constexpr (kDetails)
      events_->onStall(Stall::StoreQueueFull);
    return false;
  }
  tokenStall_ = false;
  return true;
}

template <typename Events>
void OutOfOrderMachine<Events>::dispatch() {
  const uint64_t id = dispatched_++;
  Instance &instance = at(id);
  instance.id = id;
  instance.what = dispatchAt_;
  instance.code = &body_->instructions[dispatchAt_];
  if (++dispatchAt_ == count_) {
    dispatchAt_ = 0;
    newIteration_ = true;
  }
  const BodyInstruction &instruction = bodyOf(instance);
  instance.stage = Stage::Waiting;
  instance.unresolved = instance.userCount = 0;
  instance.eliminated = false;
  instance.users = kEnd;
  instance.ready = now_;
  instance.leaving = false;
  progress_ = true;
  if constexpr (kPressure) {
    std::fill_n(operandsOf(instance), instruction.operands, Operand());
    delaysOf(instance) = {};
  }
  if constexpr (kWaits)
    if (waits_)
      arrivals_[slotOf(instance)] = {};

  if (instruction.microOps > options_.dispatchWidth) {
    width_ = 0;
    carryOver_ = instruction.microOps - options_.dispatchWidth;
    carried_ = id;
  } else {
    width_ -= instruction.microOps;
  }
  if (instruction.endGroup)
    width_ = 0;

  if (body_->renamesStatically)
    addDependencies(instance);
  else
    rename(instance);

  freeEntries_ -= entriesOf(instruction);
  Dispatched told{.eliminated = instance.eliminated};
  if (kDetails && instance.eliminated)
    for (uint32_t i = 0; i < instruction.writes.count; ++i)
      told.zeroMoves += registers_.movesZero(i);
  if (carried_ == id && carryOver_)
    carriedAs_ = told;
  events_->onDispatched(id, instance.what, std::min(options_.dispatchWidth, instruction.microOps), told);
  if (!instance.eliminated)
    return schedule(instance);
  taken_.clear();
  events_->onReady(id, instance.what);
  events_->onIssued({.id = id, .what = instance.what, .last = id + 1 == last_, .eliminated = true}, taken_);
  finish(instance);
}

/// Who waits for whom is known.
template <typename Events>
inline void OutOfOrderMachine<Events>::addDependencies(Instance &instance) {
  for (const BodyDependency &dependency : body_->dependenciesOf(bodyOf(instance))) {
    if (instance.id < retired_ + dependency.distance)
      continue;
    Instance &producer = at(instance.id - dependency.distance);
    if (producer.stage >= Stage::Executing) {
      arriveLate(instance, dependency.wait, producer);
      continue;
    }
    ++instance.unresolved;
    countUser(producer);
  }
  registers_.allocate(bodyOf(instance));
}

template <typename Events>
void OutOfOrderMachine<Events>::rename(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  instance.eliminated = instruction.optimizableMove && registers_.eliminate(instruction);
  if (!instance.eliminated)
    for (const BodyRead &read : body_->readsOf(instruction))
      readRegister(instance, read);
  registers_.define(instruction, instance.id, instance.eliminated, [&](uint32_t number, const WriteRef &earlier) {
    if (earlier.id < retired_)
      return;
    // A partial write must not complete before what it is merged into.
    const int32_t latency = body_->writes[instruction.writes.first + number].latency;
    waitFor(instance, earlier,
            {.delay = latency ? 1 - latency : 0, .cycles = 0, .operand = instruction.operandReads + number});
  });
  if (!instance.eliminated)
    registers_.allocate(instruction);
}

template <typename Events>
inline void OutOfOrderMachine<Events>::readRegister(Instance &instance, const BodyRead &read) {
  if (read.independent)
    return;
  registers_.forEachWriter(read, [&](const WriteRef &writer) {
    const BodyWrite &write = body_->writes[writer.write];
    const int32_t advance = body_->advances[read.advances + write.kind];
    if (writer.id >= retired_) {
      waitFor(instance, writer, {.delay = 0, .cycles = -advance, .operand = read.operand});
      return;
    }
    if (advance >= 0)
      return;
    const History &history = history_[writer.id & (history_.size() - 1)];
    const int64_t left = -advance - (now_ - history.executed);
    if (history.id == writer.id && left > 0) {
      const auto cycles = static_cast<int32_t>(left);
      arrive(instance, {.delay = cycles, .cycles = cycles, .operand = read.operand, .write = writer.write}, writer.id);
    }
  });
}

/// Makes `instance` wait for a definition. `wait.cycles` is what the read adds to the latency, `wait.delay` what the
/// operand adds to the wait.
template <typename Events>
void OutOfOrderMachine<Events>::waitFor(Instance &instance, const WriteRef &writer, OperandWait wait) {
  Instance &producer = at(writer.id);
  if (producer.eliminated)
    return;
  const int32_t latency = body_->writes[writer.write].latency;
  wait.write = writer.write;
  if (producer.stage >= Stage::Executing) {
    // What is executed but not retired has stopped counting.
    const int64_t elapsed = std::min<int64_t>(now_ - producer.issued, bodyOf(producer).latency);
    wait.cycles = std::max(0, latency - static_cast<int32_t>(elapsed) + wait.cycles);
    wait.delay = std::max(0, wait.cycles + wait.delay);
    return arrive(instance, wait, writer.id);
  }
  wait.cycles = std::max(0, latency + wait.cycles);
  wait.delay = std::max(0, wait.cycles + wait.delay);
  const User user{.wait = wait, .slot = slotOf(instance), .next = producer.users};
  uint32_t place = freeUser_;
  if (place == kEnd) {
    place = static_cast<uint32_t>(users_.size());
    users_.push_back(user);
  } else {
    freeUser_ = users_[place].next;
    users_[place] = user;
  }
  producer.users = place;
  ++instance.unresolved;
  countUser(producer);
}

/// An instruction is the more urgent, the more others wait for it.
template <typename Events>
inline void OutOfOrderMachine<Events>::countUser(Instance &producer) {
  const uint32_t users = ++producer.userCount;
  if (producer.stage == Stage::Ready && (!kPressure || body_->plain))
    queues_[bodyOf(producer).signature].moveUp(ReadyQueue::keyOf(producer.id, users - 1),
                                               ReadyQueue::keyOf(producer.id, users));
}

template <typename Events>
void OutOfOrderMachine<Events>::schedule(Instance &instance) {
  const BodyInstruction &instruction = bodyOf(instance);
  const bool memory = instruction.isMemory();
  resources_.reserveBuffers(instruction.buffers);
  if (memory)
    instance.group = memory_.dispatch(instruction, now_);
  if constexpr (kDetails) {
    dispatchedMicroOps_ += instruction.microOps;
    events_->onBuffersReserved(instance.what);
  }
  const bool ordered = !memory || memory_.isReady(instance.group);
  if (!ordered)
    memory_.await(instance.group, slotOf(instance));
  if (instance.unresolved || !ordered || instance.ready > now_) {
    if constexpr (kPressure) {
      const bool waits = instance.unresolved || (memory && memory_.isWaiting(instance.group));
      std::vector<uint32_t> &list = waits ? waiting_ : pending_;
      instance.place = static_cast<uint32_t>(list.size());
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
    events_->onReady(instance.id, instance.what);
    issue(instance);
    return;
  }
  makeReady(instance);
  if constexpr (kPressure)
    newlyReady_.push_back(slotOf(instance));
}

/// Cycles in which more is dispatched than issued, or nothing can be: who is held back, and by what.
template <typename Events>
void OutOfOrderMachine<Events>::reportPressure(int64_t cycles) {
  const auto count = static_cast<uint32_t>(cycles);
  if (tokenStall_ || dispatchedMicroOps_ > issuedMicroOps_) {
    if (busyResources_) {
      events_->onPressure(PressureReason::Resources, busyResources_);
      // llvm-mca looks at the lowest 32 resources only.
      if (body_->plain) {
        for (const uint32_t signature : active_)
          if (static_cast<uint32_t>(busySince_[signature]))
            busyCycles_[signature] += count;
      } else {
        for (const uint32_t slot : ready_)
          if (static_cast<uint32_t>(delays_[slot].criticalResources & busyResources_))
            delays_[slot].cycles.resource += count;
      }
    }
    bool byRegisters = false, byMemory = false;
    // Those that came in this cycle have not been delayed yet.
    for (size_t i = 0; i + dispatchedToPending_ < pending_.size(); ++i) {
      const Instance &instance = flight_[pending_[i]];
      if (!resources_.canIssue(signatureOf(instance)))
        continue;
      PressureDelays &delays = delays_[pending_[i]].cycles;
      if (instance.ready > now_) {
        delays.reg += count;
        byRegisters = true;
      }
      if (bodyOf(instance).isMemory() && memory_.isPending(instance.group)) {
        delays.memory += count;
        byMemory = true;
      }
    }
    if (byRegisters)
      events_->onPressure(PressureReason::RegisterDependencies, 0);
    if (byMemory)
      events_->onPressure(PressureReason::MemoryDependencies, 0);
  }
  // What was dispatched ready is looked at from the next cycle on.
  for (const uint32_t slot : newlyReady_) {
    delays_[slot].readySince = now_ + 1;
    delays_[slot].signatureCycles = busyCycles_[bodyOf(flight_[slot]).signature];
  }
  newlyReady_.clear();
}

} // namespace mca
