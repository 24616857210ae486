#include "analysis/insight/verdict.h"

#include "mca-core/views/text.h"

#include <algorithm>
#include <cmath>

namespace analysis {
namespace {

constexpr double kNearlyAll = 0.9;
constexpr double kHalf = 0.5;
constexpr size_t kMaxWitnesses = 5;

std::string percent(double share) {
  return std::to_string(std::lround(share * 100)) + " %";
}

std::string cyclesOf(double busy, double cycles) {
  return mca::formatRounded(busy, 1) + " of " + mca::formatRounded(cycles, 1) + " cycles per iteration";
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
  if (busy.size() > 1)
    verdict.sentence += " and " + std::to_string(busy.size() - 1) + " more";
  verdict.sentence += ": busy in " + cyclesOf(pressure.perIteration[busy.front()], cycles);

  std::vector<uint32_t> users;
  for (uint32_t i = 0; i < report.instructions.size(); ++i)
    if (pressure.at(i, busy.front()) >= 0.005)
      users.push_back(i);
  std::stable_sort(users.begin(), users.end(),
                   [&](uint32_t a, uint32_t b) { return pressure.at(a, busy.front()) > pressure.at(b, busy.front()); });
  for (size_t i = 0; i < std::min(users.size(), kMaxWitnesses); ++i)
    verdict.witnesses.push_back({users[i], unitName(pressure.units[busy.front()]) + " for " +
                                               mca::formatRounded(pressure.at(users[i], busy.front()), 2) + " cycles"});
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

Verdict dependencyVerdict(const mca::Bottlenecks &found) {
  if (!found.cycles)
    return {};
  const double registers = double(found.registerDependencyCycles) / double(found.cycles);
  const double memory = double(found.memoryDependencyCycles) / double(found.cycles);
  if (std::max(registers, memory) < kHalf)
    return {};
  Verdict verdict{.kind = registers >= memory ? Verdict::Kind::Registers : Verdict::Kind::Memory};
  verdict.sentence =
      registers >= memory
          ? "limited by register dependencies: they hold instructions back in " + percent(registers) + " of the cycles"
          : "limited by memory dependencies: they hold instructions back in " + percent(memory) + " of the cycles";
  for (const mca::Dependency &dependency : found.criticalSequence) {
    if (verdict.witnesses.size() == kMaxWitnesses)
      break;
    std::string message = dependency.kind == mca::Dependency::Kind::Register ? "waits for " + dependency.name
                          : dependency.kind == mca::Dependency::Kind::Memory ? "waits for memory"
                                                                             : "competes for " + dependency.name;
    if (dependency.loopCarried())
      message += " of the iteration before";
    verdict.witnesses.push_back({dependency.to, std::move(message)});
  }
  return verdict;
}

} // namespace

Verdict judge(const mca::Report &report, bool outOfOrder) {
  const double cycles = report.summary.cyclesPerIteration();
  Verdict verdict = resourceVerdict(report, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = dispatchVerdict(report.summary, cycles);
  if (verdict.kind == Verdict::Kind::None && outOfOrder && report.bottlenecks)
    verdict = dependencyVerdict(*report.bottlenecks);
  return verdict;
}

const char *codeOf(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Kind::Resource:
    return "resource-bottleneck";
  case Verdict::Kind::Dispatch:
    return "dispatch-limit";
  case Verdict::Kind::Registers:
    return "register-dependency";
  case Verdict::Kind::Memory:
    return "memory-dependency";
  case Verdict::Kind::None:
    break;
  }
  return "";
}

std::string unitName(const mca::ResourceUnit &unit) {
  return unit.unitsOfResource > 1 ? unit.name + "." + std::to_string(unit.unit) : unit.name;
}

} // namespace analysis
