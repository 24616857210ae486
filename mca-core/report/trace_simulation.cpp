// A trace is walked twice: to check it and know its instructions, and to train the predictor and simulate. A walk costs
// a few nanoseconds per instruction, so that is cheaper than keeping the executed instructions of a long trace. Further
// runs over a part of it start from a copy of the trained predictor.
#include "mca-core/report/trace_simulation.h"

#include "mca-core/report/calibrated_report.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace mca {
namespace {

/// Branches whose cost is measured; each takes a run of its own.
constexpr size_t kMeasuredBranches = 8;
/// Instructions of such a run.
constexpr uint64_t kCostInstructions = 50'000;
/// Instructions of the run with perfect prediction; the rest of a longer trace is taken to go on at the same rate.
constexpr uint64_t kPerfectInstructions = 1'000'000;
/// A branch predictor knows a branch after some dozen executions.
constexpr uint64_t kTrainingPerBranch = 50;
/// Tokens have a limit, but any number of instructions may stand between two of them.
constexpr uint64_t kMaxInstructions = uint64_t{1} << 36;

bool learns(PredictorKind kind) {
  return kind == PredictorKind::Bimodal || kind == PredictorKind::Gshare || kind == PredictorKind::Tage;
}

TraceError failure(std::string message) {
  return {.position = {.line = 0, .column = 0}, .message = std::move(message)};
}

/// What a first walk finds out about the steps in the scope.
struct Survey {
  uint64_t instructions = 0;
  uint64_t predicted = 0;            ///< executions of branches that have to be predicted
  std::vector<uint32_t> executed;    ///< the instructions that are executed, in text order
  std::vector<uint32_t> followed;    ///< the calls among them whose callees the trace always enters
  std::vector<uint32_t> steppedOver; ///< the other calls among them
  std::optional<TraceError> error;
};

Survey survey(const StepSource &start, const ProgramBranches &branches) {
  Survey found;
  std::vector<bool> executed(branches.size()), followed(branches.size()), steppedOver(branches.size());
  const std::unique_ptr<StepSource> steps = start.clone();
  std::vector<TraceStep> batch(512);
  uint64_t walked = 0;
  uint32_t first = kNone, last = 0;
  while (const size_t count = steps->read(batch)) {
    walked += count;
    if (walked > kMaxInstructions) {
      found.error = failure("the trace executes more than 2^36 instructions");
      return found;
    }
    for (const TraceStep &step : std::span(batch).first(count)) {
      if (!step.isInScope)
        continue;
      ++found.instructions;
      executed[step.instruction] = true;
      first = std::min(first, step.instruction);
      last = std::max(last, step.instruction);
      if (step.kind == BranchKind::None)
        continue;
      found.predicted += isPredicted(step.kind);
      if (isCall(step.kind) && step.taken)
        (step.target < BranchOutcome::kOutside ? followed : steppedOver)[step.instruction] = true;
    }
  }
  for (uint32_t i = first; i <= last && i < branches.size(); ++i) {
    if (executed[i])
      found.executed.push_back(i);
    if (steppedOver[i])
      found.steppedOver.push_back(i);
    else if (followed[i])
      found.followed.push_back(i);
  }
  found.error = steps->error();
  return found;
}

/// A call that the trace follows takes the time of its callee: it has no assumed latency, and its return address and
/// stack pointer are known at once.
void makeImmediate(PreparedRegion &region, uint32_t position) {
  Body &body = region.body;
  BodyInstruction &call = body.instructions[position];
  call.latency = 1;
  for (uint32_t i = 0; i < call.writes.count; ++i) {
    int32_t &latency = body.writes[call.writes.first + i].latency;
    latency = std::min(latency, 1);
  }
  if (!region.calibrated)
    return;
  const CalibratedInstruction &measured = region.calibrated->instructions[position];
  for (const CalibratedDestination &destination :
       CalibratedBody::slice(region.calibrated->destinations, measured.destinations))
    for (uint32_t i = 0; i <= measured.sources.count; ++i) {
      int32_t &latency = region.calibrated->latencies[destination.latencies + i];
      latency = std::min(latency, 1);
    }
}

/// Lowers each executed instruction once.
std::optional<TraceError> lower(Simulator &simulator, const Program &program, const Survey &found,
                                const SimulationOptions &options, const OnSkippedInTrace &onSkipped,
                                PreparedTrace &prepared) {
  const auto skipped = [&](const SkippedInstruction &one) {
    return !onSkipped || onSkipped(found.executed[one.instruction], one.message);
  };
  SimulationOptions ofTrace = options;
  ofTrace.inAnyOrder = true;
  if (std::optional<Failure> failed = simulator.prepare(program, found.executed, ofTrace, prepared.region, skipped))
    return failure(failed->message);
  BodyPositions &body = prepared.positions;
  const std::vector<uint32_t> &origins = prepared.region.simulation.instructions;
  for (uint32_t position = 0; position < origins.size(); ++position)
    body.positions[found.executed[origins[position]] - body.first] = position;
  for (const uint32_t call : found.followed)
    if (const uint32_t position = body.of(call); position != kNone)
      makeImmediate(prepared.region, position);
  return std::nullopt;
}

/// Cycles.
uint32_t penaltyOf(const Target &target, const SimulationOptions &options) {
  if (options.calibration && options.calibration->facts.redirectPenalty.value)
    return *options.calibration->facts.redirectPenalty.value;
  return target.subtarget().getSchedModel().MispredictPenalty;
}

std::optional<uint32_t> learntPeriodOf(const SimulationOptions &options) {
  return options.calibration ? options.calibration->facts.learntPeriod.value : std::nullopt;
}

/// Micro-ops per cycle. In order, the override has no effect, as in llvm-mca.
uint32_t widthOf(const PreparedRegion &region, const Target &target, const SimulationOptions &options) {
  if (region.calibrated)
    return slotsPerCycle(*region.calibrated);
  const bool isOverridden = options.dispatchWidth && target.isOutOfOrder();
  return isOverridden ? options.dispatchWidth : target.subtarget().getSchedModel().IssueWidth;
}

/// Completes a run whose steps, predictor and branches are known.
std::variant<PreparedTrace, TraceError> prepare(PreparedTrace prepared, Simulator &simulator, const Target &target,
                                                const Program &program, const SimulationOptions &options,
                                                const TraceSettings &settings, const OnSkippedInTrace &onSkipped) {
  Survey found = survey(*prepared.steps, *prepared.branches);
  if (found.error)
    return *found.error;
  prepared.steppedOver = std::move(found.steppedOver);
  if (!found.executed.empty())
    prepared.positions = {found.executed.front(),
                          std::vector(found.executed.back() - found.executed.front() + 1, kNone)};
  if (!found.executed.empty() || !settings.scope)
    if (std::optional<TraceError> error = lower(simulator, program, found, options, onSkipped, prepared))
      return std::move(*error);
  prepared.maxInstructions = settings.maxInstructions;
  prepared.predictedBranches = found.predicted;
  prepared.report = {.predictor = std::string(prepared.predictor->name()),
                     .predictorBits = prepared.predictor->storageBits(),
                     .mispredictPenalty = settings.mispredictPenalty.value_or(penaltyOf(target, options)),
                     .dispatchWidth = widthOf(prepared.region, target, options),
                     .trainingInstructions = prepared.learns ? found.instructions / 2 : 0};
  return prepared;
}

/// One run on one machine.
class TraceSimulation {
public:
  TraceSimulation(Simulator &simulator, PreparedTrace &prepared) : simulator_(simulator), prepared_(prepared) {}

