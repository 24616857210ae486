// Reports of regions: what does not show in llvm-mca's text, and what fails.
#include "mca-core/report/simulator.h"
#include "mca-core/views/text.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace mca {
namespace {

Result<Simulation> simulateAll(const Parsed &parsed, const SimulationOptions &options = {}) {
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  return Simulator(*parsed.target).simulate(*parsed.program, region, options);
}

TEST(Simulate, SaysWhichInstructionsItLeftOut) {
  const Parsed parsed("riscv64-linux", "rocket-rv64",
                      ".option arch, +v\nadd a0, a1, a2\nvadd.vv v0, v1, v2\nsub a0, a1, a2\n");
  auto simulation = simulateAll(parsed);
  ASSERT_TRUE(simulation);
  EXPECT_EQ(simulation->instructions, (Lines{0, 2}));
  ASSERT_EQ(simulation->skipped.size(), 1u);
  EXPECT_EQ(simulation->skipped[0].instruction, 1u);
  EXPECT_EQ(simulation->report.instructions.size(), 2u);
  EXPECT_EQ(simulation->report.summary.instructions, 200u);
}

TEST(Simulate, CallsWithoutTheOperandThatNoAssemblyWrites) {
  auto simulation = simulateAll(Parsed("s390x-linux-gnu", "z16", "brasl %r14, f\nbras %r14, g\nbrasl %r14, h\n"));
  ASSERT_TRUE(simulation);
  EXPECT_EQ(simulation->instructions, (Lines{0, 1, 2}));
}

TEST(Simulate, FailsWithoutAModelAndWithoutInstructions) {
  EXPECT_FALSE(simulateAll(Parsed("i386-linux", "i486", "nop\n")));
  EXPECT_FALSE(simulateAll(Parsed("riscv64-linux", "rocket-rv64", ".option arch, +v\nvadd.vv v0, v1, v2\n")));
}

TEST(Simulate, GivesTheViewsThatWereAskedFor) {
  const Parsed parsed(kX86, "skylake", "addl %eax, %ebx\n");
  auto plain = simulateAll(parsed);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->report.timeline);
  EXPECT_FALSE(plain->report.bottlenecks);
  auto all = simulateAll(parsed, {.iterations = 7, .timeline = true, .timelineMaxIterations = 3, .bottlenecks = true});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->report.summary.iterations, 7u);
  ASSERT_TRUE(all->report.timeline);
  EXPECT_EQ(all->report.timeline->entries.size(), 3u);
  EXPECT_TRUE(all->report.bottlenecks);
}

TEST(Simulate, IsTheSameEachTime) {
  const Parsed parsed(kX86, "znver3",
                      "imulq %rax, %rbx\nmovq (%rdi), %rax\naddq %rbx, 8(%rdi)\nvaddps %ymm0, %ymm1, %ymm0\n");
  const auto text = [&] {
    auto simulation = simulateAll(parsed, {.timeline = true, .bottlenecks = true});
    std::string out;
    llvm::raw_string_ostream stream(out);
    printSummary(stream, simulation->report);
    printBottlenecks(stream, simulation->report);
    printInstructionInfo(stream, simulation->report);
    printResourcePressure(stream, simulation->report);
    printTimeline(stream, simulation->report);
    return out;
  };
  const std::string first = text();
  EXPECT_GT(first.size(), 500u);
  EXPECT_EQ(text(), first);
}

TEST(Simulate, CyclesOfAnIteration) {
  auto simulation = simulateAll(Parsed(kX86, "skylake", "imulq %rax, %rax\n"), {.iterations = 7, .rate = true});
  ASSERT_TRUE(simulation);
  const Summary &summary = simulation->report.summary;
  EXPECT_EQ(summary.rate, (Rate{3, 1}));
  EXPECT_EQ(summary.cyclesPerIteration(), 3.0);
  EXPECT_EQ(summary.steadyIpc(), 1 / 3.0);
  EXPECT_EQ(summary.cycles, 24u) << "as llvm-mca counts them";
  EXPECT_EQ(summary.ipc(), 7 / 24.0);
  EXPECT_EQ((Summary{}.ipc()), 0);
  EXPECT_EQ((Summary{}.steadyIpc()), 0);
  EXPECT_EQ((Summary{}.cyclesPerIteration()), 0);
}

TEST(Simulate, RoundsHalvesUp) {
  EXPECT_EQ(formatRounded(0.125, 2), "0.13");
  EXPECT_EQ(formatRounded(0.25, 1), "0.3");
  EXPECT_EQ(formatRounded(2.0, 2), "2.00");
}

