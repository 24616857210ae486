// Lowers a region with LLVM, lays the calibration over it, runs the machine and collects what it found.
#include "mca-core/report/calibrated_simulation.h"

#include "mca-core/report/instruction_info.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace mca {
namespace {

double unitsOf(uint32_t ticks) {
  return double(ticks) / kTicksPerUnit;
}

std::vector<double> usesOf(const CalibratedBody &body, const CalibratedInstruction &code) {
  std::vector<double> units(body.resources.size());
  for (const Range range : {code.loadUses, code.uses, code.storeUses})
    for (const CalibratedUse &use : CalibratedBody::slice(body.uses, range))
      units[use.resource] += unitsOf(use.ticks);
  return units;
}

int32_t longestLatency(const CalibratedBody &body, const CalibratedInstruction &code) {
  int32_t longest = 0;
  for (const CalibratedDestination &destination : CalibratedBody::slice(body.destinations, code.destinations)) {
    const auto latencies = CalibratedBody::slice(body.latencies, {destination.latencies, code.sources.count + 1});
    if (!destination.isMemory)
      longest = std::max(longest, *std::ranges::max_element(latencies));
  }
  return code.mayLoad ? longest + code.loadLatency : longest;
}

CalibratedInstructionReport describe(const CalibratedBody &body, const CalibratedInstruction &code, std::string text) {
  return {.text = std::move(text),
          .slots = unitsOf(code.slots),
          .latency = longestLatency(body, code),
          .treatment = code.treatment,
          .fusedWithNext = code.fusedWithNext,
          .isFromLlvm = code.isFromLlvm(),
          .mayLoad = code.mayLoad,
          .mayStore = code.mayStore,
          .forward = code.forward == kNone ? std::nullopt : std::optional(body.forwards[code.forward]),
          .uses = usesOf(body, code)};
}

/// The limits that the body alone decides; what queues and latencies cost is for the machine to find out.
std::vector<CalibratedBound> frontEndBounds(const CalibratedBody &body) {
  uint64_t slots = 0, vectorSlots = 0, bytes = 0, branches = 0;
  for (const CalibratedInstruction &code : body.instructions) {
    slots += code.slots;
    vectorSlots += code.slotKind == SlotKind::Vector ? code.slots : 0;
    bytes += code.codeBytes;
    branches += code.isTakenBranch;
  }
  const CalibratedLimits &limits = body.limits;
  std::vector<CalibratedBound> bounds{{"slots", double(slots) / limits.slots}};
  if (limits.vectorSlots)
    bounds.push_back({"vector slots", double(vectorSlots) / limits.vectorSlots});
  if (limits.codeBytes)
    bounds.push_back({"code bytes", double(bytes * kTicksPerUnit) / limits.codeBytes});
  if (limits.takenBranchTicks)
    bounds.push_back({"taken branches", double(branches) * unitsOf(limits.takenBranchTicks)});
  return bounds;
}

/// A calibration says how long instructions take; what an instrument says instead, only LLVM's machines know.
std::string whyNotCalibrated(const Program &program, const LoweredRegion &lowered) {
  const auto hasInstrument = [&](const Instruction *source) { return !program.instrumentsOf(*source).empty(); };
  if (std::ranges::any_of(lowered.sources, hasInstrument))
    return "an LLVM-MCA- comment changes how its instructions are scheduled, which no calibration knows";
  const auto isLong = [](const LoweredInstruction *one) { return one->latency > kMaxLatency; };
  if (std::ranges::any_of(lowered.instructions, isLong))
    return "it has a latency of more than " + std::to_string(kMaxLatency) + " cycles, the most of a calibration";
  return "";
}

} // namespace

double CalibratedReport::slots() const {
  return std::transform_reduce(code.begin(), code.end(), 0.0, std::plus<>(), [](const auto &one) { return one.slots; });
}

/// llvm-mca's instructions retire in a cycle after the one in which they are executed.
Report timelineOf(const CalibratedReport &source, uint32_t maxCycles) {
  Report report;
  for (const CalibratedInstructionReport &code : source.code)
    report.instructions.push_back({.text = code.text});
  Timeline &timeline = report.timeline.emplace();
  const size_t count = source.code.size();
  const int64_t limit = maxCycles ? maxCycles : std::numeric_limits<int64_t>::max();
  timeline.iterations = static_cast<uint32_t>(source.times.size() / count);
  timeline.waits.resize(count);
  for (size_t i = 0; i < source.times.size(); ++i) {
    const CalibratedTimes &times = source.times[i];
    const int64_t retired = times.retired + 1;
    timeline.entries.push_back({.dispatched = times.renamed < limit ? times.renamed : -1,
                                .ready = times.ready,
                                .issued = times.issued,
                                .executed = times.executed,
                                .retired = retired < limit ? retired : 0});
    timeline.lastCycle = std::max(timeline.lastCycle, static_cast<uint64_t>(std::min(retired, limit - 1)));
    WaitTimes &waits = timeline.waits[i % count];
    waits.inScheduler += static_cast<uint64_t>(times.issued - times.renamed);
    waits.inSchedulerReady += static_cast<uint64_t>(times.issued - times.ready);
    waits.beforeRetire += static_cast<uint64_t>(times.retired - times.executed);
  }
  return report;
}

