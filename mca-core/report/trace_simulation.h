// Simulates a program along a trace: the walk says which instructions execute, a predictor which branches are predicted
// wrongly, and the machine what that costs.
//
// A predictor that learns is trained by the first half of the trace; only the second half is simulated and counted, as
// in the championships of branch prediction (CBP 2025). The other predictors count the whole trace.
//
// What one misprediction of a branch costs is a difference: the cycles of a stretch of the trace, less those of the
// same stretch with this branch predicted right. It is the wait for the condition and the redirect, less what the
// machine has left to do meanwhile, so it differs from branch to branch.
#pragma once

#include "mca-core/report/simulator.h"
#include "mca-core/trace/predictor.h"
#include "mca-core/trace/trace_walk.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mca {

struct TraceSettings {
  PredictorKind predictor = PredictorKind::Tage;
  std::vector<MeasuredBranch> measured; ///< for PredictorKind::Measured
  /// Cycles from the execution of a mispredicted branch until the next instruction enters; the scheduling model's
  /// (MCSchedModel::MispredictPenalty) if not set.
  std::optional<uint32_t> mispredictPenalty;
};

/// A branch that was executed and whose direction or target a CPU has to predict. Numbers are of the counted part.
struct TracedBranch {
  uint32_t instruction = 0; ///< in the program
  std::string text;         ///< as printed, with a tab after the mnemonic
  uint64_t executions = 0;
  uint64_t taken = 0;
  uint64_t mispredictions = 0;
  double conditionWait = 0; ///< mean cycles from dispatch to the end of execution, if predicted wrongly
  /// Mean cycles that one misprediction costs; none for branches with few of them. If the stretch that was simulated
  /// again has none, the mean time without fetching, which is an upper bound.
  std::optional<double> cost;
};

struct TraceReport {
  std::string predictor;
  uint64_t predictorBits = 0;
  uint32_t mispredictPenalty = 0;    ///< cycles
  uint32_t dispatchWidth = 0;        ///< micro-ops per cycle
  uint64_t trainingInstructions = 0; ///< before the counted part
  /// The predictor learns, and saw fewer branches before the counted part than it needs to know them.
  bool isBarelyTrained = false;
  TraceRun run;                       ///< of the counted part
  uint64_t perfectCycles = 0;         ///< of the counted part if every branch were predicted right
  bool perfectIsEstimated = false;    ///< from its first 10^6 instructions
  uint64_t mispredictions = 0;        ///< of the counted part
  std::vector<TracedBranch> branches; ///< in text order

  double mispredictionsPerThousand() const {
    return run.instructions ? 1000.0 * double(mispredictions) / double(run.instructions) : 0;
  }
};

/// Called for each executed instruction that has no scheduling data, by its index in the program; it takes no time in
/// the simulation. If it returns false, nothing is simulated.
using OnSkippedInTrace = std::function<bool(uint32_t instruction, const std::string &message)>;

/// Fails if the trace does not fit to the program, with the token's place in the trace's text; with position 0 if the
/// instructions cannot be simulated. Of `options` those of the machine count.
std::variant<TraceReport, TraceError> simulateTrace(Simulator &simulator, const Target &target, const Program &program,
                                                    const TokenTargets &targets, const TraceStatement &trace,
                                                    const SimulationOptions &options, const TraceSettings &settings,
                                                    const OnSkippedInTrace &onSkipped);

} // namespace mca
