// The steady rate against LLVM's own pipeline and against long simulations: N further iterations take exactly what the
// rate says, for an N that is a multiple of the period, whatever was asked for beside the rate.
#include "tests/differential/corpus.h"
#include "tests/differential/engine/cpu_run.h"
#include "tests/differential/engine/generator.h"
#include "tests/differential/engine/parsed_body.h"
#include "tests/differential/reference/simulation.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace differential {
namespace {

using mca::Rate;
using mca::Report;
using mca::SimulationOptions;
using mca::Simulator;
using mca::reference::LlvmSimulation;

constexpr uint32_t kRunUp = 2520;      // iterations
constexpr uint32_t kLongRunUp = 40000; // iterations, for the few bodies that take so long to find their stride

/// How often the rate's iterations are repeated: a number with many divisors, as a state may take several times as many
/// iterations to come again, but not many more than 20,000 iterations in all.
uint64_t periodsOf(const Rate &rate) {
  for (const uint64_t periods : {5040, 2520, 1260, 840, 504, 252, 120, 60, 12})
    if (periods * rate.iterations <= 20'160)
      return periods;
  return 1;
}

Rate rateOf(Simulator &simulator, const ParsedBody &body, SimulationOptions options) {
  options.rate = true;
  auto simulation = simulator.simulate(*body.program, body.region, options);
  EXPECT_TRUE(simulation) << simulation.message();
  return simulation ? simulation->report.summary.rate : Rate();
}

/// Of every iteration, one by one.
uint64_t cyclesOf(Simulator &simulator, const ParsedBody &body, SimulationOptions options, uint64_t iterations) {
  options.iterations = static_cast<uint32_t>(iterations);
  options.steadyState = options.pressure = false;
  auto simulation = simulator.simulate(*body.program, body.region, options);
  EXPECT_TRUE(simulation);
  return simulation ? simulation->report.summary.cycles : 0;
}

/// What decides the time alone: how many iterations and which views are up to each test.
SimulationOptions machineOf(const SimulationOptions &options) {
  SimulationOptions machine = options;
  machine.iterations = 100;
  machine.timeline = machine.bottlenecks = machine.inOrderBottlenecks = machine.waitReasons = false;
  machine.dispatchStatistics = machine.schedulerStatistics = machine.retireStatistics = false;
  machine.registerFileStatistics = machine.instructionTables = false;
  return machine;
}

/// The same for any number of iterations, with any view, and with every iteration simulated.
void expectSameRates(Simulator &simulator, const ParsedBody &body, const SimulationOptions &machine, const Rate &rate) {
  for (const uint32_t iterations : {1u, 2u, 7u, 1000u}) {
    SimulationOptions options = machine;
    options.iterations = iterations;
    EXPECT_EQ(rateOf(simulator, body, options), rate) << iterations;
    options.timeline = true;
    options.steadyState = false;
    EXPECT_EQ(rateOf(simulator, body, options), rate) << iterations << ", every iteration";
    options.waitReasons = options.bottlenecks = true;
    EXPECT_EQ(rateOf(simulator, body, options), rate) << iterations << ", every view";
  }
}

class RateOfCase : public testing::TestWithParam<std::string> {};

TEST_P(RateOfCase, IsThatOfLlvmsPipeline) {
  const EngineCase engineCase = readCase(readFile(GetParam()));
  const auto target = mca::Target::create(engineCase.selection());
  ASSERT_TRUE(target);
  const ParsedBody body(**target, engineCase.lines);
  const SimulationOptions machine = machineOf(engineCase.options);
  Simulator simulator(**target);
  const Rate rate = rateOf(simulator, body, machine);
  ASSERT_GT(rate.iterations, 0u);
  auto llvm = LlvmSimulation::lower(**target, *body.program, body.region, machine);
  ASSERT_TRUE(llvm);
  const auto llvmCycles = [&](uint64_t iterations) {
    Report report;
    EXPECT_EQ(llvm->run(report, static_cast<uint32_t>(iterations)), "");
    return report.summary.cycles;
  };
  const uint64_t periods = periodsOf(rate), iterations = periods * rate.iterations;
  EXPECT_EQ(llvmCycles(2 * iterations) - llvmCycles(iterations), periods * rate.cycles)
      << rate.cycles << " / " << rate.iterations;
  expectSameRates(simulator, body, machine, rate);
}

INSTANTIATE_TEST_SUITE_P(Engine, RateOfCase, testing::ValuesIn(engineCaseFiles()), [](const auto &info) {
  return identifier(std::filesystem::path(info.param).filename().string());
});

class RateOfBodies : public testing::TestWithParam<const char *> {};

TEST_P(RateOfBodies, IsWhatFurtherIterationsTake) {
  const auto cpu = std::find_if(engineCpus().begin(), engineCpus().end(),
                                [](const Cpu &c) { return c.name == std::string_view(GetParam()); });
  ASSERT_NE(cpu, engineCpus().end());
  const auto target = mca::Target::create({.triple = cpu->triple, .cpu = cpu->name});
  ASSERT_TRUE(target);
  const InstructionPool pool = makeInstructionPool({.triple = cpu->triple, .cpu = cpu->name}, 13, 80);
  const CaseGenerator generator(*cpu, pool);
  Simulator simulator(**target);
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    EngineCase engineCase = generator.make(seed);
    SCOPED_TRACE(writeCase(engineCase, ""));
    const ParsedBody body(**target, engineCase.lines);
    const SimulationOptions machine = machineOf(engineCase.options);
    SimulationOptions wanted = machine;
    wanted.rate = true;
    auto simulation = simulator.simulate(*body.program, body.region, wanted);
    if (!simulation) // is stuck, or has an instruction without a model
      continue;
    ++compared;
    const Rate rate = simulation->report.summary.rate;
    const uint64_t periods = periodsOf(rate);
    uint64_t further = 0;
    for (const uint64_t runUp : {kRunUp, kLongRunUp}) {
      further = cyclesOf(simulator, body, machine, runUp + periods * rate.iterations) -
                cyclesOf(simulator, body, machine, runUp);
      if (further == periods * rate.cycles)
        break;
    }
    EXPECT_EQ(further, periods * rate.cycles) << rate.cycles << " / " << rate.iterations;
    expectSameRates(simulator, body, machine, rate);
  }
  EXPECT_GE(compared, 30u);
}

INSTANTIATE_TEST_SUITE_P(Engine, RateOfBodies,
                         testing::Values("btver2", "znver4", "skylake", "sapphirerapids", "silvermont", "atom",
                                         "neoverse-v2", "cortex-a55", "cortex-a57", "cortex-r52", "sifive-x280",
                                         "sifive-p670", "pwr9", "gfx90a"),
                         [](const auto &info) { return identifier(info.param); });

} // namespace
} // namespace differential
