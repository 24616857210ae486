#include "mca-core/engine/resource_state.h"

#include <algorithm>

namespace mca {
namespace {

template <typename Visit>
void forEachBit(uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1)
    visit(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace

ResourceState::ResourceState(const ResourceTable &table) : initial_(table.size() - 1) {
  for (unsigned id = 1; id < table.size(); ++id) {
    const uint64_t mask = table.maskOf(id);
    const unsigned index = highestBit(mask);
    Resource &resource = initial_[index];
    resource.id = static_cast<uint16_t>(id);
    resource.group = std::popcount(mask) > 1;
    resource.unitCount = table.describe(id).NumUnits;
    resource.units = resource.group ? mask ^ (1ull << index) : (1ull << resource.unitCount) - 1;
    resource.self = 1ull << index;
    resource.next = resource.units;
    resource.bufferSize = table.describe(id).BufferSize;
    resource.freeSlots = resource.bufferSize < 0 ? 0 : static_cast<uint32_t>(resource.bufferSize);
    resource.several = !resource.group && std::popcount(resource.units) > 1;
    resource.free = resource.several ? resource.units : 0;
    if (!resource.group)
      unitMask_ |= mask;
    if (resource.bufferSize > 0)
      buffered_ |= 1ull << index;
    if (resource.bufferSize == 0)
      zeroBuffers_ |= 1ull << index;
    if (!resource.group && resource.unitCount == 1)
      singles_ |= 1ull << index;
    if (resource.several)
      several_ |= 1ull << index;
  }
  for (unsigned index = 0; index < initial_.size(); ++index) {
    Resource &resource = initial_[index];
    resource.firstSlot = static_cast<uint32_t>(slots_.size());
    const unsigned units = resource.group ? 0 : resource.unitCount;
    resource.unitCount = units;
    for (unsigned unit = 0; unit <= units; ++unit) {
      slots_.push_back({resource.id, unit == units ? 0 : 1ull << unit});
      resourceOfSlot_.push_back(static_cast<uint8_t>(index));
    }
  }
}

void ResourceState::reset(const Body &body) {
  body_ = &body;
  resources_ = initial_;
  freeSingles_ = singles_;
  brief_ = briefGroups_ = 0;
  freeInGroups_ = ~0ull;
  ready_ = body.usedGroups | unitMask_;
  smallGroups_ = GroupLanes(kSmallLane);
  furtherGroups_.clear();
  forEachBit(body.usedGroups, [this](unsigned index) { addGroup(index); });
  uses_.resize(body.resources.size());
  for (size_t i = 0; i < uses_.size(); ++i) {
    const BodyResource &use = body.resources[i];
    const Resource &resource = resources_[use.index];
    uses_[i] = {.lane = resource.lane,
                .cycles = use.cycles,
                .lanes = resource.lanes,
                .index = use.index,
                .onlyUnit = use.onlyUnit};
  }
  reservedGroups_ = reservedBuffers_ = 0;
  freeBuffers_ = ~0ull;
  until_.assign(slots_.size(), 0);
  releases_.fill({});
  moments_ = 0;
  // A release ends a reservation, too: where there are any, each is looked at.
  const bool reserves =
      std::any_of(body.resources.begin(), body.resources.end(), [](const BodyResource &use) { return use.reserved; });
  addPlaces(reserves ? 0 : several_);
  // A buffer of size 0 hears of each unit that comes free.
  quick_ = reserves ? 0 : singles_ | (placed_ & ~zeroBuffers_);
  extended_ = false;
  wheel_.reset(slots_.size());
}

/// Groups of about the same size share a word.
void ResourceState::addGroup(unsigned index) {
  Resource &group = resources_[index];
  const unsigned bits = GroupLanes::bitsFor(static_cast<unsigned>(std::popcount(group.units)));
  const auto fits = [bits](const GroupLanes &lanes) { return lanes.bits() == bits && !lanes.isFull(); };
  GroupLanes *lanes = &smallGroups_;
  if (!fits(smallGroups_)) {
    auto further = std::find_if(furtherGroups_.begin(), furtherGroups_.end(), fits);
    if (further == furtherGroups_.end())
      further = furtherGroups_.insert(further, GroupLanes(bits));
    group.lanes = static_cast<uint8_t>(further - furtherGroups_.begin() + 1);
    lanes = &*further;
  }
  group.lane = lanes->add(index, group.units);
  forEachBit(group.units, [&](unsigned unit) {
    resources_[unit].groups |= 1ull << index;
    resources_[unit].inFurtherGroups |= lanes != &smallGroups_;
  });
}

/// Gives places to these resources, as far as there are some.
void ResourceState::addPlaces(uint64_t resources) {
  placed_ = 0;
  unsigned end = 0;
  for (uint64_t bits = resources; bits; bits &= bits - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(bits));
    Resource &resource = resources_[index];
    if (end + resource.unitCount > resourceAt_.size())
      continue;
    resource.firstPlace = static_cast<uint8_t>(end);
    std::fill_n(resourceAt_.begin() + end, resource.unitCount, static_cast<uint8_t>(index));
    end += resource.unitCount;
    placed_ |= 1ull << index;
  }
}

uint64_t ResourceState::busyMask(const Signature &signature) const {
  uint64_t busy = 0, consumed = 0;
  available_.clear();
  for (const BodyResource &use : Body::slice(body_->resources, signature.resources)) {
    const unsigned units = use.reserved ? 0 : use.units;
    const Resource &resource = resources_[use.index];
    if (!isReady(resource, units)) {
      busy |= use.mask;
    } else if (signature.overlappingGroups && !resource.group) {
      const unsigned left = static_cast<unsigned>(std::popcount(freeOf(resource))) - units;
      available_.emplace_back(use.mask, left);
      if (!left)
        consumed |= use.mask;
    }
  }
  busy &= unitMask_;
  if (busy)
    return busy;
  busy = signature.groups & reservedGroups_;
  if (!signature.overlappingGroups || busy)
    return busy;
  return busyInOverlap(signature, consumed);
}

/// Whether busyInOverlap() would name nothing, for a signature that takes one unit of each.
bool ResourceState::hasUnitsForAll(const Signature &signature) const {
  const auto uses = Body::slice(body_->resources, signature.resources);
  uint64_t free = freeInGroups_;
  for (const BodyResource &use : uses)
    if (!use.group)
      free &= ~use.mask;
  for (const BodyResource &use : uses) {
    if (!use.group)
      continue;
    const uint64_t left = resources_[use.index].units & free;
    if (!left)
      return false;
    free ^= 1ull << highestBit(left);
  }
  return true;
}

/// Groups that share units: there must be a unit for each of them.
uint64_t ResourceState::busyInOverlap(const Signature &signature, uint64_t consumed) const {
  uint64_t busy = 0;
  for (const BodyResource &use : Body::slice(body_->resources, signature.resources)) {
    const Resource &resource = resources_[use.index];
    if (use.reserved || !resource.group)
      continue;
    const uint64_t free = freeOf(resource) & ~consumed;
    if (!free) {
      busy |= freeOf(resource);
      continue;
    }
    const uint64_t unit = 1ull << highestBit(free);
    auto entry = std::find_if(available_.begin(), available_.end(), [&](const auto &a) { return a.first == unit; });
    if (entry == available_.end()) {
      const Resource &single = resources_[highestBit(unit)];
      available_.emplace_back(unit, static_cast<unsigned>(std::popcount(freeOf(single))));
      entry = available_.end() - 1;
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

/// Returns the slot of the unit that was taken.
uint32_t ResourceState::takeOther(Resource &resource, unsigned index, uint32_t cycles, int64_t now) {
  const uint64_t unit = resource.several ? choose(resource) : freeOf(resource);
  toggle(resource, unit);
  if (!isReady(resource)) {
    ready_ &= ~(1ull << index);
    takeFromGroups(resource, index, resource.brief != 0);
  }
  const uint32_t slot = slotOf(resource, unit);
  holdUntil(slot, now, cycles);
  return slot;
}

void ResourceState::holdUntil(uint32_t slot, int64_t now, uint32_t cycles) {
  if (until_[slot] > now) {
    until_[slot] += cycles;
    extended_ = true;
    quick_ = 0;
    return;
  }
  until_[slot] = now + cycles;
  wheel_.add(now + cycles, slot);
}

void ResourceState::reserve(const BodyResource &use, int64_t now) {
  Resource &resource = resources_[use.index];
  resource.reserved = true;
  reservedGroups_ ^= 1ull << use.index;
  if (!resource.group)
    updateReady(use.index);
  holdUntil(slotOf(resource, 0), now, use.cycles);
}

void ResourceState::unreserve(unsigned index) {
  Resource &resource = resources_[index];
  resource.reserved = false;
  if (resource.group)
    reservedGroups_ ^= 1ull << index;
  else
    updateReady(index);
  if (resource.bufferSize == 0)
    reservedBuffers_ ^= 1ull << index;
}

void ResourceState::giveBack(uint32_t slot) {
  const unsigned index = resourceOfSlot_[slot];
  Resource &resource = resources_[index];
  const bool wasFull = !isReady(resource);
  toggle(resource, slots_[slot].unitMask);
  if (wasFull) {
    freeInGroups_ ^= 1ull << index;
    giveToGroups(resource, index);
    ready_ |= resource.groups;
  }
}

/// Uses that only release or that reserve a whole group, groups that share units.
void ResourceState::issueUnusual(const BodyInstruction &instruction, int64_t now) {
  if (body_->signatures[instruction.signature].overlappingGroups)
    return issueOverlapping(instruction, now);
  for (uint32_t i = 0; i < instruction.resources.count; ++i) {
    const BodyResource &use = body_->resources[instruction.resources.first + i];
    if (!use.cycles)
      unreserve(use.index);
    else if (use.reserved)
      reserve(use, now);
    else
      takeFor(instruction.resources.first + i, now);
  }
}

/// Single resources and groups with one free unit first, then always the group with the fewest free units.
void ResourceState::issueOverlapping(const BodyInstruction &instruction, int64_t now) {
  const std::vector<BodyResource> &uses = body_->resources;
  llvm::SmallVector<uint32_t, 8> waiting, left;
  const auto freeUnits = [&](uint32_t use) { return std::popcount(freeOf(resources_[uses[use].index])); };
  const auto hasSeveral = [&](uint32_t use) {
    const uint64_t free = freeOf(resources_[uses[use].index]);
    return (free & (free - 1)) != 0;
  };
  for (uint32_t i = instruction.resources.first; i < instruction.resources.first + instruction.resources.count; ++i) {
    if (!uses[i].cycles)
      unreserve(uses[i].index);
    else if (uses[i].reserved)
      reserve(uses[i], now);
    else if (uses[i].group && hasSeveral(i))
      waiting.push_back(i);
    else
      takeFor(i, now);
  }
  while (!waiting.empty()) {
    if (waiting.size() == 1)
      return takeFor(waiting.front(), now);
    std::sort(waiting.begin(), waiting.end(), [&](uint32_t a, uint32_t b) {
      return freeUnits(a) != freeUnits(b) ? freeUnits(a) < freeUnits(b) : uses[a].mask < uses[b].mask;
    });
    left.clear();
    for (size_t i = 0; i < waiting.size(); ++i)
      if (i == 0 || freeUnits(waiting[i]) == 1)
        takeFor(waiting[i], now);
      else
        left.push_back(waiting[i]);
    waiting = left;
  }
}

void ResourceState::giveBackUnusual(uint64_t resources, int64_t now) {
  uint64_t groups = 0;
  forEachBit(resources, [&](unsigned index) {
    Resource &resource = resources_[index];
    if (until_[resource.firstSlot] > now) { // held for longer meanwhile
      resources &= ~(1ull << index);
      wheel_.add(until_[resource.firstSlot], resource.firstSlot);
      return;
    }
    freeSingles_ |= resource.self;
    resource.reserved = false;
    groups |= resource.groups;
    giveToGroups(resource, index);
  });
  freeInGroups_ ^= resources;
  ready_ |= resources | groups;
  reservedBuffers_ ^= resources & zeroBuffers_;
}

bool ResourceState::giveBackOthers(int64_t now) {
  bool any = false;
  wheel_.visit(
      now, [this](uint32_t slot) { return until_[slot]; },
      [&](uint32_t slot) {
        any = true;
        if (slots_[slot].unitMask)
          giveBack(slot);
        unreserve(resourceOfSlot_[slot]);
      });
  return any;
}

int64_t ResourceState::nextRelease(int64_t now) const {
  if (brief_)
    return now + 1;
  const int64_t latest = wheel_.next(now);
  if (!moments_)
    return latest;
  return std::min(latest, now + 1 + std::countr_zero(std::rotr(moments_, static_cast<int>((now + 1) % kSoon))));
}

uint64_t ResourceState::fingerprint() const {
  uint64_t hash = ready_ * 0x9E3779B97F4A7C15ull + freeBuffers_;
  const auto add = [&hash](uint64_t left, uint64_t skipped) {
    hash = (hash ^ left ^ std::rotl(skipped, 32)) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  };
  add(smallGroups_.left(), smallGroups_.skipped());
  for (const GroupLanes &lanes : furtherGroups_)
    add(lanes.left(), lanes.skipped());
  for (uint64_t bits = several_; bits; bits &= bits - 1)
    add(resources_[static_cast<unsigned>(std::countr_zero(bits))].next, 0);
  return hash;
}

} // namespace mca
