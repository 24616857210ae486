#include "analysis/flows/loop_flows.h"

#include "analysis/flows/loop_odds.h"
#include "analysis/regions/caveats.h"
#include "analysis/simulate/parallel.h"
#include "analysis/text/comment_syntax.h"
#include "analysis/text/counts.h"
#include "analysis/wire/finding_codes.h"
#include "mca-core/program/branch.h"
#include "mca-core/report/trace_simulation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <atomic>

namespace analysis {
namespace {

/// Counted instructions of a loop.
constexpr uint64_t kTraceInstructions = 40'000, kOddsInstructions = 4'000, kMostOddsInstructions = 100'000;
/// For a long loop at least so many iterations.
constexpr uint64_t kOddsIterations = 20;
/// Of a document, in instructions that are simulated: some 1,500 loops, and one or two seconds of one thread. It counts
/// all loops, so that the result does not depend on the cache.
constexpr uint64_t kMaxWork = 12'000'000;
/// Runs of a loop: with its mispredictions and without them, and along a trace to find the costs of two branches, say.
constexpr uint64_t kOddsRuns = 2, kTraceRuns = 5;
/// Walking along a trace is that many times faster than simulating it.
constexpr uint64_t kWalkSpeed = 10;

/// What a loop's flow is computed from.
struct Plan {
  const SimulatedRegion *simulated = nullptr; ///< the first one of the loop
  const KnownTrace *trace = nullptr;          ///< if set, the odds are not used
  std::string path;                           ///< the statement of the comment that chose the odds; empty if none did
  std::vector<mca::BranchOdds> odds;
  std::vector<mca::MeasuredBranch> measured; ///< of the loop's branches
  FlowCache::Key key;
  FlowCache::Entry entry;

  const Region &region() const { return *simulated->region; }
  const mca::Loop &loop() const { return region().body->loop; }
};

/// A loop that is not in the cache.
struct Run {
  FlowCache::Key key;
  uint32_t header = 0;
  mca::PreparedTrace prepared;
  llvm::DenseMap<uint32_t, uint32_t> loads; ///< by branch
  bool hasBranches = false;                 ///< it has a branch that is more than a predictable end
  std::shared_ptr<CachedFlow> result;
};

std::string withSingleSpaces(std::string text) {
  std::replace(text.begin(), text.end(), '\t', ' ');
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
  return text;
}

/// At most, of a run without a trace.
uint64_t oddsInstructions(const mca::Loop &loop) {
  return std::clamp(kOddsIterations * loop.instructions.size(), kOddsInstructions, kMostOddsInstructions);
}

/// In how many blocks an iteration can go on in two ways.
bool hasSeveralWays(const mca::Loop &loop) {
  return llvm::any_of(loop.blocks,
                      [](const mca::LoopBlock &block) { return block.successors.size() + block.isLatch > 1; });
}

class FlowFinder {
public:
  explicit FlowFinder(const FlowContext &context)
      : context_(context), branches_(context.code.branches), odds_(context.code.blocks, context.probability),
        options_(context.options) {
    settings_.predictor = mca::predictorNamed(context.request.settings.predictor).value_or(mca::PredictorKind::Tage);
    if (context.request.settings.mispredictPenalty)
      settings_.mispredictPenalty = context.request.settings.mispredictPenalty;
    options_.timeline = options_.pressure = options_.rate = false;
  }

  Flows find(const std::vector<const SimulatedRegion *> &loops, std::shared_ptr<const TraceFile> file) {
    if (file || !context_.comments.empty()) // not the last region's, if something ends the process
      context_.progress({.id = context_.request.id,
                         .stage = wire::Stage::Simulating,
                         .what = "the branch traces",
                         .at = context_.map.lines().content(0),
                         .total = static_cast<uint32_t>(loops.size())});
    traces_.emplace(DocumentTraces::Context{branches_, context_.map, context_.walks,
                                            context_.request.settings.trace.empty(), context_.stop},
                    std::move(file), context_.comments);
    flows_.findings = traces_->takeFindings();
    odds_.setCounts(traces_->counts());
    readPaths(loops);
    makePlans(loops);
    for (Plan &plan : plans_)
      if (!context_.stop.stop_requested())
        provide(plan);
    runBatch();
    for (const Plan &plan : plans_)
      if (plan.entry && plan.entry->flow)
        flows_.flows.push_back(flowOf(plan));
    return std::move(flows_);
  }

