// Fetch, rename, execute and retire for one instruction after the other.
#include "mca-core/engine/calibrated_pipeline.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace mca {
namespace {

constexpr int64_t kTicks = kTicksPerUnit;
/// How far ahead of renaming the machine plans, in cycles: a bound for the memory of odd calibrations.
constexpr int64_t kHorizon = 1 << 16;
/// A multiple of each number of ports that a resource can have, so that a turn counts on for each.
constexpr uint32_t kTurns = 12;
constexpr int64_t kNever = std::numeric_limits<int64_t>::min() / 2;

/// Whether the instruction waits in a scheduler.
bool executes(const CalibratedInstruction &code) {
  const bool isRenamedOnly =
      code.treatment != RenameTreatment::None && code.treatment != RenameTreatment::BreaksDependency;
  return !isRenamedOnly && !code.fusedWithPrevious &&
         (code.loadUses.count || code.uses.count || code.storeUses.count || code.loadPorts.count || code.ports.count);
}

} // namespace

void CalibratedPipeline::reset(const CalibratedBody &body, bool keepsWaits, std::vector<Value> *values) {
  assert(!body.instructions.empty());
  body_ = &body;
  keepsWaits_ = keepsWaits;
  values_ = values;
  calendar_.reset(body.resources, body.portCount);
  waiting_.assign(body.portCount, 0);
  turn_ = 0;
  findLongestLatencies();
  instance_ = iteration_ = position_ = 0;
  isFirst_ = true;
  iterationBegin_ = 0;
  arrivals_.assign(body.cellCount, {});
  waits_.clear();
  storeDepth_ = 1;
  longestForward_ = 0;
  forwarded_.clear();
  for (const StoreForward &forward : body.forwards) {
    storeDepth_ = std::max(storeDepth_, forward.distance + 1);
    longestForward_ = std::max(longestForward_, forward.latency);
    forwarded_.push_back(forward.store);
  }
  const size_t count = forwarded_.empty() ? 0 : body.instructions.size();
  stored_.assign(storeDepth_ * count, {});
  lastStored_.assign(count, {.cycle = kNever});
  for (const uint32_t store : forwarded_)
    stored(0, store).cycle = kNever;
  fetches_ =
      body.limits.codeBytes || body.limits.takenBranchTicks || body.limits.overrideCycles || body.limits.targetCycles;
  fetchCycle_ = takenEnd_ = leastRename_ = lastExecuted_ = lastRetired_ = slowestExecuted_ = commitEnd_ = 0;
  slowest_ = WriteRef::kNoInstance;
  fetchUsed_ = slotsUsed_ = vectorSlotsUsed_ = unlaminated_ = retiredEntries_ = 0;
  fetchQueue_.assign(fetches_ ? body.limits.fetchQueue : 0, 0);
  fetchOldest_ = 0;
}

InstanceTimes CalibratedPipeline::step(uint32_t position, bool isTaken) {
  const CalibratedInstruction &code = body_->instructions[position];
  position_ = position;
  waits_.clear();
  if (fetches_)
    fetch(code);
  rename(code);
  if (std::exchange(isFirst_, false))
    iterationBegin_ = calendar_.now();
  InstanceTimes times{.dispatched = calendar_.now()};
  if (code.fusedWithPrevious)
    times.ready = times.issued = times.executed = lastExecuted_;
  else if (code.treatment == RenameTreatment::None || code.treatment == RenameTreatment::BreaksDependency)
    execute(code, times);
  else
    forwardAtRename(code, times);
  lastExecuted_ = times.executed;
  retire(code, times);
  if (isTaken)
    endTakenBranch();
  ++instance_;
  return times;
}

/// An iteration of a trace need not execute each store.
void CalibratedPipeline::endIteration(bool isTaken) {
  if (isTaken)
    leastRename_ = std::max(leastRename_, iterationBegin_ + body_->limits.leastCycles);
  ++iteration_;
  isFirst_ = true;
  for (const uint32_t store : forwarded_)
    stored(iteration_, store).cycle = kNever;
}