  Result<TraceReport> run();

private:
  Result<TraceRun> simulate(PredictedStream &stream) {
    return simulator_.run(prepared_.region, stream, prepared_.report.mispredictPenalty);
  }
  uint64_t atMost(uint64_t instructions) const { return std::min(instructions, prepared_.maxInstructions); }
  void addBranches(const std::vector<PredictedStream::Count> &counts, TraceReport &report) const;
  void addPerfectCycles(PredictedStream trained, TraceReport &report);
  void addCosts(const PredictedStream &trained, TraceReport &report);
  void measureCosts(const PredictedStream &trained, std::span<TracedBranch *const> costly);

  Simulator &simulator_;
  PreparedTrace &prepared_;
};

Result<TraceReport> TraceSimulation::run() {
  TraceReport report = prepared_.report;
  if (prepared_.region.body.instructions.empty())
    return report;
  PredictedStream trained(prepared_.steps->clone(), *prepared_.branches, prepared_.header, prepared_.positions,
                          prepared_.predictor->clone());
  trained.train(report.trainingInstructions);
  trained.limit(prepared_.maxInstructions);
  PredictedStream stream = trained;
  Result<TraceRun> run = simulate(stream);
  if (!run)
    return Failure{run.message()};
  report.run = std::move(*run);
  report.iterations = stream.iterations();
  addBranches(stream.counts(), report);
  report.isBarelyTrained =
      prepared_.learns && prepared_.predictedBranches / 2 < kTrainingPerBranch * report.branches.size();
  addPerfectCycles(trained, report);
  addCosts(trained, report);
  return report;
}

void TraceSimulation::addBranches(const std::vector<PredictedStream::Count> &counts, TraceReport &report) const {
  for (size_t i = 0; i < counts.size(); ++i) {
    const PredictedStream::Count &count = counts[i];
    if (!count.executions)
      continue;
    TracedBranch &branch =
        report.branches.emplace_back(TracedBranch{.instruction = prepared_.positions.first + static_cast<uint32_t>(i),
                                                  .executions = count.executions,
                                                  .taken = count.taken,
                                                  .mispredictions = count.mispredictions});
    report.mispredictions += count.mispredictions;
    const uint32_t position = prepared_.positions.positions[i];
    if (position == kNone) {
      branch.text = "(no scheduling data)";
      continue;
    }
    branch.text = prepared_.region.simulation.report.instructions[position].text;
    const TracedInstruction &traced = report.run.byInstruction[position];
    if (traced.redirects)
      branch.conditionWait = double(traced.conditionWait) / double(traced.redirects);
  }
}

void TraceSimulation::addPerfectCycles(PredictedStream trained, TraceReport &report) {
  report.perfectCycles = report.run.cycles;
  if (!report.mispredictions)
    return;
  trained.setPredictor(createPredictor(PredictorKind::Perfect));
  trained.limit(atMost(kPerfectInstructions));
  Result<TraceRun> perfect = simulate(trained);
  if (!perfect || !perfect->instructions)
    return;
  const double share = double(report.run.instructions) / double(perfect->instructions);
  report.perfectCycles = static_cast<uint64_t>(double(perfect->cycles) * share);
  report.perfectIsEstimated = report.run.instructions > kPerfectInstructions;
}

/// What one misprediction of a branch costs. Of the branches that hold fetching back for most cycles, it is measured by
/// another run, if it is to be exact; of all others, the lost cycles are divided by those shares.
void TraceSimulation::addCosts(const PredictedStream &trained, TraceReport &report) {
  std::vector<TracedBranch *> costly;
  uint64_t held = 0;
  const auto countsOf = [&](const TracedBranch *branch) -> const TracedInstruction & {
    return report.run.byInstruction[prepared_.positions.of(branch->instruction)];
  };
  for (TracedBranch &branch : report.branches)
    if (branch.mispredictions && prepared_.positions.of(branch.instruction) != kNone) {
      costly.push_back(&branch);
      held += countsOf(&branch).heldFetches;
    }
  const double lost = std::max(0.0, double(report.run.cycles) - double(report.perfectCycles));
  for (TracedBranch *branch : costly)
    if (const TracedInstruction &counts = countsOf(branch); counts.redirects && held)
      branch->cost = lost * double(counts.heldFetches) / double(held) / double(counts.redirects);
  if (!prepared_.measuresCosts || costly.size() < 2)
    return;
  llvm::stable_sort(costly, [&](const TracedBranch *a, const TracedBranch *b) {
    return countsOf(a).heldFetches > countsOf(b).heldFetches;
  });
  costly.resize(std::min(costly.size(), kMeasuredBranches));
  measureCosts(trained, costly);
}

/// By a run in which the branch is predicted right.
void TraceSimulation::measureCosts(const PredictedStream &trained, std::span<TracedBranch *const> costly) {
  PredictedStream part = trained;
  part.limit(atMost(kCostInstructions));
  PredictedStream usual = part;
  Result<TraceRun> all = simulate(usual);
  for (TracedBranch *branch : costly) {
    PredictedStream improved = part;
    improved.setAlwaysRight(branch->instruction);
    Result<TraceRun> without = simulate(improved);
    if (!all || !without)
      return;
    if (const uint64_t redirects = all->byInstruction[prepared_.positions.of(branch->instruction)].redirects)
      branch->cost = (double(all->cycles) - double(without->cycles)) / double(redirects);
  }
}

} // namespace

