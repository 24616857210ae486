#include "mca-core/report/count_simulation.h"

#include "mca-core/trace/flow_inference.h"

#include <map>
#include <set>
#include <utility>

namespace mca {
namespace {

/// Each function that was executed according to its counts, as a loop of its calls.
std::map<uint32_t, TraceScope> scopesOf(const ProgramBranches &branches, const ProfileCounts &counts) {
  std::set<uint32_t> functions;
  for (const EdgeCount &edge : counts.edges)
    if (edge.count)
      functions.insert(branches.functionOf(edge.branch));
  for (const PlaceCount &place : counts.blocks)
    if (place.count)
      functions.insert(branches.functionOf(place.instruction));
  std::map<uint32_t, TraceScope> scopes;
  for (uint32_t i = 0; i < branches.size(); ++i) {
    const uint32_t function = branches.functionOf(i);
    if (!functions.contains(function))
      continue;
    TraceScope &scope = scopes[function];
    scope.header = branches.functions()[function].entry;
    scope.instructions.push_back(i);
  }
  return scopes;
}

} // namespace

std::variant<std::vector<CountedFunction>, TraceError>
prepareCounts(Simulator &simulator, const Target &target, const Program &program, const TokenTargets &targets,
              const SimulationOptions &options, TraceSettings settings, const OnSkippedInTrace &onSkipped) {
  const ProgramBranches &branches = targets.branches();
  auto found = findCounts(targets);
  if (auto *error = std::get_if<TraceError>(&found))
    return std::move(*error);
  const ProfileCounts &counts = std::get<ProfileCounts>(found);
  const std::map<uint32_t, TraceScope> scopes = scopesOf(branches, counts);
  if (scopes.empty())
    return TraceError{.position = {.line = 0, .column = 0}, .message = "there are no counts above 0"};
  settings.measured = measuredBranches(counts.edges);
  const std::vector<BranchOdds> odds = oddsFromCounts(CodeBlocks(branches), counts);
  std::vector<CountedFunction> all;
  for (const auto &[function, scope] : scopes) {
    auto prepared = prepareOdds(simulator, target, program, branches, scope, odds, options, settings, onSkipped);
    if (auto *error = std::get_if<TraceError>(&prepared))
      return std::move(*error);
    all.push_back({function, std::get<PreparedTrace>(std::move(prepared))});
  }
  return all;
}

} // namespace mca
