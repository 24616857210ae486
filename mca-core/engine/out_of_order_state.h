// The steady state of OutOfOrderMachine: describes everything that later cycles depend on, relative to the current
// cycle and the oldest instance in flight. Included only by out_of_order.h.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

/// Searches for the current state among the copies.
template <typename Events>
typename OutOfOrderMachine<Events>::Period OutOfOrderMachine<Events>::findPeriod() {
  return steady_.search(fingerprint(), {.now = now_, .fetched = fetched_, .inFlight = fetched_ - retired_}, *events_,
                        resources_, [&](auto &sink) { return describe(sink); });
}

/// A cheap hash of parts of the state that differ often.
template <typename Events>
uint64_t OutOfOrderMachine<Events>::fingerprint() const {
  uint64_t hash = resources_.fingerprint();
  const auto add = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
  };
  add(dispatched_ - retired_);
  add(static_cast<uint64_t>(next_ - steps_.data()) << 32 | freeEntries_);
  add(uint64_t(carryOver_) << 32 | freeQueueEntries_);
  // The youngest instances differ most often.
  for (uint64_t id = dispatched_ - std::min<uint64_t>(dispatched_ - retired_, 4); id != dispatched_; ++id) {
    const Instance &instance = at(id);
    const int64_t time = instance.stage >= Stage::Executing ? instance.executed + 1 : instance.ready;
    const Stage stage = wasExecuted(instance) ? Stage::Executed : instance.stage;
    add(static_cast<uint64_t>(stage) << 32 | instance.unresolved);
    add(static_cast<uint64_t>(std::max<int64_t>(0, time - now_)));
  }
  // The list order may repeat much later than everything else.
  if constexpr (kDetails)
    if (keepsOrder_)
      for (const std::vector<uint32_t> *list : {&waiting_, &pending_, &ready_})
        for (const uint32_t slot : *list)
          add(inFlight_[slot].id - retired_);
  return hash;
}

/// Passes everything that later cycles depend on to `sink`; docs/engine.md lists and justifies it.
template <typename Events>
template <typename Sink>
bool OutOfOrderMachine<Events>::describe(Sink &sink) const {
  const uint64_t carriedOver =
      carryOver_ ? (carried_ - retired_) << 8 | carriedDispatch_.zeroMoves << 1 | carriedDispatch_.eliminated : 0;
  if (!sink(next_ - steps_.data(), freeEntries_, dispatched_ - retired_, fetched_ - dispatched_, freeQueueEntries_,
            tokenStall_, carryOver_, carriedOver))
    return false;
  // From the youngest to the oldest, because the youngest differ most often.
  for (uint64_t id = dispatched_; id-- != retired_;)
    if (!describeInstance(at(id), sink))
      return false;
  if (!registers_.describe(sink, /*isStatic=*/!renames_,
                           [&](const WriteRef &writer) { return describeWriter(writer, sink); }))
    return false;
  if (!resources_.describe(now_, sink) || !memory_.describe(retired_, now_, sink) || !events_->describe(retired_, sink))
    return false;
  if constexpr (kDetails)
    if (keepsOrder_)
      for (const std::vector<uint32_t> *list : {&waiting_, &pending_, &ready_}) {
        if (!sink(list->size()))
          return false;
        for (const uint32_t slot : *list)
          if (!sink(inFlight_[slot].id - retired_))
            return false;
      }
  return true;
}

/// Describes an instance in flight by what it still has to go through.
template <typename Events>
template <typename Sink>
bool OutOfOrderMachine<Events>::describeInstance(const Instance &instance, Sink &sink) const {
  if (wasExecuted(instance)) {
    // Only late reads depend on its age.
    const int64_t age = std::min<int64_t>(now_ - instance.executed, body_->longestLateRead);
    return sink(static_cast<uint64_t>(Stage::Executed) << 1 | instance.eliminated | static_cast<uint64_t>(age) << 8);
  }
  const bool issued = instance.stage == Stage::Executing;
  const uint64_t group = !instance.step->isMemory            ? 0
                         : !ordersStoresOnly()               ? instance.group - memory_.oldestGroup() + 1
                         : instance.stage < Stage::Executing ? stores_.ageOf(instance.group) + 1
                                                             : 0;
  const int64_t time = std::max<int64_t>(0, (issued ? instance.executed : instance.ready) - now_);
  if (!sink(static_cast<uint64_t>(instance.stage) << 1 | group << 4 | static_cast<uint64_t>(time) << 32))
    return false;
  if (issued)
    return true;
  if (!sink(uint64_t(instance.unresolved) << 32 | instance.userCount))
    return false;
  if (!renames_) {
    // The dependencies follow from the program and, if its iterations differ, from the iteration.
    if (body_->renamedRepeatFrom && !sink(instance.step - steps_.data()))
      return false;
  } else {
    for (uint32_t i = instance.users; i != kEnd; i = users_[i].next) {
      const User &user = users_[i];
      if (!sink((inFlight_[user.slot].id - retired_) << 32 | user.wait.operand,
                static_cast<uint64_t>(user.wait.delay) << 32 | user.wait.write))
        return false;
    }
  }
  if constexpr (kDetails)
    return describePressure(instance, sink);
  return true;
}

/// Describes the delays and critical operands of an instance that has not issued. Counters that only grow are described
/// by their growth since the instance became ready.
template <typename Events>
template <typename Sink>
bool OutOfOrderMachine<Events>::describePressure(const Instance &instance, Sink &sink) const {
  const size_t slot = slotOf(instance);
  const Delays &delays = delays_[slot];
  const bool ready = instance.stage == Stage::Ready;
  const uint32_t signature = instance.step->signature;
  if (!sink(delays.cycles.reg, delays.cycles.memory, delays.cycles.resource, delays.criticalResources))
    return false;
  if (ready && !sink(busyCycles_[signature] - delays.signatureCycles, std::max<int64_t>(-1, delays.readySince - now_),
                     busyAtEnd_[signature]))
    return false;
  if (waits_ && !ready) {
    const LastOperand &last = lastOperands_[slot];
    const bool any = last.producer != WriteRef::kNoInstance;
    if (!sink(instance.ready - now_, any ? last.producer - retired_ : ~0ull, last.reg))
      return false;
  }
  const Operand *operands = operands_.data() + slot * body_->maxOperands;
  for (uint32_t i = 0; i < bodyOf(instance).operands; ++i) {
    const Operand &operand = operands[i];
    if (!sink(uint64_t(operand.critical.cycles) << 32 | operand.critical.reg,
              operand.critical.cycles ? (operand.critical.id - retired_) << 16 ^ operand.write : 0,
              std::max<int64_t>(0, operand.until - now_)))
      return false;
  }
  return true;
}

template <typename Events>
template <typename Sink>
bool OutOfOrderMachine<Events>::describeWriter(const WriteRef &writer, Sink &sink) const {
  constexpr uint64_t kGone = ~0ull;
  if (writer.id == WriteRef::kNoInstance)
    return sink(kGone);
  if (writer.id >= retired_)
    return sink((writer.id - retired_) << 32 | writer.write);
  if (!body_->longestLateRead)
    return sink(kGone);
  // It matters as long as a late read can wait for it.
  const History &history = history_[writer.id & (history_.size() - 1)];
  const int64_t age = now_ - history.executed;
  if (history.id != writer.id || age >= body_->longestLateRead)
    return sink(kGone);
  return sink(1ull << 63 | static_cast<uint64_t>(age) << 32 | writer.write);
}

} // namespace mca
