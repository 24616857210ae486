#include "mca-core/measure/probes/machine_timer.h"

#include "mca-core/measure/probes/encoded_probe.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace mca::measure {
namespace {

using llvm::MCInst;
using llvm::MCOperand;
using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = 200;           ///< probes between two canaries
constexpr double kCanaryTolerance = .02; ///< above the best seen
constexpr double kAgreement = .05;       ///< between passes
constexpr double kResolution = .02;      ///< cycles: smaller differences are none
constexpr uint32_t kAgreeingPasses = 2, kMostPasses = 6;
constexpr auto kShortestPause = std::chrono::milliseconds(50), kLongestPause = std::chrono::milliseconds(3000);

/// Multiplications of 64 bits take three cycles on all x86 cores since 2008.
constexpr double kClockCycles = 3;

struct Canaries {
  Probe clock, nops, loads;
};

Canaries makeCanaries(const InstanceMaker &maker) {
  const auto general = [&](uint8_t number) {
    return MCOperand::createReg(maker.fullRegister(RegisterFamily::General, number));
  };
  constexpr int64_t kLarge = 0x12345671; // a small factor would become an addition on some cores
  Canaries canaries;
  canaries.clock = {.name = "clock",
                    .setup = {},
                    .block = {maker.assemble("IMUL64rri32", {general(0), general(0), MCOperand::createImm(kLarge)})}};
  canaries.nops = {.name = "nops", .setup = {}, .block = {maker.assemble("NOOP", {})}};
  canaries.loads = {.name = "loads", .setup = {}, .block = {}};
  const Placement placement = aloneFormPlacement();
  for (unsigned copy = 0; copy < placement.generalTargets.size(); ++copy)
    canaries.loads.block.push_back(*maker.make(*maker.opcodeOf("MOV64rm"), {}, placement, copy));
  return canaries;
}

/// The cycles of a probe in each pass that counted, or why there is none.
struct ProbePasses {
  std::vector<double> cycles;
  std::string refusal;
};

bool agree(double one, double other) {
  const double difference = std::abs(one - other);
  return difference <= kResolution || difference <= kAgreement * std::min(one, other);
}

/// The smallest time that another pass agrees with.
ProbeResult combine(ProbePasses passes) {
  if (!passes.refusal.empty())
    return NoTiming{passes.refusal};
  std::ranges::sort(passes.cycles);
  for (size_t i = 0; i + 1 < passes.cycles.size(); ++i) {
    const double least = passes.cycles[i];
    const auto end = std::find_if(passes.cycles.begin() + i, passes.cycles.end(),
                                  [&](double cycles) { return !agree(least, cycles); });
    const auto count = static_cast<uint32_t>(end - (passes.cycles.begin() + i));
    if (count >= kAgreeingPasses)
      return Timing{.cycles = least, .spread = least > 0 ? (*(end - 1) - least) / least : 0, .passes = count};
  }
  return NoTiming{"its passes differ"};
}

bool isSettled(const ProbePasses &passes) {
  return !passes.refusal.empty() || std::holds_alternative<Timing>(combine(passes));
}

} // namespace

struct MachineTimer::Parts {
  CodeRunner &runner;
  const InstanceMaker &maker;
  MachineTimerOptions options;
  ProbeEncoder encoder;
  Canaries canaries;
  double bestNops = std::numeric_limits<double>::infinity(), bestLoads = bestNops;
  uint32_t accepted = 0, rejected = 0;
  bool hasGivenUp = false;

  Parts(CodeRunner &runner, const InstanceMaker &maker, MachineTimerOptions options)
      : runner(runner), maker(maker), options(std::move(options)), encoder(maker, runner.memory()),
        canaries(makeCanaries(maker)) {}

  bool isStopped() const { return hasGivenUp || options.isStopRequested(); }
  std::optional<double> ticksOf(std::span<const CodeResult> pair, double copies, std::string &refusal) const;
  std::optional<double> quietClock(std::span<const double> canaryTicks);
  bool runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results);
  void timeChunk(std::span<const Probe> probes, std::vector<ProbeResult> &results);
};

MachineTimer::MachineTimer(CodeRunner &runner, const InstanceMaker &maker, MachineTimerOptions options)
    : parts_(std::make_unique<Parts>(runner, maker, std::move(options))) {}

MachineTimer::~MachineTimer() = default;

bool MachineTimer::isStopped() const {
  return parts_->isStopped();
}

bool MachineTimer::gaveUp() const {
  return parts_->hasGivenUp;
}

