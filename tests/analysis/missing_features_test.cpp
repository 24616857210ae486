// Instructions that the CPU lacks: the feature that they need, and the CPU that has it.
#include "analysis/job/missing_features.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Parsed;
using mca::Strings;

/// "avx512f 2: znver4" for each feature: its name, the number of its instructions, and a CPU that has it.
Strings missing(const char *triple, const char *cpu, const std::string &text) {
  const Parsed parsed(triple, cpu, text);
  Strings all;
  for (const MissingFeature &one : findMissingFeatures(*parsed.program, *parsed.target))
    all.push_back(one.name + " " + std::to_string(one.offsets.size()) + ": " +
                  closestCpuWith(one.name, *parsed.target));
  return all;
}

TEST(MissingFeatures, OfX86AreThoseOfRegistersAndOpcodes) {
  constexpr const char *kAvx512 = "vaddps %zmm0, %zmm1, %zmm2\nkmovw %k1, %eax\nvpaddd %xmm16, %xmm1, %xmm2\n";
  EXPECT_EQ(missing(mca::kX86, "znver3", kAvx512), (Strings{"avx512f 3: znver4"}));
  EXPECT_EQ(missing(mca::kX86, "haswell", kAvx512).size(), 1u);
  EXPECT_EQ(missing(mca::kX86, "znver4", kAvx512), Strings{});
  EXPECT_EQ(missing(mca::kX86, "sandybridge", "vpaddd %ymm0, %ymm1, %ymm2\nvaddps %ymm0, %ymm1, %ymm2\n").size(), 1u);
  EXPECT_EQ(missing(mca::kX86, "sandybridge", "vfmadd231ps %xmm0, %xmm1, %xmm2\nmulx %rax, %rbx, %rcx\n").size(), 2u);
  EXPECT_EQ(missing(mca::kX86, "btver2", "addq %rax, %rbx\nvaddps %xmm0, %xmm1, %xmm2\n"), Strings{});
}

TEST(MissingFeatures, OfOthersAreTheParsers) {
  const Strings sve = missing(mca::kAArch64, "cortex-a57", "ld1w z0.s, p0/z, [x0]\nfadd z0.s, z0.s, z1.s\n");
  ASSERT_EQ(sve.size(), 1u);
  EXPECT_EQ(sve.front().substr(0, 7), "sve 2: ");
  EXPECT_NE(sve.front(), "sve 2: ");
  EXPECT_EQ(missing(mca::kAArch64, "cortex-a57", "sdot v0.4s, v1.16b, v2.16b\n").front().substr(0, 9), "dotprod 1");
  const Strings vector = missing(mca::kRiscv, "sifive-u74", "vsetvli t5, t4, e32, m4, ta, ma\nvadd.vv v8, v8, v8\n");
  ASSERT_EQ(vector.size(), 1u);
  EXPECT_EQ(vector.front().substr(0, 5), "v 2: ");
}

TEST(MissingFeatures, AreNotOtherErrors) {
  EXPECT_EQ(missing(mca::kX86, "znver3", "bogus\npush %eax\n"), Strings{});
  EXPECT_EQ(missing(mca::kAArch64, "cortex-a57", "bogus\nadd x0, x0\n"), Strings{});
}

} // namespace
} // namespace analysis
