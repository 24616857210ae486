// What is said of the numbers: hints, hovers and findings line by line, budgets, documents, coverage.
#include "analysis/job/job.h"

#include "analysis/documents/document.h"
#include "analysis/simulate/listing.h"
#include "analysis/simulate/parallel.h"
#include "analysis/verdict/findings.h"
#include "analysis/wire/finding_codes.h"
#include "analysis/wire/view_progress.h"
#include "analysis/wording/verdict_text.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <iterator>
#include <set>

namespace analysis {
/// Several paths may go through one such instruction, which is told once.
void Job::addSkipped(const Region &region, const mca::Simulation &simulation) {
  for (const mca::SkippedInstruction &skipped : simulation.skipped) {
    const uint32_t line = region.lines[skipped.instruction];
    if (!line)
      continue;
    const wire::ByteRange at = lines_.content(line - 1);
    const bool told = llvm::any_of(result_.findings, [&](const wire::Finding &one) {
      return one.at == at && one.code == wire::codes::kNoSchedulingData;
    });
    if (!told)
      addFinding({.at = at,
                  .severity = wire::Severity::Warning,
                  .code = wire::codes::kNoSchedulingData,
                  .message = "no scheduling data on " + target_->cpu() + ": left out of the numbers (" +
                             skipped.message + ")"});
  }
}

void Job::present() {
  if (!simulated_.empty()) {
    for (wire::Finding &assumption : assumptions_)
      addFinding(std::move(assumption));
    if (std::optional<wire::Finding> borrowed = modelFinding(*target_, lines_))
      addFinding(std::move(*borrowed));
  }
  for (const SimulatedRegion &simulated : simulated_)
    addSkipped(*simulated.region, *simulated.entry->simulation);
  const mca::SimulationOptions options = simulationOptions();
  const auto simulating = [&](size_t order) {
    const Region &region = *simulated_[order].region;
    tell(wire::Stage::Simulating, region.name, region.at, order, simulated_.size());
  };
  Presentation presentation({request_, result_.target, *target_, simulators_->own(), *program_, lines_, *map_, options,
                             shared_.findTarget, stop_, simulating},
                            simulated_);
  tellLines(presentation);
  countCoverage();
}

/// Documents and budgets are made of all regions, so none may be missing. Where a compiler runs there is nothing to
/// gain.
bool Job::answersInParts() const {
  return request_.inParts && isAssembly() && !isPreprocessed() && request_.documents.empty() &&
         bufferSettings_.budgets.empty();
}

/// Line by line, but for those that the server has as they are.
void Job::tellLines(Presentation &presentation) {
  const bool inParts = answersInParts();
  const std::set<uint64_t> known(request_.knownParts.begin(), request_.knownParts.end());
  std::vector<wire::Part> parts(presentation.lineCount());
  for (size_t line = 0; line < parts.size() && !stop_.stop_requested(); ++line) {
    if (inParts) {
      parts[line].id = presentation.idOf(line);
      parts[line].kept = known.contains(parts[line].id);
    }
    if (!parts[line].kept)
      presentation.deepen(line);
  }
  // LLVM prints expressions of any depth: for listings, that takes the stack of the job's own thread.
  const size_t threads = request_.settings.listings ? 1 : shared_.threads;
  forEachInParallel(parts.size(), threads, [&](size_t line) {
    if (parts[line].kept || stop_.stop_requested())
      return;
    const uint64_t id = parts[line].id;
    parts[line] = presentation.part(line);
    parts[line].id = id;
  });
  if (stop_.stop_requested())
    return;
  if (inParts)
    return takeParts(std::move(parts), presentation);
  result_.regions.resize(simulated_.size());
  for (size_t line = 0; line < parts.size(); ++line)
    appendPart(std::move(parts[line]), presentation.ordersOf(line));
}

void Job::takeParts(std::vector<wire::Part> parts, const Presentation &presentation) {
  for (size_t line = 0; line < parts.size(); ++line) {
    wire::Part &part = parts[line];
    part.text = presentation.textOf(line);
    part.line = lines_.lineOf(part.text.begin);
    for (wire::Finding &finding : part.findings)
      finding = shortened(std::move(finding));
  }
  result_.parts = std::move(parts);
}

void Job::appendPart(wire::Part part, std::span<const size_t> orders) {
  std::move(part.hints.begin(), part.hints.end(), std::back_inserter(result_.hints));
  std::move(part.hovers.begin(), part.hovers.end(), std::back_inserter(result_.hovers));
  for (wire::Finding &finding : part.findings)
    addFinding(std::move(finding));
  for (size_t i = 0; i < orders.size(); ++i)
    result_.regions[orders[i]] = std::move(part.regions[i]);
}

void Job::checkBudgets() {
  for (const Budget &budget : bufferSettings_.budgets) {
    const std::string &cpu = budget.cpu.empty() ? result_.target.cpu : budget.cpu;
    if (cpu != result_.target.cpu)
      tell(wire::Stage::Simulating, "the budget on " + cpu, budget.at);
    std::vector<BudgetedRegion> checked;
    for (size_t i = 0; i < regions_.size() && !stop_.stop_requested(); ++i) {
      if (!isBudgetOf(budget, regions_[i]))
        continue;
      checked.push_back(checkBudget(budget, cpu, regions_[i]));
      for (size_t order = 0; order < simulated_.size(); ++order)
        if (simulated_[order].region == &regions_[i])
          result_.regions[order].budgets.push_back(resultOf(budget, cpu, checked.back()));
    }
    // However many there are: a build may fail on any of them.
    if (std::optional<wire::Finding> finding = findingOf(budget, cpu, checked))
      result_.findings.push_back(shortened(std::move(*finding)));
  }
}

BudgetedRegion Job::checkBudget(const Budget &budget, const std::string &cpu, const Region &region) const {
  const auto simulated = llvm::find_if(simulated_, [&](const SimulatedRegion &one) { return one.region == &region; });
  if (cpu == result_.target.cpu) {
    if (simulated == simulated_.end())
      return notBudgeted(region);
    BudgetedRegion here = budgetedHere(budget, Presentation::plain(*simulated));
    here.why = bottleneckOf(result_.regions[simulated - simulated_.begin()]);
    return here;
  }
  const std::string listing = listingOf(*program_, *target_, region.instructions);
  // Asked for again, our own target is not the one that goes when another one is made.
  std::string error;
  shared_.findTarget(selection_, error);
  return budgetedOn(budget, region,
                    simulateOn(cpu, selection_.triple, listing, wantedIterations(), shared_.findTarget));
}

void Job::makeDocuments() {
  DocumentSources sources{.path = request_.path,
                          .summary = result_,
                          .lines = lines_,
                          .target = target_,
                          .simulator = simulators_ ? &simulators_->own() : nullptr,
                          .program = program_.get(),
                          .map = map_ ? &*map_ : nullptr,
                          .regions = {}};
  // The summaries are in the order of the simulations.
  for (size_t i = 0; i < result_.regions.size(); ++i)
    sources.regions.push_back({simulated_[i].region, &result_.regions[i]});
  for (const wire::DocumentRequest &document : request_.documents) {
    if (stop_.stop_requested())
      return;
    progress_(wire::viewProgress(request_.id, document));
    result_.documents.push_back(makeDocument(sources, document));
  }
}

void Job::countCoverage() {
  const auto isLoop = [&](const Region &region) {
    return region.kind == wire::RegionKind::Loop || region.kind == wire::RegionKind::Path;
  };
  // By their first instruction: the loop of a called function stands at each call, all paths through a loop begin
  // alike.
  llvm::DenseSet<uint32_t> all, hinted;
  for (const Region &region : regions_)
    if (isLoop(region))
      all.insert(region.instructions.front());
  for (const SimulatedRegion &simulated : simulated_)
    if (isLoop(*simulated.region))
      hinted.insert(simulated.region->instructions.front());
  result_.coverage.loops = static_cast<uint32_t>(all.size()) + result_.coverage.elsewhere;
  result_.coverage.hinted = static_cast<uint32_t>(hinted.size());
}

} // namespace analysis
