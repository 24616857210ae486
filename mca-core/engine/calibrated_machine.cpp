// Fetch, rename, execute and retire for one instruction after the other, then the search for the steady state.
#include "mca-core/engine/calibrated_machine.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace mca {
namespace {

constexpr int64_t kTicks = kTicksPerUnit;
/// How far ahead of renaming the machine plans, in cycles: a bound for the memory of odd calibrations.
constexpr int64_t kHorizon = 1 << 16;
constexpr uint64_t kLeastIterations = 64; // that measure a loop whose state does not repeat

/// Whether the instruction waits in a scheduler.
bool executes(const CalibratedInstruction &code) {
  const bool isRenamedOnly =
      code.treatment != RenameTreatment::None && code.treatment != RenameTreatment::BreaksDependency;
  return !isRenamedOnly && !code.fusedWithPrevious && (code.loadUses.count || code.uses.count || code.storeUses.count);
}

} // namespace

void CalibratedMachine::reset(const CalibratedBody &body) {
  body_ = &body;
  calendar_.reset(body.resources);
  iteration_ = number_ = 0;
  arrivals_.assign(body.cellCount, {});
  waits_.assign(body.instructions.size(), {});
  storeDepth_ = 1;
  longestForward_ = 0;
  forwarded_.clear();
  for (const StoreForward &forward : body.forwards) {
    storeDepth_ = std::max(storeDepth_, forward.distance + 1);
    longestForward_ = std::max(longestForward_, forward.latency);
    forwarded_.push_back(forward.store);
  }
  storeData_.assign(forwarded_.empty() ? 0 : storeDepth_ * body.instructions.size(), 0);
  fetches_ = body.limits.codeBytes || body.limits.takenBranchTicks;
  fetchCycle_ = takenEnd_ = leastRename_ = lastExecuted_ = lastRetired_ = commitEnd_ = 0;
  fetchUsed_ = slotsUsed_ = vectorSlotsUsed_ = retiredEntries_ = 0;
  fetchQueue_.assign(fetches_ ? body.limits.fetchQueue : 0, 0);
  fetchOldest_ = 0;
  boundaries_.assign(1, 0);
  retirements_.assign(1, 0);
  savedState_.clear();
  savedIterations_ = savedFingerprint_ = 0;
}

void CalibratedMachine::runIteration(std::vector<CalibratedTimes> *times) {
  int64_t begin = 0;
  for (number_ = 0; number_ < body_->instructions.size(); ++number_) {
    const CalibratedTimes one = step(body_->instructions[number_]);
    if (number_ == 0)
      begin = one.renamed;
    if (times)
      times->push_back(one);
  }
  if (body_->instructions.back().isTakenBranch)
    leastRename_ = begin + body_->limits.leastCycles;
  ++iteration_;
  boundaries_.push_back(calendar_.now());
  retirements_.push_back(lastRetired_);
}

CalibratedTimes CalibratedMachine::step(const CalibratedInstruction &code) {
  waits_[number_] = {};
  if (fetches_)
    fetch(code);
  rename(code);
  CalibratedTimes times{.renamed = calendar_.now()};
  if (code.fusedWithPrevious)
    times.ready = times.issued = times.executed = lastExecuted_;
  else if (code.treatment == RenameTreatment::None || code.treatment == RenameTreatment::BreaksDependency)
    execute(code, times);
  else
    forwardAtRename(code, times);
  lastExecuted_ = times.executed;
  retire(code, times);
  if (code.isTakenBranch)
    endTakenBranch();
  return times;
}

void CalibratedMachine::fetch(const CalibratedInstruction &code) {
  // The queue has room once the instruction so many places earlier has been renamed.
  if (const int64_t room = fetchQueue_[fetchOldest_]; fetchCycle_ < room) {
    fetchCycle_ = room;
    fetchUsed_ = 0;
  }
  const uint32_t capacity = body_->limits.codeBytes;
  if (!capacity)
    return;
  fetchUsed_ += code.codeBytes * kTicksPerUnit;
  if (fetchUsed_ <= capacity)
    return;
  const uint32_t cycles = (fetchUsed_ - 1) / capacity;
  fetchCycle_ += cycles;
  fetchUsed_ -= cycles * capacity;
}

