// The runs of OutOfOrderMachine: their setup, and the stages of a cycle except issue and dispatch. Included only by
// out_of_order.h.
#pragma once

#include "mca-core/engine/out_of_order.h"

namespace mca {

/// Every period is a whole number of iterations, so one search per iteration is enough.
template <typename Events>
bool OutOfOrderMachine<Events>::run(const Body &body, const MachineOptions &options, Events &events,
                                    uint64_t iterations) {
  reset(body, options, events, iterations);
  while (runCycles()) {
    if (isOver())
      return true;
    if (steady_.isSearching())
      steady_.skip(findPeriod(), *events_, resources_, retired_, fetched_, last_);
  }
  return false;
}

template <typename Events>
bool OutOfOrderMachine<Events>::run(const Body &body, const MachineOptions &options, Events &events,
                                    InstructionStream &stream, uint32_t redirectCycles) {
  assert(body.renamed.empty() && !options.microOpQueue);
  reset(body, options, events, /*iterations=*/0);
  trace_.reset(&stream, redirectCycles);
  if (trackedExecutions_ || !history_.empty() || events.wantsExecutions())
    trackedExecutions_ = ~uint64_t{0};
  while (runCycles())
    if (isOver())
      return true;
  return false;
}

/// Reads on in the trace, unless a mispredicted branch holds it back.
template <typename Events>
[[gnu::noinline]] bool OutOfOrderMachine<Events>::fetchTrace() {
  // A branch that holds it back is the last instance, so its slot has not been used again.
  if (!trace_.readSegment() || (last_ && trace_.isHeld(now_, at(last_ - 1).executed, *events_)))
    return false;
  if constexpr (requires { Events::kOnlyCounts; }) {
    if (trace_.isAfterRedirect() && options_.steadyState && isIdle())
      now_ = trace_.passKnown(now_, *body_, registers_, resources_, *events_);
    else
      trace_.forgetRunning();
  }
  last_ += trace_.enterSegment();
  followTrace();
  return true;
}

/// Whether nothing is in flight, and nothing that retired can still be waited for.
template <typename Events>
bool OutOfOrderMachine<Events>::isIdle() const {
  return retired_ == dispatched_ && width_ == options_.dispatchWidth && !body_->longestLateRead && memory_.isEmpty() &&
         resources_.isIdle();
}

/// Makes the next instruction of the trace the one to dispatch.
template <typename Events>
void OutOfOrderMachine<Events>::followTrace() {
  next_ = &steps_[trace_.takeNext()];
  stepsEnd_ = next_ + 1;
}

template <typename Events>
InstanceRate OutOfOrderMachine<Events>::findSteadyRate(const Body &body, const MachineOptions &options,
                                                       Events &events) {
  reset(body, options, events, options.rateSearchLimit / body.instructions.size());
  LaterHalf laterHalf(last_);
  while (runCycles() && fetched_ < last_) {
    if (const Period period = findPeriod(); period.since)
      return period.rate;
    laterHalf.record(now_, retired_);
  }
  return laterHalf.rate();
}

template <typename Events>
void OutOfOrderMachine<Events>::reset(const Body &body, const MachineOptions &options, Events &events,
                                      uint64_t iterations) {
  body_ = &body;
  options_ = options;
  events_ = &events;
  registers_.reset(body);
  resources_.reset(body, /*watched=*/kDetails, options.bufferScale);
  memory_.reset(options.loadQueue, options.storeQueue, options.assumeNoAlias, body.memoryClasses, body.memoryPlaces);
  trace_.reset(nullptr, 0);
  now_ = 0;
  count_ = static_cast<uint32_t>(body.instructions.size());
  last_ = iterations * count_;
  fetched_ = dispatched_ = retired_ = 0;
  fetchAt_ = 0;
  makeSteps();
  // The reorder buffer limits the instances in flight, because each takes at least one entry.
  const size_t slots = std::bit_ceil(size_t(options.reorderBuffer) + 2);
  if (inFlight_.size() < slots)
    inFlight_.resize(slots);
  mask_ = inFlight_.size() - 1;
  history_.assign(body.longestLateRead ? std::bit_ceil(slots * (size_t(body.longestLateRead) + 1)) : 0, {});
  users_.clear();
  freeUser_ = kEnd;
  wheel_.reset(inFlight_.size());
  stores_.reset(inFlight_.size());
  freeQueueEntries_ = options.microOpQueue;
  freeEntries_ = options.reorderBuffer;
  width_ = carryOver_ = 0;
  retireWidth_ = options.maxRetired ? options.maxRetired : ~0u;
  trackedExecutions_ = events.wantsExecutions() || !history_.empty() ? last_ : events.watched();
  monotone_ = body.monotone;
  keepsOrder_ = kDetails && !body.plain && (!monotone_ || options.keepsOrder);
  checksOrder_ = kDetails && !body.plain && !keepsOrder_;
  orderMatters_ = false;
  renames_ = body.renamed.empty();
  resetQueues();
  if constexpr (kDetails)
    resetPressure();
  steady_.reset(options, iterations);
}

/// Empties the queues of ready instances; there is one for each signature of the body.
template <typename Events>
void OutOfOrderMachine<Events>::resetQueues() {
  const size_t signatures = body_->signatures.size();
  if (signatureQueues_.size() < signatures)
    signatureQueues_.resize(signatures);
  for (uint32_t signature = 0; signature < signatures; ++signature) {
    SignatureQueue &signatureQueue = signatureQueues_[signature];
    signatureQueue.needs = resources_.needsOf(signature);
    signatureQueue.signature = signature;
    signatureQueue.queue.clear();
    signatureQueue.active = false;
  }
  active_.clear();
  if (candidates_.size() < signatures)
    candidates_.resize(signatures);
}

/// Empties what only a run with details needs. The tables of instances are filled at their dispatch.
template <typename Events>
void OutOfOrderMachine<Events>::resetPressure() {
  for (std::vector<uint32_t> *list : {&waiting_, &pending_, &ready_, &leaveWaiting_, &leavePending_, &newlyReady_})
    list->clear();
  operands_.resize(inFlight_.size() * body_->maxOperands);
  delays_.resize(inFlight_.size());
  busyAtEnd_.assign(body_->signatures.size(), 0);
  busyCycles_.assign(body_->signatures.size(), 0);
  waits_ = events_->wantsWaits();
  if (waits_)
    lastOperands_.resize(inFlight_.size());
}

/// Loads wait for nothing in a body without stores and barriers (LSUnit::dispatch), unless the load queue has a limit.
template <typename Events>
bool OutOfOrderMachine<Events>::needsMemoryOrder() const {
  return options_.loadQueue || std::ranges::any_of(body_->instructions, [](const BodyInstruction &code) {
           return code.mayStore || code.loadBarrier || code.storeBarrier;
         });
}

/// Precomputes everything that dispatch, issue and retirement need for each instruction of the body. If renaming is
/// known beforehand, there is one step for each renamed instruction, so that iterations may differ.
template <typename Events>
void OutOfOrderMachine<Events>::makeSteps() {
  const bool renamed = !body_->renamed.empty();
  const bool ordersMemory = needsMemoryOrder();
  ordersStoresOnly_ =
      options_.assumeNoAlias && body_->memoryClasses.empty() &&
      std::ranges::none_of(body_->instructions, [](const auto &code) { return code.loadBarrier || code.storeBarrier; });
  steps_.resize(renamed ? body_->renamed.size() : count_);
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    Step &step = steps_[i];
    step = {.instructionIndex = i % count_};
    const BodyInstruction &code = body_->instructions[step.instructionIndex];
    step.code = &code;
    if (renamed) {
      const RenamedInstruction &as = body_->renamed[i];
      step.dependencies = body_->dependenciesOf(as);
      step.dependents = body_->dependentsOf(as);
      step.zeroMoves = as.zeroMoves;
      step.eliminated = as.eliminated;
    }
    step.allocation = resources_.allocationOf(step.instructionIndex);
    step.buffers = resources_.buffers().entriesOf(code.buffers);
    step.latency = code.latency;
    step.registers = registers_.countedOf(code);
    step.microOps = std::min(code.microOps, options_.dispatchWidth);
    step.width = code.beginGroup ? options_.dispatchWidth : std::max(1u, step.microOps);
    // As RetireControlUnit::normalizeQuantity does: an instruction without micro-ops takes an entry as well, and one
    // with more than the buffer has takes all.
    step.entries = std::clamp(code.microOps, 1u, options_.reorderBuffer);
    step.signature = code.signature;
    step.isMemory = ordersMemory && code.isMemory();
    step.isStore = step.isMemory && code.mayStore;
    step.isAwaited = step.isMemory && !ordersStoresOnly();
    step.isQueued = step.isMemory && (options_.loadQueue || options_.storeQueue);
    step.endsIteration = step.instructionIndex + 1 == count_;
    step.needsRegisters = code.needs.lanes != 0;
    step.isLong = code.endGroup || code.microOps > options_.dispatchWidth;
  }
  next_ = steps_.data();
  stepsEnd_ = next_ + steps_.size();
  repeatFrom_ = next_ + (renamed ? body_->renamedRepeatFrom : 0);
}

