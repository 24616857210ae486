#include "mca-core/engine/resource_state.h"

#include <algorithm>

namespace mca {
namespace {

unsigned highestBit(uint64_t mask) {
  return 63 - static_cast<unsigned>(std::countl_zero(mask));
}

template <typename Visit>
void forEachBit(uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1)
    visit(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace

ResourceState::ResourceState(const ResourceTable &table) : resources_(table.size() - 1) {
  for (unsigned id = 1; id < table.size(); ++id) {
    const uint64_t mask = table.maskOf(id);
    const unsigned index = highestBit(mask);
    Resource &resource = resources_[index];
    resource.mask = mask;
    resource.id = static_cast<uint16_t>(id);
    resource.group = std::popcount(mask) > 1;
    resource.units = resource.group ? mask ^ (1ull << index) : (1ull << table.describe(id).NumUnits) - 1;
    resource.free = resource.next = resource.units;
    resource.bufferSize = table.describe(id).BufferSize;
    resource.freeSlots = resource.bufferSize < 0 ? 0 : static_cast<uint32_t>(resource.bufferSize);
    resource.several = !resource.group && std::popcount(resource.units) > 1;
    if (!resource.group)
      unitMask_ |= mask;
  }
  for (unsigned index = 0; index < resources_.size(); ++index) {
    if (resources_[index].group)
      forEachBit(resources_[index].units, [&](unsigned unit) { resources_[unit].groups |= 1ull << index; });
    updateReady(index);
  }
}

void ResourceState::reserveBuffers(uint64_t buffers) {
  forEachBit(buffers, [this](unsigned index) {
    Resource &resource = resources_[index];
    if (resource.bufferSize > 0 && --resource.freeSlots == 0)
      freeBuffers_ ^= 1ull << index;
    // A buffer of size 0 makes dispatch wait until the units are free again.
    if (resource.bufferSize == 0)
      reservedBuffers_ ^= 1ull << index;
  });
}

void ResourceState::releaseBuffers(uint64_t buffers) {
  freeBuffers_ |= buffers;
  forEachBit(buffers, [this](unsigned index) {
    if (resources_[index].bufferSize > 0)
      ++resources_[index].freeSlots;
  });
}

uint64_t ResourceState::busyMask(const BodyInstruction &instruction, const BodyResource *resources) const {
  uint64_t busy = 0, consumed = 0;
  std::vector<std::pair<uint64_t, unsigned>> available;
  for (uint32_t i = 0; i < instruction.resources; ++i) {
    const BodyResource &use = resources[i];
    const unsigned units = use.reserved ? 0 : use.units;
    const Resource &resource = resources_[use.index];
    if (!isReady(resource, units)) {
      busy |= use.mask;
    } else if (instruction.overlappingGroups && !resource.group) {
      const unsigned left = static_cast<unsigned>(std::popcount(resource.free)) - units;
      available.emplace_back(use.mask, left);
      if (!left)
        consumed |= use.mask;
    }
  }
  busy &= unitMask_;
  if (busy)
    return busy;
  busy = instruction.groups & reservedGroups_;
  if (!instruction.overlappingGroups || busy)
    return busy;
  return busyInOverlap(instruction, resources, consumed, available);
}

/// Groups that share units: there must be a unit for each of them.
uint64_t ResourceState::busyInOverlap(const BodyInstruction &instruction, const BodyResource *resources,
                                      uint64_t consumed, std::vector<std::pair<uint64_t, unsigned>> &available) const {
  uint64_t busy = 0;
  for (uint32_t i = 0; i < instruction.resources; ++i) {
    const Resource &resource = resources_[resources[i].index];
    if (resources[i].reserved || !resource.group)
      continue;
    const uint64_t free = resource.free & ~consumed;
    if (!free) {
      busy |= resource.free;
      continue;
    }
    const uint64_t unit = 1ull << highestBit(free);
    auto entry = std::find_if(available.begin(), available.end(), [&](const auto &a) { return a.first == unit; });
    if (entry == available.end()) {
      available.emplace_back(unit, static_cast<unsigned>(std::popcount(resources_[highestBit(unit)].free)));
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

uint64_t ResourceState::select(Resource &resource) {
  uint64_t candidates = resource.free & resource.next;
  if (!candidates) {
    resource.next = resource.units ^ resource.skipped;
    resource.skipped = 0;
    candidates = resource.free & resource.next;
    if (!candidates) {
      resource.next = resource.units;
      candidates = resource.free;
    }
  }
  const uint64_t unit = 1ull << highestBit(candidates);
  resource.next &= unit | (unit - 1);
  return unit;
}

void ResourceState::noteUse(Resource &resource, uint64_t unit) {
  if (unit > resource.next) {
    resource.skipped |= unit;
    return;
  }
  resource.next &= ~unit;
  if (resource.next)
    return;
  resource.next = resource.units ^ resource.skipped;
  resource.skipped = 0;
}

void ResourceState::take(unsigned index, const BodyResource &use, int64_t now, std::vector<UsedUnit> &used) {
  // A group hands on to one of its members.
  while (resources_[index].group)
    index = highestBit(select(resources_[index]));
  Resource &resource = resources_[index];
  const uint64_t unit = resource.several ? select(resource) : resource.free;
  resource.free ^= unit;
  if (resource.several)
    noteUse(resource, unit);
  if (!isReady(resource)) {
    updateReady(index);
    const uint64_t bit = 1ull << index;
    forEachBit(resource.groups, [&](unsigned group) {
      resources_[group].free ^= bit;
      noteUse(resources_[group], bit);
      updateReady(group);
    });
  }
  holdUntil(index, unit, now, use.cycles);
  used.push_back({resource.id, unit, use.cycles, 1});
}

void ResourceState::holdUntil(unsigned index, uint64_t unit, int64_t now, uint32_t cycles) {
  for (Busy &busy : busy_)
    if (busy.resource == index && busy.unit == unit) {
      busy.until += cycles;
      return;
    }
  busy_.push_back({now + cycles, unit, static_cast<uint8_t>(index)});
}

void ResourceState::reserve(const BodyResource &use, int64_t now) {
  resources_[use.index].reserved = true;
  reservedGroups_ ^= 1ull << use.index;
  updateReady(use.index);
  holdUntil(use.index, 0, now, use.cycles);
}

void ResourceState::unreserve(unsigned index) {
  Resource &resource = resources_[index];
  resource.reserved = false;
  if (resource.group)
    reservedGroups_ ^= 1ull << index;
  if (resource.bufferSize == 0)
    reservedBuffers_ ^= 1ull << index;
  updateReady(index);
}

void ResourceState::giveBack(unsigned index, uint64_t unit) {
  Resource &resource = resources_[index];
  const bool wasFull = !isReady(resource);
  resource.free ^= unit;
  if (!wasFull)
    return;
  const uint64_t bit = 1ull << index;
  forEachBit(resource.groups, [&](unsigned group) {
    resources_[group].free ^= bit;
    updateReady(group);
  });
}

void ResourceState::issue(const BodyInstruction &instruction, const BodyResource *resources, int64_t now,
                          std::vector<UsedUnit> &used) {
  used.clear();
  if (instruction.overlappingGroups)
    return issueOverlapping(instruction, resources, now, used);
  for (uint32_t i = 0; i < instruction.resources; ++i) {
    const BodyResource &use = resources[i];
    if (!use.cycles)
      unreserve(use.index);
    else if (use.reserved)
      reserve(use, now);
    else
      take(use.index, use, now, used);
  }
}

/// Single resources and groups with one free unit first, then always the group with the fewest free units.
void ResourceState::issueOverlapping(const BodyInstruction &instruction, const BodyResource *resources, int64_t now,
                                     std::vector<UsedUnit> &used) {
  std::vector<const BodyResource *> waiting;
  const auto freeUnits = [this](const BodyResource *use) { return std::popcount(resources_[use->index].free); };
  for (uint32_t i = 0; i < instruction.resources; ++i) {
    const BodyResource &use = resources[i];
    if (!use.cycles)
      unreserve(use.index);
    else if (use.reserved)
      reserve(use, now);
    else if (use.group && freeUnits(&use) > 1)
      waiting.push_back(&use);
    else
      take(use.index, use, now, used);
  }
  while (!waiting.empty()) {
    std::sort(waiting.begin(), waiting.end(), [&](const BodyResource *a, const BodyResource *b) {
      return freeUnits(a) != freeUnits(b) ? freeUnits(a) < freeUnits(b) : a->mask < b->mask;
    });
    std::vector<const BodyResource *> left;
    for (size_t i = 0; i < waiting.size(); ++i)
      if (i == 0 || freeUnits(waiting[i]) == 1)
        take(waiting[i]->index, *waiting[i], now, used);
      else
        left.push_back(waiting[i]);
    waiting = std::move(left);
  }
}

void ResourceState::startCycle(int64_t now) {
  for (size_t i = 0; i < busy_.size();) {
    const Busy busy = busy_[i];
    if (busy.until > now) {
      ++i;
      continue;
    }
    busy_[i] = busy_.back();
    busy_.pop_back();
    if (busy.unit)
      giveBack(busy.resource, busy.unit);
    unreserve(busy.resource);
  }
}

} // namespace mca