void CalibratedPipeline::holdFetch(int64_t until) {
  leastRename_ = std::max(leastRename_, until);
  if (fetchCycle_ >= until)
    return;
  fetchCycle_ = until;
  fetchUsed_ = 0;
}

void CalibratedPipeline::delayFetch(uint32_t cycles) {
  if (!cycles)
    return;
  fetchCycle_ += cycles;
  fetchUsed_ = 0;
}

void CalibratedPipeline::fetch(const CalibratedInstruction &code) {
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
void CalibratedPipeline::redirectFetch() {
  takenEnd_ = std::max(takenEnd_, fetchCycle_ * kTicks) + body_->limits.takenBranchTicks;
  if (const int64_t next = takenEnd_ / kTicks; next > fetchCycle_) {
    fetchCycle_ = next;
    fetchUsed_ = 0;
  }
}

void CalibratedPipeline::rename(const CalibratedInstruction &code) {
  while (calendar_.now() < std::max(fetchCycle_, leastRename_))
    advance(std::nullopt);
  while (calendar_.last() > calendar_.now() + kHorizon)
    advance(WaitKind::RetireTokens);
  const CalibratedLimits &limits = body_->limits;
  waitForRoom(Queue::ReorderBuffer, limits.reorderBuffer, code.entries, WaitKind::RetireTokens);
  if (code.mayLoad)
    waitForRoom(Queue::LoadQueue, limits.loadQueue, 1, WaitKind::LoadQueue);
  if (code.mayStore)
    waitForRoom(Queue::StoreQueue, limits.storeQueue, 1, WaitKind::StoreQueue);
  const Queue scheduler = schedulerOf(code);
  waitForRoom(scheduler, scheduler == Queue::Scheduler ? limits.scheduler : limits.vectorScheduler, 1,
              WaitKind::SchedulerFull);
  takeSlots(code);
  if (!fetches_)
    return;
  fetchQueue_[fetchOldest_] = calendar_.now();
  fetchOldest_ = fetchOldest_ + 1 == fetchQueue_.size() ? 0 : fetchOldest_ + 1;
}

/// A slot that is not used in its cycle is lost. Without a reason, it is the front end that takes its time.
void CalibratedPipeline::advance(std::optional<WaitKind> reason) {
  calendar_.advance();
  for (uint32_t port = 0; port < body_->portCount; ++port)
    waiting_[port] -= calendar_.taken(calendar_.now(), static_cast<uint32_t>(body_->resources.size()) + port);
  slotsUsed_ -= std::min(slotsUsed_, body_->limits.slots);
  vectorSlotsUsed_ -= std::min(vectorSlotsUsed_, body_->limits.vectorSlots);
  unlaminated_ = 0;
  if (reason)
    addWait(*reason, 0, WriteRef::kNoInstance, calendar_.now() - 1, calendar_.now());
}

void CalibratedPipeline::waitForRoom(Queue queue, uint32_t size, uint32_t entries, WaitKind reason) {
  if (!size)
    return;
  while (calendar_.used(queue) + std::min(entries, size) > size)
    advance(reason);
}

/// Slots are taken as they come: an instruction of two slots may take the last one of a cycle and the first one of the
/// next. What was taken apart takes early ones.
void CalibratedPipeline::takeSlots(const CalibratedInstruction &code) {
  while (body_->limits.holdsBack(code, slotsUsed_, unlaminated_))
    advance(std::nullopt);
  unlaminated_ += code.isUnlaminated;
  slotsUsed_ += code.slots;
  const uint32_t vectorLimit = body_->limits.vectorSlots;
  if (vectorLimit && code.slotKind == SlotKind::Vector)
    vectorSlotsUsed_ += code.slots;
  while (slotsUsed_ > body_->limits.slots || vectorSlotsUsed_ > vectorLimit)
    advance(std::nullopt);
}

void CalibratedPipeline::endTakenBranch() {
  const CalibratedLimits &limits = body_->limits;
  if (limits.takenBranchTicks)
    redirectFetch();
  slotsUsed_ += limits.lostSlots;
  if (limits.wholeCycles)
    slotsUsed_ = std::max(slotsUsed_, limits.slots);
}

CalibratedPipeline::Queue CalibratedPipeline::schedulerOf(const CalibratedInstruction &code) const {
  return code.slotKind == SlotKind::Vector && body_->limits.vectorScheduler ? Queue::VectorScheduler : Queue::Scheduler;
}

/// A zero is there at once; a renamed value when its source is.
void CalibratedPipeline::forwardAtRename(const CalibratedInstruction &code, InstanceTimes &times) {
  Arrival renamed{.cycle = times.dispatched, .by = instance_};
  if (code.treatment != RenameTreatment::Zero)
    for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources))
      if (arrivals_[source.cell].cycle > renamed.cycle)
        renamed = arrivals_[source.cell];
  for (const CalibratedDestination &destination : CalibratedBody::slice(body_->destinations, code.destinations))
    for (const Cell cell : CalibratedBody::slice(body_->cells, destination.cells))
      arrivals_[cell] = renamed;
  times.ready = times.issued = times.executed = times.dispatched;
}