/// The code after a taken branch is fetched in the next cycle, unless several branches fit into one.
void CalibratedMachine::redirectFetch() {
  takenEnd_ = std::max(takenEnd_, fetchCycle_ * kTicks) + body_->limits.takenBranchTicks;
  if (const int64_t next = takenEnd_ / kTicks; next > fetchCycle_) {
    fetchCycle_ = next;
    fetchUsed_ = 0;
  }
}

void CalibratedMachine::rename(const CalibratedInstruction &code) {
  while (calendar_.now() < std::max(fetchCycle_, leastRename_))
    advance(Kind::Fetch);
  while (calendar_.last() > calendar_.now() + kHorizon)
    advance(Kind::ReorderBuffer);
  const CalibratedLimits &limits = body_->limits;
  waitForRoom(Queue::ReorderBuffer, limits.reorderBuffer, code.entries, Kind::ReorderBuffer);
  if (code.mayLoad)
    waitForRoom(Queue::LoadQueue, limits.loadQueue, 1, Kind::LoadQueue);
  if (code.mayStore)
    waitForRoom(Queue::StoreQueue, limits.storeQueue, 1, Kind::StoreQueue);
  const Queue scheduler = schedulerOf(code);
  waitForRoom(scheduler, scheduler == Queue::Scheduler ? limits.scheduler : limits.vectorScheduler, 1, Kind::Scheduler);
  takeSlots(code);
  if (!fetches_)
    return;
  fetchQueue_[fetchOldest_] = calendar_.now();
  fetchOldest_ = fetchOldest_ + 1 == fetchQueue_.size() ? 0 : fetchOldest_ + 1;
}

/// A slot that is not used in its cycle is lost.
void CalibratedMachine::advance(Kind reason) {
  calendar_.advance();
  slotsUsed_ -= std::min(slotsUsed_, body_->limits.slots);
  vectorSlotsUsed_ -= std::min(vectorSlotsUsed_, body_->limits.vectorSlots);
  CalibratedWait &wait = waits_[number_];
  wait.cycles = wait.kind == reason ? wait.cycles + 1 : 1;
  wait.kind = reason;
}

void CalibratedMachine::waitForRoom(Queue queue, uint32_t size, uint32_t entries, Kind reason) {
  if (!size)
    return;
  while (calendar_.used(queue) + std::min(entries, size) > size)
    advance(reason);
}

/// Slots are taken as they come: an instruction of two slots may take the last one of a cycle and the first one of the
/// next.
void CalibratedMachine::takeSlots(const CalibratedInstruction &code) {
  slotsUsed_ += code.slots;
  const uint32_t vectorLimit = body_->limits.vectorSlots;
  if (vectorLimit && code.slotKind == SlotKind::Vector)
    vectorSlotsUsed_ += code.slots;
  while (slotsUsed_ > body_->limits.slots || vectorSlotsUsed_ > vectorLimit)
    advance(Kind::Slots);
}

void CalibratedMachine::endTakenBranch() {
  const CalibratedLimits &limits = body_->limits;
  if (limits.takenBranchTicks)
    redirectFetch();
  slotsUsed_ += limits.lostSlots;
  if (limits.wholeCycles)
    slotsUsed_ = std::max(slotsUsed_, limits.slots);
}

CalibratedMachine::Queue CalibratedMachine::schedulerOf(const CalibratedInstruction &code) const {
  return code.slotKind == SlotKind::Vector && body_->limits.vectorScheduler ? Queue::VectorScheduler : Queue::Scheduler;
}

/// A zero is there at once; a renamed value when its source is.
void CalibratedMachine::forwardAtRename(const CalibratedInstruction &code, CalibratedTimes &times) {
  int64_t arrival = times.renamed;
  uint32_t writer = number_;
  if (code.treatment != RenameTreatment::Zero)
    for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources))
      if (arrivals_[source.cell].cycle > arrival) {
        arrival = arrivals_[source.cell].cycle;
        writer = arrivals_[source.cell].writer;
      }
  for (const CalibratedDestination &destination : CalibratedBody::slice(body_->destinations, code.destinations))
    for (const Cell cell : CalibratedBody::slice(body_->cells, destination.cells))
      arrivals_[cell] = {arrival, writer};
  times.ready = times.issued = times.executed = times.renamed;
}