/// LLVM describes an opcode by the first instruction of the region that has it: a comparison, which writes the zero
/// register, makes the subtraction behind it write its result at once.
TEST(Simulate, DoesNotDependOnWhatWasSimulatedBefore) {
  const Parsed parsed(kAArch64, "cortex-a55", "cmp x11, #2\nsubs x8, x8, #4\n");
  Simulator kept(*parsed.target);
  const SimulationOptions options{.iterations = 1};
  const std::vector<std::vector<uint32_t>> regions = {{0, 1}, {1}, {1, 0}, {0, 1}, {0}, {1, 1}};
  for (const std::vector<uint32_t> &region : regions) {
    auto again = kept.simulate(*parsed.program, region, options);
    auto fresh = Simulator(*parsed.target).simulate(*parsed.program, region, options);
    ASSERT_TRUE(again && fresh);
    EXPECT_EQ(again->report.summary.cycles, fresh->report.summary.cycles);
  }
}

/// What is carried over and executed is forgotten in order: what waits for its memory waits for ever.
TEST(Simulate, FailsWhenTheProcessorComesToAHalt) {
  const Parsed parsed("thumbv7em-none-eabi", "cortex-m4",
                      "strb r4, [r0]\nit lo\npoplo.w {r4, r5, r6, r7, r8, r9, pc}\numull r4, r6, r1, r12\n");
  EXPECT_TRUE(simulateAll(parsed, {.iterations = 1}));
  auto stuck = simulateAll(parsed, {.iterations = 2, .noAlias = false});
  ASSERT_FALSE(stuck);
  EXPECT_NE(stuck.message().find("is stuck"), std::string::npos);
}

/// Descriptions are kept, and must not be mistaken for those of another symbol, printer or lowering.
TEST(Simulate, DescribesAnewWhatDiffers) {
  const Parsed parsed(kX86, "skylake", "addl $255, %eax\naddl here(%rip), %eax\naddl there(%rip), %eax\ncall here\n");
  Simulator kept(*parsed.target);
  const std::vector<uint32_t> region = {0, 1, 2, 3};
  for (const SimulationOptions &options :
       {SimulationOptions{}, SimulationOptions{.hexImmediates = true}, SimulationOptions{.syntaxVariant = 1},
        SimulationOptions{.callLatency = 3}, SimulationOptions{}}) {
    auto again = kept.simulate(*parsed.program, region, options);
    auto fresh = Simulator(*parsed.target).simulate(*parsed.program, region, options);
    ASSERT_TRUE(again && fresh);
    for (size_t i = 0; i < region.size(); ++i) {
      EXPECT_EQ(again->report.instructions[i].text, fresh->report.instructions[i].text);
      EXPECT_EQ(again->report.instructions[i].latency, fresh->report.instructions[i].latency);
    }
    EXPECT_NE(again->report.instructions[1].text, again->report.instructions[2].text);
  }
}

/// Without a period these would take hours: a wait that is over, a unit's holder that has long left.
TEST(Simulate, LargerBuffersFindMoreToDo) {
  const auto rate = [](const std::string &text, uint32_t bufferScale) {
    auto simulation = simulateAll(Parsed(kX86, "skylake", text), {.bufferScale = bufferScale, .rate = true});
    EXPECT_TRUE(simulation);
    return simulation ? simulation->report.summary.cyclesPerIteration() : 0;
  };
  std::string chain = "vmovss (%rdi), %xmm0\n"; // each iteration begins anew
  for (int i = 0; i < 16; ++i)
    chain += "vmulss %xmm1, %xmm0, %xmm0\n";
  EXPECT_LT(rate(chain, 4), 0.9 * rate(chain, 1));
  const std::string busy = "vpshufd $1, %xmm0, %xmm1\nvpshufd $1, %xmm0, %xmm2\n";
  EXPECT_EQ(rate(busy, 4), rate(busy, 1));
}

TEST(Simulate, FindsThePeriodOfBottlenecks) {
  const Parsed inOrder(kAArch64, "cortex-a55", "umulh x11, x1, x8\n");
  const Parsed carried(kX86, "skylake", "divl %esi\nxorl %eax, %eax\ntestq %rdi, %rdi\n");
  for (const Parsed *parsed : {&inOrder, &carried}) {
    auto simulation = simulateAll(*parsed, {.iterations = 1'000'000, .bottlenecks = true, .inOrderBottlenecks = true});
    ASSERT_TRUE(simulation);
    EXPECT_EQ(simulation->report.summary.instructions, 1'000'000u * parsed->count());
  }
}

/// The log of the units that were taken is emptied now and then, also between two states that are alike.
TEST(Simulate, RepeatsLongRegions) {
  const Parsed parsed(kX86, "skylake", "addl %eax, %ebx\nimull %ecx, %edx\naddl (%rdi), %esi\n");
  std::vector<uint32_t> region;
  for (uint32_t i = 0; i < 390'000; ++i)
    region.push_back(i % 3);
  Simulator simulator(*parsed.target);
  auto repeated = simulator.simulate(*parsed.program, region, {.iterations = 4});
  auto simulated = simulator.simulate(*parsed.program, region, {.iterations = 4, .steadyState = false});
  ASSERT_TRUE(repeated && simulated);
  EXPECT_EQ(repeated->report.summary.cycles, simulated->report.summary.cycles);
  EXPECT_EQ(repeated->report.pressure.perIteration, simulated->report.pressure.perIteration);
}

} // namespace
} // namespace mca
