#include "mca-core/report/calibrated_report.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mca {
namespace {

double unitsOf(uint32_t ticks) {
  return double(ticks) / kTicksPerUnit;
}

/// Units of each resource.
std::vector<double> usesOf(const CalibratedBody &body, const CalibratedInstruction &code) {
  std::vector<double> units(body.resources.size());
  for (const Range range : {code.loadUses, code.uses, code.storeUses, code.groupUses})
    for (const CalibratedUse &use : CalibratedBody::slice(body.uses, range))
      units[use.resource] += unitsOf(use.ticks);
  return units;
}

/// What renaming does takes no cycle.
int32_t longestLatency(const CalibratedBody &body, const CalibratedInstruction &code) {
  if (code.treatment != RenameTreatment::None && code.treatment != RenameTreatment::BreaksDependency)
    return 0;
  int32_t longest = 0;
  for (const CalibratedDestination &destination : CalibratedBody::slice(body.destinations, code.destinations)) {
    const auto latencies = CalibratedBody::slice(body.latencies, {destination.latencies, code.sources.count + 1});
    if (!destination.isMemory)
      longest = std::max(longest, *std::ranges::max_element(latencies));
  }
  return code.mayLoad ? longest + code.loadLatency : longest;
}

/// A limit of the front end, and the cycles that an instruction takes of it.
struct FrontEndLimit {
  const char *name;
  double (*cyclesOf)(const CalibratedLimits &limits, const CalibratedInstruction &code);
};

constexpr FrontEndLimit kFrontEnd[] = {
    {"vector slots",
     [](const CalibratedLimits &limits, const CalibratedInstruction &code) {
       const bool counts = limits.vectorSlots && code.slotKind == SlotKind::Vector;
       return counts ? double(code.slots) / limits.vectorSlots : 0;
     }},
    {"code bytes",
     [](const CalibratedLimits &limits, const CalibratedInstruction &code) {
       return limits.codeBytes ? double(code.codeBytes) * kTicksPerUnit / limits.codeBytes : 0;
     }},
    {"taken branches", [](const CalibratedLimits &limits, const CalibratedInstruction &code) {
       return code.isTakenBranch ? unitsOf(limits.takenBranchTicks) : 0;
     }}};

uint64_t slotTicks(const CalibratedBody &body) {
  return std::transform_reduce(body.instructions.begin(), body.instructions.end(), uint64_t{0}, std::plus<>(),
                               [](const CalibratedInstruction &code) { return code.slots; });
}

} // namespace

std::string whyNotCalibrated(const Program &program, const LoweredRegion &lowered) {
  const auto hasInstrument = [&](const Instruction *source) { return !program.instrumentsOf(*source).empty(); };
  if (llvm::any_of(lowered.sources, hasInstrument))
    return "an LLVM-MCA- comment changes how its instructions are scheduled, which no calibration knows";
  const auto isLong = [](const LoweredInstruction *one) { return one->latency > kMaxLatency; };
  if (llvm::any_of(lowered.instructions, isLong))
    return "it has a latency of more than " + std::to_string(kMaxLatency) + " cycles, the most of a calibration";
  return "";
}

void describeCalibrated(const CalibratedBody &body, Report &report) {
  CalibratedDetails &details = report.calibrated.emplace();
  details.fromLlvm = body.countFromLlvm();
  details.dependsOnAlignment = body.dependsOnAlignment;
  details.slotsPerCycle = unitsOf(body.limits.slots);
  for (const auto &[code, info] : llvm::zip(body.instructions, report.instructions)) {
    const std::vector<double> uses = usesOf(body, code);
    info.microOps = static_cast<uint32_t>(std::lround(unitsOf(code.slots)));
    info.latency = info.effectiveLatency = static_cast<uint32_t>(longestLatency(body, code));
    info.reciprocalThroughput = 0;
    for (const auto &[resource, units] : llvm::zip(body.resources, uses))
      info.reciprocalThroughput = std::max(info.reciprocalThroughput, units / unitsOf(resource.ticksPerCycle));
    details.instructions.push_back(
        {.slots = unitsOf(code.slots),
         .treatment = code.treatment,
         .isFusedWithNext = code.fusedWithNext,
         .isFromLlvm = code.isFromLlvm(),
         .forward = code.forward == kNone ? std::nullopt : std::optional(body.forwards[code.forward])});
  }
}

ResourcePressure calibratedPressure(const CalibratedBody &body) {
  ResourcePressure pressure;
  std::vector<std::vector<double>> byInstruction;
  for (const CalibratedInstruction &code : body.instructions) {
    std::vector<double> &cycles = byInstruction.emplace_back(usesOf(body, code));
    for (size_t resource = 0; resource < cycles.size(); ++resource)
      cycles[resource] /= unitsOf(body.resources[resource].ticksPerCycle);
  }
  for (const BodyResourceLimit &resource : body.resources)
    pressure.units.push_back({.name = resource.name});
  for (const FrontEndLimit &limit : kFrontEnd) {
    const auto cyclesOf = [&](const CalibratedInstruction &code) { return limit.cyclesOf(body.limits, code); };
    if (llvm::none_of(body.instructions, [&](const CalibratedInstruction &code) { return cyclesOf(code) > 0; }))
      continue;
    pressure.units.push_back({.name = limit.name});
    for (const auto &[cycles, code] : llvm::zip(byInstruction, body.instructions))
      cycles.push_back(cyclesOf(code));
  }
  pressure.perIteration.assign(pressure.units.size(), 0);
  for (const std::vector<double> &cycles : byInstruction)
    for (size_t unit = 0; unit < cycles.size(); ++unit) {
      pressure.byInstruction.push_back(cycles[unit]);
      pressure.perIteration[unit] += cycles[unit];
    }
  for (size_t unit = 0; unit < pressure.units.size(); ++unit)
    pressure.units[unit].resource = static_cast<uint32_t>(unit);
  return pressure;
}

Summary calibratedSummary(const CalibratedBody &body, uint32_t iterations, uint64_t cycles) {
  const ResourcePressure pressure = calibratedPressure(body);
  double bound = double(slotTicks(body)) / body.limits.slots;
  for (const double used : pressure.perIteration)
    bound = std::max(bound, used);
  return {.iterations = iterations,
          .instructions = uint64_t(iterations) * body.instructions.size(),
          .cycles = cycles,
          .microOps = (slotTicks(body) * iterations + kTicksPerUnit / 2) / kTicksPerUnit,
          .dispatchWidth = slotsPerCycle(body),
          .blockReciprocalThroughput = bound};
}

uint32_t slotsPerCycle(const CalibratedBody &body) {
  return static_cast<uint32_t>(std::lround(unitsOf(body.limits.slots)));
}

} // namespace mca
