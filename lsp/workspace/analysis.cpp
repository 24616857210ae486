// Every place in an analysis follows the edits by one of two rules. A region's places disappear with their lines; a
// finding, which has to stay visible until the next analysis, shrinks to what is left of its place.
#include "lsp/workspace/analysis.h"

#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lsp {
namespace {

using wire::ByteRange;
using wire::Simulation;

template <typename Move>
void moveReports(Analysis &analysis, const Move &moved) {
  const auto moveFinding = [&](wire::Finding &finding) {
    finding.at = moved(finding.at);
    for (wire::RelatedPlace &related : finding.related)
      related.at = moved(related.at);
  };
  std::ranges::for_each(analysis.own, moveFinding);
  std::ranges::for_each(analysis.findings, moveFinding);
  if (analysis.failure)
    moveFinding(*analysis.failure);
  for (wire::Budget &budget : analysis.budgets)
    budget.at = moved(budget.at);
}

template <typename Move>
void moveInstructions(wire::Region &region, const Move &moved) {
  for (ByteRange &place : region.places)
    place = moved(place);
  for (wire::Transfer &transfer : region.transfers)
    transfer.at = moved(transfer.at);
}

void moveRegion(AnalysedRegion &analysed, const LineEdit &edit) {
  wire::Region &region = analysed.region;
  const auto anchor = moveWithLine(region.anchor, edit);
  const auto at = moveWithLines(region.at, edit);
  analysed.anchorEdited |= !anchor;
  analysed.edited |= !at;
  region.at = at.value_or(moveClamped(region.at, edit));
  region.anchor = anchor.value_or(region.at.begin);
  moveInstructions(region, [&](ByteRange place) { // an empty one means that there is none, and stays
    return place.begin < place.end ? moveWithLines(place, edit).value_or(ByteRange{}) : place;
  });
}

/// A worker that is about to crash may send anything. Checking it here once spares all users of a simulation from
/// checking indices.
void dropNonsense(Simulation &simulation) {
  using Kind = wire::Verdict::Kind;
  constexpr uint32_t kMostCycles = 1'000'000; // of a timeline's row, which is drawn
  const auto outside = [&](uint32_t position) { return position >= simulation.body.size(); };
  std::erase_if(simulation.chain, [&](const auto &link) { return outside(link.instruction); });
  for (wire::InstructionDetails &instruction : simulation.body) {
    std::erase_if(instruction.needs, outside);
    for (wire::Wait &wait : instruction.waits)
      std::erase_if(wait.by, outside);
  }
  const Kind kind = simulation.verdict.kind;
  if ((kind == Kind::Memory || kind == Kind::Stall) && simulation.verdict.witnesses.empty())
    simulation.verdict = {};
  std::erase_if(simulation.timeline, [&](const wire::TimelineRow &row) {
    return std::max({row.dispatched, row.executed, row.retired}) > kMostCycles;
  });
}

} // namespace

Analysis Analysis::take(wire::AnalysisResult &result, const Analysis &before) {
  using Known = std::pair<std::shared_ptr<const Simulation>, std::shared_ptr<const VerdictWords>>;
  std::unordered_map<uint64_t, Known> known;
  for (const AnalysedRegion &region : before.regions)
    known.emplace(region.simulation->id, Known{region.simulation, region.words});
  for (Simulation &simulation : result.simulations) {
    dropNonsense(simulation);
    const uint64_t id = simulation.id;
    known.insert_or_assign(id, Known{std::make_shared<const Simulation>(std::move(simulation)), nullptr});
  }
  Analysis analysis;
  analysis.target = std::move(result.target);
  analysis.coverage = result.coverage;
  analysis.budgets = std::move(result.budgets);
  analysis.own = std::move(result.findings);
  for (wire::Region &region : result.regions) {
    AnalysedRegion &added = analysis.regions.emplace_back(AnalysedRegion{.region = std::move(region)});
    const auto found = known.find(added.region.simulation);
    added.edited = added.anchorEdited = found == known.end(); // what is edited shows nothing
    std::tie(added.simulation, added.words) =
        added.edited ? Known{std::make_shared<const Simulation>(), nullptr} : found->second;
    added.region.places.resize(std::max(added.region.places.size(), added.simulation->body.size()));
  }
  return analysis;
}

void Analysis::move(const LineEdit &edit) {
  moveReports(*this, [&](ByteRange at) { return moveClamped(at, edit); });
  for (AnalysedRegion &region : regions)
    moveRegion(region, edit);
}

void Analysis::clampTo(uint32_t size) {
  const auto clamped = [&](ByteRange at) { return clampedTo(at, size); };
  moveReports(*this, clamped);
  for (AnalysedRegion &analysed : regions) {
    analysed.region.at = clamped(analysed.region.at);
    analysed.region.anchor = std::min(analysed.region.anchor, size);
    moveInstructions(analysed.region, clamped);
  }
}

std::vector<uint64_t> Analysis::knownSimulations() const {
  std::vector<uint64_t> ids;
  for (const AnalysedRegion &region : regions)
    ids.push_back(region.simulation->id);
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

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