  mca::Result<mca::TraceWindow> record(uint32_t loop, const mca::WindowRange &range);

private:
  void readPaths(std::span<const SimulatedRegion *const> loops);
  std::optional<wire::Words> readPath(const std::string &statement, uint32_t line,
                                      std::span<const SimulatedRegion *const> loops);
  bool isAt(const Region &loop, uint32_t line) const;
  void makePlans(std::span<const SimulatedRegion *const> loops);
  Plan planOf(const SimulatedRegion &simulated);
  static uint64_t workOf(const Plan &plan);
  /// Whether the file has counts of one of the branches.
  bool isCounted(const Plan &plan) const {
    return llvm::any_of(plan.odds, [&](const mca::BranchOdds &one) { return odds_.isCounted(one.branch); });
  }
  FlowCache::Key keyOf(const Plan &plan) const;
  void provide(Plan &plan);
  void prepare(Plan &plan);
  std::variant<mca::PreparedTrace, mca::TraceError> lower(const Plan &plan, mca::SimulationOptions options);
  void runBatch();
  void simulate(Run &run, mca::Simulator &simulator) const;
  static wire::ControlFlow describe(const Run &run, const mca::TraceReport &report);
  wire::ControlFlow flowOf(const Plan &plan) const;

  const FlowContext context_;
  const mca::ProgramBranches &branches_;
  OddsOfBranches odds_;
  mca::SimulationOptions options_;
  mca::TraceSettings settings_;
  std::optional<DocumentTraces> traces_;
  /// What the comments chose, by Region::loop.
  llvm::DenseMap<uint32_t, std::pair<std::string, std::vector<mca::BranchOdds>>> paths_;
  std::vector<Plan> plans_;
  std::vector<std::unique_ptr<Run>> batch_;
  Flows flows_;
};

// ---- paths ---------------------------------------------------------------------------------------------------------

void FlowFinder::readPaths(std::span<const SimulatedRegion *const> loops) {
  constexpr size_t kMaxComments = 100;
  const TextLines &lines = context_.map.lines();
  for (const TraceComment &comment : llvm::ArrayRef(context_.comments).take_front(kMaxComments)) {
    if (!comment.isPath)
      continue;
    const std::string statement(lines.text().substr(comment.at.begin, comment.at.end - comment.at.begin));
    std::optional<wire::Words> problem = readPath(statement, lines.lineOf(comment.at.begin), loops);
    if (problem)
      flows_.findings.push_back(wire::makeFinding(comment.at, wire::codes::kTraceError, std::move(*problem)));
  }
}

/// Several loops of the code may stand at one place: the path counts for all that have it. Returns why none has.
std::optional<wire::Words> FlowFinder::readPath(const std::string &statement, uint32_t line,
                                                std::span<const SimulatedRegion *const> loops) {
  const auto outcomes = analysis::readPath(statement);
  if (const auto *problem = std::get_if<wire::Words>(&outcomes))
    return *problem;
  wire::Words problem{wire::Sentence::PathWithoutLoop};
  bool fits = false;
  for (const SimulatedRegion *simulated : loops) {
    const Region &loop = *simulated->region;
    if (!isAt(loop, line))
      continue;
    auto odds = oddsOfPath(branches_, loop.body->loop, std::get<std::vector<bool>>(outcomes));
    if (auto *why = std::get_if<wire::Words>(&odds)) {
      problem = std::move(*why);
      continue;
    }
    fits = true;
    paths_.try_emplace(loop.loop, statement, std::move(std::get<std::vector<mca::BranchOdds>>(odds)));
  }
  return fits ? std::nullopt : std::optional(std::move(problem));
}

/// Whether a loop holds the line, or is the first thing after it that is no comment of ours.
bool FlowFinder::isAt(const Region &loop, uint32_t line) const {
  const TextLines &lines = context_.map.lines();
  const uint32_t first = lines.lineOf(loop.at.begin);
  if (line >= first)
    return line <= lines.lineOf(loop.at.end);
  for (uint32_t between = line + 1; between < first; ++between) {
    const std::string_view text = lines.lineText(between);
    if (text.find_first_not_of(" \t\r") != std::string_view::npos &&
        comments::settingsBegin(text) == std::string_view::npos)
      return false;
  }
  return true;
}

// ---- plans ---------------------------------------------------------------------------------------------------------

void FlowFinder::makePlans(std::span<const SimulatedRegion *const> loops) {
  uint64_t work = 0;
  size_t left = 0;
  for (const SimulatedRegion *loop : loops) {
    if (context_.stop.stop_requested())
      return;
    Plan plan = planOf(*loop);
    // Without a trace, most loops don't need one.
    if (!plan.trace && plan.path.empty() && plan.measured.empty() && !mayBeUncertain(plan.odds))
      continue;
    work += workOf(plan);
    if (work > kMaxWork)
      ++left;
    else
      plans_.push_back(std::move(plan));
  }
  if (left)
    flows_.notes.push_back("the branches of " + counted(left, "loop") +
                           " are taken as predicted right: the document has too many to simulate");
}

Plan FlowFinder::planOf(const SimulatedRegion &simulated) {
  const Region &loop = *simulated.region;
  Plan plan{.simulated = &simulated};
  if (const auto path = paths_.find(loop.loop); path != paths_.end()) {
    plan.path = path->second.first;
    plan.odds = path->second.second;
    return plan;
  }
  const auto enters = [&](const KnownTrace &trace) {
    return std::ranges::binary_search(trace.walked->executed, loop.body->loop.header());
  };
  const auto &traces = traces_->traces();
  if (const auto trace = llvm::find_if(traces, enters); trace != traces.end())
    plan.trace = &*trace;
  else
    plan.odds = odds_.of(loop.body->loop);
  // Along a trace, measurements count only if they are wanted.
  if (!plan.trace || settings_.predictor == mca::PredictorKind::Measured)
    for (const uint32_t instruction : loop.body->loop.instructions) {
      const auto known =
          std::ranges::lower_bound(traces_->measured(), instruction, {}, &mca::MeasuredBranch::instruction);
      if (known != traces_->measured().end() && known->instruction == instruction)
        plan.measured.push_back(*known);
    }
  return plan;
}

uint64_t FlowFinder::workOf(const Plan &plan) {
  return plan.trace ? std::min(plan.trace->walked->steps, kTraceInstructions) * kTraceRuns +
                          plan.trace->walked->steps / kWalkSpeed
                    : oddsInstructions(plan.loop()) * kOddsRuns;
}

template <typename... Numbers>
void append(std::string &blob, Numbers... values) {
  (blob.append(reinterpret_cast<const char *>(&values), sizeof values), ...);
}

FlowCache::Key FlowFinder::keyOf(const Plan &plan) const {
  const mca::Loop &loop = plan.loop();
  const uint32_t header = loop.header();
  std::string blob;
  mca::SimulationOptions options = options_;
  options.entryOffsets = plan.simulated->region->entryOffsets;
  const auto fromHeader = [&](uint32_t instruction) {
    return instruction == mca::kNone ? mca::kNone : instruction - header;
  };
  const auto addCode = [&](std::span<const uint32_t> instructions) {
    const FlowCache::Key code = ReportCache::keyOf(branches_.target(), branches_.program(), instructions, options);
    append(blob, code.low64, code.high64, instructions.size());
    for (const uint32_t instruction : instructions) {
      append(blob, instruction - header);
      if (branches_.kindOf(instruction) == mca::BranchKind::None)
        continue;
      append(blob, fromHeader(branches_.at(instruction).target), fromHeader(branches_.at(instruction).fallThrough));
      for (const uint32_t target : branches_.tableTargets(instruction))
        append(blob, target - header);
    }
  };
  append(blob, settings_.predictor, settings_.mispredictPenalty.value_or(~0u), plan.path.size(), isCounted(plan),
         plan.simulated->calibration ? context_.calibrationDigest : 0);
  addCode(loop.instructions);
  append(blob, header - loop.instructions.front());
  if (plan.trace) {
    addCode(plan.trace->walked->executed);
    append(blob, plan.trace->walked->digest, plan.trace->walked->steps);
  }
  for (const mca::BranchOdds &odds : plan.odds) {
    append(blob, odds.taken, odds.targets.size());
    for (const mca::TargetOdds &target : odds.targets)
      append(blob, fromHeader(target.instruction), target.probability);
  }
  for (const mca::MeasuredBranch &measured : plan.measured)
    append(blob, measured.instruction - header, measured.executions, measured.mispredictions);
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(blob.data()), blob.size()));
}