void CalibratedMachine::execute(const CalibratedInstruction &code, CalibratedTimes &times) {
  const bool usesUnits = executes(code);
  const int64_t earliest = times.renamed + usesUnits;
  Ready ready{.cycle = earliest};
  int64_t issued = earliest;
  resourceWait_ = 0;
  if (code.mayLoad)
    issued = load(code, ready);
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources)) {
    const Arrival &arrival = arrivals_[source.cell];
    ready.raise(arrival.cycle - source.slack, {Kind::Operand, arrival.writer, source.operand, 0, 0});
  }
  schedule(CalibratedBody::slice(body_->uses, code.uses), ready);
  const int64_t start = ready.cycle;
  // A load alone leaves its scheduler before its value is there.
  if (code.uses.count || !code.mayLoad)
    issued = start;
  times.executed = issued + usesUnits;
  // All results before any of them is defined: a destination may be a source.
  const auto destinations = CalibratedBody::slice(body_->destinations, code.destinations);
  results_.clear();
  for (const CalibratedDestination &destination : destinations)
    results_.push_back(resultOf(code, destination, start));
  for (size_t i = 0; i < destinations.size(); ++i) {
    times.executed = std::max(times.executed, results_[i]);
    define(destinations[i], results_[i]);
  }
  if (code.storeUses.count) {
    Ready store{.cycle = earliest};
    awaitAddress(code, store);
    schedule(CalibratedBody::slice(body_->uses, code.storeUses), store);
    times.executed = std::max(times.executed, store.cycle + 1);
    issued = std::max(issued, store.cycle);
    ready.raise(store.cycle, store.wait);
  }
  if (ready.wait.kind != Kind::None) {
    waits_[number_] = ready.wait;
    waits_[number_].cycles = ready.cycle - earliest;
  }
  times.issued = issued;
  times.ready = issued - resourceWait_;
  if (usesUnits)
    occupyScheduler(code, issued);
}

/// Leaves in `ready` when the loaded value is there. Returns when the load starts.
int64_t CalibratedMachine::load(const CalibratedInstruction &code, Ready &ready) {
  if (code.forward != kNone && body_->forwards[code.forward].kind == StoreForward::Kind::Renamed &&
      body_->forwards[code.forward].distance <= iteration_) {
    // The load is executed nevertheless, to check the address, but nothing waits for it.
    Ready check = ready;
    awaitAddress(code, check);
    schedule(CalibratedBody::slice(body_->uses, code.loadUses), check);
    forwardStore(code, ready);
    return check.cycle;
  }
  awaitAddress(code, ready);
  schedule(CalibratedBody::slice(body_->uses, code.loadUses), ready);
  const int64_t start = ready.cycle;
  ready.cycle += code.loadLatency;
  if (code.forward != kNone && body_->forwards[code.forward].distance <= iteration_)
    forwardStore(code, ready);
  return start;
}

void CalibratedMachine::forwardStore(const CalibratedInstruction &code, Ready &ready) const {
  const StoreForward &forward = body_->forwards[code.forward];
  const size_t row = (iteration_ - forward.distance) % storeDepth_;
  const int64_t data = storeData_[row * body_->instructions.size() + forward.store];
  ready.raise(data + forward.latency, {Kind::Memory, forward.store, 0, 0, 0});
}

void CalibratedMachine::awaitAddress(const CalibratedInstruction &code, Ready &ready) const {
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.addressSources)) {
    const Arrival &arrival = arrivals_[source.cell];
    ready.raise(arrival.cycle, {Kind::Operand, arrival.writer, source.operand, 0, 0});
  }
}

