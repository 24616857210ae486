#include "analysis/insight/verdict.h"

#include "mca-core/views/text.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr double kNearlyAll = 0.9;
constexpr double kTwoThirds = 2.0 / 3.0;
constexpr uint32_t kMinIterations = 10;
constexpr size_t kNamedUnits = 3;
constexpr size_t kMaxWitnesses = 5;

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

/// The instructions that wait longest for their operands. (LLVM's critical sequence is no witness: in a loop that never
/// fills the queues it often names the loop counter.)
std::vector<Verdict::Witness> longestWaits(const mca::Timeline &timeline) {
  const auto average = [&](uint32_t i) {
    const mca::WaitTimes &waits = timeline.waits[i];
    return double(waits.inScheduler - waits.inSchedulerReady) / timeline.iterations;
  };
  std::vector<uint32_t> waiting;
  double longest = 0;
  for (uint32_t i = 0; i < timeline.waits.size(); ++i)
    longest = std::max(longest, average(i));
  for (uint32_t i = 0; i < timeline.waits.size(); ++i)
    if (average(i) >= 1 && average(i) >= longest / 2)
      waiting.push_back(i);
  std::stable_sort(waiting.begin(), waiting.end(), [&](uint32_t a, uint32_t b) { return average(a) > average(b); });
  std::vector<Verdict::Witness> witnesses;
  for (size_t i = 0; i < std::min(waiting.size(), kMaxWitnesses); ++i)
    witnesses.push_back({waiting[i], "waits " + mca::formatRounded(average(waiting[i]), 1) +
                                         " cycles for operands (first " + std::to_string(timeline.iterations) +
                                         " iterations)"});
  return witnesses;
}

Verdict dependencyVerdict(const mca::Report &report, double cycles) {
  const mca::Bottlenecks &found = *report.bottlenecks;
  const double bound = report.summary.blockReciprocalThroughput;
  if (bound > kTwoThirds * cycles || !found.dataDependencyCycles)
    return {};
  const bool registers = found.registerDependencyCycles >= found.memoryDependencyCycles;
  Verdict verdict{.kind = registers ? Verdict::Kind::Registers : Verdict::Kind::Memory};
  verdict.sentence = std::string("limited by ") + (registers ? "register" : "memory") +
                     " dependencies: " + mca::formatRounded(cycles, 1) +
                     " cycles per iteration where resources and dispatch need " + mca::formatRounded(bound, 1);
  if (report.timeline)
    verdict.witnesses = longestWaits(*report.timeline);
  return verdict;
}

} // namespace

Verdict judge(const mca::Report &report, bool outOfOrder) {
  const double cycles = report.summary.cyclesPerIteration();
  if (report.summary.iterations < kMinIterations)
    return {};
  Verdict verdict = resourceVerdict(report, cycles);
  if (verdict.kind == Verdict::Kind::None)
    verdict = dispatchVerdict(report.summary, cycles);
  if (verdict.kind == Verdict::Kind::None && outOfOrder && report.bottlenecks)
    verdict = dependencyVerdict(report, cycles);
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
