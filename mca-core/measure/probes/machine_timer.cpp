#include "mca-core/measure/probes/machine_timer.h"

#include "mca-core/measure/clock.h"
#include "mca-core/measure/probes/encoded_probe.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace mca::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = 200;      ///< probes between two canaries
constexpr double kAgreement = .05;  ///< between passes
constexpr double kResolution = .02; ///< cycles: smaller differences are none
constexpr uint32_t kAgreeingPasses = 2, kMostPasses = 6;
constexpr auto kShortestPause = std::chrono::milliseconds(10), kLongestPause = std::chrono::milliseconds(250);

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
      return Timing{.cycles = least,
                    .spread = std::min(1.0, (*(end - 1) - least) / std::max(least, kResolution)),
                    .passes = count};
  }
  return NoTiming{"its passes differ"};
}

bool isSettled(const ProbePasses &passes) {
  return !passes.refusal.empty() || std::holds_alternative<Timing>(combine(passes));
}

} // namespace

struct MachineTimer::Parts {
  Gate gate;
  MachineTimerOptions options;
  ProbeEncoder encoder;
  bool hasGivenUp = false;

  bool isStopped() const { return hasGivenUp || options.isStopRequested(); }
  bool runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results);
  void timeChunk(std::span<const Probe> probes, std::vector<ProbeResult> &results);
};

Result<std::unique_ptr<MachineTimer>> MachineTimer::create(CodeRunner &runner, const InstanceMaker &maker,
                                                           MachineTimerOptions options) {
  Result<Gate> gate = Gate::create(runner);
  if (!gate)
    return Failure{gate.message()};
  return std::unique_ptr<MachineTimer>(new MachineTimer(
      std::unique_ptr<Parts>(new Parts{std::move(*gate), std::move(options), ProbeEncoder(maker, runner.memory())})));
}

MachineTimer::MachineTimer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

MachineTimer::~MachineTimer() = default;

bool MachineTimer::isStopped() const {
  return parts_->isStopped();
}

bool MachineTimer::gaveUp() const {
  return parts_->hasGivenUp;
}

/// One pass over the probes between canaries. False if it does not count.
bool MachineTimer::Parts::runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results) {
  std::vector<CodeToRun> codes;
  for (const EncodedProbe *probe : probes) {
    codes.push_back(probe->shorter);
    codes.push_back(probe->longer);
  }
  const std::optional<GatedChunk> chunk = gate.attempt(codes);
  options.onPass(gate.accepted(), gate.rejected());
  if (!chunk)
    return false;
  for (size_t i = 0; i < probes.size(); ++i) {
    const CodeResult &shorter = chunk->results[2 * i], &longer = chunk->results[2 * i + 1];
    const auto *const less = std::get_if<CodeTimes>(&shorter), *const more = std::get_if<CodeTimes>(&longer);
    if (less && more)
      results[i]->cycles.push_back((chunk->cyclesOf(*more) - chunk->cyclesOf(*less)) / probes[i]->copies);
    else
      results[i]->refusal = std::get<CodeRefusal>(less ? longer : shorter).reason;
  }
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
      pause = kShortestPause;
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
