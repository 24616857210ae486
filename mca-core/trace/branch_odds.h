// How likely a branch goes each way, and runs of a loop of which no more than that is known.
//
// Odds say nothing about the order of the outcomes, so a walk draws them: each branch is random and independent of the
// others. Draws are stratified: of 64 executions in a row (the first 64, the next 64, …) a branch with the probability
// p is taken 64 p times, rounded up or down, in random order. So a few hundred iterations have the right frequencies.
#pragma once

#include "mca-core/trace/predictor.h"
#include "mca-core/trace/step_source.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace mca {

/// One target of an indirect jump.
struct TargetOdds {
  uint32_t instruction = 0;
  double probability = 0; ///< 0 to 1; what is missing to 1 over all targets leaves the loop
};

/// A branch without odds has those of a default-constructed one.
struct BranchOdds {
  uint32_t branch = 0;             ///< the index of a conditional branch, an indirect jump or a predicated instruction
  double taken = 0.5;              ///< 0 to 1
  bool isUncertain = true;         ///< a CPU cannot know the outcome; otherwise it predicts each right
  std::vector<TargetOdds> targets; ///< of an indirect jump; if empty, it leaves the loop
};

struct OddsLimits {
  uint64_t instructions = 40'000;
  uint64_t iterations = 2'000;
};

/// Walks a loop from its header, with random outcomes of its branches. The walk returns to the header from wherever it
/// leaves the loop. It steps over calls. It ends at the first limit. The same odds always give the same walk.
class OddsWalk final : public StepSource {
public:
  /// Refers to the branches, which must outlive it. A scope without instructions has no steps.
  OddsWalk(const ProgramBranches &branches, const TraceScope &scope, std::span<const BranchOdds> odds,
           OddsLimits limits = {});

  /// Yields the next executed instruction. Returns false at the end.
  bool next(TraceStep &step);
  size_t read(std::span<TraceStep> batch) override;
  std::unique_ptr<StepSource> clone() const override { return std::make_unique<OddsWalk>(*this); }

private:
  /// Uniform numbers, of which each 64 in a row have one in each 64th of [0, 1).
  struct Draws {
    std::array<uint8_t, 64> strata{}; ///< the first `left` are still to come
    uint32_t left = 0;
    double next(std::mt19937_64 &random);
  };
  struct Site {
    BranchOdds odds;
    Draws draws;
  };

  uint32_t execute(TraceStep &step);
  uint32_t executeTaken(TraceStep &step) const;
  void moveTo(uint32_t instruction) { at_ = instruction != kNone && isInLoop_[instruction] ? instruction : header_; }

  const ProgramBranches *branches_;
  std::vector<bool> isInLoop_; ///< by instruction
  uint32_t header_;
  OddsLimits left_;
  llvm::DenseMap<uint32_t, Site> sites_; ///< by branch
  // NOLINTNEXTLINE(bugprone-random-generator-seed): any seed, but always the same
  std::mt19937_64 random_{0x6d6361};
  uint32_t at_;
  bool isInDelaySlot_ = false;
  uint32_t afterDelaySlot_ = kNone;
};

/// Creates a predictor that knows nothing but the odds: of an uncertain branch, it always predicts the more likely way
/// or target, so it is wrong as often as the branch goes another way. It is right about all others. Branches with a
/// measurement are wrong as often as was measured. Calls are always predicted right.
std::unique_ptr<Predictor> createOddsPredictor(std::span<const BranchOdds> odds,
                                               std::span<const MeasuredBranch> measured = {});

} // namespace mca
