#include "mca-core/trace/branch_odds.h"

#include <numeric>
#include <unordered_map>
#include <utility>

namespace mca {

// ---- the walk ------------------------------------------------------------------------------------------------------

OddsWalk::OddsWalk(const ProgramBranches &branches, const TraceScope &scope, std::span<const BranchOdds> odds,
                   OddsLimits limits)
    : branches_(&branches), isInLoop_(branches.size()), header_(scope.header), left_(limits), at_(scope.header) {
  for (const uint32_t instruction : scope.instructions)
    isInLoop_[instruction] = true;
  for (const BranchOdds &one : odds)
    sites_.try_emplace(one.branch, Site{.odds = one, .draws = {}});
  if (scope.instructions.empty())
    left_ = {.instructions = 0, .iterations = 0};
}

/// Takes the strata in random order, and a random number in each.
double OddsWalk::Draws::next(std::mt19937_64 &random) {
  if (left == 0) {
    std::iota(strata.begin(), strata.end(), uint8_t{0});
    left = strata.size();
  }
  std::swap(strata[random() % left], strata[left - 1]);
  const double within = double(random() >> 11) * 0x1p-53;
  return (strata[--left] + within) / double(strata.size());
}

size_t OddsWalk::read(std::span<TraceStep> batch) {
  size_t count = 0;
  while (count < batch.size() && next(batch[count]))
    ++count;
  return count;
}

bool OddsWalk::next(TraceStep &step) {
  const bool isIteration = at_ == header_ && !isInDelaySlot_;
  if (!left_.instructions || (isIteration && !left_.iterations))
    return false;
  --left_.instructions;
  left_.iterations -= isIteration;
  step = {.instruction = at_};
  const BranchKind kind = branches_->kindOf(at_);
  if (std::exchange(isInDelaySlot_, false)) {
    moveTo(afterDelaySlot_);
  } else if (kind == BranchKind::None) {
    moveTo(branches_->next(at_));
  } else {
    step.kind = kind;
    const uint32_t destination = execute(step), slot = branches_->next(at_);
    isInDelaySlot_ = branches_->at(at_).hasDelaySlot && slot != kNone;
    if (isInDelaySlot_) {
      afterDelaySlot_ = destination;
      at_ = slot;
    } else {
      moveTo(destination);
    }
  }
  return true;
}

/// Returns where execution goes on after a branch; kNone if that is outside of the text.
uint32_t OddsWalk::execute(TraceStep &step) {
  const Branch &branch = branches_->at(step.instruction);
  const bool isConditional = branch.kind == BranchKind::ConditionalJump || branch.isPredicated;
  if (!isConditional && branch.kind != BranchKind::IndirectJump)
    return executeTaken(step);
  Site &site = sites_[step.instruction];
  if (isConditional && !(site.draws.next(random_) < site.odds.taken))
    return branch.fallThrough;
  if (branch.kind != BranchKind::IndirectJump)
    return executeTaken(step);
  step.taken = true;
  double rest = site.draws.next(random_);
  for (const TargetOdds &one : site.odds.targets) {
    rest -= one.probability;
    if (rest < 0)
      return step.target = one.instruction;
  }
  return kNone;
}

uint32_t OddsWalk::executeTaken(TraceStep &step) const {
  const Branch &branch = branches_->at(step.instruction);
  step.taken = true;
  switch (branch.kind) {
  case BranchKind::Jump:
  case BranchKind::ConditionalJump:
    step.target = branch.target == kNone ? BranchOutcome::kOutside : branch.target;
    return branch.target;
  case BranchKind::Call:
  case BranchKind::IndirectCall:
    step.target = BranchOutcome::kOutside;
    return branch.fallThrough;
  default:
    return kNone;
  }
}

// ---- the predictor -------------------------------------------------------------------------------------------------

namespace {

class OddsPredictor final : public Predictor {
public:
  OddsPredictor(std::span<const BranchOdds> odds, std::span<const MeasuredBranch> measured)
      : measured_(createPredictor(PredictorKind::Measured, measured)) {
    for (const BranchOdds &one : odds)
      sites_[one.branch] = {one.taken >= 0.5, one.isUncertain, false, likelyTarget(one)};
    for (const MeasuredBranch &one : measured)
      sites_[one.instruction].isMeasured = true;
  }
  OddsPredictor(const OddsPredictor &other) : Predictor(), sites_(other.sites_), measured_(other.measured_->clone()) {}
  bool mispredictsDirection(const BranchSite &branch, bool taken) override {
    const auto found = sites_.find(branch.instruction);
    const Site site = found == sites_.end() ? Site() : found->second;
    return site.isMeasured ? measured_->mispredictsDirection(branch, taken)
                           : site.isUncertain && taken != site.isLikelyTaken;
  }
  bool mispredictsTarget(const BranchSite &branch, uint32_t target) override {
    const auto found = sites_.find(branch.instruction);
    if (found == sites_.end())
      return false;
    return found->second.isMeasured ? measured_->mispredictsTarget(branch, target)
                                    : found->second.isUncertain && target != found->second.likelyTarget;
  }
  std::string_view name() const override { return "odds"; }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<OddsPredictor>(*this); }
  uint64_t storageBits() const override { return 0; }

private:
  struct Site {
    bool isLikelyTaken = BranchOdds().taken >= 0.5;
    bool isUncertain = BranchOdds().isUncertain;
    bool isMeasured = false;
    uint32_t likelyTarget = kNone; ///< kNone: it leaves the loop
  };

  static uint32_t likelyTarget(const BranchOdds &odds) {
    uint32_t target = kNone;
    double most = 1;
    for (const TargetOdds &one : odds.targets)
      most -= one.probability;
    for (const TargetOdds &one : odds.targets)
      if (one.probability > most) {
        most = one.probability;
        target = one.instruction;
      }
    return target;
  }

  std::unordered_map<uint32_t, Site> sites_;
  std::unique_ptr<Predictor> measured_;
};

} // namespace

std::unique_ptr<Predictor> createOddsPredictor(std::span<const BranchOdds> odds,
                                               std::span<const MeasuredBranch> measured) {
  return std::make_unique<OddsPredictor>(odds, measured);
}

} // namespace mca
