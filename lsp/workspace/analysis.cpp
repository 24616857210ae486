// Moving an analysis through edits, and putting it together with what is known of earlier ones.
#include "lsp/workspace/analysis.h"

#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lsp {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Simulation;

ByteRange clamp(ByteRange range, uint32_t size) {
  const uint32_t begin = std::min(range.begin, size);
  return {begin, std::clamp(range.end, begin, size)};
}

bool isEmpty(ByteRange range) {
  return range.begin >= range.end;
}

/// An empty range stands for no place and stays.
void moveOrEmpty(ByteRange &range, const LineEdit &edit) {
  if (!isEmpty(range))
    range = moveWithLines(range, edit).value_or(ByteRange{});
}

void moveRegion(AnalysedRegion &analysed, const LineEdit &edit) {
  analysis::wire::Region &region = analysed.region;
  const auto anchor = moveWithLine(region.anchor, edit);
  const auto at = moveWithLines(region.at, edit);
  analysed.anchorEdited |= !anchor;
  analysed.edited |= !at;
  region.at = at.value_or(moveClamped(region.at, edit));
  region.anchor = anchor.value_or(region.at.begin);
  for (ByteRange &place : region.places)
    moveOrEmpty(place, edit);
  for (analysis::wire::Transfer &transfer : region.transfers)
    moveOrEmpty(transfer.at, edit);
}

void clampRegion(analysis::wire::Region &region, uint32_t size) {
  region.at = clamp(region.at, size);
  region.anchor = std::min(region.anchor, size);
  for (ByteRange &place : region.places)
    place = clamp(place, size);
  for (analysis::wire::Transfer &transfer : region.transfers)
    transfer.at = clamp(transfer.at, size);
}

/// A worker that is about to crash may send anything: what would lead astray is looked at once, here.
void dropNonsense(Simulation &simulation) {
  using Kind = analysis::wire::Verdict::Kind;
  constexpr uint32_t kMostCycles = 1'000'000; // of a timeline's row, which is drawn
  const auto outside = [&](uint32_t position) { return position >= simulation.body.size(); };
  std::erase_if(simulation.chain, [&](const auto &link) { return outside(link.instruction); });
  for (analysis::wire::InstructionDetails &instruction : simulation.body) {
    std::erase_if(instruction.needs, outside);
    for (analysis::wire::Wait &wait : instruction.waits)
      std::erase_if(wait.by, outside);
  }
  const Kind kind = simulation.verdict.kind;
  if ((kind == Kind::Memory || kind == Kind::Stall) && simulation.verdict.witnesses.empty())
    simulation.verdict = {};
  std::erase_if(simulation.timeline, [&](const analysis::wire::TimelineRow &row) {
    return std::max({row.dispatched, row.executed, row.retired}) > kMostCycles;
  });
}

} // namespace

Analysis Analysis::take(analysis::wire::AnalysisResult &result, const Analysis &before) {
  struct Known {
    std::shared_ptr<const Simulation> simulation = std::make_shared<const Simulation>();
    std::shared_ptr<const VerdictWords> words;
  };
  std::unordered_map<uint64_t, Known> known;
  for (const AnalysedRegion &region : before.regions)
    known.emplace(region.simulation->id, Known{region.simulation, region.words});
  for (Simulation &simulation : result.simulations) {
    dropNonsense(simulation);
    const uint64_t id = simulation.id;
    known.insert_or_assign(id, Known{std::make_shared<const Simulation>(std::move(simulation)), nullptr});
  }
  Analysis analysis{.target = std::move(result.target),
                    .coverage = result.coverage,
                    .regions = {},
                    .budgets = std::move(result.budgets),
                    .own = std::move(result.findings),
                    .findings = {}};
  for (analysis::wire::Region &region : result.regions) {
    const auto found = known.find(region.simulation);
    const bool isMissing = found == known.end();
    const auto [simulation, words] = isMissing ? Known() : found->second;
    region.places.resize(std::max(region.places.size(), simulation->body.size()));
    analysis.regions.push_back({.region = std::move(region),
                                .simulation = simulation,
                                .words = words,
                                .changes = {},
                                .edited = isMissing,
                                .anchorEdited = isMissing});
  }
  return analysis;
}

void Analysis::move(const LineEdit &edit) {
  const auto moveFinding = [&](analysis::wire::Finding &finding) {
    finding.at = moveClamped(finding.at, edit);
    for (analysis::wire::RelatedPlace &related : finding.related)
      related.at = moveClamped(related.at, edit);
  };
  std::for_each(own.begin(), own.end(), moveFinding);
  std::for_each(findings.begin(), findings.end(), moveFinding);
  if (failure)
    moveFinding(*failure);
  for (analysis::wire::Budget &budget : budgets)
    budget.at = moveClamped(budget.at, edit);
  for (AnalysedRegion &region : regions)
    moveRegion(region, edit);
}

void Analysis::clampTo(uint32_t size) {
  for (std::vector<analysis::wire::Finding> *list : {&own, &findings})
    for (analysis::wire::Finding &finding : *list) {
      finding.at = clamp(finding.at, size);
      for (analysis::wire::RelatedPlace &related : finding.related)
        related.at = clamp(related.at, size);
    }
  for (analysis::wire::Budget &budget : budgets)
    budget.at = clamp(budget.at, size);
  for (AnalysedRegion &region : regions)
    clampRegion(region.region, size);
}

std::vector<uint64_t> Analysis::knownSimulations() const {
  std::vector<uint64_t> ids;
  for (const AnalysedRegion &region : regions)
    ids.push_back(region.simulation->id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Regions of one name are distinguished by their order.
void Analysis::compareWith(const std::vector<Baseline> &before) {
  const Comparison comparison(before, target.cpu);
  std::map<std::string, size_t> occurrences;
  for (AnalysedRegion &region : regions) {
    const std::string name = fullName(region.region);
    region.changes = comparison.changesOf(name, occurrences[name]++, figuresOf(region));
  }
}

Figures figuresOf(const AnalysedRegion &region) {
  return {.cycles = region.simulation->cyclesPerIteration,
          .ipc = region.simulation->ipc,
          .sourceIterations = region.region.sourceIterations,
          .calls = region.region.calls};
}

double cyclesOf(const AnalysedRegion &region) {
  return cyclesPerSourceIteration(region.simulation->cyclesPerIteration, region.region.sourceIterations);
}

} // namespace lsp
