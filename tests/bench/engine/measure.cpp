#include "tests/bench/engine/measure.h"

#include "mca-core/views/text.h"
#include "tests/bench/engine/timing.h"
#include "tests/differential/engine/isolated.h"
#include "tests/differential/reference/simulation.h"

#include "llvm/Support/raw_ostream.h"

#include <numeric>

namespace bench {
namespace {

using mca::SimulationOptions;

constexpr size_t kLastLlvm = 2;            // of kIterations: up to 100
constexpr double kTooSlow = 0.03;          // seconds for 1,000 iterations: no more of them
constexpr uint32_t kUsualIterations = 100; // of the whole path and the like

double timeOurs(mca::Simulator &simulator, const Body &body, const SimulationOptions &options) {
  return secondsOf([&] { static_cast<void>(simulator.simulate(*body.program, body.region, options)); });
}

/// Behind a run of the same, see BodyTimes.
double timeOursWarm(mca::Simulator &simulator, const Body &body, const SimulationOptions &options) {
  return secondsOfRepeated([&] { static_cast<void>(simulator.simulate(*body.program, body.region, options)); });
}

LlvmTimes timeLlvm(const mca::Target &target, const Body &body, const SimulationOptions &options) {
  using mca::reference::LlvmSimulation;
  LlvmTimes times;
  std::optional<LlvmSimulation> lowered;
  mca::Report report;
  times.lowering = secondsOf([&] {
    auto result = LlvmSimulation::lower(target, *body.program, body.region, options);
    if (result)
      lowered.emplace(std::move(*result));
  });
  if (lowered) {
    times.describing = secondsOf([&] { lowered->describe(report); });
    times.running = secondsOf([&] { static_cast<void>(lowered->run(report, options.iterations)); });
  }
  return times;
}

/// Behind a run of the same, and repeated as ours are: the mean.
LlvmTimes timeLlvmWarm(const mca::Target &target, const Body &body, const SimulationOptions &options) {
  static_cast<void>(timeLlvm(target, body, options));
  LlvmTimes sum;
  unsigned runs = 0;
  do {
    const LlvmTimes times = timeLlvm(target, body, options);
    sum.lowering += times.lowering;
    sum.describing += times.describing;
    sum.running += times.running;
    ++runs;
  } while (sum.all() < kShortest);
  return {sum.lowering / runs, sum.describing / runs, sum.running / runs};
}

LlvmTimes medianOf(const std::vector<LlvmTimes> &rounds) {
  const auto part = [&](double LlvmTimes::*member) {
    std::vector<double> values;
    for (const LlvmTimes &times : rounds)
      values.push_back(times.*member);
    return median(std::move(values));
  };
  return {part(&LlvmTimes::lowering), part(&LlvmTimes::describing), part(&LlvmTimes::running)};
}

/// One side of the way from text to text, behind an untimed run of the same.
template <typename Simulate>
double timeWholePath(const mca::Target &target, const std::string &text, Simulate simulate) {
  const auto run = [&] {
    const auto program = mca::Program::parse(text, target, {});
    std::vector<uint32_t> region(program->instructions().size());
    std::iota(region.begin(), region.end(), 0);
    const auto simulation = simulate(*program, region);
    std::string printed;
    llvm::raw_string_ostream out(printed);
    if (simulation)
      mca::printReport(out, (*simulation).report, {});
  };
  run();
  return secondsOfRepeated(run);
}

void measureWholePath(mca::Simulator &simulator, const mca::Target &target, const Body &body, unsigned rounds,
                      BodyTimes &times) {
  const std::string text = body.text();
  std::vector<double> ours, llvms;
  for (unsigned i = 0; i < rounds; ++i) {
    ours.push_back(timeWholePath(target, text, [&](const auto &program, const auto &region) {
      return simulator.simulate(program, region, {});
    }));
    llvms.push_back(timeWholePath(target, text, [&](const auto &program, const auto &region) {
      return mca::reference::simulateWithLlvm(target, program, region, {});
    }));
  }
  times.wholePath = median(std::move(ours));
  times.llvmWholePath = median(std::move(llvms));
}

/// The first simulation of a process.
template <typename Simulate>
double timeCold(Simulate simulate) {
  const differential::Ending ending = differential::runIsolated(
      60, [&](differential::Output &out) { out.write(std::to_string(1e9 * secondsOf(simulate))); });
  return ending.finished ? 1e-9 * std::stod(ending.output) : 0;
}

class Measurement {
public:
  Measurement(mca::Simulator &simulator, const mca::Target &target, const Body &body, const MeasureOptions &options)
      : simulator_(simulator), target_(target), body_(body), options_(options) {}