void CalibratedPipeline::execute(const CalibratedInstruction &code, InstanceTimes &times) {
  const bool usesUnits = executes(code);
  const int64_t earliest = times.dispatched + usesUnits;
  Ready ready{.cycle = earliest, .since = earliest};
  int64_t issued = earliest;
  resourceWait_ = 0;
  if (code.mayLoad)
    issued = load(code, ready);
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources)) {
    const Arrival &arrival = arrivals_[source.cell];
    ready.raise(availableTo(code, arrival) - source.slack, WaitKind::Register, arrival, source.reg);
  }
  schedule(code.uses, code.ports, ready);
  // A load alone leaves its scheduler before its value is there.
  if (code.uses.count || code.ports.count || !code.mayLoad)
    issued = ready.cycle;
  times.executed = issued + usesUnits;
  // All results before any of them is defined: a destination may be a source.
  const uint32_t first = code.destinations.first;
  for (uint32_t i = 0; i < code.destinations.count; ++i)
    findResult(code, first + i, ready, results_[i]);
  for (uint32_t i = 0; i < code.destinations.count; ++i) {
    results_[i].destination = i;
    times.executed = std::max(times.executed, results_[i].cycle);
    define(code, body_->destinations[first + i], results_[i]);
  }
  if (code.storeUses.count) {
    Ready store{.cycle = earliest, .since = std::max(earliest, issued)};
    awaitAddress(code, store);
    schedule(code.storeUses, {}, store);
    times.executed = std::max(times.executed, store.cycle + 1);
    issued = std::max(issued, store.cycle);
  }
  times.issued = issued;
  times.ready = issued - resourceWait_;
  if (usesUnits)
    occupyScheduler(code, issued);
}

/// Leaves in `ready` when the loaded value is there. Returns when the load starts.
int64_t CalibratedPipeline::load(const CalibratedInstruction &code, Ready &ready) {
  if (code.forward != kNone && body_->forwards[code.forward].kind == StoreForward::Kind::Renamed &&
      body_->forwards[code.forward].distance <= iteration_) {
    // The load is executed nevertheless, to check the address, but nothing waits for it.
    Ready check = ready;
    check.isRecorded = false;
    awaitAddress(code, check);
    schedule(code.loadUses, code.loadPorts, check);
    forwardStore(code, ready);
    return check.cycle;
  }
  awaitAddress(code, ready);
  schedule(code.loadUses, code.loadPorts, ready);
  const int64_t start = ready.cycle;
  ready.cycle += code.loadLatency;
  ready.since = ready.cycle;
  if (code.forward != kNone && body_->forwards[code.forward].distance <= iteration_)
    forwardStore(code, ready);
  return start;
}

