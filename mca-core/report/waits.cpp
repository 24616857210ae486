// Assigns each cycle of a wait to its reason, and names the reasons at the end.
//
// Counting is separate from naming: while the machine runs, a reason is a few numbers, and the steady state multiplies
// its counter. Names are made once per report.
#include "mca-core/report/waits.h"

#include "mca-core/engine/bits.h"
#include "mca-core/report/resource_pressure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace mca {
namespace {

// WaitKind begins with the structures of DispatchStall, in its order.
static_assert(static_cast<unsigned>(WaitKind::SchedulerFull) == static_cast<unsigned>(DispatchStall::Scheduler) &&
              static_cast<unsigned>(WaitKind::Group) == static_cast<unsigned>(DispatchStall::Group));
WaitKind kindOf(DispatchStall stall) {
  return stall == DispatchStall::Custom ? WaitKind::TargetRule : static_cast<WaitKind>(stall);
}

} // namespace

WaitCollector::WaitCollector(const Body &body, const ResourceTable &resources,
                             const std::vector<ResourceState::Slot> &slots, bool outOfOrder, uint64_t watched)
    : body_(body), resources_(resources), instructions_(static_cast<uint32_t>(body.instructions.size())),
      outOfOrder_(outOfOrder), slotsOf_(slotsByResource(resources, slots)), holders_(slots.size()), reservers_(64),
      reasonsOf_(instructions_), segments_(watched) {}

/// Makes room for more instances in flight. The size stays a power of two, so that at() needs no division.
void WaitCollector::grow() {
  std::vector<Instance> larger(instances_.size() * 2);
  for (uint64_t id = retired_; id < dispatched_; ++id)
    larger[id & (larger.size() - 1)] = at(id);
  instances_ = std::move(larger);
}

/// In order, instances need no records: they wait only before they issue, and the machine reports these waits.
void WaitCollector::onDispatched(uint64_t id) {
  if (outOfOrder_ && id - retired_ == instances_.size())
    grow();
  dispatched_ = id + 1;
  if (outOfOrder_)
    at(id) = {.dispatched = now_};
}

void WaitCollector::onOperandsReady(const ReadyOperands &operands) {
  Instance &instance = at(operands.id);
  instance.operandsReady = true;
  // The cycle of dispatch is not a wait.
  const int64_t from = instance.dispatched + 1;
  const bool byRegister = operands.registersReady == now_ || operands.memory == kNoInstance;
  const int64_t arrived = byRegister ? operands.canIssue : std::max(from, operands.registersReady);
  count(operands.id, WaitKind::Register, operands.reg, operands.producer, from, arrived);
  count(operands.id, WaitKind::Memory, 0, operands.memory, arrived, operands.canIssue);
}

void WaitCollector::onIssued(const IssuedInstruction &issued, std::span<const TakenUnit> taken) {
  for (const TakenUnit &unit : taken)
    holders_[unit.slot] = {issued.id, now_ + body_.resources[unit.use].cycles};
  for (const BodyResource &use : body_.resourcesOf(body_.instructions[issued.instructionIndex]))
    // A reservation holds the whole group, not one of its slots.
    if (use.reserved && use.cycles)
      reservers_[use.index] = {issued.id, now_ + use.cycles};
  if (outOfOrder_)
    at(issued.id).operandsReady = true;
}

void WaitCollector::onExecuted(uint64_t id) {
  if (!outOfOrder_)
    return;
  at(id).executed = now_;
  at(id).isExecuted = true;
}

/// An instance waits for the earlier instance that was executed last.
void WaitCollector::onRetired(uint64_t id) {
  if (!outOfOrder_)
    return;
  retired_ = id + 1;
  const int64_t executed = at(id).executed;
  const int64_t free = std::max(executed, lastExecution_) + 1;
  count(id, WaitKind::RetireOrder, 0, lastExecuted_, executed + 1, free);
  count(id, WaitKind::RetireWidth, 0, kNoInstance, free, now_);
  if (executed < lastExecution_)
    return;
  lastExecuted_ = id;
  lastExecution_ = executed;
}