struct CalibratedSimulator::Parts {
  Parts(const Target &simulated, const Calibration &calibration)
      : target(simulated), resources(simulated.subtarget().getSchedModel()), describer(simulated),
        builder(simulated, resources, calibration) {}

  const Target &target;
  const ResourceTable resources;
  InstructionDescriber describer;
  CalibratedBodyBuilder builder;
};

CalibratedSimulator::CalibratedSimulator(const Target &target, const Calibration &calibration)
    : parts_(std::make_unique<Parts>(target, calibration)) {}
CalibratedSimulator::~CalibratedSimulator() = default;

Result<PreparedCalibratedRegion> CalibratedSimulator::prepare(const Program &program, std::span<const uint32_t> region,
                                                              const SimulationOptions &options, OnSkipped onSkipped) {
  Parts &parts = *parts_;
  if (!parts.target.hasSchedulingModel())
    return Failure{"LLVM has no scheduling model for the CPU '" + parts.target.cpu() + "'"};
  const unsigned variant =
      options.syntaxVariant < 0 ? program.syntaxVariant() : static_cast<unsigned>(options.syntaxVariant);
  const std::unique_ptr<llvm::MCInstPrinter> printer = parts.target.createPrinter(variant);
  if (!printer)
    return Failure{"the target has no assembly syntax variant " + std::to_string(variant)};
  printer->setPrintImmHex(options.hexImmediates);
  // The descriptions are cached by the numbers of one Lowering.
  parts.describer.reset();
  Lowering lowering(parts.target, options.callLatency, options.customBehaviour);
  bool isStopped = false;
  LoweredRegion lowered = lowering.lower(program, region, [&](const SkippedInstruction &skipped) {
    isStopped = onSkipped && !onSkipped(skipped);
    return !isStopped;
  });
  if (std::string why = whyNotCalibrated(program, lowered); !why.empty())
    return Failure{std::move(why)};
  if (isStopped || lowered.instructions.empty())
    return Failure{lowered.skipped.empty() ? "the region has no instructions" : lowered.skipped.front().message};
  PreparedCalibratedRegion prepared{.body = parts.builder.build(program, lowered), .iterations = options.iterations};
  prepared.recorded = options.timeline ? options.timelineMaxIterations : 0;
  const std::vector<InstructionInfo> infos = parts.describer.describe(program, lowered, *printer, {});
  for (size_t i = 0; i < infos.size(); ++i)
    prepared.report.code.push_back(describe(prepared.body, prepared.body.instructions[i], infos[i].text));
  prepared.report.frontEnd = frontEndBounds(prepared.body);
  prepared.report.fromLlvm = prepared.body.countFromLlvm();
  prepared.report.slotsPerCycle = unitsOf(prepared.body.limits.slots);
  prepared.report.origins = std::move(lowered.origins);
  prepared.report.skipped = std::move(lowered.skipped);
  for (size_t resource = 0; resource < prepared.body.resources.size(); ++resource) {
    const BodyResourceLimit &limit = prepared.body.resources[resource];
    double units = 0;
    for (const CalibratedInstructionReport &code : prepared.report.code)
      units += code.uses[resource];
    prepared.report.resources.push_back({limit.name, unitsOf(limit.ticksPerCycle), units, limit.isLlvms});
  }
  return prepared;
}

CalibratedReport CalibratedSimulator::run(const PreparedCalibratedRegion &prepared) {
  CalibratedRun run =
      CalibratedMachine().run(prepared.body, {.iterations = prepared.iterations, .recorded = prepared.recorded});
  CalibratedReport report = prepared.report;
  report.iterations = prepared.iterations;
  report.instructions = uint64_t(prepared.iterations) * report.code.size();
  report.cycles = static_cast<uint64_t>(run.cycles);
  report.rate = {run.rateCycles, run.rateIterations};
  report.rateIsExact = run.rateIsExact;
  report.times = std::move(run.times);
  for (size_t i = 0; i < report.code.size(); ++i)
    report.code[i].wait = run.waits[i];
  return report;
}

} // namespace mca
