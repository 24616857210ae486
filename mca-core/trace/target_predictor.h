// Predicts the targets of indirect jumps and calls.
//
// The target where a jump went last is kept for each jump. Tagged tables that are indexed by the jump and by the latest
// outcomes of all branches know better: the one with the longest history that has an entry predicts. This is TAGE's
// rule for targets (ITTAGE: Seznec, "A 64-Kbytes ITTAGE indirect branch predictor", 2011), with fewer tables.
#pragma once

#include "mca-core/trace/predictor.h"
#include "mca-core/trace/table_parts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace mca {

/// The last target of each indirect jump.
class LastTargets {
public:
  LastTargets() : targets_(1u << kIndexBits, kUnknown) {}
  /// Returns the last target, and remembers this one.
  uint32_t exchange(const BranchSite &branch, uint32_t target);
  static constexpr uint64_t kStorageBits = 32ull << 9;

private:
  static constexpr unsigned kIndexBits = 9;
  static constexpr uint32_t kUnknown = ~0u;
  std::vector<uint32_t> targets_;
};

class TargetPredictor {
public:
  static constexpr int kTables = 4;
  /// Of the four histories by which the tables are indexed, the shortest first, see BranchHistory.
  using Fingerprints = std::array<uint32_t, kTables>;

  TargetPredictor() : entries_(kTables << kIndexBits) {}
  /// Predicts the target, and learns the real one. Returns whether the prediction was wrong.
  bool mispredicts(const BranchSite &branch, uint32_t target, const Fingerprints &histories);
  uint64_t storageBits() const;

private:
  static constexpr unsigned kIndexBits = 9, kTagBits = 12;
  using Slots = TaggedSlots<kTables, kIndexBits, kTagBits>;

  struct Entry {
    uint32_t target = 0;
    uint16_t tag = Slots::kNoTag;
    uint8_t confidence = 0; ///< 0 to 3
    uint8_t useful = 0;     ///< 0 to 3; grows when it was right where the last target was not
  };

  struct Lookup {
    Slots slots;
    int provider = -1; ///< table of the hit with the longest history; -1: none, the last target is predicted
  };

  Entry &at(const Lookup &found, int table) { return entries_[found.slots.indices[static_cast<unsigned>(table)]]; }
  Lookup lookUp(const BranchSite &branch, const Fingerprints &histories) const;
  void allocate(const Lookup &found, uint32_t target);

  LastTargets last_;
  std::vector<Entry> entries_; ///< table by table
  AllocationPolicy policy_;
};

} // namespace mca