void WaitCollector::onCyclesEnd(int64_t cycles) {
  const int64_t end = now_ + cycles;
  uint64_t found = 0; // instructions that wait for the same resources often follow each other
  for (const Held &held : held_) {
    if (held.busy != found)
      findHolders(held.busy);
    found = held.busy;
    countResource(held.id, held.busy, cycles);
  }
  held_.clear();
  const std::optional<DispatchStall> dispatchStall = std::exchange(stall_, std::nullopt);
  const InOrderStall stall = std::exchange(inOrderStall_, {});
  if (stall.id == kNoInstance) {
    if (dispatchStall && outOfOrder_)
      count(dispatched_, kindOf(*dispatchStall), 0, kNoInstance, now_, end);
  } else if (stall.kind == WaitKind::Resource) {
    findHolders(stall.key);
    countResource(stall.id, stall.key, cycles);
  } else {
    count(stall.id, stall.kind, stall.key, stall.by, now_, end);
  }
  now_ = end;
}

/// Returns the number of a reason, and adds it if it is new. A search is quick enough: an instruction has a few
/// reasons.
uint32_t WaitCollector::reasonFor(uint32_t instructionIndex, WaitKind kind, uint64_t key, uint32_t by) {
  for (const uint32_t number : reasonsOf_[instructionIndex])
    if (reasons_[number].kind == kind && reasons_[number].key == key && reasons_[number].by == by)
      return number;
  const auto number = static_cast<uint32_t>(reasons_.size());
  reasons_.push_back({kind, key, by, {}});
  cycles_.push_back(0);
  reasonsOf_[instructionIndex].push_back(number);
  return number;
}

/// Counts the cycles [from, to) for a reason other than a busy unit. `by`: the instance that it waits for, or none.
void WaitCollector::count(uint64_t id, WaitKind kind, uint64_t key, uint64_t by, int64_t from, int64_t to) {
  if (from >= to || !counts(id))
    return;
  const uint32_t instruction = positionOrNone(by);
  const uint32_t reason = reasonFor(positionOf(id), kind, key, instruction);
  cycles_[reason] += static_cast<uint64_t>(to - from);
  if (isWatched(id))
    addSegment(id, reason, from, to, {&instruction, instruction != kNoInstruction ? size_t(1) : 0});
}

/// Counts the current cycle and those equal to it.
void WaitCollector::countResource(uint64_t id, uint64_t busy, int64_t cycles) {
  if (!counts(id))
    return;
  const uint32_t reason = reasonFor(positionOf(id), WaitKind::Resource, busy, kNoInstruction);
  cycles_[reason] += static_cast<uint64_t>(cycles);
  for (const uint32_t by : holdersNow_)
    holderCycles_[holderFor(reasons_[reason], by)] += static_cast<uint64_t>(cycles);
  if (isWatched(id))
    addSegment(id, reason, now_, now_ + cycles, holdersNow_);
}

/// Returns the index in holderOf_ of the instruction `by` among the reason's holders.
uint32_t WaitCollector::holderFor(Reason &reason, uint32_t by) {
  for (const uint32_t number : reason.holders)
    if (holderOf_[number] == by)
      return number;
  holderOf_.push_back(by);
  holderCycles_.push_back(0);
  return reason.holders.emplace_back(static_cast<uint32_t>(holderOf_.size() - 1));
}

/// Adds cycles to the instance's timeline. Cycles of one reason in a row are one segment.
void WaitCollector::addSegment(uint64_t id, uint32_t reason, int64_t from, int64_t to, std::span<const uint32_t> by) {
  std::vector<WaitSegment> &segments = segments_[id - first_];
  if (!segments.empty() && segments.back().to == from && segments.back().reason == reason &&
      std::ranges::equal(by, segments.back().by))
    segments.back().to = to;
  else
    segments.push_back({from, to, reason, {by.begin(), by.end()}});
}

