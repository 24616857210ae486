// Which branches of a loop depend on data. A comparison of counters goes the same way until the loop ends, and a CPU
// predicts it; what an element of an array decides, no predictor knows before the element is loaded.
//
// The condition of a branch is followed backwards through the loop, along all ways through its blocks, to what decides
// it. It depends on data if one of the values on the way is
//   - loaded from an address that changes in the loop,
//   - the result of a call, or
//   - carried from one iteration to the next and changed by anything but adding constants, invariants and counters:
//     a hash, a random number, the bounds of a binary search.
// Everything that is computed from counters and invariants alone counts as predictable, `i % 7` as well as `hash(i)`.
// Loads from an address that never changes are invariants, or counters if the loop stores there (unoptimized code).
// The way to a value is followed, not whether that way is taken: `if (a[i]) found = 1;` does not make `found` data.
#pragma once

#include "mca-core/program/loops.h"

#include <cstdint>
#include <memory>

namespace analysis {

/// What decides a branch.
struct BranchCondition {
  bool dependsOnData = false;
  /// The load that it waits for: the last one on the way to it, as an index in the program. Of a jump through a table
  /// the load of the index, if there is one. mca::kNone if there is none.
  uint32_t load = mca::kNone;
  bool operator==(const BranchCondition &) const = default;
};

/// The conditions of one loop's branches. Everything that it refers to must outlive it.
class BranchConditions {
public:
  /// Longer loops are not followed: their branches count as predictable.
  static constexpr size_t kMaxInstructions = 5'000;

  BranchConditions(const mca::ProgramBranches &branches, const mca::Loop &loop);
  ~BranchConditions();

  /// `branch`: an index in the program, of a conditional branch or an indirect jump of the loop.
  BranchCondition of(uint32_t branch) const;

private:
  class Values;
  std::unique_ptr<const Values> values_;
};

} // namespace analysis
