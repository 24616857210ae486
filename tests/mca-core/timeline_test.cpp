// The timeline is the same whether each of its cycles is simulated or those of later periods are extrapolated, at any
// number of iterations and with any limits.
#include "tests/mca-core/body_test.h"

#include <random>

namespace mca {
namespace {

constexpr const char *kChain = "addps %xmm1, %xmm0\nmovaps %xmm0, (%rdi,%rax,4)\nincq %rax\ncmpq %rax, %rsi\n";
constexpr const char *kLongLatency = "divl %ecx\nmovl (%rsi,%rbx,4), %edx\naddl %edx, %r8d\nincq %rbx\n";
/// Instructions that need several cycles to be dispatched.
constexpr const char *kWide = "cpuid\nrep movsb\naddq $1, %r9\nxchgq %rax, (%rdx)\n";
constexpr const char *kCpuid = "cpuid\n";
constexpr const char *kMoves = "movq %rax, %rbx\nxorl %ecx, %ecx\naddq %rbx, %rcx\nmovq %rcx, %rax\n";
constexpr const char *kMixed = "ldp x1, x4, [x3], #16\nmadd x6, x4, x1, x6\nstr x6, [x7, x2, lsl #3]\nadd x2, x2, #1\n"
                               "fdiv d0, d1, d2\nldp q0, q1, [x3]\n";
constexpr const char *kCall = "tail free\n";

using TimelineTest = BodyTest;

void expectSame(const Timeline &extrapolated, const Timeline &simulated) {
  EXPECT_EQ(extrapolated.lastCycle, simulated.lastCycle);
  ASSERT_EQ(extrapolated.entries.size(), simulated.entries.size());
  for (size_t i = 0; i < simulated.entries.size(); ++i) {
    const TimelineEntry &ours = extrapolated.entries[i], &right = simulated.entries[i];
    ASSERT_EQ(std::tie(ours.dispatched, ours.ready, ours.issued, ours.executed, ours.retired),
              std::tie(right.dispatched, right.ready, right.issued, right.executed, right.retired))
        << "instance " << i;
  }
  for (size_t i = 0; i < simulated.waits.size(); ++i) {
    const WaitTimes &ours = extrapolated.waits[i], &right = simulated.waits[i];
    EXPECT_EQ(std::tie(ours.inScheduler, ours.inSchedulerReady, ours.beforeRetire),
              std::tie(right.inScheduler, right.inSchedulerReady, right.beforeRetire))
        << "instruction " << i;
  }
}

void expectSame(const Waits &extrapolated, const Waits &simulated) {
  ASSERT_EQ(extrapolated.segments.size(), simulated.segments.size());
  for (size_t i = 0; i < simulated.segments.size(); ++i) {
    ASSERT_EQ(extrapolated.segments[i].size(), simulated.segments[i].size()) << "instance " << i;
    for (size_t k = 0; k < simulated.segments[i].size(); ++k) {
      const WaitSegment &ours = extrapolated.segments[i][k], &right = simulated.segments[i][k];
      ASSERT_EQ(std::tie(ours.from, ours.to), std::tie(right.from, right.to)) << "instance " << i;
    }
  }
}

TEST_P(TimelineTest, IsTheSameWhetherSimulatedOrExtrapolated) {
  std::mt19937 random(7);
  for (int i = 0; i < 150; ++i) {
    SimulationOptions options{.iterations = 1 + static_cast<uint32_t>(random() % 300),
                              .timeline = true,
                              .timelineMaxIterations = 1 + static_cast<uint32_t>(random() % (i % 2 ? 20 : 300)),
                              .timelineMaxCycles = static_cast<uint32_t>(random() % 3 * (random() % 200)),
                              .bottlenecks = random() % 3 == 0,
                              .waitReasons = random() % 6 == 0};
    const Report extrapolated = report(options);
    options.steadyState = false;
    const Report simulated = report(options);
    SCOPED_TRACE(testing::Message() << options.iterations << " iterations, timeline of "
                                    << options.timelineMaxIterations << " and " << options.timelineMaxCycles);
    EXPECT_EQ(extrapolated.summary.cycles, simulated.summary.cycles);
    expectSame(*extrapolated.timeline, *simulated.timeline);
    if (options.waitReasons)
      expectSame(*extrapolated.waits, *simulated.waits);
    if (HasFatalFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, TimelineTest,
    testing::Values(BodyCase{"Btver2", kX86, "btver2", kChain}, BodyCase{"SkylakeLong", kX86, "skylake", kLongLatency},
                    BodyCase{"SkylakeWide", kX86, "skylake", kWide}, BodyCase{"Btver2Wide", kX86, "btver2", kWide},
                    BodyCase{"SkylakeCpuid", kX86, "skylake", kCpuid}, BodyCase{"Btver2Cpuid", kX86, "btver2", kCpuid},
                    BodyCase{"Znver4", kX86, "znver4", kChain}, BodyCase{"Znver4Moves", kX86, "znver4", kMoves},
                    BodyCase{"Btver2Moves", kX86, "btver2", kMoves}, BodyCase{"Atom", kX86, "atom", kLongLatency},
                    BodyCase{"NeoverseV2", kAArch64, "neoverse-v2", kMixed},
                    BodyCase{"CortexA55", kAArch64, "cortex-a55", kMixed},
                    BodyCase{"SifiveU74", "riscv64-unknown-linux-gnu", "sifive-u74", kCall}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace mca
