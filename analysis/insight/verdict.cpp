#include "analysis/insight/verdict.h"

#include "analysis/wire/finding_codes.h"
#include "mca-core/views/text.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr double kNearlyAll = 0.9;
constexpr double kNoticeable = 0.1; ///< of the busiest user of a resource
constexpr uint32_t kMinIterations = 10;
constexpr size_t kNamedUnits = 3;
constexpr size_t kMaxWitnesses = 5;

std::string cyclesOf(double busy, double cycles) {
  // Units may be held beyond the last cycle.
  return mca::formatRounded(std::min(busy, cycles), 1) + " of " + mca::formatRounded(cycles, 1) +
         " cycles per iteration";
}

Verdict resourceVerdict(const mca::Report &report, double cycles) {
  const mca::ResourcePressure &pressure = report.pressure;
  std::vector<size_t> busy;
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    if (pressure.perIteration[unit] >= kNearlyAll * cycles)
      busy.push_back(unit);
  if (busy.empty())
    return {};
  std::stable_sort(busy.begin(), busy.end(),
                   [&](size_t a, size_t b) { return pressure.perIteration[a] > pressure.perIteration[b]; });
  Verdict verdict{.kind = Verdict::Kind::Resource};
  verdict.sentence = "limited by " + unitName(pressure.units[busy.front()]);
  for (size_t i = 1; i < std::min(busy.size(), kNamedUnits); ++i)
    verdict.sentence += ", " + unitName(pressure.units[busy[i]]);
  if (busy.size() > kNamedUnits)
    verdict.sentence += " and " + std::to_string(busy.size() - kNamedUnits) + " more";
  verdict.sentence += ": busy in " + cyclesOf(pressure.perIteration[busy.front()], cycles);

  std::vector<uint32_t> users;
  for (uint32_t i = 0; i < report.instructions.size(); ++i)
    if (pressure.at(i, busy.front()) >= 0.005)
      users.push_back(i);
  std::stable_sort(users.begin(), users.end(),
                   [&](uint32_t a, uint32_t b) { return pressure.at(a, busy.front()) > pressure.at(b, busy.front()); });
  for (size_t i = 0; i < std::min(users.size(), kMaxWitnesses); ++i) {
    if (pressure.at(users[i], busy.front()) < kNoticeable * pressure.at(users.front(), busy.front()))
      break;
    verdict.witnesses.push_back({users[i], unitName(pressure.units[busy.front()]) + " for " +
                                               mca::formatRounded(pressure.at(users[i], busy.front()), 2) + " cycles"});
  }
  return verdict;
}

Verdict dispatchVerdict(const mca::Summary &summary, double cycles) {
  if (!summary.dispatchWidth || !summary.iterations)
    return {};
  const double microOps = double(summary.microOps) / summary.iterations;
  if (microOps / summary.dispatchWidth < kNearlyAll * cycles)
    return {};
  return {.kind = Verdict::Kind::Dispatch,
          .sentence = "limited by dispatch: " + mca::formatRounded(microOps, 1) + " micro-ops per iteration, " +
                      std::to_string(summary.dispatchWidth) + " per cycle"};
}

Verdict registerVerdict(const mca::DataflowLimit &limit, double cycles) {
  if (limit.cyclesPerIteration < kNearlyAll * cycles)
    return {};
  Verdict verdict{.kind = Verdict::Kind::Registers};
  verdict.sentence =
      "limited by register dependencies: a loop-carried chain takes " + cyclesOf(limit.cyclesPerIteration, cycles);
  for (size_t i = 0; i < std::min(limit.chain.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back({limit.chain[i].from, "in the chain"});
  if (limit.chain.size() > kMaxWitnesses)
    verdict.witnesses.back().message += ", and " + std::to_string(limit.chain.size() - kMaxWitnesses) + " more";
  return verdict;
}

} // namespace

Verdict judge(const mca::Report &report, const mca::DataflowLimit &limit) {
  const double cycles = report.summary.cyclesPerIteration();
  if (report.summary.iterations < kMinIterations)
    return {};
  Verdict verdict = resourceVerdict(report, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = dispatchVerdict(report.summary, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = registerVerdict(limit, cycles);
  return verdict;
}

const char *codeOf(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Resource:
    return wire::codes::kResourceBottleneck;
  case Verdict::Kind::Dispatch:
    return wire::codes::kDispatchLimit;
  case Verdict::Kind::Registers:
    return wire::codes::kRegisterDependency;
  case Verdict::Kind::None:
    break;
  }
  return "";
}

std::string unitName(const mca::ResourceUnit &unit) {
  return unit.unitsOfResource > 1 ? unit.name + "." + std::to_string(unit.unit) : unit.name;
}

} // namespace analysis