/// Along a trace, the iteration need not have executed the store.
void CalibratedPipeline::forwardStore(const CalibratedInstruction &code, Ready &ready) const {
  const StoreForward &forward = body_->forwards[code.forward];
  const size_t row = (iteration_ - forward.distance) % storeDepth_;
  Arrival data = stored_[row * body_->instructions.size() + forward.store];
  if (data.cycle == kNever && forward.isOneAddress)
    data = lastStored_[forward.store];
  if (data.cycle != kNever)
    ready.raise(data.cycle + forward.latency, WaitKind::Memory, data, 0);
}

void CalibratedPipeline::awaitAddress(const CalibratedInstruction &code, Ready &ready) const {
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.addressSources))
    ready.raise(arrivals_[source.cell].cycle, WaitKind::Register, arrivals_[source.cell], source.reg);
}

/// Takes the resources in the first cycle with room for each, from `ready` on, which becomes that cycle. Each micro-op
/// then takes its port as soon as that is free; the last of them counts.
void CalibratedPipeline::schedule(Range useRange, Range portRange, Ready &ready) {
  const bool isDependent = ready.kind == WaitKind::Register || ready.kind == WaitKind::Memory;
  if (ready.isRecorded && isDependent)
    addWait(ready.kind, ready.reg, ready.by, ready.since, ready.cycle);
  ready.since = std::max(ready.since, ready.cycle);
  if (!useRange.count && !portRange.count)
    return;
  const auto uses = CalibratedBody::slice(body_->uses, useRange);
  const int64_t begin = calendar_.earliest(ready.cycle, uses);
  if (isDependent)
    takeDependent(uses, begin);
  else
    calendar_.take(begin, uses);
  int64_t start = begin;
  uint32_t lastFull = kNone;
  for (const PortUse &use : CalibratedBody::slice(body_->portUses, portRange)) {
    const uint32_t port = choosePort(use.ports);
    const CalibratedUse taken{static_cast<uint16_t>(body_->resources.size() + port), use.ticks};
    const int64_t cycle = calendar_.earliest(begin, {&taken, 1});
    calendar_.take(cycle, taken);
    waiting_[port] += use.ticks;
    if (cycle > start) {
      start = cycle;
      lastFull = use.resource;
    }
  }
  resourceWait_ = start - ready.cycle;
  if (start == ready.cycle)
    return;
  if (keepsWaits_ && ready.isRecorded)
    addWait(WaitKind::Resource, lastFull != kNone ? lastFull : fullBefore(begin, uses), WriteRef::kNoInstance,
            ready.since, start);
  ready.cycle = ready.since = start;
  ready.kind = WaitKind::Resource;
}

/// The resource that has no room in the cycle before.
uint32_t CalibratedPipeline::fullBefore(int64_t cycle, std::span<const CalibratedUse> uses) const {
  const auto full =
      std::ranges::find_if(uses, [&](const CalibratedUse &use) { return calendar_.isFull(cycle - 1, use.resource); });
  assert(full != uses.end());
  return full->resource;
}

/// The one of these that the fewest wait for; of several the first, or one after the other.
uint32_t CalibratedPipeline::choosePort(uint32_t ports) {
  uint32_t least = kNone, equal = 0;
  for (; ports; ports &= ports - 1) {
    const auto port = static_cast<uint32_t>(std::countr_zero(ports));
    if (waiting_[port] < least)
      equal = 0;
    if (waiting_[port] <= least)
      equal |= uint32_t{1} << port;
    least = std::min(least, waiting_[port]);
  }
  if (body_->takesPortsInTurn) {
    for (uint32_t skipped = turn_ % static_cast<uint32_t>(std::popcount(equal)); skipped; --skipped)
      equal &= equal - 1;
    turn_ = turn_ + 1 == kTurns ? 0 : turn_ + 1;
  }
  return static_cast<uint32_t>(std::countr_zero(equal));
}