// ---- runs ----------------------------------------------------------------------------------------------------------

/// Takes a flow from the cache, or prepares its run.
void FlowFinder::provide(Plan &plan) {
  plan.key = keyOf(plan);
  plan.entry = context_.flows.find(plan.key);
  if (plan.entry)
    return;
  // The same loop may be in the batch already.
  const auto same = llvm::find_if(batch_, [&](const auto &run) { return run->key == plan.key; });
  if (same != batch_.end())
    plan.entry = (*same)->result;
  else
    prepare(plan);
}

void FlowFinder::prepare(Plan &plan) {
  const Region &region = plan.region();
  context_.progress({.id = context_.request.id,
                     .stage = wire::Stage::Simulating,
                     .what = region.name,
                     .at = region.at,
                     .done = static_cast<uint32_t>(&plan - plans_.data()),
                     .total = static_cast<uint32_t>(plans_.size())});
  auto run = std::make_unique<Run>();
  run->key = plan.key;
  run->header = plan.loop().header();
  plan.entry = run->result = std::make_shared<CachedFlow>();
  run->hasBranches = hasSeveralWays(plan.loop());
  const BranchConditions conditions(branches_, plan.loop());
  for (const uint32_t instruction : plan.loop().instructions) {
    const BranchCondition condition = conditions.of(instruction);
    run->hasBranches |= condition.dependsOnData;
    if (condition.load != mca::kNone)
      run->loads[instruction] = condition.load;
  }
  const bool isChosen = plan.trace || !plan.path.empty() || !plan.measured.empty();
  const bool isUncertain = plan.path.empty() && markUncertain(conditions, plan.odds);
  auto prepared = isChosen || isUncertain ? lower(plan, options_) : mca::TraceError();
  if (auto *ready = std::get_if<mca::PreparedTrace>(&prepared)) {
    run->prepared = std::move(*ready);
    batch_.push_back(std::move(run));
  } else {
    context_.flows.insert(plan.key, plan.entry); // no flow
  }
  constexpr size_t kBatch = 64; // a run takes some hundred kilobytes
  // The rules of some targets allow only one prepared region.
  if (batch_.size() == kBatch || (!batch_.empty() && batch_.back()->prepared.region.hazards))
    runBatch();
}