  BodyTimes run() {
    static_cast<void>(timeOurs(simulator_, body_, {}));
    static_cast<void>(timeLlvm(target_, body_, {.iterations = 1}));
    for (size_t i = 0; i < kIterations.size(); ++i)
      measureIterations(i);
    measureVariants();
    if (options_.inDepth)
      measureWholePath(simulator_, target_, body_, options_.rounds, times_);
    return times_;
  }

private:
  void measureIterations(size_t index) {
    const SimulationOptions options{.iterations = kIterations[index]};
    const bool withLlvm = index <= kLastLlvm || (options_.inDepth && index == kLastLlvm + 1);
    if (index > kLastLlvm + 1 && times_.ours[kLastLlvm + 1] > kTooSlow)
      return;
    const unsigned rounds = index <= 1 ? options_.rounds * 2 + 1 : options_.rounds;
    std::vector<double> ours, afterLlvm;
    std::vector<LlvmTimes> llvms;
    for (unsigned i = 0; i < rounds; ++i) {
      afterLlvm.push_back(timeOurs(simulator_, body_, options));
      ours.push_back(timeOursWarm(simulator_, body_, options));
      if (withLlvm && index <= kLastLlvm)
        llvms.push_back(timeLlvmWarm(target_, body_, options));
      else if (withLlvm && i == 0)
        llvms.push_back(timeLlvm(target_, body_, options));
    }
    times_.ours[index] = median(std::move(ours));
    if (index == kLastLlvm)
      times_.afterLlvm100 = median(std::move(afterLlvm));
    if (withLlvm)
      times_.llvm[index] = medianOf(llvms);
  }

  void measureVariants() {
    const auto medianTime = [&](const SimulationOptions &options) {
      static_cast<void>(timeOurs(simulator_, body_, options));
      std::vector<double> times;
      for (unsigned i = 0; i < options_.rounds; ++i)
        times.push_back(timeOursWarm(simulator_, body_, options));
      return median(std::move(times));
    };
    SimulationOptions options{.iterations = 10};
    options.steadyState = false;
    times_.everyIteration10 = medianTime(options);
    options.iterations = kUsualIterations;
    times_.everyIteration100 = medianTime(options);
    times_.withBottlenecks = medianTime({.iterations = kUsualIterations, .timeline = true, .bottlenecks = true});
    options.calibration = options_.calibration;
    if (!options.calibration || !simulator_.simulate(*body_.program, body_.region, options))
      return;
    times_.calibratedEvery100 = medianTime(options);
    options.iterations = 10;
    times_.calibratedEvery10 = medianTime(options);
    times_.calibrated100 = medianTime({.iterations = kUsualIterations, .calibration = options_.calibration});
  }

  mca::Simulator &simulator_;
  const mca::Target &target_;
  const Body &body_;
  MeasureOptions options_;
  BodyTimes times_;
};

} // namespace

LlvmTimes BodyTimes::llvmAt(size_t index) const {
  if (llvm[index])
    return *llvm[index];
  const size_t known = llvm[kLastLlvm + 1] ? kLastLlvm + 1 : kLastLlvm;
  const double slope =
      (llvm[known]->running - llvm[known - 1]->running) / (kIterations[known] - kIterations[known - 1]);
  LlvmTimes times = *llvm[known];
  times.running += slope * (kIterations[index] - kIterations[known]);
  return times;
}

ColdTimes measureCold(const mca::Target &target, const Body &body, uint32_t iterations) {
  const SimulationOptions options{.iterations = iterations};
  return {.ours = timeCold([&] {
            mca::Simulator simulator(target);
            static_cast<void>(simulator.simulate(*body.program, body.region, options));
          }),
          .llvm = timeCold([&] {
            static_cast<void>(mca::reference::simulateWithLlvm(target, *body.program, body.region, options));
          })};
}

BodyTimes measureBody(mca::Simulator &simulator, const mca::Target &target, const Body &body,
                      const MeasureOptions &options) {
  return Measurement(simulator, target, body, options).run();
}

} // namespace bench
