// What the tables of predictors are made of.
#pragma once

#include "mca-core/trace/counter.h"
#include "mca-core/trace/predictor.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace mca {

/// The places of a branch in the tagged tables, one per table.
///
/// A fingerprint is a good hash already, so index and tag are parts of its exclusive or with a hash of the branch. The
/// bits are computed for all tables in one loop without branches, which compilers vectorize.
template <unsigned Tables, unsigned IndexBits, unsigned TagBits>
struct TaggedSlots {
  static_assert(IndexBits + TagBits <= 22);
  /// Of an entry that was never allocated.
  static constexpr uint16_t kNoTag = 0xffff;

  /// Of a fingerprint nothing is left after 31 places.
  static constexpr unsigned kTwice = std::min(2 * IndexBits, 31u), kThrice = std::min(3 * IndexBits, 31u);

  TaggedSlots(const BranchSite &branch, const std::array<uint32_t, Tables> &fingerprints) {
    const uint32_t branchHash = (branch.instruction + 1) * 0x9E3779B1 >> 10;
    const std::array<uint32_t, Tables> histories = fingerprints; // a copy, so that compilers can vectorize the loop
    for (unsigned table = 0; table < Tables; ++table) {
      const uint32_t hash = histories[table] ^ branchHash;
      const uint32_t folded = hash ^ (hash >> IndexBits) ^ (hash >> kTwice) ^ (hash >> kThrice);
      indices[table] = (table << IndexBits) + (folded & ((1u << IndexBits) - 1));
      tags[table] = (hash >> IndexBits) & ((1u << TagBits) - 1);
    }
  }

  std::array<uint32_t, Tables> indices; ///< in the entries of all tables, table by table
  std::array<uint32_t, Tables> tags;
};

/// Chooses the table of a new entry. After a misprediction this is mostly the next one, and sometimes a later one, so
/// that two branches with the same slots don't evict each other forever.
class AllocationPolicy {
public:
  /// Returns a table from `next` to `tables` - 1.
  int firstTable(int next, int tables) {
    // Marsaglia's xorshift with 32 bits: deterministic, and good enough.
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    for (uint32_t skips = random_ >> 28; (skips & 1) && next + 1 < tables; skips >>= 1)
      ++next;
    return next;
  }

private:
  uint32_t random_ = 1;
};

} // namespace mca