/// Fails if the instructions cannot be simulated on the machine that the loop's other numbers are of.
std::variant<mca::PreparedTrace, mca::TraceError> FlowFinder::lower(const Plan &plan, mca::SimulationOptions options) {
  options.calibration = plan.simulated->calibration;
  options.entryOffsets = plan.simulated->region->entryOffsets;
  const mca::Loop &loop = plan.loop();
  mca::TraceScope scope{.instructions = loop.instructions, .header = loop.header()};
  llvm::sort(scope.instructions);
  mca::TraceSettings settings = settings_;
  settings.measured = plan.measured;
  const auto onSkipped = [](uint32_t, const std::string &) { return true; };
  if (plan.trace) {
    settings.scope = &scope;
    settings.maxSteps = plan.trace->walked->steps;
    settings.maxInstructions = kTraceInstructions;
    if (settings.predictor == mca::PredictorKind::Measured && plan.measured.empty())
      settings.predictor = mca::PredictorKind::Tage;
    return mca::prepareTrace(context_.simulators.own(), branches_.target(), branches_.program(), *plan.trace->targets,
                             *plan.trace->statement, options, settings, onSkipped);
  }
  settings.maxInstructions = oddsInstructions(loop);
  if (!plan.path.empty())
    settings.predictor = mca::PredictorKind::Perfect;
  else if (!isCounted(plan))
    settings.predictor =
        mca::PredictorKind::Tage; // the setting is about traces: the odds have a predictor of their own
  return mca::prepareOdds(context_.simulators.own(), branches_.target(), branches_.program(), branches_, scope,
                          plan.odds, options, settings, onSkipped);
}

