// A trace is walked twice: to know its instructions, and to train the predictor and simulate. A walk costs a few
// nanoseconds per instruction, so that is cheaper than keeping the executed instructions of a long trace. Further runs
// over a part of it start from a copy of the trained predictor.
#include "mca-core/report/trace_simulation.h"

#include "mca-core/report/predicted_stream.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

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

/// What a first walk finds out.
struct Survey {
  uint64_t instructions = 0;
  uint64_t predicted = 0;         ///< executions of branches that have to be predicted
  std::vector<uint32_t> executed; ///< the instructions that the trace executes, in text order
  std::vector<uint32_t> followed; ///< the calls among them whose callees the trace always enters
  std::optional<TraceError> error;
};

Survey survey(TraceWalk walk, const ProgramBranches &branches) {
  Survey found;
  std::vector<bool> executed(branches.size()), followed(branches.size()), steppedOver(branches.size());
  for (TraceStep step; walk.next(step); ++found.instructions) {
    if (found.instructions == kMaxInstructions) {
      found.error =
          TraceError{.position = {.line = 0, .column = 0}, .message = "the trace executes more than 2^36 instructions"};
      return found;
    }
    executed[step.instruction] = true;
    if (step.kind == BranchKind::None)
      continue;
    found.predicted += isPredicted(step.kind);
    if ((step.kind == BranchKind::Call || step.kind == BranchKind::IndirectCall) && step.taken)
      (step.target < BranchOutcome::kOutside ? followed : steppedOver)[step.instruction] = true;
  }
  for (uint32_t i = 0; i < branches.size(); ++i) {
    if (executed[i])
      found.executed.push_back(i);
    if (followed[i] && !steppedOver[i])
      found.followed.push_back(i);
  }
  found.error = walk.error();
  return found;
}

/// A call that the trace follows takes the time of its callee: it has no assumed latency, and its return address and
/// stack pointer are known at once.
void makeImmediate(Body &body, uint32_t position) {
  BodyInstruction &call = body.instructions[position];
  call.latency = 1;
  for (uint32_t i = 0; i < call.writes.count; ++i) {
    int32_t &latency = body.writes[call.writes.first + i].latency;
    latency = std::min(latency, 1);
  }
}

/// The simulation of one trace on one machine.
class TraceSimulation {
public:
  TraceSimulation(Simulator &simulator, const Target &target, TraceWalk walk, const ProgramBranches &branches,
                  const TraceSettings &settings)
      : simulator_(simulator), target_(target), walk_(std::move(walk)), branches_(branches), settings_(settings) {}

  std::optional<TraceError> prepare(const Program &program, const Survey &found, const SimulationOptions &options,
                                    const OnSkippedInTrace &onSkipped);
  std::variant<TraceReport, TraceError> run(const Survey &found);

private:
  Result<TraceRun> simulate(PredictedStream &stream) { return simulator_.run(prepared_, stream, penalty_); }
  void addBranches(const std::vector<PredictedStream::Count> &counts, TraceReport &report) const;
  void addPerfectCycles(PredictedStream trained, TraceReport &report);
  void addCosts(const PredictedStream &trained, TraceReport &report);

  Simulator &simulator_;
  const Target &target_;
  const TraceWalk walk_; ///< at the start
  const ProgramBranches &branches_;
  const TraceSettings &settings_;
  PreparedRegion prepared_;
  std::vector<uint32_t> positions_; ///< by instruction of the program: its position in the body, or kNone
  std::vector<InstructionInfo> infos_;
  uint64_t training_ = 0; ///< instructions
  uint32_t penalty_ = 0;  ///< cycles
  uint32_t width_ = 0;    ///< micro-ops per cycle
};

TraceError failure(std::string message) {
  return {.position = {.line = 0, .column = 0}, .message = std::move(message)};
}

/// Lowers each executed instruction once.
std::optional<TraceError> TraceSimulation::prepare(const Program &program, const Survey &found,
                                                   const SimulationOptions &options,
                                                   const OnSkippedInTrace &onSkipped) {
  const auto skipped = [&](const SkippedInstruction &one) {
    return !onSkipped || onSkipped(found.executed[one.instruction], one.message);
  };
  if (std::optional<Failure> failed = simulator_.prepare(program, found.executed, options, prepared_, skipped))
    return failure(failed->message);
  positions_.assign(branches_.size(), kNone);
  const std::vector<uint32_t> &origins = prepared_.simulation.instructions;
  for (uint32_t position = 0; position < origins.size(); ++position)
    positions_[found.executed[origins[position]]] = position;
  for (const uint32_t call : found.followed)
    if (const uint32_t position = positions_[call]; position != kNone)
      makeImmediate(prepared_.body, position);
  infos_ = prepared_.simulation.report.instructions;
  training_ = learns(settings_.predictor) ? found.instructions / 2 : 0;
  penalty_ = settings_.mispredictPenalty.value_or(target_.subtarget().getSchedModel().MispredictPenalty);
  // In order, the override has no effect, as in llvm-mca.
  const bool isOverridden = options.dispatchWidth && target_.isOutOfOrder();
  width_ = isOverridden ? options.dispatchWidth : target_.subtarget().getSchedModel().IssueWidth;
  return std::nullopt;
}