void CalibratedPipeline::takeDependent(std::span<const CalibratedUse> uses, int64_t cycle) {
  for (const CalibratedUse &use : uses)
    calendar_.take(cycle, {use.resource, use.ticks + body_->resources[use.resource].dependentTicks});
}

/// A negative latency means that the result does not depend on the source. Sources without slack are there at the
/// start.
void CalibratedPipeline::findLongestLatencies() {
  longestLatencies_.assign(body_->destinations.size(), kNotOne);
  uint32_t most = 0;
  for (const CalibratedInstruction &code : body_->instructions) {
    most = std::max(most, code.destinations.count);
    const auto sources = CalibratedBody::slice(body_->sources, code.sources);
    if (!std::ranges::all_of(sources, [](const CalibratedSource &source) { return source.slack == 0; }))
      continue;
    for (uint32_t i = 0; i < code.destinations.count; ++i) {
      const auto latencies = body_->latencies.begin() + body_->destinations[code.destinations.first + i].latencies;
      longestLatencies_[code.destinations.first + i] =
          std::max(0, *std::max_element(latencies, latencies + 1 + code.sources.count));
    }
  }
  results_.resize(most);
}

/// Sets all of `result` but its destination. Member by member: a copy would wait for its parts to be written.
void CalibratedPipeline::findResult(const CalibratedInstruction &code, uint32_t destination, const Ready &ready,
                                    Value &result) const {
  const int64_t start = ready.cycle;
  result.instance = instance_;
  result.waitedFor = ready.value;
  result.reg = ready.reg;
  if (const int32_t longest = longestLatencies_[destination]; longest != kNotOne) {
    result.cycle = start + longest;
    return;
  }
  const int32_t *latency = &body_->latencies[body_->destinations[destination].latencies];
  result.cycle = start + std::max(*latency, 0);
  for (const CalibratedSource &source : CalibratedBody::slice(body_->sources, code.sources)) {
    if (*++latency < 0)
      continue;
    const Arrival &arrival = arrivals_[source.cell];
    const int64_t cycle = std::max(start, availableTo(code, arrival)) + *latency;
    if (cycle <= result.cycle)
      continue;
    result.cycle = cycle;
    result.waitedFor = arrival.cycle > start ? arrival.value : ready.value;
    result.reg = arrival.cycle > start ? source.reg : ready.reg;
  }
}

void CalibratedPipeline::define(const CalibratedInstruction &code, const CalibratedDestination &destination,
                                const Value &result) {
  Arrival arrival{.cycle = result.cycle, .by = instance_, .isOfFloatAdd = code.isFloatAdd};
  if (values_) {
    arrival.value = static_cast<uint32_t>(values_->size());
    values_->push_back(result);
  }
  if (destination.isMemory) {
    if (!stored_.empty())
      stored(iteration_, position_) = lastStored_[position_] = arrival;
    return;
  }
  for (const Cell cell : CalibratedBody::slice(body_->cells, destination.cells))
    arrivals_[cell] = arrival;
}

void CalibratedPipeline::occupyScheduler(const CalibratedInstruction &code, int64_t issued) {
  const Queue scheduler = schedulerOf(code);
  if (scheduler == Queue::VectorScheduler || body_->limits.scheduler)
    calendar_.occupy(scheduler, 1, issued + 1);
}

