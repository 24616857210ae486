// The steps of a job from the numbers to the result: regions and their simulations, budgets, views, coverage.
#include "analysis/job/job.h"

#include "analysis/documents/document.h"
#include "analysis/job/findings.h"
#include "analysis/job/inputs.h"
#include "analysis/job/instruction_texts.h"
#include "analysis/job/loop_advice.h"
#include "analysis/job/loop_shares.h"
#include "analysis/job/results.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/induction.h"
#include "analysis/simulate/listing.h"
#include "analysis/wire/finding_codes.h"
#include "analysis/wire/view_progress.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <map>

namespace analysis {

using wire::Sentence;

/// Reports the instructions without scheduling data: each mnemonic once, where it comes first in the buffer. One
/// without a line there has that of its region's hint.
void Job::reportLeftOut() {
  std::map<std::pair<std::string, std::string>, wire::ByteRange> first; // by mnemonic and reason
  for (const SimulatedRegion &simulated : simulated_)
    for (LeftOut &one : leftOutOf(*simulated.region, simulated.simulation())) {
      const uint32_t instruction = simulated.region->instructions[one.position];
      if (needsMissingFeature(program_->instructions()[instruction].offset))
        continue;
      const uint32_t line = simulated.region->lines[one.position];
      const wire::ByteRange at = lines_.content(line ? line - 1 : lines_.lineOf(simulated.region->anchor));
      const auto [known, isNew] = first.try_emplace({std::move(one.mnemonic), std::move(one.reason)}, at);
      if (!isNew && at.begin < known->second.begin)
        known->second = at;
    }
  for (const auto &[instruction, at] : first) {
    const auto &[mnemonic, reason] = instruction;
    addFinding(wire::makeFinding(at, wire::codes::kNoSchedulingData,
                                 {Sentence::NoSchedulingData, {mnemonic, target_->cpu(), reason}}));
  }
}

void Job::takeResults() {
  if (!simulated_.empty()) {
    for (wire::Finding &assumption : assumptions_)
      addFinding(std::move(assumption));
    const bool usesModel = llvm::any_of(simulated_, [](const SimulatedRegion &one) { return !one.isCalibrated(); });
    if (std::optional<wire::Finding> borrowed = modelFinding(*target_, lines_); borrowed && usesModel)
      addFinding(std::move(*borrowed));
  }
  reportLeftOut();
  const mca::SimulationOptions options = simulationOptions();
  const auto simulating = [&](size_t order) {
    const Region &region = *simulated_[order].region;
    tell(wire::Stage::Simulating, region.name, region.at, order, simulated_.size());
  };
  Results results({request_, result_.target, *target_, simulators_->own(), *program_, lines_, *map_, options,
                   shared_.findTarget, bufferSettings_.measures, shared_.threads, stop_, simulating},
                  simulated_);
  result_.regions = results.regions();
  result_.simulations = results.simulations();
  addProfile();
  countCoverage();
}

/// A profile is of the buffer's code, and not of that of git's HEAD.
void Job::addProfile() {
  const wire::Settings &settings = request_.settings;
  if (settings.profile.empty() || request_.version != wire::Version::Buffer)
    return;
  const ProfileFiles::Entry file = shared_.profiles.find(settings.profile, settings.profileFolder);
  if (!file->problem.empty())
    return addFinding(
        wholeFileFinding(lines_, wire::codes::kProfileUnusable, {Sentence::ProfileUnusable, {file->problem}}));
  result_.target.profile = addShares(
      *file, {.code = *code_, .path = request_.path, .lines = lines_, .isSource = !isAssembly(), .regions = simulated_},
      result_.regions);
}

/// A trace belongs to the buffer, and not to the text of git's HEAD.
void Job::addFlows() {
  if (!simulations_ || !request_.settings.loops || request_.version != wire::Version::Buffer)
    return;
  Flows found = findFlows(
      {.request = request_,
       .code = *code_,
       .map = *map_,
       .regions = simulated_,
       .probability = probability_,
       .comments = bufferSettings_.traces,
       .options = simulationOptions(),
       .calibrationDigest = calibration_ ? calibration_->digest : 0,
       .simulators = *simulators_,
       .flows = shared_.flows,
       .walks = shared_.walks,
       .files = shared_.traceFiles,
       .threads = shared_.threads,
       .stop = stop_,
       .progress = progress_,
       .placeOf = [this](uint32_t instruction, const Region &region) { return placeOf(instruction, region); }});
  result_.flows = std::move(found.flows);
  recordWindow_ = std::move(found.recordWindow);
  for (wire::Finding &finding : found.findings)
    addFinding(std::move(finding));
  llvm::append_range(result_.notes, found.notes);
}

/// What could make the loop that the line's hint shows faster.
void Job::listAdvice() {
  const auto shown = llvm::find_if(result_.regions, [](const wire::Region &region) { return region.rank == 0; });
  if (isAssembly() || !compiled_ || shown == result_.regions.end())
    return;
  LoopSigns signs = signsOf(result_);
  signs.storesWhereDataSay =
      storesWhereDataSay(*target_, *program_, simulated_[shown - result_.regions.begin()].region->instructions);
  result_.advice.chainsVectors = signs.isVector && signs.chainsFloats;
  if (request_.listCandidates)
    result_.advice.module = provenModule(functionsOfRegions());
  else
    result_.advice.module = std::move(module_);
  if (!request_.listCandidates && !request_.listFunction)
    return;
  AdviceSources sources{.request = request_,
                        .lines = lines_,
                        .statements = LoopStatements(request_.text, request_.language),
                        .result = result_,
                        .command = command_,
                        .compiled = *compiled_,
                        .target = *target_,
                        .signs = signs};
  for (const BufferSettings::TripCount &one : bufferSettings_.tripCounts)
    if (one.line + 2 == request_.onlyLine) // the line below, counted from 1
      sources.tripCount = one.count;
  if (request_.listFunction) {
    const FunctionNames functions(*program_);
    const Region &region = *simulated_[shown - result_.regions.begin()].region;
    sources.symbol = functions.symbolOf(functions.indexOf(region.instructions.front())).str();
    sources.assembly = compiledOutput_->result.assembly;
  }
  addAdvice(std::move(sources), result_.advice);
}

/// The symbols of the functions that regions are in.
std::vector<std::string> Job::functionsOfRegions() const {
  const FunctionNames functions(*program_);
  std::vector<std::string> symbols;
  for (const SimulatedRegion &one : simulated_) {
    std::string symbol = functions.symbolOf(functions.indexOf(one.region->instructions.front())).str();
    if (!llvm::is_contained(symbols, symbol))
      symbols.push_back(std::move(symbol));
  }
  return symbols;
}

/// As Region::places: of assembly its text, otherwise its line, if the loop has one for it.
wire::ByteRange Job::placeOf(uint32_t instruction, const Region &region) const {
  if (isAssembly())
    return map_->inBuffer(InstructionTexts(*program_, *target_).rangeOf(instruction));
  const std::vector<uint32_t> &instructions = region.body->loop.instructions;
  const auto found = llvm::find(instructions, instruction);
  const uint32_t line = found == instructions.end() ? 0 : region.body->lines[found - instructions.begin()];
  return line ? lines_.content(line - 1) : wire::ByteRange{};
}

/// The document, what it was compiled from, its trace, calibration and profile, and our own programs.
void Job::listInputs() {
  std::vector<std::string> &inputs = result_.inputs;
  inputs = ownPrograms();
  inputs.push_back(request_.path);
  if (compiledOutput_ && compiledOutput_->inputs)
    llvm::append_range(inputs, *compiledOutput_->inputs);
  result_.inputsUnknown = compiledOutput_ && !compiledOutput_->inputs;
  if (const TraceFiles::Entry trace = shared_.traceFiles.find(request_.settings, request_.path))
    inputs.push_back(trace->path);
  if (const std::string calibration = shared_.calibrations.fileOf(request_.settings, result_.target.cpu);
      !calibration.empty())
    inputs.push_back(calibration);
  if (!request_.settings.profile.empty() && llvm::sys::fs::exists(request_.settings.profile))
    inputs.push_back(request_.settings.profile);
  llvm::sort(inputs);
  inputs.erase(llvm::unique(inputs), inputs.end());
}

void Job::checkBudgets() {
  for (WrittenBudget &written : bufferSettings_.budgets) {
    wire::Budget &budget = written.budget;
    if (budget.cpu.empty())
      budget.cpu = result_.target.cpu;
    else if (budget.cpu != result_.target.cpu)
      tell(wire::Stage::Simulating, "the budget on " + budget.cpu, budget.at);
    for (size_t i = 0; i < regions_.size() && !stop_.stop_requested(); ++i)
      if (isBudgetOf(written, regions_[i]))
        budget.regions.push_back(checkBudget(budget, regions_[i]));
    result_.budgets.push_back(std::move(budget));
  }
}

/// Compares a region with a budget, with the numbers of the budget's CPU.
wire::BudgetedRegion Job::checkBudget(const wire::Budget &budget, const Region &region) const {
  const auto simulated = llvm::find_if(simulated_, [&](const SimulatedRegion &one) { return one.region == &region; });
  wire::BudgetedRegion result{.name = wire::fullName(region),
                              .sourceIterations = region.sourceIterations,
                              .calls = region.calls,
                              .caveats = region.caveats,
                              .region = static_cast<uint32_t>(simulated - simulated_.begin())};
  const auto take = [&](const mca::Summary &summary) {
    result.cyclesPerIteration = summary.cyclesPerIteration();
    result.ipc = summary.steadyIpc();
  };
  if (budget.cpu == result_.target.cpu) {
    if (simulated == simulated_.end()) {
      result.failure = "its region cannot be simulated";
      return result;
    }
    result.caveats = simulated->caveats;
    take(simulated->report().summary);
    return result;
  }
  const std::string listing = listingOf(*program_, *target_, region.instructions);
  // Making another target evicts the least recently used one. This request keeps our own target from being it.
  std::string error;
  shared_.findTarget(selection_, error);
  const OtherCpu other = simulateOn(budget.cpu, selection_.triple, listing, wantedIterations(), shared_.findTarget);
  if (!other.summary) {
    result.failure = other.remark.empty() ? "it cannot be simulated there" : other.remark;
    return result;
  }
  take(*other.summary);
  if (other.leftOut)
    result.caveats.push_back(*other.leftOut);
  else if (!other.remark.empty())
    result.caveats.push_back({.kind = wire::Caveat::Kind::OtherCpu, .names = {other.remark}});
  return result;
}

void Job::makeViews() {
  const DocumentSources sources{.request = request_,
                                .lines = lines_,
                                .target = target_,
                                .simulator = simulators_ ? &simulators_->own() : nullptr,
                                .program = program_.get(),
                                .calibration = calibrationOf(calibration_),
                                .map = map_ ? &*map_ : nullptr,
                                .regions = simulated_,
                                .results = result_.regions,
                                .flows = result_.flows,
                                .recordWindow = recordWindow_};
  for (const wire::DocumentRequest &document : request_.documents) {
    if (stop_.stop_requested())
      return;
    progress_(wire::viewProgress(request_.id, document));
    result_.views.push_back(makeView(sources, document));
  }
}

void Job::countCoverage() {
  const auto isLoop = [&](const Region &region) {
    return region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path;
  };
  // Loops are counted by their first instruction: the loop of an inlined function has a region at each call, and all
  // paths through a loop begin with the same instruction.
  llvm::DenseSet<uint32_t> all, hinted;
  for (const Region &region : regions_)
    if (isLoop(region))
      all.insert(region.instructions.front());
  all.insert(beyond_.loops.begin(), beyond_.loops.end());
  for (const SimulatedRegion &simulated : simulated_)
    if (isLoop(*simulated.region))
      hinted.insert(simulated.region->instructions.front());
  result_.coverage.loops = static_cast<uint32_t>(all.size()) + result_.coverage.elsewhere;
  result_.coverage.hinted = static_cast<uint32_t>(hinted.size());
}

} // namespace analysis