/// Runs until a cycle dispatches the last instruction of an iteration, or the run is over. Returns false if the machine
/// gets stuck before.
template <typename Events>
bool OutOfOrderMachine<Events>::runCycles() {
  newIteration_ = false;
  do {
    progress_ = false;
    retire();
    issuePhaseIsOver_ = false;
    startExecution();
    issuePhaseIsOver_ = true;
    if constexpr (kDetails) {
      if (orderMatters_)
        return false;
      if (waits_)
        reportHeld();
    }
    startDispatch();
    if (options_.microOpQueue) {
      fetch();
      drainQueue();
    } else {
      while (mayFetch() && canDispatch()) {
        ++fetched_;
        dispatch();
      }
    }
    if (!endCycle())
      return false;
  } while (!newIteration_ && !isOver());
  return true;
}

/// Skips the cycles in which nothing can happen. Returns false if nothing will ever happen again.
template <typename Events>
bool OutOfOrderMachine<Events>::endCycle() {
  int64_t cycles = 1;
  if (!progress_) {
    int64_t next = std::min(wheel_.next(now_), resources_.nextRelease());
    if (retired_ < dispatched_ && at(retired_).stage == Stage::Executing)
      next = std::min(next, at(retired_).executed + 1);
    next = std::min(next, trace_.resumesAt());
    if (next == TimeWheel::kNever)
      return isOver(); // an empty trace
    cycles = next - now_;
  }
  if constexpr (kDetails)
    reportPressure(cycles);
  events_->onCyclesEnd(cycles);
  now_ += cycles;
  return true;
}

