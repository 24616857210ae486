// The comparison of reports: it finds a change of any field and says where it is.
#include "tests/differential/reference/difference.h"
#include "tests/differential/reference/simulation.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace mca::reference {
namespace {

/// A report with every part, of a loop that has a bottleneck, buffers and register files.
const Report &fullReport() {
  static const Report report = [] {
    auto target = Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "btver2"});
    const auto program =
        Program::parse("vmulps (%rsi), %xmm1, %xmm2\nvaddps %xmm2, %xmm0, %xmm0\nmovq %rax, %rbx\n", **target, {});
    std::vector<uint32_t> region(program->instructions().size());
    std::iota(region.begin(), region.end(), 0);
    SimulationOptions options{.timeline = true, .bottlenecks = true};
    options.dispatchStatistics = options.schedulerStatistics = options.retireStatistics = true;
    options.registerFileStatistics = options.encodings = options.schedulingDetails = true;
    auto simulation = simulateWithLlvm(**target, *program, region, options);
    return simulation ? simulation->report : Report();
  }();
  return report;
}

std::string differenceAfter(const std::function<void(Report &)> &change) {
  Report changed = fullReport();
  change(changed);
  return firstDifference(changed, fullReport());
}

TEST(FirstDifference, IsEmptyForEqualReports) {
  EXPECT_EQ(firstDifference(fullReport(), fullReport()), "");
}

TEST(FirstDifference, NamesFieldInstructionAndUnit) {
  EXPECT_EQ(differenceAfter([](Report &r) { r.summary.iterations = 7; }),
            "summary, iterations: 7, the reference has 100");
  EXPECT_EQ(differenceAfter([](Report &r) { r.timeline->entries[4].issued = 99; }).substr(0, 72),
            "timeline, iteration 1, instruction 1 (vaddps\t%xmm2, %xmm0, %xmm0), issue");
  const std::string pressure = differenceAfter([](Report &r) { r.pressure.byInstruction.front() = 0.25; });
  EXPECT_EQ(pressure.substr(0, 86),
            "pressure, of instruction 0 (vmulps\t(%rsi), %xmm1, %xmm2) on unit JALU0.0, cycles: 0.25");
  EXPECT_EQ(differenceAfter([](Report &r) { r.timeline.reset(); }), "timeline, present: false, the reference has true");
}

TEST(FirstDifference, SeesEveryPart) {
  const std::vector<std::function<void(Report &)>> changes = {
      [](Report &r) { r.summary.blockReciprocalThroughput = std::nextafter(r.summary.blockReciprocalThroughput, 100); },
      [](Report &r) { r.instructions[1].text += " "; },
      [](Report &r) { r.instructions.pop_back(); },
      [](Report &r) { r.instructions[0].encoding.push_back(0); },
      [](Report &r) { r.instructions[0].scheduling->resources.back().releaseAtCycle++; },
      [](Report &r) { r.pressure.units.back().unit++; },
      [](Report &r) { r.pressure.perIteration.back() += 1; },
      [](Report &r) { r.resources.back().name += "x"; },
      [](Report &r) { r.timeline->waits.back().beforeRetire++; },
      [](Report &r) { r.timeline->lastCycle++; },
      [](Report &r) { r.bottlenecks->stalled = !r.bottlenecks->stalled; },
      [](Report &r) { r.bottlenecks->criticalSequence.at(0).cost++; },
      [](Report &r) { r.bottlenecks->criticalSequence.pop_back(); },
      [](Report &r) { r.dispatch->stalls[6]++; },
      [](Report &r) { r.dispatch->microOps.at(0).cycles++; },
      [](Report &r) { r.schedulers->buffers.at(0).sumOfCycles++; },
      [](Report &r) { r.schedulers->microOps.pop_back(); },
      [](Report &r) { r.retirement->maxUsed++; },
      [](Report &r) { r.registerFiles->files.back().maxEliminatedInCycle++; },
  };
  for (size_t i = 0; i < changes.size(); ++i)
    EXPECT_NE(differenceAfter(changes[i]), "") << "change " << i;
}

TEST(FirstDifference, TakesNotANumberForEqualToItself) {
  const auto nan = [](Report &r) { r.pressure.perIteration.back() = std::numeric_limits<double>::quiet_NaN(); };
  Report one = fullReport(), two = fullReport();
  nan(one);
  nan(two);
  EXPECT_EQ(firstDifference(one, two), "");
  EXPECT_NE(firstDifference(one, fullReport()), "");
}

TEST(FirstDifference, ComparesFailures) {
  const Result<Simulation> failure = Failure{"no"}, other = Failure{"yes"};
  EXPECT_EQ(firstDifference(failure, failure), "");
  EXPECT_EQ(firstDifference(failure, other), "failure: \"no\", the reference has \"yes\"");
  EXPECT_EQ(firstDifference(failure, Simulation{}), "fails: true, the reference has false: no");
  EXPECT_NE(firstDifference(Simulation{.instructions = {1}}, Simulation{.instructions = {2}}), "");
  EXPECT_NE(firstDifference(Simulation{.skipped = {{1, "a"}}}, Simulation{.skipped = {{1, "b"}}}), "");
}

} // namespace
} // namespace mca::reference
