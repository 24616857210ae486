#include "mca-core/trace/target_predictor.h"

#include <algorithm>

namespace mca {

uint32_t LastTargets::exchange(const BranchSite &branch, uint32_t target) {
  uint32_t &last = targets_[branch.instruction & ((1u << kIndexBits) - 1)];
  const uint32_t predicted = last;
  last = target;
  return predicted;
}

TargetPredictor::Lookup TargetPredictor::lookUp(const BranchSite &branch, const Fingerprints &histories) const {
  Lookup found{.slots = {branch, histories}};
  for (unsigned table = 0; table < kTables; ++table)
    if (entries_[found.slots.indices[table]].tag == found.slots.tags[table])
      found.provider = static_cast<int>(table);
  return found;
}

bool TargetPredictor::mispredicts(const BranchSite &branch, uint32_t target, const Fingerprints &histories) {
  const Lookup found = lookUp(branch, histories);
  const uint32_t last = last_.exchange(branch, target);
  Entry *provider = found.provider < 0 ? nullptr : &at(found, found.provider);
  const bool wrong = (provider ? provider->target : last) != target;
  if (provider) {
    if (last != target && !wrong)
      provider->useful = static_cast<uint8_t>(std::min(provider->useful + 1, 3));
    if (!wrong)
      provider->confidence = static_cast<uint8_t>(std::min(provider->confidence + 1, 3));
    else if (provider->confidence > 0)
      --provider->confidence;
    else
      provider->target = target;
  }
  if (wrong)
    allocate(found, target);
  return wrong;
}

/// Allocates an entry with a longer history than the provider's. If all are useful, they become less so.
void TargetPredictor::allocate(const Lookup &found, uint32_t target) {
  const int first = policy_.firstTable(found.provider + 1, kTables);
  for (int table = first; table < kTables; ++table) {
    Entry &entry = at(found, table);
    if (entry.useful == 0) {
      entry = {.target = target, .tag = static_cast<uint16_t>(found.slots.tags[static_cast<unsigned>(table)])};
      return;
    }
  }
  for (int table = first; table < kTables; ++table)
    --at(found, table).useful;
}

uint64_t TargetPredictor::storageBits() const {
  constexpr uint64_t kEntryBits = 32 + kTagBits + 2 + 2;
  return entries_.size() * kEntryBits + LastTargets::kStorageBits;
}

} // namespace mca
