// Follows ResourceManager and DefaultResourceStrategy of llvm/lib/MCA/HardwareUnits/ResourceManager.cpp step by step.
// tests/mca-core/resource_rules_test.cpp compares the two.
#include "mca-core/engine/resource_rules.h"

#include "mca-core/engine/bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace mca {

ProcessorResources::ProcessorResources(const ResourceTable &table) : resources(table.size() - 1) {
  for (unsigned id = 1; id < table.size(); ++id) {
    const uint64_t mask = table.maskOf(id);
    const unsigned index = highestBit(mask);
    const uint64_t bit = bitOf(index);
    const bool group = std::popcount(mask) > 1;
    const unsigned units = group ? 0 : table.describe(id).NumUnits;
    Resource &resource = resources[index];
    resource.units = group ? mask ^ bit : bitOf(units) - 1;
    resource.slots = units + 1;
    resource.bufferSize = table.describe(id).BufferSize;
    (group ? groups : units == 1 ? singles : multiUnit) |= bit;
    if (resource.bufferSize > 0)
      buffered |= bit;
    if (resource.bufferSize == 0)
      zeroBuffers |= bit;
  }
  for (Resource &resource : resources) {
    const auto index = static_cast<unsigned>(&resource - resources.data());
    resource.firstSlot = static_cast<uint32_t>(slots.size());
    for (unsigned unit = 0; unit < resource.slots; ++unit)
      slots.push_back(
          {static_cast<uint16_t>(table.resourceOf(bitOf(index))), unit + 1 < resource.slots ? bitOf(unit) : 0});
  }
}

ResourceRules::ResourceRules(const ProcessorResources &processor, uint64_t component)
    : processor_(processor), component_(component), groups_(component & processor.groups) {
  forEachBit(component & (groups_ | processor.multiUnit), [this](unsigned index) {
    wordOf_[index] = static_cast<uint8_t>(words_);
    words_ += 2;
  });
  firstTime_ = words_;
  forEachBit(component, [this](unsigned index) {
    const ProcessorResources::Resource &resource = processor_.resources[index];
    firstSlot_[index] = static_cast<uint16_t>(slots_.size());
    for (uint32_t slot = 0; slot < resource.slots; ++slot)
      slots_.push_back(resource.firstSlot + slot);
  });
  words_ += (slots_.size() + 1) / 2;
}

/// Groups start with all members left in the round, and none to leave out (constructor of DefaultResourceStrategy).
void ResourceRules::start(State state) const {
  std::fill(state.begin(), state.end(), 0);
  state[SeenFree] = component_ & ~groups_;
  state[FreeSingles] = component_ & processor_.singles;
  forEachBit(component_ & (groups_ | processor_.multiUnit), [&](unsigned index) {
    const uint64_t units = processor_.resources[index].units;
    state[wordOf_[index]] = units;
    state[wordOf_[index] + 1] = bitOf(index) & groups_ ? 0 : units;
  });
}

