#include "analysis/flows/loop_odds.h"

#include "analysis/text/comment_syntax.h"
#include "mca-core/trace/flow_inference.h"
#include "mca-core/trace/static_odds.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace analysis {

using wire::Sentence;

// ---- odds ----------------------------------------------------------------------------------------------------------

std::vector<mca::BranchOdds> OddsOfBranches::of(const mca::Loop &loop) {
  std::vector<mca::BranchOdds> odds;
  for (const uint32_t instruction : loop.instructions) {
    const mca::BranchKind kind = branches_.kindOf(instruction);
    if (kind == mca::BranchKind::ConditionalJump || kind == mca::BranchKind::IndirectJump) {
      odds.push_back(ofBranch(instruction));
      odds.back().isUncertain = false;
    }
  }
  return odds;
}

void OddsOfBranches::setCounts(const mca::ProfileCounts &counts) {
  if (!counts.edges.empty() || !counts.blocks.empty())
    counted_ = mca::oddsFromCounts(blocks_, counts);
}

/// `all`: in text order.
const mca::BranchOdds *OddsOfBranches::find(std::span<const mca::BranchOdds> all, uint32_t branch) {
  const auto found = std::ranges::lower_bound(all, branch, {}, &mca::BranchOdds::branch);
  return found != all.end() && found->branch == branch ? &*found : nullptr;
}

mca::BranchOdds OddsOfBranches::ofBranch(uint32_t branch) {
  if (const mca::BranchOdds *counted = find(counted_, branch))
    return *counted;
  if (branches_.kindOf(branch) == mca::BranchKind::ConditionalJump) {
    const std::optional<double> taken = expected(branch);
    return taken ? mca::BranchOdds{.branch = branch, .taken = *taken} : estimated(branch);
  }
  mca::BranchOdds odds{.branch = branch, .taken = 1};
  for (const uint32_t target : branches_.tableTargets(branch)) {
    const std::optional<double> probability = probability_(branch, target);
    if (!probability)
      return estimated(branch);
    odds.targets.push_back({target, *probability});
  }
  return odds;
}

/// How likely the compiler expects a branch to be taken. It lists the ways out of a block of its own, which may have
/// more than one branch: what is left after the first is a whole for the second.
std::optional<double> OddsOfBranches::expected(uint32_t branch) const {
  const mca::Branch &site = branches_.at(branch);
  if (site.target == mca::kNone || site.fallThrough == mca::kNone)
    return std::nullopt;
  const auto probabilityOf = [&](uint32_t to) {
    const std::optional<double> known = probability_(branch, to);
    return known == kNoWay ? 0 : known;
  };
  const std::optional<double> taken = probabilityOf(site.target), notTaken = probabilityOf(site.fallThrough);
  if (!taken || !notTaken || *taken + *notTaken <= 0)
    return std::nullopt;
  return *notTaken >= 1 ? std::min(*taken, 1.0) : *taken / (*taken + *notTaken);
}

mca::BranchOdds OddsOfBranches::estimated(uint32_t branch) {
  if (!rules_)
    rules_ = mca::staticOdds(blocks_);
  const mca::BranchOdds *known = find(*rules_, branch);
  return known ? *known : mca::BranchOdds{.branch = branch};
}

namespace {

bool mayBeUncertain(const mca::BranchOdds &odds) {
  double likeliest = odds.targets.empty() ? std::max(odds.taken, 1 - odds.taken) : 0;
  for (const mca::TargetOdds &target : odds.targets)
    likeliest = std::max(likeliest, target.probability);
  return likeliest <= 1 - kLeastUncertain + 1e-6; // 95 % of a compiler may be a little more
}

} // namespace

bool mayBeUncertain(std::span<const mca::BranchOdds> odds) {
  return llvm::any_of(odds, [](const mca::BranchOdds &one) { return mayBeUncertain(one); });
}

bool markUncertain(const BranchConditions &conditions, std::span<mca::BranchOdds> odds) {
  for (mca::BranchOdds &one : odds)
    one.isUncertain = mayBeUncertain(one) && conditions.of(one.branch).dependsOnData;
  return llvm::any_of(odds, [](const mca::BranchOdds &one) { return one.isUncertain; });
}

// ---- paths ---------------------------------------------------------------------------------------------------------

std::variant<std::vector<bool>, wire::Words> readPath(std::string_view statement) {
  std::vector<bool> outcomes;
  constexpr std::string_view kKeyword = "path";
  llvm::SmallVector<llvm::StringRef, 8> words;
  for (const std::string_view word : comments::wordsOf(statement.substr(kKeyword.size())))
    llvm::StringRef(word).split(words, ',', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef word : words) {
    if (word != "taken" && word != "not-taken")
      return wire::Words{Sentence::NoOutcome, {word.str()}};
    outcomes.push_back(word == "taken");
  }
  if (outcomes.empty())
    return wire::Words{Sentence::NoOutcome};
  return outcomes;
}

std::variant<std::vector<mca::BranchOdds>, wire::Words>
oddsOfPath(const mca::ProgramBranches &branches, const mca::Loop &loop, const std::vector<bool> &outcomes) {
  std::vector<mca::BranchOdds> odds;
  const llvm::DenseSet<uint32_t> inLoop(loop.instructions.begin(), loop.instructions.end());
  const auto stays = [&](uint32_t instruction) { return instruction != mca::kNone && inLoop.contains(instruction); };
  const uint32_t header = loop.header();
  size_t used = 0;
  uint32_t at = header;
  for (size_t steps = 0; steps == 0 || at != header; ++steps) {
    if (!stays(at) || steps > loop.instructions.size())
      return wire::Words{Sentence::PathLeaves};
    const mca::Branch &branch = branches.at(at);
    if (branch.kind == mca::BranchKind::IndirectJump)
      return wire::Words{Sentence::PathThroughIndirectJump};
    if (branch.kind == mca::BranchKind::None) {
      at = branches.next(at);
    } else if (branch.kind == mca::BranchKind::ConditionalJump) {
      const bool canBeTaken = stays(branch.target), canFallThrough = stays(branch.fallThrough);
      if (canBeTaken && canFallThrough && used == outcomes.size())
        return wire::Words{Sentence::TooFewOutcomes, {std::to_string(used)}};
      const bool isTaken = canBeTaken && (!canFallThrough || outcomes[used++]);
      odds.push_back({.branch = at, .taken = isTaken ? 1.0 : 0.0, .isUncertain = false});
      at = isTaken ? branch.target : branch.fallThrough;
    } else if (branch.kind == mca::BranchKind::Trap ||
               (branch.kind == mca::BranchKind::Return && !branch.isPredicated)) {
      at = mca::kNone;
    } else {
      at = branch.kind == mca::BranchKind::Jump ? branch.target : branch.fallThrough;
    }
  }
  if (used < outcomes.size())
    return wire::Words{Sentence::TooManyOutcomes, {std::to_string(used), std::to_string(outcomes.size())}};
  return odds;
}

} // namespace analysis
