#include "mca-core/trace/predictor.h"

#include "mca-core/trace/branch_history.h"
#include "mca-core/trace/table_parts.h"
#include "mca-core/trace/tage.h"
#include "mca-core/trace/target_predictor.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace mca {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"perfect", "static",   "bimodal", "gshare",
                                                    "tage",    "measured", "none"};

/// Never or always wrong.
class Bound final : public Predictor {
public:
  explicit Bound(PredictorKind kind) : kind_(kind) {}
  bool mispredictsDirection(const BranchSite &, bool) override { return isAlwaysWrong(); }
  bool mispredictsTarget(const BranchSite &, uint32_t) override { return isAlwaysWrong(); }
  std::string_view name() const override { return nameOf(kind_); }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Bound>(*this); }
  uint64_t storageBits() const override { return 0; }

private:
  bool isAlwaysWrong() const { return kind_ == PredictorKind::None; }
  PredictorKind kind_;
};

class Static final : public Predictor {
public:
  bool mispredictsDirection(const BranchSite &branch, bool taken) override { return branch.isBackward != taken; }
  bool mispredictsTarget(const BranchSite &branch, uint32_t target) override {
    return last_.exchange(branch, target) != target;
  }
  std::string_view name() const override { return nameOf(PredictorKind::Static); }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Static>(*this); }
  uint64_t storageBits() const override { return LastTargets::kStorageBits; }

private:
  LastTargets last_;
};

constexpr unsigned kCounterBits = 14; ///< 2^14 counters of two bits

class Bimodal final : public Predictor {
public:
  Bimodal() : counters_(1u << kCounterBits, Counter<2>(false)) {}
  bool mispredictsDirection(const BranchSite &branch, bool taken) override {
    Counter<2> &counter = counters_[branch.instruction & ((1u << kCounterBits) - 1)];
    const bool wrong = counter.yes() != taken;
    counter.count(taken);
    return wrong;
  }
  bool mispredictsTarget(const BranchSite &branch, uint32_t target) override {
    return last_.exchange(branch, target) != target;
  }
  std::string_view name() const override { return nameOf(PredictorKind::Bimodal); }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Bimodal>(*this); }
  uint64_t storageBits() const override { return counters_.size() * 2 + LastTargets::kStorageBits; }

private:
  std::vector<Counter<2>> counters_;
  LastTargets last_;
};

class Gshare final : public Predictor {
public:
  Gshare() : counters_(1u << kCounterBits, Counter<2>(false)), histories_({18, 49, 134, 366}) {}
  bool mispredictsDirection(const BranchSite &branch, bool taken) override {
    Counter<2> &counter = counters_[(branch.instruction ^ history_) & ((1u << kCounterBits) - 1)];
    const bool wrong = counter.yes() != taken;
    counter.count(taken);
    history_ = history_ << 1 | (taken ? 1 : 0);
    histories_.push(taken);
    return wrong;
  }
  bool mispredictsTarget(const BranchSite &branch, uint32_t target) override {
    const bool wrong = targets_.mispredicts(branch, target, histories_.fingerprints());
    histories_.pushTarget(target);
    return wrong;
  }
  std::string_view name() const override { return nameOf(PredictorKind::Gshare); }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Gshare>(*this); }
  uint64_t storageBits() const override { return counters_.size() * 2 + kCounterBits + targets_.storageBits(); }

private:
  std::vector<Counter<2>> counters_;
  uint32_t history_ = 0;                              ///< the latest outcome in the lowest bit
  BranchHistory<TargetPredictor::kTables> histories_; ///< for the targets, as long as TAGE's
  TargetPredictor targets_;
};

/// Distributes the wrong predictions like Bresenham's line: an execution is wrong where the line through the measured
/// rate passes the next whole number.
class Measured final : public Predictor {
public:
  explicit Measured(std::span<const MeasuredBranch> branches) {
    for (const MeasuredBranch &branch : branches)
      lines_[branch.instruction] = {branch.executions, std::min(branch.mispredictions, branch.executions),
                                    branch.executions / 2};
  }
  bool mispredictsDirection(const BranchSite &branch, bool) override { return isNextWrong(branch); }
  bool mispredictsTarget(const BranchSite &branch, uint32_t) override { return isNextWrong(branch); }
  std::string_view name() const override { return nameOf(PredictorKind::Measured); }
  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Measured>(*this); }
  uint64_t storageBits() const override { return 0; }

private:
  struct Line {
    uint64_t executions = 0;
    uint64_t wrong = 0;
    uint64_t error = 0; ///< starts at one half, so that a part of the executions is rounded, too
  };

  bool isNextWrong(const BranchSite &branch) {
    const auto found = lines_.find(branch.instruction);
    if (found == lines_.end())
      return false;
    Line &line = found->second;
    line.error += line.wrong;
    if (line.error < line.executions || line.executions == 0)
      return false;
    line.error -= line.executions;
    return true;
  }

  std::unordered_map<uint32_t, Line> lines_;
};

} // namespace

std::unique_ptr<Predictor> createPredictor(PredictorKind kind, std::span<const MeasuredBranch> measured,
                                           std::optional<uint32_t> learntPeriod) {
  switch (kind) {
  case PredictorKind::Static:
    return std::make_unique<Static>();
  case PredictorKind::Bimodal:
    return std::make_unique<Bimodal>();
  case PredictorKind::Gshare:
    return std::make_unique<Gshare>();
  case PredictorKind::Tage:
    return createTage(learntPeriod);
  case PredictorKind::Measured:
    return std::make_unique<Measured>(measured);
  case PredictorKind::Perfect:
  case PredictorKind::None:
    break;
  }
  return std::make_unique<Bound>(kind);
}

std::string_view nameOf(PredictorKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

std::optional<PredictorKind> predictorNamed(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    return std::nullopt;
  return static_cast<PredictorKind>(found - kNames.begin());
}

} // namespace mca
