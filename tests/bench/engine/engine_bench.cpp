// The simulator's time over that of LLVM's own pipeline, on real code for several CPUs.
//
//   engine_bench [--quick] [--cpu NAME]... [--bodies N]
//
// Processor time; rounds of both sides are interleaved, and of each the median counts. Both sides simulate with the
// default options of a hint: summary, pressure, the instructions' descriptions. Warm: right behind an untimed run of
// the same, on both sides. After LLVM: right behind a run of LLVM's, whose megabytes have taken the caches. Cold: the
// first simulation of a process.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "tests/bench/engine/measure.h"
#include "tests/bench/engine/timing.h"
#include "tests/differential/engine/isolated.h"
#include "tests/differential/reference/simulation.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <sstream>

namespace bench {
namespace {

using differential::Cpu;

constexpr Cpu kCpus[] = {
    {"x86_64-unknown-linux-gnu", "btver2"},
    {"x86_64-unknown-linux-gnu", "skylake"},
    {"x86_64-unknown-linux-gnu", "znver3"},
    {"x86_64-unknown-linux-gnu", "znver4"},
    {"x86_64-unknown-linux-gnu", "sapphirerapids"},
    {"aarch64-unknown-linux-gnu", "neoverse-v2"},
    {"arm64-apple-macosx", "apple-m1"},
    {"aarch64-unknown-linux-gnu", "cortex-a55"},
    {"riscv64-unknown-linux-gnu", "sifive-u74"},
    {"riscv64-unknown-linux-gnu", "sifive-x280"},
    {"x86_64-unknown-linux-gnu", "atom"},
    {"powerpc64le-unknown-linux-gnu", "pwr9"},
};
constexpr double kSecondsToTry = 10;
constexpr size_t kDepth = 5; // every so manyth body is measured in depth

struct Plan {
  std::vector<std::string> cpus;
  std::vector<const char *> levels = {"-O0", "-O1", "-O2", "-O3"};
  size_t bodies = 520;
  unsigned rounds = 3;
  bool quick = false;
};

/// Bodies that LLVM's pipeline simulates to the end: on some it crashes.
std::vector<Body> simulable(const mca::Target &target, const std::vector<Body> &bodies) {
  const auto makeWork = [&] {
    return [&](size_t i, differential::Output &out) {
      if (mca::reference::simulateWithLlvm(target, *bodies[i].program, bodies[i].region, {.iterations = 2}))
        out.write(std::to_string(i) + "\n");
    };
  };
  std::istringstream good(differential::runPieces(kSecondsToTry, bodies.size(), makeWork, [](auto &&...) {}));
  std::vector<Body> result;
  for (size_t i; good >> i;)
    result.push_back(bodies[i]);
  return result;
}

/// What is shipped of a CPU, or its documented profile; null if there is neither. `file` is set to its name.
std::shared_ptr<const mca::Calibration> findCalibration(const Cpu &cpu, std::string &file) {
  const mca::AutomaticCalibration found = mca::findAutomatic(cpu.name, {});
  const mca::ShippedCalibration *const text = found.shipped ? found.shipped : found.documented;
  if (!text)
    return nullptr;
  file = text->file;
  auto calibration = mca::readCalibration(text->text, file);
  if (!calibration)
    throw std::runtime_error(calibration.message());
  return std::make_shared<const mca::Calibration>(std::move(*calibration));
}

void printRow(const char *name, const Ratios &ratios, const char *remark = "") {
  if (ratios.empty())
    std::printf("  %-46s          -\n", name);
  else
    std::printf("  %-46s %10.1f %10.1f   %4zu bodies%s\n", name, ratios.geometricMean(), ratios.least(), ratios.count(),
                remark);
}

class CpuReport {
public:
  explicit CpuReport(const Cpu &cpu) : cpu_(cpu) {}

  void measure(const Plan &plan);
  void print() const;

private:
  using Selector = std::function<double(const BodyTimes &)>;
  /// Of the bodies for which `divisor` was measured.
  Ratios ratios(const Selector &dividend, const Selector &divisor) const {
    Ratios result;
    for (const BodyTimes &times : times_)
      if (divisor(times) > 0 && dividend(times) > 0)
        result.add(dividend(times) / divisor(times));
    return result;
  }
  void printSpeed() const;
  void printOurs() const;
  void printCalibrated() const;
  void printExtrapolation() const;