void ResourceRules::setLeft(State state, size_t slot, uint32_t cycles) const {
  uint64_t &word = state[firstTime_ + slot / 2];
  word = (word & ~(0xFFFF'FFFFull << slot % 2 * 32)) | uint64_t(cycles) << slot % 2 * 32;
}

/// Extends the hold of a unit (BusyResources in ResourceManager::fastIssueInstruction).
void ResourceRules::hold(State state, size_t slot, uint32_t cycles) const {
  setLeft(state, slot, left(state, slot) + cycles);
}

/// Whether the resource is reserved, which blocks its units. Reserving a buffer of size 0 only blocks dispatch
/// (ResourceState::isReady, isADispatchHazard).
bool ResourceRules::isBlocked(ConstState state, unsigned index) const {
  return (state[Reserved] & bitOf(index)) && processor_.resources[index].bufferSize != 0;
}

/// Returns the free units, or a group's free members (ResourceState::getReadyMask). A member is free as long as one of
/// its units is.
uint64_t ResourceRules::freeOf(ConstState state, unsigned index) const {
  const uint64_t bit = bitOf(index);
  if (bit & processor_.multiUnit)
    return state[wordOf_[index]];
  if (bit & processor_.groups)
    return processor_.resources[index].units & state[SeenFree];
  return (state[FreeSingles] & bit) != 0;
}

bool ResourceRules::isReady(ConstState state, unsigned index, unsigned units) const {
  return !isBlocked(state, index) && static_cast<unsigned>(std::popcount(freeOf(state, index))) >= units;
}

uint64_t ResourceRules::ready(ConstState state) const {
  uint64_t result = 0;
  forEachBit(component_, [&](unsigned index) {
    if (isReady(state, index))
      result |= bitOf(index);
  });
  return result;
}

/// Takes or releases a unit; unit 0 is none.
void ResourceRules::toggle(State state, unsigned index, uint64_t unit) const {
  if (bitOf(index) & processor_.multiUnit)
    state[wordOf_[index]] ^= unit;
  else if (unit)
    state[FreeSingles] ^= bitOf(index);
}

/// Returns the next unit of a resource in sequence, or 0 if none is free. A resource's own units are only handed out by
/// the resource, so every round includes all of them.
uint64_t ResourceRules::nextOf(State state, unsigned index) const {
  const uint64_t free = freeOf(state, index);
  if (!free || !(bitOf(index) & processor_.multiUnit))
    return free;
  uint64_t &next = state[wordOf_[index] + 1];
  const uint64_t units = processor_.resources[index].units;
  if (!(free & next))
    next = units;
  const uint64_t unit = std::bit_floor(free & next);
  next &= unit - 1;
  if (!next)
    next = units;
  return unit;
}

/// Returns the group's highest member that is free and left in the round (DefaultResourceStrategy::select). The group
/// must have a free member.
unsigned ResourceRules::chooseMember(State state, unsigned group) const {
  const uint64_t units = processor_.resources[group].units, free = units & state[SeenFree];
  uint64_t &round = state[wordOf_[group]], &skipped = state[wordOf_[group] + 1];
  assert(free);
  if (!(free & round)) {
    round = units ^ skipped;
    skipped = 0;
    if (!(free & round))
      round = units;
  }
  const uint64_t member = std::bit_floor(free & round);
  round &= member | (member - 1);
  return highestBit(member);
}

/// Chooses a unit and holds it (ResourceManager::selectPipe, use). If its resource is full then, its groups notice.
void ResourceRules::take(State state, const BodyResource &use, uint16_t number, ResourceEffects &effects) const {
  if (use.group && !freeOf(state, use.index)) {
    // With three groups that share units, missing() may report none although this group has no unit left. LLVM's
    // process ends here; we let the instruction share a unit with its holder.
    const unsigned last = highestBit(processor_.resources[use.index].units);
    effects.granted.push_back({number, firstSlot_[last]});
    return;
  }
  const unsigned index = use.group ? chooseMember(state, use.index) : use.index;
  const uint64_t unit = nextOf(state, index);
  toggle(state, index, unit);
  if (!isReady(state, index)) {
    state[SeenFree] ^= bitOf(index);
    leaveRounds(state, bitOf(index));
  }
  const uint32_t last = processor_.resources[index].slots - 1;
  const size_t slot = firstSlot_[index] + (unit ? static_cast<uint32_t>(std::countr_zero(unit)) : last);
  hold(state, slot, use.cycles);
  effects.granted.push_back({number, static_cast<uint16_t>(slot)});
}

/// Removes a full resource from the rounds of its groups. If it is still ahead in a group's round, it leaves that
/// round; otherwise it is left out of the next one (DefaultResourceStrategy::used).
void ResourceRules::leaveRounds(State state, uint64_t member) const {
  forEachBit(groups_, [&](unsigned group) {
    const uint64_t units = processor_.resources[group].units;
    if (!(units & member))
      return;
    uint64_t &round = state[wordOf_[group]], &skipped = state[wordOf_[group] + 1];
    if (member > round) {
      skipped |= member;
      return;
    }
    round &= ~member;
    if (round)
      return;
    round = units ^ skipped;
    skipped = 0;
  });
}

/// Reserves a whole group (ResourceManager::reserveResource). The slot that stands for no unit counts its cycles.
void ResourceRules::reserve(State state, const BodyResource &use) const {
  const uint64_t bit = bitOf(use.index);
  state[Reserved] |= bit;
  state[ReservedGroups] ^= bit;
  hold(state, firstSlot_[use.index] + processor_.resources[use.index].slots - 1, use.cycles);
}

/// Ends a reservation (ResourceManager::releaseResource). A buffer of size 0 that was reserved at dispatch becomes
/// free.
void ResourceRules::unreserve(State state, unsigned index, ResourceEffects &effects) const {
  const uint64_t bit = bitOf(index);
  state[Reserved] &= ~bit;
  state[ReservedGroups] ^= bit & processor_.groups;
  effects.toggledBuffers ^= bit & processor_.zeroBuffers;
}

/// Frees a unit. If its resource was full, groups can use it again (ResourceManager::release). It is not put back into
/// their rounds: it left them until the next round begins.
void ResourceRules::releaseUnit(State state, unsigned index, uint64_t unit) const {
  const bool wasReady = isReady(state, index);
  toggle(state, index, unit);
  if (!wasReady)
    state[SeenFree] ^= bitOf(index);
}

/// If groups share units, single resources and groups with one free unit come first, then always the group with the
/// fewest free units (ResourceManager::issueInstructionImpl).
void ResourceRules::issue(State state, const ResourceRequest &request, ResourceEffects &effects) const {
  std::vector<uint16_t> waiting;
  const auto freeUnits = [&](uint16_t use) { return std::popcount(freeOf(state, request.uses[use].index)); };
  const auto uses = static_cast<uint16_t>(request.uses.size());
  for (uint16_t i = 0; i < uses; ++i) {
    const BodyResource &use = request.uses[i];
    if (!use.cycles)
      unreserve(state, use.index, effects);
    else if (use.reserved)
      reserve(state, use);
    else if (request.overlapping && use.group && freeUnits(i) > 1)
      waiting.push_back(i);
    else
      take(state, use, i, effects);
  }
  while (!waiting.empty()) {
    std::sort(waiting.begin(), waiting.end(), [&](uint16_t a, uint16_t b) {
      return freeUnits(a) != freeUnits(b) ? freeUnits(a) < freeUnits(b) : request.uses[a].mask < request.uses[b].mask;
    });
    std::vector<uint16_t> later;
    for (const uint16_t use : waiting)
      if (use == waiting.front() || freeUnits(use) == 1)
        take(state, request.uses[use], use, effects);
      else
        later.push_back(use);
    waiting = std::move(later);
  }
}

/// Counts down the holds, and releases those that end (ResourceManager::cycleEvent). Each release also ends a
/// reservation of the resource.
void ResourceRules::advance(State state, ResourceEffects &effects) const {
  forEachBit(component_, [&](unsigned index) {
    const uint32_t slots = processor_.resources[index].slots;
    for (uint32_t i = 0; i < slots; ++i) {
      const size_t slot = firstSlot_[index] + i;
      const uint32_t cycles = left(state, slot);
      if (!cycles)
        continue;
      setLeft(state, slot, cycles - 1);
      if (cycles > 1)
        continue;
      effects.released = true;
      if (i + 1 < slots)
        releaseUnit(state, index, bitOf(i));
      unreserve(state, index, effects);
    }
  });
}

uint32_t ResourceRules::nextRelease(ConstState state) const {
  uint32_t next = 0;
  for (size_t slot = 0; slot < slots_.size(); ++slot)
    if (const uint32_t cycles = left(state, slot); cycles && (!next || cycles < next))
      next = cycles;
  return next;
}

/// Makes the three checks of ResourceManager::checkAvailability: the units of each use, groups that are reserved, and
/// whether groups that share units get one each. The first check names resources, not groups (ProcResUnitMask).
Missing ResourceRules::missing(ConstState state, const ResourceRequest &request) const {
  uint64_t busy = 0, consumed = 0;
  std::vector<std::pair<uint64_t, unsigned>> available;
  for (const BodyResource &use : request.uses) {
    const unsigned units = use.reserved ? 0 : use.units;
    if (!isReady(state, use.index, units)) {
      busy |= use.mask;
    } else if (request.overlapping && !use.group) {
      const unsigned rest = static_cast<unsigned>(std::popcount(freeOf(state, use.index))) - units;
      available.emplace_back(use.mask, rest);
      if (!rest)
        consumed |= use.mask;
    }
  }
  busy &= ~processor_.groups;
  if (busy)
    return {1, busy};
  busy = request.groups & state[ReservedGroups];
  if (busy)
    return {2, busy};
  if (request.overlapping)
    busy = missingInOverlap(state, request, available, consumed);
  return busy ? Missing{3, busy} : Missing();
}

/// Checks that groups that share units get one unit each. As in LLVM, each group tries only its highest member that is
/// left, although another assignment might succeed. `available`: units left by the single resources, by mask.
uint64_t ResourceRules::missingInOverlap(ConstState state, const ResourceRequest &request,
                                         std::vector<std::pair<uint64_t, unsigned>> &available,
                                         uint64_t consumed) const {
  uint64_t busy = 0;
  for (const BodyResource &use : request.uses) {
    if (use.reserved || !use.group)
      continue;
    const uint64_t free = freeOf(state, use.index) & ~consumed;
    if (!free) {
      busy |= freeOf(state, use.index);
      continue;
    }
    const uint64_t unit = std::bit_floor(free);
    auto entry = std::find_if(available.begin(), available.end(), [&](const auto &a) { return a.first == unit; });
    if (entry == available.end()) {
      available.emplace_back(unit, static_cast<unsigned>(std::popcount(freeOf(state, highestBit(unit)))));
      entry = available.end() - 1;
    }
    if (!entry->second) {
      busy |= unit;
      continue;
    }
    if (--entry->second == 0)
      consumed |= unit;
  }
  return busy;
}

} // namespace mca