/// Lowers the loop again, because a run that is only counted keeps no reasons of waits.
mca::Result<mca::TraceWindow> FlowFinder::record(uint32_t loop, const mca::WindowRange &range) {
  const auto plan = llvm::find_if(plans_, [&](const Plan &one) { return one.region().loop == loop; });
  if (plan == plans_.end() || !plan->entry || !plan->entry->flow)
    return mca::Failure{"the loop has no flow"};
  if (plan->path.empty()) // not done yet if the flow comes from the cache
    markUncertain(BranchConditions(branches_, plan->loop()), plan->odds);
  mca::SimulationOptions options = options_;
  options.waitReasons = true;
  auto prepared = lower(*plan, options);
  if (const auto *error = std::get_if<mca::TraceError>(&prepared))
    return mca::Failure{error->message};
  return mca::recordWindow(std::get<mca::PreparedTrace>(prepared), context_.simulators.own(), range);
}

/// Every thread has a simulator of its own, and takes the next run when it has finished one.
void FlowFinder::runBatch() {
  const size_t threads = std::min(context_.threads, batch_.size());
  std::vector<mca::Simulator *> simulators;
  for (size_t i = 0; i < threads; ++i)
    simulators.push_back(&context_.simulators.ofThread(i));
  std::atomic<size_t> next = 0;
  const auto work = [&](size_t thread) {
    for (size_t i = next++; i < batch_.size() && !context_.stop.stop_requested(); i = next++)
      simulate(*batch_[i], *simulators[thread]);
  };
  forEachInParallel(threads, threads, work, /*atATime=*/1);
  if (!context_.stop.stop_requested())
    for (const auto &run : batch_)
      context_.flows.insert(run->key, run->result);
  batch_.clear();
}

void FlowFinder::simulate(Run &run, mca::Simulator &simulator) const {
  mca::Result<mca::TraceReport> report = mca::runTrace(run.prepared, simulator);
  if (!report || report->iterations == 0 || (!run.hasBranches && !report->mispredictions))
    return;
  run.result->flow = describe(run, *report);
  for (const wire::BranchCost &branch : run.result->flow->branches) {
    const auto load = run.loads.find(branch.instruction + run.header);
    run.result->loads.push_back(load == run.loads.end() ? mca::kNone : load->second - run.header);
  }
  for (const uint32_t call : run.prepared.steppedOver)
    run.result->calls.push_back(call - run.header);
}

wire::ControlFlow FlowFinder::describe(const Run &run, const mca::TraceReport &report) {
  const auto iterations = static_cast<double>(report.iterations);
  wire::ControlFlow flow{.predictor = report.predictor,
                         .mispredictPenalty = report.mispredictPenalty,
                         .iterations = report.iterations,
                         .instructions = report.run.instructions,
                         .cycles = static_cast<double>(report.run.cycles) / iterations,
                         .perfectCycles = static_cast<double>(report.perfectCycles) / iterations,
                         .missesPerThousand = report.mispredictionsPerThousand(),
                         .isBarelyTrained = report.isBarelyTrained};
  for (const mca::TracedBranch &one : report.branches) {
    const auto executions = static_cast<double>(one.executions), missed = static_cast<double>(one.mispredictions);
    wire::BranchCost branch{.instruction = one.instruction - run.header,
                            .text = withSingleSpaces(one.text),
                            .isIndirect =
                                run.prepared.branches->kindOf(one.instruction) != mca::BranchKind::ConditionalJump,
                            .executions = executions / iterations,
                            .taken = static_cast<double>(one.taken) / executions,
                            .missed = missed / executions,
                            .wait = one.conditionWait,
                            .cost = one.cost.value_or(-1),
                            .cyclesPerIteration = one.cost.value_or(0) * missed / iterations};
    const auto load = run.loads.find(one.instruction);
    if (const uint32_t position = load == run.loads.end() ? mca::kNone : run.prepared.positions.of(load->second);
        position != mca::kNone)
      branch.load = withSingleSpaces(run.prepared.region.simulation.report.instructions[position].text);
    flow.branches.push_back(std::move(branch));
  }
  return flow;
}