/// Ticks of one execution of the block, from the times of the shorter and the longer code.
std::optional<double> MachineTimer::Parts::ticksOf(std::span<const CodeResult> pair, double copies,
                                                   std::string &refusal) const {
  for (const CodeResult &result : pair)
    if (const auto *const refused = std::get_if<CodeRefusal>(&result)) {
      refusal = refused->reason;
      return std::nullopt;
    }
  const auto shorter = static_cast<double>(std::get<CodeTimes>(pair[0]).least());
  const auto longer = static_cast<double>(std::get<CodeTimes>(pair[1]).least());
  return (longer - shorter) / copies;
}

/// Cycles per tick if the machine was quiet. The ticks are those of clock, nops and loads, at the begin and at the end.
std::optional<double> MachineTimer::Parts::quietClock(std::span<const double> canaryTicks) {
  constexpr size_t kEach = 3;
  const double clock = std::min(canaryTicks[0], canaryTicks[kEach]);
  if (clock <= 0 || std::max(canaryTicks[0], canaryTicks[kEach]) > clock * (1 + kCanaryTolerance))
    return std::nullopt;
  const double cyclesPerTick = kClockCycles / clock;
  const double nops = std::max(canaryTicks[1], canaryTicks[kEach + 1]) * cyclesPerTick;
  const double loads = std::max(canaryTicks[2], canaryTicks[kEach + 2]) * cyclesPerTick;
  bestNops = std::min(bestNops, nops);
  bestLoads = std::min(bestLoads, loads);
  const bool isQuiet = nops <= bestNops * (1 + kCanaryTolerance) && loads <= bestLoads * (1 + kCanaryTolerance);
  return isQuiet ? std::optional(cyclesPerTick) : std::nullopt;
}

/// One pass over the probes between canaries. False if it does not count.
bool MachineTimer::Parts::runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results) {
  std::vector<EncodedProbe> ends;
  for (const Probe *canary : {&canaries.clock, &canaries.nops, &canaries.loads})
    ends.push_back(*encoder.encode(*canary));
  std::vector<const EncodedProbe *> all;
  const auto addEnds = [&] {
    for (const EncodedProbe &canary : ends)
      all.push_back(&canary);
  };
  addEnds();
  all.insert(all.end(), probes.begin(), probes.end());
  addEnds();
  std::vector<CodeToRun> codes;
  for (const EncodedProbe *probe : all) {
    codes.push_back(probe->shorter);
    codes.push_back(probe->longer);
  }
  const std::vector<CodeResult> times = runner.run(codes);
  std::vector<double> canaryTicks;
  std::vector<std::pair<std::optional<double>, std::string>> ticks;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string refusal;
    const auto value = ticksOf(std::span(times).subspan(2 * i, 2), all[i]->copies, refusal);
    if (i < ends.size() || i >= all.size() - ends.size())
      canaryTicks.push_back(value.value_or(0));
    else
      ticks.emplace_back(value, refusal);
  }
  const std::optional<double> cyclesPerTick = quietClock(canaryTicks);
  ++(cyclesPerTick ? accepted : rejected);
  options.onPass(accepted, rejected);
  if (!cyclesPerTick)
    return false;
  for (size_t i = 0; i < ticks.size(); ++i)
    if (ticks[i].first)
      results[i]->cycles.push_back(*ticks[i].first * *cyclesPerTick);
    else
      results[i]->refusal = ticks[i].second;
  return true;
}

void MachineTimer::Parts::timeChunk(std::span<const Probe> probes, std::vector<ProbeResult> &results) {
  std::vector<ProbePasses> passes(probes.size());
  std::vector<EncodedProbe> encoded(probes.size());
  for (size_t i = 0; i < probes.size(); ++i)
    if (Result<EncodedProbe> code = encoder.encode(probes[i]))
      encoded[i] = std::move(*code);
    else
      passes[i].refusal = code.message();
  const auto begin = Clock::now();
  std::chrono::milliseconds pause = kShortestPause;
  for (uint32_t done = 0; done < kMostPasses && !isStopped();) {
    std::vector<const EncodedProbe *> open;
    std::vector<ProbePasses *> openPasses;
    for (size_t i = 0; i < probes.size(); ++i)
      if (!isSettled(passes[i])) {
        open.push_back(&encoded[i]);
        openPasses.push_back(&passes[i]);
      }
    if (open.empty())
      break;
    if (runPass(open, openPasses)) {
      ++done;
      continue;
    }
    hasGivenUp = Clock::now() - begin > options.patience;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(kLongestPause));
  }
  for (ProbePasses &each : passes)
    results.push_back(combine(std::move(each)));
}

std::vector<ProbeResult> MachineTimer::time(std::span<const Probe> probes) {
  std::vector<ProbeResult> results;
  while (!probes.empty()) {
    const size_t size = std::min(kChunk, probes.size());
    parts_->timeChunk(probes.first(size), results);
    probes = probes.subspan(size);
  }
  return results;
}

} // namespace mca::measure
