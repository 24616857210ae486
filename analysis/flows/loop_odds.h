// How likely the branches of a loop go each way: as the compiler expects, or by rules for assembly that no compiler
// wrote; or as a comment chooses, `// mca: path taken,not-taken`.
#pragma once

#include "analysis/flows/branch_condition.h"
#include "analysis/regions/loop_paths.h"
#include "analysis/wire/messages.h"
#include "mca-core/trace/branch_odds.h"
#include "mca-core/trace/profile_counts.h"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace analysis {

/// If a branch goes the less likely way in fewer executions than this, a CPU is taken to predict all of them.
constexpr double kLeastUncertain = 0.05;

/// The odds of branches, before it is known which of them depend on data.
class OddsOfBranches {
public:
  /// The arguments must outlive it.
  OddsOfBranches(const mca::CodeBlocks &blocks, const BranchProbability &probability)
      : blocks_(blocks), branches_(blocks.branches()), probability_(probability) {}

  /// What was counted replaces what is expected.
  void setCounts(const mca::ProfileCounts &counts);
  bool isCounted(uint32_t branch) const { return find(counted_, branch) != nullptr; }
  /// Of the conditional branches and indirect jumps of a loop, none of them uncertain, in the loop's order.
  std::vector<mca::BranchOdds> of(const mca::Loop &loop);

private:
  static const mca::BranchOdds *find(std::span<const mca::BranchOdds> all, uint32_t branch);
  mca::BranchOdds ofBranch(uint32_t branch);
  std::optional<double> expected(uint32_t branch) const;
  mca::BranchOdds estimated(uint32_t branch);

  const mca::CodeBlocks &blocks_;
  const mca::ProgramBranches &branches_;
  const BranchProbability &probability_;
  std::vector<mca::BranchOdds> counted_;              ///< in text order
  std::optional<std::vector<mca::BranchOdds>> rules_; ///< of all branches, in text order; made when first needed
};

/// Whether a branch goes the less likely way in at least kLeastUncertain of the executions.
bool mayBeUncertain(std::span<const mca::BranchOdds> odds);

/// Marks the branches that depend on data and go the less likely way often enough, see above. Returns whether there is
/// one.
bool markUncertain(const BranchConditions &conditions, std::span<mca::BranchOdds> odds);

/// Reads the outcomes of `path taken,not-taken`, or says what is wrong with them.
std::variant<std::vector<bool>, wire::Words> readPath(std::string_view statement);

/// Returns odds that lead along a path in each iteration, or says why the path does not fit. The outcomes are
/// those of the branches that can go two ways inside the loop, in the order of execution. Where one way leaves the
/// loop, or goes back to its start while the other leaves it, the path stays inside.
std::variant<std::vector<mca::BranchOdds>, wire::Words>
oddsOfPath(const mca::ProgramBranches &branches, const mca::Loop &loop, const std::vector<bool> &outcomes);

} // namespace analysis
