// TAGE, the predictor that today's CPUs are closest to.
//
// After "A case for (partially) TAgged GEometric history length branch prediction" (André Seznec and Pierre Michaud,
// Journal of Instruction-Level Parallelism 8, 2006). A bimodal table predicts what no other table does. Twelve tagged
// tables are indexed by the branch and by its last 4, 7, … 1000 outcomes; the lengths are a geometric series. The hit
// with the longest history predicts. After a wrong prediction, an entry in a table with a longer history is allocated,
// so that each branch gets as much history as it needs. Entries that were right where the next shorter hit was wrong
// are useful, and are not replaced until they have lost that.
//
// The usual size is about that of today's cores: 12 × 1024 tagged entries learn a random sequence of 4096 outcomes. A
// calibration may say how long a sequence its CPU learns; then the tables are as large as that needs. TAGE-SC-L's
// statistical corrector and loop predictor are left out, as they change few predictions.
#pragma once

#include "mca-core/trace/branch_history.h"
#include "mca-core/trace/predictor.h"
#include "mca-core/trace/table_parts.h"
#include "mca-core/trace/target_predictor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mca {

/// Each of the twelve tables has 2^IndexBits entries.
template <unsigned IndexBits>
class Tage final : public Predictor {
public:
  Tage();
  bool mispredictsDirection(const BranchSite &branch, bool taken) override;
  bool mispredictsTarget(const BranchSite &branch, uint32_t target) override;
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Tage>(*this); }
  std::string_view name() const override { return nameOf(PredictorKind::Tage); }
  uint64_t storageBits() const override;

private:
  static constexpr int kTables = 12;
  static constexpr unsigned kIndexBits = IndexBits, kTagBits = std::min(12u, 22 - IndexBits);
  static constexpr unsigned kBaseBits = 13;
  using Slots = TaggedSlots<kTables, kIndexBits, kTagBits>;

  struct Entry {
    uint16_t tag = Slots::kNoTag;
    Counter<3> direction;
    uint8_t useful = 0; ///< 0 to 3
  };
  static_assert(sizeof(Entry) == 4);

  /// What the tables say of one execution of a branch.
  struct Lookup {
    Slots slots;
    int provider = -1;        ///< table of the hit with the longest history; -1: none, the base predicts
    bool prediction = false;  ///< of the provider
    bool alternative = false; ///< of the next shorter hit
    bool isNew = false;       ///< the provider's entry has not proved itself yet
    bool final = false;       ///< what is predicted in the end
  };

  Lookup lookUp(const BranchSite &branch) const;
  void learn(const BranchSite &branch, const Lookup &found, bool taken);
  void allocate(const Lookup &found, bool taken);
  void ageUsefulness();
  const Entry &at(const Lookup &found, int table) const {
    return entries_[found.slots.indices[static_cast<unsigned>(table)]];
  }
  Entry &at(const Lookup &found, int table) { return entries_[found.slots.indices[static_cast<unsigned>(table)]]; }
  static uint32_t baseIndex(const BranchSite &branch) { return branch.instruction & ((1u << kBaseBits) - 1); }

  BranchHistory<kTables> history_;
  std::vector<Entry> entries_; ///< table by table
  std::vector<Counter<2>> base_;
  Counter<4> alternativeIsBetter_; ///< than the prediction of a new entry
  TargetPredictor targets_;
  uint32_t updates_ = 0;
  AllocationPolicy policy_;
};

/// The smallest that learns a random sequence of so many outcomes of one branch that repeats; without a length, the
/// usual one.
std::unique_ptr<Predictor> createTage(std::optional<uint32_t> learntPeriod);

} // namespace mca