std::variant<PreparedTrace, TraceError> prepareTrace(Simulator &simulator, const Target &target, const Program &program,
                                                     const TokenTargets &targets, const TraceStatement &trace,
                                                     const SimulationOptions &options, const TraceSettings &settings,
                                                     const OnSkippedInTrace &onSkipped) {
  const ProgramBranches &branches = targets.branches();
  TraceWalk walk(targets, trace);
  if (walk.entry() == kNone && !walk.error())
    return TraceError{.position = trace.position, .message = "the trace executes no instruction"};
  return prepare({.steps = std::make_unique<WalkSteps>(std::move(walk), branches, settings.scope, settings.maxSteps),
                  .predictor = createPredictor(settings.predictor, settings.measured, learntPeriodOf(options)),
                  .branches = &branches,
                  .header = settings.scope ? settings.scope->header : kNone,
                  .learns = learns(settings.predictor),
                  .measuresCosts = true},
                 simulator, target, program, options, settings, onSkipped);
}

std::variant<PreparedTrace, TraceError> prepareOdds(Simulator &simulator, const Target &target, const Program &program,
                                                    const ProgramBranches &branches, const TraceScope &scope,
                                                    std::span<const BranchOdds> odds, const SimulationOptions &options,
                                                    const TraceSettings &settings, const OnSkippedInTrace &onSkipped) {
  const uint64_t most = std::clamp<uint64_t>(20 * scope.instructions.size(), 40'000, 100'000);
  const OddsLimits limits{.instructions = std::min(most, settings.maxInstructions)};
  const bool isBound = settings.predictor == PredictorKind::Perfect || settings.predictor == PredictorKind::None;
  return prepare(
      {.steps = std::make_unique<OddsWalk>(branches, scope, odds, limits),
       .predictor = isBound ? createPredictor(settings.predictor) : createOddsPredictor(odds, settings.measured),
       .branches = &branches,
       .header = scope.header},
      simulator, target, program, options, settings, onSkipped);
}

Result<TraceReport> runTrace(PreparedTrace &prepared, Simulator &simulator) {
  return TraceSimulation(simulator, prepared).run();
}

} // namespace mca
