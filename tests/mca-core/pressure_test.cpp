// Which units the instructions get: the same whether somebody watches each unit, whether units are only counted, and
// whether periods are skipped, at any number of iterations.
#include "tests/mca-core/body_test.h"

#include <random>

namespace mca {
namespace {

constexpr const char *kMixedX86 = "movq (%rsi,%rax,8), %rdx\n"
                                  "addq 8(%rsi,%rax,8), %rdx\n"
                                  "vmulpd (%rdi,%rax,8), %ymm1, %ymm2\n"
                                  "vaddpd %ymm2, %ymm0, %ymm0\n"
                                  "vdivsd %xmm3, %xmm4, %xmm5\n"
                                  "movq %rdx, (%rdi,%rax,8)\n"
                                  "movq %rdx, %rcx\n"
                                  "imulq %rcx, %rbx\n"
                                  "leaq 1(%rax), %rax\n"
                                  "shlq $3, %r8\n"
                                  "cmpq %rax, %r9\n";
constexpr const char *kLoads = "movq (%rsi), %rax\nmovq 8(%rsi), %rbx\nmovq 16(%rsi), %rcx\nmovq 24(%rsi), %rdx\n";
constexpr const char *kMixedAArch64 = "ldr x1, [x0, x2, lsl #3]\n"
                                      "ldp q0, q1, [x3], #32\n"
                                      "fmla v2.2d, v0.2d, v1.2d\n"
                                      "sdiv x4, x1, x5\n"
                                      "madd x6, x4, x1, x6\n"
                                      "str x6, [x7, x2, lsl #3]\n"
                                      "add x2, x2, #1\n"
                                      "cmp x2, x8\n";

using PressureTest = BodyTest;

TEST_P(PressureTest, IsTheSameHoweverItIsFound) {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const uint32_t iterations = 1 + static_cast<uint32_t>(random() % (i < 40 ? 150 : 3'000));
    const ResourcePressure counted = report({.iterations = iterations}).pressure;
    const ResourcePressure watched = report({.iterations = iterations, .bottlenecks = true}).pressure;
    const ResourcePressure simulated = report({.iterations = iterations, .steadyState = false}).pressure;
    ASSERT_EQ(counted.byInstruction, simulated.byInstruction) << iterations << " iterations, periods skipped";
    ASSERT_EQ(counted.perIteration, simulated.perIteration);
    ASSERT_EQ(counted.byInstruction, watched.byInstruction) << iterations << " iterations, units watched";
    ASSERT_EQ(counted.perIteration, watched.perIteration);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, PressureTest,
                         testing::Values(BodyCase{"Btver2", kX86, "btver2", kMixedX86},
                                         BodyCase{"Skylake", kX86, "skylake", kMixedX86},
                                         BodyCase{"Znver4", kX86, "znver4", kMixedX86},
                                         BodyCase{"Znver4Loads", kX86, "znver4", kLoads},
                                         BodyCase{"Sapphirerapids", kX86, "sapphirerapids", kMixedX86},
                                         BodyCase{"NeoverseV2", kAArch64, "neoverse-v2", kMixedAArch64},
                                         BodyCase{"CortexA55", kAArch64, "cortex-a55", kMixedAArch64},
                                         BodyCase{"AppleM1", "arm64-apple-macosx", "apple-m1", kMixedAArch64}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace mca