  Cpu cpu_;
  std::string calibration_; ///< the file of the calibrated machine; empty: there is none
  std::vector<size_t> sizes_;
  size_t loops_ = 0;
  std::vector<BodyTimes> times_;
  std::vector<ColdTimes> cold1_, cold100_;
};

void CpuReport::measure(const Plan &plan) {
  auto target = mca::Target::create({.triple = cpu_.triple, .cpu = cpu_.name});
  if (!target)
    throw std::runtime_error(target.message());
  const std::vector<Body> bodies = simulable(**target, compileBodies(cpu_, **target, plan.levels, plan.bodies));
  for (size_t i = 0; i < bodies.size(); i += kDepth) {
    cold1_.push_back(measureCold(**target, bodies[i], 1));
    cold100_.push_back(measureCold(**target, bodies[i], 100));
  }
  const std::shared_ptr<const mca::Calibration> calibration = findCalibration(cpu_, calibration_);
  mca::Simulator simulator(**target);
  for (size_t i = 0; i < bodies.size(); ++i) {
    sizes_.push_back(bodies[i].region.size());
    loops_ += bodies[i].isLoop;
    times_.push_back(measureBody(simulator, **target, bodies[i],
                                 {.rounds = plan.rounds, .inDepth = i % kDepth == 0, .calibration = calibration}));
  }
}

void CpuReport::print() const {
  std::vector<size_t> sizes = sizes_;
  std::sort(sizes.begin(), sizes.end());
  const std::string triple = cpu_.triple;
  std::printf("\n%s %s: %zu bodies (%zu loops) of %zu to %zu instructions, median %zu\n",
              triple.substr(0, triple.find('-')).c_str(), cpu_.name, sizes.size(), loops_, sizes.front(), sizes.back(),
              sizes[sizes.size() / 2]);
  printSpeed();
  printOurs();
  if (!calibration_.empty())
    printCalibrated();
  std::fflush(stdout);
}

void CpuReport::printSpeed() const {
  std::printf("  %-46s %10s %10s\n", "times faster than LLVM", "geo. mean", "worst");
  for (size_t i = 0; i < kIterations.size(); ++i) {
    if (kIterations[i] == 10000)
      continue;
    const std::string name = "warm, " + std::to_string(kIterations[i]) + " iterations";
    printRow(name.c_str(),
             ratios([=](const BodyTimes &t) { return t.llvmAt(i).pipeline(); },
                    [=](const BodyTimes &t) { return t.ours[i]; }),
             kIterations[i] <= 100 ? "" : ", LLVM extrapolated");
  }
  printRow("warm, 100, describing on both sides",
           ratios([](const BodyTimes &t) { return t.llvmAt(2).all(); }, [](const BodyTimes &t) { return t.ours[2]; }));
  printRow("after LLVM, 100 iterations", ratios([](const BodyTimes &t) { return t.llvmAt(2).pipeline(); },
                                                [](const BodyTimes &t) { return t.afterLlvm100; }));
  for (const auto &[name, cold] : {std::pair("cold, 1 iteration", &cold1_), {"cold, 100 iterations", &cold100_}}) {
    Ratios result;
    for (const ColdTimes &times : *cold)
      if (times.ours > 0 && times.llvm > 0)
        result.add(times.llvm / times.ours);
    printRow(name, result, ", describing on both sides");
  }
  printRow("warm, text to text, 100 iterations",
           ratios([](const BodyTimes &t) { return t.llvmWholePath; }, [](const BodyTimes &t) { return t.wholePath; }),
           ", our parser and printer on both sides");
  printExtrapolation();
}

/// Whether LLVM's time is as linear as the extrapolation takes it for.
void CpuReport::printExtrapolation() const {
  Ratios check;
  for (const BodyTimes &times : times_)
    if (times.llvm[3]) {
      BodyTimes without = times;
      without.llvm[3].reset();
      check.add(without.llvmAt(3).running / times.llvm[3]->running);
    }
  if (!check.empty())
    std::printf("  LLVM at 1,000 iterations, extrapolated over measured: %.3f (%zu bodies measured)\n",
                check.geometricMean(), check.count());
}

void CpuReport::printOurs() const {
  Ratios ours, llvms, lowering;
  for (size_t i = 0; i < times_.size(); ++i) {
    const BodyTimes &times = times_[i];
    const double instructions = 90.0 * double(sizes_[i]);
    ours.add(std::max(0.01, 1e9 * (times.everyIteration100 - times.everyIteration10) / instructions));
    llvms.add(1e9 * (times.llvm[2]->running - times.llvm[1]->running) / instructions);
    lowering.add(1e9 * times.ours[0] / double(sizes_[i]));
  }
  std::printf("  %-46s %10s %10s\n", "", "mean", "worst");
  std::printf("  %-46s %10.1f %10.1f   LLVM %.0f\n", "ns per simulated instruction, no steady state", ours.mean(),
              ours.most(), llvms.mean());
  std::printf("  %-46s %10.1f %10.1f\n", "ns per instruction of the body, 1 iteration", lowering.mean(),
              lowering.most());
  const auto growing = [](const char *name, const Ratios &ratios) {
    if (!ratios.empty())
      std::printf("  %-46s %10.2f %10.2f   %4zu bodies\n", name, ratios.geometricMean(), ratios.most(), ratios.count());
  };
  growing("time at 100,000 over time at 10,000",
          ratios([](const BodyTimes &t) { return t.ours[5]; }, [](const BodyTimes &t) { return t.ours[4]; }));
  growing("with bottlenecks and timeline, over without",
          ratios([](const BodyTimes &t) { return t.withBottlenecks; }, [](const BodyTimes &t) { return t.ours[2]; }));
}

/// With the steady state, a hint's whole simulation counts: lowering, the calibration laid over it, 100 iterations.
void CpuReport::printCalibrated() const {
  Ratios everyIteration, whole, wholeOfModel;
  for (size_t i = 0; i < times_.size(); ++i) {
    const BodyTimes &times = times_[i];
    if (times.calibrated100 == 0)
      continue;
    everyIteration.add(
        std::max(0.01, 1e9 * (times.calibratedEvery100 - times.calibratedEvery10) / (90.0 * double(sizes_[i]))));
    whole.add(1e9 * times.calibrated100 / (100.0 * double(sizes_[i])));
    wholeOfModel.add(1e9 * times.ours[2] / (100.0 * double(sizes_[i])));
  }
  std::printf("  calibrated machine, %s: %zu bodies\n", calibration_.c_str(), whole.count());
  if (whole.empty())
    return;
  std::printf("  %-46s %10.1f %10.1f\n", "ns per simulated instruction, no steady state", everyIteration.mean(),
              everyIteration.most());
  std::printf("  %-46s %10.1f %10.1f   LLVM's model %.1f\n", "ns per instruction of 100 iterations, steady state",
              whole.mean(), whole.most(), wholeOfModel.mean());
}

/// Each CPU in a process of its own, so that one does not warm the next one up.
bool run(const Plan &plan) {
  bool complete = true;
  for (const Cpu &cpu : kCpus) {
    if (!plan.cpus.empty() && !std::count(plan.cpus.begin(), plan.cpus.end(), cpu.name))
      continue;
    const differential::Ending ending = differential::runIsolated(0, [&](differential::Output &) {
      CpuReport report(cpu);
      report.measure(plan);
      report.print();
    });
    if (!ending.finished)
      std::printf("\n%s: %s\n", cpu.name, ending.why.c_str());
    complete &= ending.finished;
  }
  return complete;
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  bench::Plan plan;
  CLI::App app("The simulator's time over that of LLVM's own pipeline");
  app.add_flag("--quick", plan.quick, "fewer bodies, of -O2 alone, for fewer CPUs");
  app.add_option("--cpu", plan.cpus, "only this CPU; may be repeated");
  app.add_option("--bodies", plan.bodies, "for each CPU");
  CLI11_PARSE(app, argc, argv);
  if (plan.quick) {
    plan.bodies = std::min<size_t>(plan.bodies, 80);
    plan.levels = {"-O2"};
    if (plan.cpus.empty())
      plan.cpus = {"btver2", "znver4", "neoverse-v2", "cortex-a55"};
  }
  std::printf(
      "Processor time, medians of interleaved rounds. LLVM: lowering and pipeline, with the same views. LLVM's\n"
      "time grows linearly: above 100 iterations it is extrapolated, from 1,000 for every fifth body, from\n"
      "100 for the others.\n");
  std::fflush(stdout);
  return bench::run(plan) ? 0 : 1;
}