/// Retires executed instances in order, up to the retire width (RetireStage::cycleStart). Only instances executed in an
/// earlier cycle can retire.
template <typename Events>
void OutOfOrderMachine<Events>::retire() {
  registers_.startCycle();
  for (uint32_t left = retireWidth_; retired_ != dispatched_; --left) {
    const Instance &instance = at(retired_);
    if (!wasExecuted(instance) || !left)
      return;
    const Step &step = *instance.step;
    if (step.isQueued)
      memory_.retired(*step.code);
    if (!instance.eliminated)
      registers_.retire(step.registers);
    events_->onRetired(instance.id, step.instructionIndex, instance.eliminated);
    freeEntries_ += step.entries;
    ++retired_;
    progress_ = true;
  }
}

/// Releases resources, completes executed instances, promotes waiting ones and issues (ExecuteStage::cycleStart).
template <typename Events>
void OutOfOrderMachine<Events>::startExecution() {
  progress_ |= resources_.startCycle(now_);
  finished_.clear();
  wheel_.visit(
      now_,
      [this](uint32_t slot) {
        return inFlight_[slot].stage == Stage::Executing ? inFlight_[slot].executed : inFlight_[slot].ready;
      },
      [this](uint32_t slot) { handleDue(slot); });
  promoteWoken();
  if constexpr (kDetails) {
    for (const uint32_t slot : finished_)
      promote(inFlight_[slot]);
    busyResources_ = earlierBusy_ = 0;
    dispatchedMicroOps_ = issuedMicroOps_ = 0;
    dispatchedToPending_ = 0;
    promoteWaiting();
    promotePending();
    if (keepsOrder_)
      return issueReadyInOrder();
  }
  issueReady();
}

/// An instance's execution ends, or its operands become available.
template <typename Events>
inline void OutOfOrderMachine<Events>::handleDue(uint32_t slot) {
  progress_ = true;
  Instance &instance = inFlight_[slot];
  if (instance.stage == Stage::Executing) {
    if (instance.step->isAwaited)
      memory_.executed(instance.group, instance.id);
    finish(instance);
  } else if (kDetails) {
    finished_.push_back(slot); // promoted once all executions of this cycle have ended (Scheduler::cycleEvent)
  } else {
    makeReady(instance);
  }
}

/// Execution ends (Scheduler::updateIssuedSet). RegisterFile::onInstructionExecuted then records the cycle of each
/// write, from which late reads count.
template <typename Events>
void OutOfOrderMachine<Events>::finish(Instance &instance) {
  instance.stage = Stage::Executed;
  instance.executed = now_;
  if (!history_.empty())
    history_[instance.id & (history_.size() - 1)] = {instance.id, now_};
  events_->onExecuted(instance.id, instance.step->instructionIndex);
}

} // namespace mca