/// An instruction waits for the earlier one that was executed last.
void CalibratedPipeline::retire(const CalibratedInstruction &code, InstanceTimes &times) {
  const CalibratedLimits &limits = body_->limits;
  const int64_t earliest = std::max(times.executed, times.dispatched);
  if (earliest > lastRetired_) {
    lastRetired_ = earliest;
    retiredEntries_ = 0;
  }
  if (limits.retired && retiredEntries_ && retiredEntries_ + code.entries > limits.retired) {
    ++lastRetired_;
    retiredEntries_ = 0;
  }
  retiredEntries_ += code.entries;
  addWait(WaitKind::RetireOrder, 0, slowest_, times.executed + 1, std::max(earliest, slowestExecuted_) + 1);
  addWait(WaitKind::RetireWidth, 0, WriteRef::kNoInstance, std::max(earliest, slowestExecuted_) + 1, lastRetired_ + 1);
  if (earliest >= slowestExecuted_) {
    slowestExecuted_ = earliest;
    slowest_ = instance_;
  }
  const int64_t free = times.retired = lastRetired_ + 1;
  if (limits.reorderBuffer)
    calendar_.occupy(Queue::ReorderBuffer, std::min<uint32_t>(code.entries, limits.reorderBuffer), free);
  if (code.mayLoad && limits.loadQueue)
    calendar_.occupy(Queue::LoadQueue, 1, free);
  if (!code.mayStore || !limits.storeQueue)
    return;
  commitEnd_ = std::max(commitEnd_, free * kTicks) + code.commitTicks;
  calendar_.occupy(Queue::StoreQueue, 1, (commitEnd_ + kTicks - 1) / kTicks);
}

/// Waits of the same kind in a row are one.
void CalibratedPipeline::recordWait(WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
  if (!waits_.empty() && waits_.back().to == from && waits_.back().kind == kind && waits_.back().key == key &&
      waits_.back().by == by)
    waits_.back().to = to;
  else
    waits_.push_back({kind, key, by, from, to});
}

/// Cycles up to `earliest` are alike.
int32_t CalibratedPipeline::fromNow(int64_t cycle, int64_t earliest) const {
  return static_cast<int32_t>(std::max(cycle - calendar_.now(), earliest));
}

uint64_t CalibratedPipeline::fingerprint() const {
  llvm::hash_code hash = llvm::hash_combine(slotsUsed_, fromNow(lastRetired_, 0), fetchUsed_);
  for (const Arrival &arrival : arrivals_)
    hash = llvm::hash_combine(hash, fromNow(arrival.cycle, 0));
  return hash;
}

void CalibratedPipeline::appendState(std::vector<int32_t> &state) const {
  for (const Arrival &arrival : arrivals_) {
    const int32_t cycle = fromNow(arrival.cycle, 0);
    state.push_back(cycle * 2 + (cycle && arrival.isOfFloatAdd));
  }
  for (uint32_t age = 1; age <= storeDepth_; ++age)
    for (const uint32_t store : forwarded_) {
      const size_t row = (iteration_ + storeDepth_ - age) % storeDepth_;
      state.push_back(fromNow(stored_[row * body_->instructions.size() + store].cycle, -longestForward_));
    }
  const int64_t ticksNow = calendar_.now() * kTicks;
  const auto ticks = [&](int64_t end) { return static_cast<int32_t>(std::max(end - ticksNow, int64_t(0))); };
  // Fetch runs ahead of renaming, by at most the queue.
  const int64_t fetched = fetches_ ? fetchCycle_ - calendar_.now() : 0;
  const bool hasRetired = lastRetired_ < calendar_.now();
  state.insert(state.end(),
               {static_cast<int32_t>(fetched), static_cast<int32_t>(fetchUsed_),
                static_cast<int32_t>(std::max<int64_t>(takenEnd_ - fetchCycle_ * kTicks, 0)),
                static_cast<int32_t>(slotsUsed_), static_cast<int32_t>(vectorSlotsUsed_),
                static_cast<int32_t>(unlaminated_), static_cast<int32_t>(turn_), fromNow(leastRename_, 0),
                fromNow(lastRetired_, 0), hasRetired ? 0 : static_cast<int32_t>(retiredEntries_), ticks(commitEnd_)});
  for (size_t i = 0; i < fetchQueue_.size(); ++i)
    state.push_back(fromNow(fetchQueue_[(fetchOldest_ + i) % fetchQueue_.size()], std::min<int64_t>(fetched, 0)));
  calendar_.appendState(state);
}

} // namespace mca