/// The flow with what depends on the document.
wire::ControlFlow FlowFinder::flowOf(const Plan &plan) const {
  wire::ControlFlow flow = *plan.entry->flow;
  const uint32_t header = plan.loop().header();
  flow.loop = plan.region().loop;
  std::shared_ptr<const TraceFile> file = plan.trace ? plan.trace->file : nullptr;
  if (plan.trace) {
    flow.statement = plan.trace->function;
    flow.source = file ? wire::ControlFlow::Source::File : wire::ControlFlow::Source::Comment;
  } else if (!plan.path.empty()) {
    flow.statement = plan.path;
    flow.source = wire::ControlFlow::Source::Comment;
  } else if (isCounted(plan)) {
    flow.source = wire::ControlFlow::Source::File;
    file = traces_->file();
  }
  if (file) {
    flow.file = file->path;
    flow.modified = file->modified;
  }
  for (size_t i = 0; i < flow.branches.size(); ++i) {
    wire::BranchCost &branch = flow.branches[i];
    branch.instruction += header;
    branch.at = context_.placeOf(branch.instruction, plan.region());
    if (!branch.load.empty())
      branch.loadAt = context_.placeOf(plan.entry->loads[i] + header, plan.region());
  }
  for (const uint32_t call : plan.entry->calls) { // the cache's key does not have the names
    flow.callers.push_back(call + header);
    std::string callee = calleeOf(branches_.target(), branches_.inst(call + header));
    if (!llvm::is_contained(flow.calls, callee))
      flow.calls.push_back(std::move(callee));
  }
  return flow;
}

/// One region of each loop.
std::vector<const SimulatedRegion *> loopsIn(std::span<const SimulatedRegion> regions) {
  std::vector<const SimulatedRegion *> loops;
  for (const SimulatedRegion &one : regions)
    if (one.region->body && (loops.empty() || loops.back()->region->loop != one.region->loop))
      loops.push_back(&one);
  return loops;
}

/// Whether it can be seen without the branches themselves that a CPU predicts a loop: the compiler expects that each
/// block is left one way.
bool isCertain(const mca::Loop &loop, const BranchProbability &probability) {
  return !hasSeveralWays(loop) && llvm::all_of(loop.blocks, [&](const mca::LoopBlock &block) {
    double stays = 0;
    const auto add = [&](uint32_t to) {
      const std::optional<double> known = probability(loop.instructions[block.end - 1], to);
      stays += std::max(known.value_or(0.5), 0.0);
    };
    for (const uint32_t successor : block.successors)
      add(loop.instructions[loop.blocks[successor].begin]);
    if (block.isLatch)
      add(loop.header());
    return stays > 1 - kLeastUncertain || stays < kLeastUncertain;
  });
}

/// Most loops are of this kind, so that it is found out once.
bool hasPredictableEnd(const FlowContext &context, const SimulatedRegion &simulated) {
  const mca::Loop &loop = simulated.region->body->loop;
  if (hasSeveralWays(loop)) // the entry may be that of a path, or of another loop with the same text
    return false;
  if (simulated.entry->hasPredictableEnd)
    return true;
  const BranchConditions conditions(context.code.branches, loop);
  simulated.entry->hasPredictableEnd = llvm::none_of(loop.instructions, [&](uint32_t instruction) {
    switch (context.code.branches.kindOf(instruction)) {
    case mca::BranchKind::ConditionalJump:
      return conditions.of(instruction).dependsOnData;
    case mca::BranchKind::IndirectJump:
    case mca::BranchKind::IndirectCall:
      return true;
    default:
      return false;
    }
  });
  return simulated.entry->hasPredictableEnd;
}

} // namespace

Flows findFlows(const FlowContext &context) {
  std::vector<const SimulatedRegion *> loops = loopsIn(context.regions);
  std::shared_ptr<const TraceFile> file = context.files.find(context.request.settings, context.request.path);
  if (!file && context.comments.empty())
    std::erase_if(loops, [&](const SimulatedRegion *loop) {
      return isCertain(loop->region->body->loop, context.probability) || hasPredictableEnd(context, *loop);
    });
  if (!file && context.comments.empty() && loops.empty())
    return {};
  const auto finder = std::make_shared<FlowFinder>(context);
  Flows flows = finder->find(loops, std::move(file));
  flows.recordWindow = [finder](uint32_t loop, const mca::WindowRange &range) { return finder->record(loop, range); };
  return flows;
}

} // namespace analysis