/// Finds the instructions that hold the busy resources in this cycle, each once.
void WaitCollector::findHolders(uint64_t busy) {
  holdersNow_.clear();
  const auto add = [this](const Holder &holder) {
    if (holder.until > now_)
      holdersNow_.push_back(positionOf(holder.id));
  };
  forEachBit(busy, [&](unsigned index) {
    for (const uint32_t slot : slotsOf_[resources_.resourceOf(bitOf(index))])
      add(holders_[slot]);
    add(reservers_[index]);
  });
  std::ranges::sort(holdersNow_);
  holdersNow_.erase(llvm::unique(holdersNow_), holdersNow_.end());
}

/// Returns the name of the group that consists of exactly these units, or else the names of the units.
std::string WaitCollector::nameOf(uint64_t busy) const {
  if (calibrated_)
    return calibrated_->resources[busy].name;
  for (unsigned id = 1; id < resources_.size() && std::popcount(busy) > 1; ++id)
    if (resources_.isGroup(id) && (resources_.maskOf(id) ^ std::bit_floor(resources_.maskOf(id))) == busy)
      return resources_.describe(id).Name;
  std::string names;
  forEachBit(busy, [&](unsigned index) {
    names += (names.empty() ? "" : ", ") + std::string(resources_.describe(resources_.resourceOf(bitOf(index))).Name);
  });
  return names;
}

/// Names the register or the resources of a reason, and sorts its holders.
WaitReason WaitCollector::describeReason(uint32_t number, llvm::MCInstPrinter &printer) const {
  const Reason &known = reasons_[number];
  WaitReason reason{.kind = known.kind, .by = known.by, .cycles = cycles_[number]};
  if (known.kind == WaitKind::Resource) {
    reason.what = nameOf(known.key);
  } else if (known.kind == WaitKind::Register && known.key) {
    llvm::raw_string_ostream name(reason.what);
    printer.printRegName(name, static_cast<unsigned>(known.key));
  }
  for (const uint32_t holder : known.holders)
    reason.holders.push_back({holderOf_[holder], holderCycles_[holder]});
  llvm::sort(reason.holders, [](const auto &a, const auto &b) {
    return std::tie(b.cycles, a.instruction) < std::tie(a.cycles, b.instruction);
  });
  return reason;
}

/// Sorts the reasons.
void WaitCollector::finishInstruction(uint32_t instructionIndex, Waits &waits, llvm::MCInstPrinter &printer) {
  std::vector<uint32_t> &order = reasonsOf_[instructionIndex];
  const auto key = [this](uint32_t number) {
    const Reason &reason = reasons_[number];
    return std::tuple(~cycles_[number], reason.kind, reason.key, reason.by); // most cycles first
  };
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  InstructionWaits &found = waits.instructions[instructionIndex];
  for (const uint32_t number : order) {
    found.reasons.push_back(describeReason(number, printer));
    found.cycles += cycles_[number];
  }
}

Waits WaitCollector::finish(llvm::MCInstPrinter &printer) {
  Waits waits{.instructions = std::vector<InstructionWaits>(instructions_)};
  for (uint32_t instructionIndex = 0; instructionIndex < instructions_; ++instructionIndex)
    finishInstruction(instructionIndex, waits, printer);
  // The segments name reasons by their number so far.
  std::vector<uint32_t> places(reasons_.size());
  for (const std::vector<uint32_t> &order : reasonsOf_)
    for (uint32_t place = 0; place < order.size(); ++place)
      places[order[place]] = place;
  for (std::vector<WaitSegment> &segments : segments_)
    for (WaitSegment &segment : segments)
      segment.reason = places[segment.reason];
  waits.segments = std::move(segments_);
  return waits;
}

} // namespace mca
