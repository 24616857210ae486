// Simulates a program along a trace: the walk says which instructions execute, a predictor which branches are predicted
// wrongly, and the machine what that costs.
//
// A predictor that learns is trained by the first half of the trace; only the second half is simulated and counted, as
// in the championships of branch prediction (CBP 2025). The other predictors count the whole trace. With a scope, the
// halves are those of the instructions inside it, and what lies between two visits of the loop only trains.
//
// What one misprediction of a branch costs is a difference: the cycles of a stretch of the trace, less those of the
// same stretch with this branch predicted right. It is the wait for the condition and the redirect, less what the
// machine has left to do meanwhile, so it differs from branch to branch.
#pragma once

#include "mca-core/report/predicted_stream.h"
#include "mca-core/report/simulator.h"
#include "mca-core/trace/branch_odds.h"
#include "mca-core/trace/predictor.h"
#include "mca-core/trace/step_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace mca {

struct TraceSettings {
  PredictorKind predictor = PredictorKind::Tage;
  std::vector<MeasuredBranch> measured; ///< for PredictorKind::Measured
  /// Cycles from the execution of a mispredicted branch until the next instruction enters; if not set, the
  /// calibration's or the scheduling model's (MCSchedModel::MispredictPenalty).
  std::optional<uint32_t> mispredictPenalty;
  /// The loop that counts; null: the whole trace. Needed only until the trace is prepared.
  const TraceScope *scope = nullptr;
  /// Instructions of the trace, at most: it counts as if it ended there.
  uint64_t maxSteps = ~uint64_t{0};
  /// Instructions of the counted part, at most.
  uint64_t maxInstructions = ~uint64_t{0};
};

/// A branch that was executed and whose direction or target a CPU has to predict. Numbers are of the counted part.
struct TracedBranch {
  uint32_t instruction = 0; ///< in the program
  std::string text;         ///< as printed, with a tab after the mnemonic
  uint64_t executions = 0;
  uint64_t taken = 0;
  uint64_t mispredictions = 0;
  double conditionWait = 0; ///< mean cycles from dispatch to the end of execution, if predicted wrongly
  /// Mean cycles that one misprediction costs; none if there was none. Measured for the costliest branches of a trace;
  /// the others share what is lost, in proportion to the time in which they hold fetching back.
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
  uint64_t iterations = 0;            ///< executions of the scope's header in the counted part; 0 without a scope
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

/// A run that is ready. It refers to the branches, and a trace's to the TokenTargets, that it was prepared with.
struct PreparedTrace {
  std::unique_ptr<StepSource> steps;    ///< at the start
  std::unique_ptr<Predictor> predictor; ///< without any training
  const ProgramBranches *branches = nullptr;
  PreparedRegion region;             ///< each executed instruction once; empty if none is in the scope
  BodyPositions positions;           ///< in the region
  uint32_t header = kNone;           ///< of the scope
  std::vector<uint32_t> steppedOver; ///< the calls whose callees the run does not always enter, in text order
  bool learns = false;               ///< the predictor needs training
  bool measuresCosts = false;        ///< runs again for what single branches cost; otherwise they share what all cost
  uint64_t maxInstructions = 0;      ///< of the counted part
  uint64_t predictedBranches = 0;    ///< executions in the scope of branches that a CPU has to predict
  TraceReport report;                ///< what is known before the run
};

/// The first step, which uses LLVM: walks the whole trace and lowers its instructions. Fails if the trace does not fit
/// to the program, with the token's place in the trace's text; with position 0 if the instructions cannot be simulated.
/// Of `options` those of the machine count.
std::variant<PreparedTrace, TraceError> prepareTrace(Simulator &simulator, const Target &target, const Program &program,
                                                     const TokenTargets &targets, const TraceStatement &trace,
                                                     const SimulationOptions &options, const TraceSettings &settings,
                                                     const OnSkippedInTrace &onSkipped);

/// The same for a loop without a trace: its branches are random, with the given odds. The predictor always expects the
/// more likely way, or the `measured` rates of the branches that have one; PredictorKind::Perfect and None are bounds.
/// At most 2,000 iterations run, and at most 40,000 instructions, or for a long loop those of 20 iterations up to
/// 100,000. `settings.scope` and `settings.maxSteps` are not used.
std::variant<PreparedTrace, TraceError> prepareOdds(Simulator &simulator, const Target &target, const Program &program,
                                                    const ProgramBranches &branches, const TraceScope &scope,
                                                    std::span<const BranchOdds> odds, const SimulationOptions &options,
                                                    const TraceSettings &settings, const OnSkippedInTrace &onSkipped);

/// The second step, which may run on another thread with another simulator of the same target. A trace that never
/// enters the scope has no cycles and no iterations.
Result<TraceReport> runTrace(PreparedTrace &prepared, Simulator &simulator);

} // namespace mca