/// Takes the resources in the first cycle with room for each, from `ready` on, which becomes that cycle.
void CalibratedMachine::schedule(std::span<const CalibratedUse> uses, Ready &ready) {
  if (uses.empty())
    return;
  const bool isDependent = ready.wait.kind == Kind::Operand || ready.wait.kind == Kind::Memory;
  const int64_t start = calendar_.earliest(ready.cycle, uses);
  resourceWait_ = start - ready.cycle;
  if (start > ready.cycle) {
    const auto full =
        std::ranges::find_if(uses, [&](const CalibratedUse &use) { return calendar_.isFull(start - 1, use.resource); });
    assert(full != uses.end());
    ready.raise(start, {Kind::Resource, kNone, 0, full->resource, 0});
  }
  if (isDependent)
    takeDependent(uses, start);
  else
    calendar_.take(start, uses);
}

void CalibratedMachine::takeDependent(std::span<const CalibratedUse> uses, int64_t cycle) {
  for (const CalibratedUse &use : uses)
    calendar_.take(cycle, {use.resource, use.ticks + body_->resources[use.resource].dependentTicks});
}

/// A negative latency means that the result does not depend on the source.
int64_t CalibratedMachine::resultOf(const CalibratedInstruction &code, const CalibratedDestination &destination,
                                    int64_t start) const {
  const int32_t *latency = &body_->latencies[destination.latencies];
  int64_t result = start + std::max(*latency, 0);
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources))
    if (*++latency >= 0)
      result = std::max(result, std::max(start, arrivals_[source.cell].cycle) + *latency);
  return result;
}

void CalibratedMachine::define(const CalibratedDestination &destination, int64_t cycle) {
  if (destination.isMemory) {
    if (!storeData_.empty())
      storeData(iteration_, number_) = cycle;
    return;
  }
  for (const Cell cell : CalibratedBody::slice(body_->cells, destination.cells))
    arrivals_[cell] = {cycle, number_};
}

void CalibratedMachine::occupyScheduler(const CalibratedInstruction &code, int64_t issued) {
  const Queue scheduler = schedulerOf(code);
  if (scheduler == Queue::VectorScheduler || body_->limits.scheduler)
    calendar_.occupy(scheduler, 1, issued + 1);
}

void CalibratedMachine::retire(const CalibratedInstruction &code, CalibratedTimes &times) {
  const CalibratedLimits &limits = body_->limits;
  const int64_t earliest = std::max(times.executed, times.renamed);
  if (earliest > lastRetired_) {
    lastRetired_ = earliest;
    retiredEntries_ = 0;
  }
  if (limits.retired && retiredEntries_ && retiredEntries_ + code.entries > limits.retired) {
    ++lastRetired_;
    retiredEntries_ = 0;
  }
  retiredEntries_ += code.entries;
  times.retired = lastRetired_;
  const int64_t free = times.retired + 1;
  if (limits.reorderBuffer)
    calendar_.occupy(Queue::ReorderBuffer, std::min<uint32_t>(code.entries, limits.reorderBuffer), free);
  if (code.mayLoad && limits.loadQueue)
    calendar_.occupy(Queue::LoadQueue, 1, free);
  if (!code.mayStore || !limits.storeQueue)
    return;
  commitEnd_ = std::max(commitEnd_, free * kTicks) + code.commitTicks;
  calendar_.occupy(Queue::StoreQueue, 1, (commitEnd_ + kTicks - 1) / kTicks);
}

/// Cycles up to `earliest` are alike.
int32_t CalibratedMachine::fromNow(int64_t cycle, int64_t earliest) const {
  return static_cast<int32_t>(std::max(cycle - calendar_.now(), earliest));
}

uint64_t CalibratedMachine::fingerprint() const {
  llvm::hash_code hash = llvm::hash_combine(slotsUsed_, fromNow(lastRetired_, 0), fetchUsed_);
  for (const Arrival &arrival : arrivals_)
    hash = llvm::hash_combine(hash, fromNow(arrival.cycle, 0));
  return hash;
}

