#include "mca-core/measure/probes/machine_timer.h"

#include "mca-core/measure/clock.h"
#include "mca-core/measure/probes/encoded_probe.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

namespace mca::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunk = 200;      ///< probes between two canaries
constexpr double kAgreement = .03;  ///< between passes
constexpr double kResolution = .02; ///< cycles: smaller differences are none
constexpr uint32_t kAgreeingPasses = 2, kLeastPasses = 3, kMostPasses = 8, kMostAttempts = 300;
constexpr auto kLearning = std::chrono::seconds(4);
constexpr auto kShortestPause = std::chrono::milliseconds(1), kLongestPause = std::chrono::milliseconds(250);

/// The cycles of a probe in each pass that counted, or why there is none.
struct ProbePasses {
  std::vector<double> cycles;
  uint32_t attempts = 0;
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
                    .spread =
                        std::round(std::min(1.0, (*(end - 1) - least) / std::max(least, kResolution)) * 1e4) / 1e4,
                    .passes = count};
  }
  return NoTiming{"its passes differ"};
}

bool isSettled(const ProbePasses &passes) {
  return !passes.refusal.empty() || passes.cycles.size() == kMostPasses || passes.attempts == kMostAttempts ||
         (passes.cycles.size() >= kLeastPasses && std::holds_alternative<Timing>(combine(passes)));
}

} // namespace

struct MachineTimer::Parts {
  Gate gate;
  MachineTimerOptions options;
  ProbeEncoder encoder;
  Clock::time_point lastSuccess = Clock::now();
  bool hasGivenUp = false;

  bool isStopped() const { return hasGivenUp || options.isStopRequested(); }
  bool runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results);
  void timeChunk(std::span<const Probe> probes, std::vector<ProbeResult> &results);
};

Result<std::unique_ptr<MachineTimer>> MachineTimer::create(CodeRunner &runner, const InstanceMaker &maker,
                                                           MachineTimerOptions options) {
  Result<Gate> gate = Gate::create(runner, kLearning, options.timeout);
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

/// One pass over the probes. False if none of them had a quiet moment.
bool MachineTimer::Parts::runPass(std::span<const EncodedProbe *const> probes, std::span<ProbePasses *const> results) {
  std::vector<CodeToRun> codes;
  for (const EncodedProbe *probe : probes) {
    codes.push_back(probe->shorter);
    codes.push_back(probe->longer);
  }
  const std::vector<GatedResult> judged = gate.attempt(codes);
  options.onPass(gate.accepted(), gate.rejected());
  bool isAnyTimed = false;
  for (size_t i = 0; i < probes.size(); ++i) {
    ++results[i]->attempts;
    const GatedResult &shorter = judged[2 * i], &longer = judged[2 * i + 1];
    const auto *const less = std::get_if<QuietTime>(&shorter), *const more = std::get_if<QuietTime>(&longer);
    if (less && more)
      results[i]->cycles.push_back((more->cycles - less->cycles) / probes[i]->copies);
    for (const GatedResult *one : {&shorter, &longer})
      if (const auto *const refusal = std::get_if<CodeRefusal>(one))
        results[i]->refusal = refusal->reason;
    isAnyTimed |= (less && more) || !results[i]->refusal.empty();
  }
  return isAnyTimed;
}

void MachineTimer::Parts::timeChunk(std::span<const Probe> probes, std::vector<ProbeResult> &results) {
  std::vector<ProbePasses> passes(probes.size());
  std::vector<EncodedProbe> encoded(probes.size());
  for (size_t i = 0; i < probes.size(); ++i)
    if (Result<EncodedProbe> code = encoder.encode(probes[i]))
      encoded[i] = std::move(*code);
    else
      passes[i].refusal = code.message();
  std::chrono::milliseconds pause = kShortestPause;
  uint32_t revision = gate.revision();
  while (!isStopped()) {
    if (std::exchange(revision, gate.revision()) != gate.revision())
      for (ProbePasses &each : passes)
        each.cycles.clear();
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
      lastSuccess = Clock::now();
      pause = kShortestPause;
      continue;
    }
    hasGivenUp = Clock::now() - lastSuccess > options.timeout;
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
