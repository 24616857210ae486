// Every place in an analysis follows the edits by one of two rules. A region's places disappear with their lines; a
// finding, which has to stay visible until the next analysis, shrinks to what is left of its place.
#include "lsp/workspace/analysis.h"

#include "lsp/workspace/region_numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lsp {
namespace {

using wire::ByteRange;
using wire::Simulation;

/// One that fails may have met something that passes, such as a full memory; one that always fails costs no more.
constexpr uint8_t kReasonsAttempts = 2;

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

template <typename Move>
void moveBranches(AnalysedRegion &analysed, const Move &moved) {
  for (BranchPlaces &places : analysed.branches)
    places = {moved(places.branch), moved(places.load)};
}

/// False if a line that the advice is about was changed.
bool moveAdvice(AdviceReport &report, const LineEdit &edit) {
  const auto anchor = moveWithLine(report.anchor, edit);
  if (!anchor)
    return false;
  report.anchor = *anchor;
  for (Advice &advice : report.advice)
    for (wire::Edit &change : advice.edits) {
      const auto at = moveWithLines(change.at, edit);
      if (!at)
        return false;
      change.at = *at;
    }
  return true;
}

void moveRegion(AnalysedRegion &analysed, const LineEdit &edit) {
  wire::Region &region = analysed.region;
  const auto anchor = moveWithLine(region.anchor, edit);
  const auto at = moveWithLines(region.at, edit);
  analysed.anchorEdited |= !anchor;
  analysed.edited |= !at;
  region.at = at.value_or(moveClamped(region.at, edit));
  region.anchor = anchor.value_or(region.at.begin);
  const auto moved = [&](ByteRange place) { // an empty one means that there is none, and stays
    return place.begin < place.end ? moveWithLines(place, edit).value_or(ByteRange{}) : place;
  };
  moveInstructions(region, moved);
  moveBranches(analysed, moved);
}

/// A worker that is about to crash may send anything. Checking it here once spares all users of a simulation from
/// checking indices.
void dropNonsense(Simulation &simulation) {
  using Kind = wire::Verdict::Kind;
  const auto outside = [&](uint32_t position) { return position >= simulation.body.size(); };
  std::erase_if(simulation.chain, [&](const auto &link) { return outside(link.instruction); });
  for (wire::InstructionDetails &instruction : simulation.body) {
    std::erase_if(instruction.needs, outside);
    for (wire::Wait &wait : instruction.waits)
      std::erase_if(wait.by, outside);
  }
  const Kind kind = simulation.verdict.kind;
  if ((kind == Kind::Memory || kind == Kind::Stall || kind == Kind::Buffer) && simulation.verdict.witnesses.empty())
    simulation.verdict = {};
}

/// A loop's flow, which its paths share, and the places in it, which move with the text.
struct TakenFlow {
  std::shared_ptr<const wire::ControlFlow> flow;
  std::vector<BranchPlaces> branches;
};

/// Whether texts can be made of the numbers: see dropNonsense().
bool isSound(const wire::ControlFlow &flow) {
  constexpr double kMost = 1e15;
  const auto isNumber = [](double value) { return value >= 0 && value <= kMost; };
  const auto isShare = [](double value) { return value >= 0 && value <= 1; };
  return isNumber(flow.cycles) && isNumber(flow.perfectCycles) && isNumber(flow.missesPerThousand) &&
         std::ranges::all_of(flow.branches, [&](const wire::BranchCost &branch) {
           return isNumber(branch.executions) && isShare(branch.taken) && isShare(branch.missed) &&
                  isNumber(branch.wait) && std::abs(branch.cost) <= kMost &&
                  std::abs(branch.cyclesPerIteration) <= kMost;
         });
}

/// By loop.
std::map<uint32_t, TakenFlow> takeFlows(std::vector<wire::ControlFlow> &flows) {
  std::map<uint32_t, TakenFlow> known;
  for (wire::ControlFlow &flow : flows) {
    if (!isSound(flow))
      continue;
    TakenFlow taken;
    for (wire::BranchCost &branch : flow.branches)
      taken.branches.push_back({std::exchange(branch.at, {}), std::exchange(branch.loadAt, {})});
    const uint32_t loop = flow.loop;
    taken.flow = std::make_shared<const wire::ControlFlow>(std::move(flow));
    known.insert_or_assign(loop, std::move(taken));
  }
  return known;
}

std::vector<RegionIdentity> identitiesOf(const std::vector<AnalysedRegion> &regions) {
  std::vector<RegionIdentity> identities;
  for (const AnalysedRegion &one : regions)
    identities.push_back({.name = one.region.name + (one.region.variant.empty() ? "" : ", " + one.region.variant),
                          .path = one.region.path,
                          .kind = one.region.kind,
                          .loop = one.region.loop,
                          .code = one.simulation->code,
                          .numbers = fingerprintOf({one.simulation->cyclesPerIteration, one.simulation->ipc}),
                          .position = one.region.anchor});
  return identities;
}

/// How many paths each loop has.
std::map<uint32_t, size_t> pathsByLoop(const std::vector<AnalysedRegion> &regions) {
  std::map<uint32_t, size_t> paths;
  for (const AnalysedRegion &one : regions)
    ++paths[one.region.loop];
  return paths;
}

/// The user goes on looking at the path that he had chosen in `before`, unless the loop has more or fewer paths now.
void keepChoices(const std::vector<AnalysedRegion> &before, std::vector<AnalysedRegion> &after) {
  if (std::ranges::none_of(before, &AnalysedRegion::chosen))
    return;
  const std::vector<std::optional<size_t>> partners = pairRegions(identitiesOf(before), identitiesOf(after));
  const std::map<uint32_t, size_t> pathsBefore = pathsByLoop(before), pathsAfter = pathsByLoop(after);
  for (size_t i = 0; i < after.size(); ++i)
    if (partners[i] && before[*partners[i]].chosen)
      after[i].chosen = pathsBefore.at(before[*partners[i]].region.loop) == pathsAfter.at(after[i].region.loop);
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
  analysis.reasonsAttempts = result.hasReasons ? 0 : kReasonsAttempts;
  analysis.vanishedLoops = std::move(result.vanishedLoops);
  analysis.budgets = std::move(result.budgets);
  analysis.own = std::move(result.findings);
  const std::map<uint32_t, TakenFlow> flows = takeFlows(result.flows);
  for (wire::Region &region : result.regions) {
    AnalysedRegion &added = analysis.regions.emplace_back(AnalysedRegion{.region = std::move(region)});
    const auto found = known.find(added.region.simulation);
    added.edited = added.anchorEdited = found == known.end(); // what is edited shows nothing
    std::tie(added.simulation, added.words) =
        added.edited ? Known{std::make_shared<const Simulation>(), nullptr} : found->second;
    added.region.places.resize(std::max(added.region.places.size(), added.simulation->body.size()));
    if (const auto flow = flows.find(added.region.loop); flow != flows.end())
      std::tie(added.flow, added.branches) = std::tie(flow->second.flow, flow->second.branches);
  }
  keepChoices(before.regions, analysis.regions);
  analysis.measurements = before.measurements;
  for (AnalysedRegion &region : analysis.regions)
    if (const auto found = analysis.measurements.find(region.simulation->id); found != analysis.measurements.end())
      region.measured = found->second;
  return analysis;
}

void Analysis::move(const LineEdit &edit) {
  moveReports(*this, [&](ByteRange at) { return moveClamped(at, edit); });
  for (AnalysedRegion &region : regions)
    moveRegion(region, edit);
  std::erase_if(vanishedLoops, [&](wire::VanishedLoop &loop) {
    const auto moved = moveWithLines(loop.at, edit);
    loop.at = moved.value_or(loop.at);
    return !moved;
  });
  std::erase_if(advice, [&](AdviceReport &report) { return !moveAdvice(report, edit); });
}

void Analysis::setAdvice(AdviceReport report) {
  std::erase_if(advice, [&](const AdviceReport &known) { return known.anchor == report.anchor; });
  advice.push_back(std::move(report));
}

void Analysis::keepAdvice(std::vector<AdviceReport> before) {
  advice = std::move(before);
  std::erase_if(advice, [&](const AdviceReport &report) { return !hasLoop(report.anchor, report.simulation); });
}

bool Analysis::hasLoop(uint32_t anchor, uint64_t simulation) const {
  return std::ranges::any_of(regions, [&](const AnalysedRegion &one) {
    return one.region.anchor == anchor && one.region.simulation == simulation;
  });
}

const AdviceReport *Analysis::adviceAt(uint32_t anchor) const {
  const auto found = std::ranges::find(advice, anchor, &AdviceReport::anchor);
  return found == advice.end() ? nullptr : &*found;
}

void Analysis::clampTo(uint32_t size) {
  const auto clamped = [&](ByteRange at) { return clampedTo(at, size); };
  moveReports(*this, clamped);
  for (wire::VanishedLoop &loop : vanishedLoops)
    loop.at = clamped(loop.at);
  for (AnalysedRegion &analysed : regions) {
    analysed.region.at = clamped(analysed.region.at);
    analysed.region.anchor = std::min(analysed.region.anchor, size);
    moveInstructions(analysed.region, clamped);
    moveBranches(analysed, clamped);
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
  std::vector<std::vector<Change>> changes = changesSince(before, numbersOf(*this, ""));
  for (size_t i = 0; i < regions.size(); ++i)
    regions[i].changes = std::move(changes[i]);
}

void Analysis::choosePath(uint32_t loop) {
  std::vector<AnalysedRegion *> paths;
  for (AnalysedRegion &region : regions)
    if (region.region.loop == loop)
      paths.push_back(&region);
  const auto chosen = std::ranges::find_if(paths, &AnalysedRegion::chosen);
  const auto next = chosen == paths.end() ? 0 : chosen - paths.begin() + 1;
  for (ptrdiff_t i = 0; i < std::ssize(paths); ++i)
    paths[static_cast<size_t>(i)]->chosen = paths.size() > 1 && i == next;
}

void Analysis::setMeasurement(uint64_t simulation, Measurement measurement) {
  const auto shared = std::make_shared<const Measurement>(std::move(measurement));
  measurements.insert_or_assign(simulation, shared);
  for (AnalysedRegion &region : regions)
    if (region.simulation->id == simulation)
      region.measured = shared;
}

Figures figuresOf(const AnalysedRegion &region) {
  std::vector<wire::Caveat> leftOut;
  std::ranges::copy_if(region.region.caveats, std::back_inserter(leftOut), wire::leavesOut);
  return {.cycles = region.simulation->cyclesPerIteration,
          .ipc = region.simulation->ipc,
          .sourceIterations = region.region.sourceIterations,
          .calls = region.region.calls,
          .leftOut = std::move(leftOut)};
}

Baseline numbersOf(const Analysis &analysis, const char *name) {
  Baseline numbers{
      .name = name, .cpu = comparableCpu(analysis.target), .regions = identitiesOf(analysis.regions), .figures = {}};
  for (const AnalysedRegion &region : analysis.regions)
    numbers.figures.push_back(figuresOf(region));
  return numbers;
}

double cyclesOf(const AnalysedRegion &region) {
  return cyclesPerSourceIteration(region.simulation->cyclesPerIteration, region.region.sourceIterations);
}

} // namespace lsp
