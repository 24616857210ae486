// Branch predictors: which branches of a trace does a CPU predict wrongly?
//
// Prediction and update of a branch are one call. Along a trace there is no wrong path, so nothing happens between the
// two, and the predictors that stand for a bound or a measurement need the outcome anyway. A predictor learns from all
// branches that it is given, in order; callers that count only a part of the trace train it with the rest.
//
// Every predictor is deterministic: the same branches give the same answers. Returns are not predicted here, because
// the return stack of a walk knows where they go. The target of a conditional branch is known, too: there is no limit
// on how many branches a CPU remembers (no BTB).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace mca {

/// A static branch: the same for each of its executions.
struct BranchSite {
  uint32_t instruction = 0; ///< index in the program; stands for the address
  bool isBackward = false;  ///< the taken target does not come after the branch
};

class Predictor {
public:
  virtual ~Predictor() = default;
  /// Predicts one execution of a conditional branch, and learns its outcome. Returns whether the prediction was wrong.
  virtual bool mispredictsDirection(const BranchSite &branch, bool taken) = 0;
  /// Predicts the target of an indirect jump or call, and learns the real one. `target` is any number that identifies
  /// it. Returns whether the prediction was wrong.
  virtual bool mispredictsTarget(const BranchSite &branch, uint32_t target) = 0;
  /// Returns a predictor that has learned the same.
  virtual std::unique_ptr<Predictor> clone() const = 0;
  virtual std::string_view name() const = 0;
  /// How many bits of memory this predictor would need in a CPU.
  virtual uint64_t storageBits() const = 0;
};

enum class PredictorKind : uint8_t {
  Perfect,  ///< never wrong
  Static,   ///< backward branches are taken, forward ones are not; indirect jumps go where they went last
  Bimodal,  ///< a 2-bit counter per branch; indirect jumps go where they went last
  Gshare,   ///< 2-bit counters indexed by branch and history (McFarling 1993)
  Tage,     ///< like today's CPUs, see tage.h
  Measured, ///< as often wrong as it was measured for each branch
  None,     ///< always wrong: the upper bound
};

/// How often a branch was predicted wrongly in a measurement.
struct MeasuredBranch {
  uint32_t instruction = 0;
  uint64_t executions = 0; ///< at most 2^62
  uint64_t mispredictions = 0;
};

/// Creates a predictor without any training. `measured` is for PredictorKind::Measured, which distributes the wrong
/// predictions of a branch evenly over its executions. After as many executions as were measured, exactly the measured
/// number were wrong. Branches without a measurement are never wrong.
/// `learntPeriod` is for PredictorKind::Tage, whose size is the smallest that learns so long a period, see tage.h.
std::unique_ptr<Predictor> createPredictor(PredictorKind kind, std::span<const MeasuredBranch> measured = {},
                                           std::optional<uint32_t> learntPeriod = {});

/// The name of a predictor, as on the command line: `tage`.
std::string_view nameOf(PredictorKind kind);
/// Returns nothing if there is no predictor of this name.
std::optional<PredictorKind> predictorNamed(std::string_view name);

} // namespace mca