void CalibratedMachine::appendState(std::vector<int32_t> &state) const {
  for (const Arrival &arrival : arrivals_)
    state.push_back(fromNow(arrival.cycle, 0));
  for (uint32_t age = 1; age <= storeDepth_; ++age)
    for (const uint32_t store : forwarded_) {
      const size_t row = (iteration_ + storeDepth_ - age) % storeDepth_;
      state.push_back(fromNow(storeData_[row * body_->instructions.size() + store], -longestForward_));
    }
  const int64_t ticksNow = calendar_.now() * kTicks;
  const auto ticks = [&](int64_t end) { return static_cast<int32_t>(std::max(end - ticksNow, int64_t(0))); };
  // Fetch runs ahead of renaming, by at most the queue.
  const int64_t fetched = fetches_ ? fetchCycle_ - calendar_.now() : 0;
  const bool hasRetired = lastRetired_ < calendar_.now();
  state.insert(state.end(),
               {static_cast<int32_t>(fetched), static_cast<int32_t>(fetchUsed_),
                static_cast<int32_t>(std::max<int64_t>(takenEnd_ - fetchCycle_ * kTicks, 0)),
                static_cast<int32_t>(slotsUsed_), static_cast<int32_t>(vectorSlotsUsed_), fromNow(leastRename_, 0),
                fromNow(lastRetired_, 0), hasRetired ? 0 : static_cast<int32_t>(retiredEntries_), ticks(commitEnd_)});
  for (size_t i = 0; i < fetchQueue_.size(); ++i)
    state.push_back(fromNow(fetchQueue_[(fetchOldest_ + i) % fetchQueue_.size()], std::min<int64_t>(fetched, 0)));
  calendar_.appendState(state);
}

/// Brent's method: the state is compared with that of one earlier iteration, which is replaced after 1, 2, 4, 8 and so
/// on. Returns whether it is the same; savedIterations_ then says which.
bool CalibratedMachine::searchPeriod(uint64_t iterations) {
  const uint64_t now = fingerprint();
  const bool mayRepeat = savedIterations_ && now == savedFingerprint_;
  const bool isReplaced = (iterations & (iterations - 1)) == 0;
  if (!mayRepeat && !isReplaced)
    return false;
  state_.clear();
  appendState(state_);
  if (mayRepeat && state_ == savedState_)
    return true;
  if (isReplaced) {
    std::swap(savedState_, state_);
    savedFingerprint_ = now;
    savedIterations_ = iterations;
  }
  return false;
}

CalibratedRun CalibratedMachine::run(const CalibratedBody &body, const CalibratedRunOptions &options) {
  assert(!body.instructions.empty());
  reset(body);
  CalibratedRun run;
  const uint64_t wanted = std::max<uint64_t>(options.iterations, 1);
  const uint64_t limit = std::max(options.rateSearchLimit / body.instructions.size(), kLeastIterations);
  uint64_t done = 0;
  while (!run.rateIsExact || done < std::min<uint64_t>(options.recorded, wanted)) {
    if (done >= std::max(wanted, limit))
      break;
    runIteration(done < std::min<uint64_t>(options.recorded, wanted) ? &run.times : nullptr);
    ++done;
    // The first iterations have no stores before them to read.
    if (run.rateIsExact || done > limit || done < storeDepth_ || !searchPeriod(done))
      continue;
    run.rateIsExact = true;
    run.rateCycles = static_cast<uint64_t>(boundaries_[done] - boundaries_[savedIterations_]);
    run.rateIterations = done - savedIterations_;
  }
  const uint64_t from = run.rateIsExact ? savedIterations_ : done / 2;
  if (!run.rateIsExact) {
    run.rateCycles = static_cast<uint64_t>(boundaries_[done] - boundaries_[from]);
    run.rateIterations = done - from;
  }
  const uint64_t period = run.rateIterations;
  run.cycles = 1 + (wanted <= done ? retirements_[wanted]
                                   : retirements_[from + (wanted - from) % period] +
                                         static_cast<int64_t>((wanted - from) / period * run.rateCycles));
  if (const uint64_t divisor = std::gcd(run.rateCycles, run.rateIterations); run.rateIsExact && divisor) {
    run.rateCycles /= divisor;
    run.rateIterations /= divisor;
  }
  run.waits = waits_;
  return run;
}

} // namespace mca