std::variant<TraceReport, TraceError> TraceSimulation::run(const Survey &found) {
  TraceReport report{.mispredictPenalty = penalty_, .dispatchWidth = width_, .trainingInstructions = training_};
  auto predictor = createPredictor(settings_.predictor, settings_.measured);
  report.predictor = predictor->name();
  report.predictorBits = predictor->storageBits();
  PredictedStream trained(walk_, branches_, positions_, std::move(predictor));
  trained.train(training_);
  PredictedStream stream = trained;
  Result<TraceRun> run = simulator_.run(prepared_, stream, penalty_);
  if (!run)
    return failure(run.message());
  report.run = std::move(*run);
  addBranches(stream.counts(), report);
  report.isBarelyTrained =
      learns(settings_.predictor) && found.predicted / 2 < kTrainingPerBranch * report.branches.size();
  addPerfectCycles(trained, report);
  addCosts(trained, report);
  return report;
}

void TraceSimulation::addPerfectCycles(PredictedStream trained, TraceReport &report) {
  report.perfectCycles = report.run.cycles;
  if (!report.mispredictions)
    return;
  trained.setPredictor(createPredictor(PredictorKind::Perfect));
  trained.limit(kPerfectInstructions);
  Result<TraceRun> perfect = simulate(trained);
  if (!perfect || !perfect->instructions)
    return;
  const double share = double(report.run.instructions) / double(perfect->instructions);
  report.perfectCycles = static_cast<uint64_t>(double(perfect->cycles) * share);
  report.perfectIsEstimated = report.run.instructions > kPerfectInstructions;
}

void TraceSimulation::addBranches(const std::vector<PredictedStream::Count> &counts, TraceReport &report) const {
  for (uint32_t instruction = 0; instruction < counts.size(); ++instruction) {
    const PredictedStream::Count &count = counts[instruction];
    if (!count.executions)
      continue;
    TracedBranch &branch = report.branches.emplace_back(TracedBranch{.instruction = instruction,
                                                                     .executions = count.executions,
                                                                     .taken = count.taken,
                                                                     .mispredictions = count.mispredictions});
    report.mispredictions += count.mispredictions;
    const uint32_t position = positions_[instruction];
    if (position == kNone) {
      branch.text = "(no scheduling data)";
      continue;
    }
    branch.text = infos_[position].text;
    const TracedInstruction &traced = report.run.byInstruction[position];
    if (traced.redirects)
      branch.conditionWait = double(traced.conditionWait) / double(traced.redirects);
  }
}

/// Measures the branches that hold fetching back for most cycles.
void TraceSimulation::addCosts(const PredictedStream &trained, TraceReport &report) {
  std::vector<TracedBranch *> costly;
  for (TracedBranch &branch : report.branches)
    if (branch.mispredictions && positions_[branch.instruction] != kNone)
      costly.push_back(&branch);
  llvm::stable_sort(costly, [&](const TracedBranch *a, const TracedBranch *b) {
    const auto held = [&](const TracedBranch *one) {
      return report.run.byInstruction[positions_[one->instruction]].heldFetches;
    };
    return held(a) > held(b);
  });
  costly.resize(std::min(costly.size(), kMeasuredBranches));
  if (costly.empty())
    return;
  PredictedStream part = trained;
  part.limit(kCostInstructions);
  PredictedStream usual = part;
  Result<TraceRun> all = simulate(usual);
  for (TracedBranch *branch : costly) {
    PredictedStream improved = part;
    improved.setAlwaysRight(branch->instruction);
    Result<TraceRun> without = simulate(improved);
    if (!all || !without)
      return;
    const uint32_t position = positions_[branch->instruction];
    const uint64_t redirects = all->byInstruction[position].redirects;
    const TracedInstruction &whole = report.run.byInstruction[position];
    if (!redirects && whole.redirects)
      branch->cost = double(whole.heldFetches) / double(whole.redirects);
    if (redirects)
      branch->cost = (double(all->cycles) - double(without->cycles)) / double(redirects);
  }
}

} // namespace

std::variant<TraceReport, TraceError> simulateTrace(Simulator &simulator, const Target &target, const Program &program,
                                                    const TokenTargets &targets, const TraceStatement &trace,
                                                    const SimulationOptions &options, const TraceSettings &settings,
                                                    const OnSkippedInTrace &onSkipped) {
  const ProgramBranches &branches = targets.branches();
  const TraceWalk walk(targets, trace);
  const Survey found = survey(walk, branches);
  if (found.error)
    return *found.error;
  TraceSimulation simulation(simulator, target, walk, branches, settings);
  if (std::optional<TraceError> error = simulation.prepare(program, found, options, onSkipped))
    return std::move(*error);
  return simulation.run(found);
}

} // namespace mca
