// Which instructions use vectors, on several targets.
#include "analysis/regions/vector_use.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace analysis {
namespace {

using mca::Parsed;

VectorUse useOf(const Parsed &parsed) {
  EXPECT_EQ(parsed.diagnostics(), mca::Strings{});
  std::vector<uint32_t> all(parsed.program->instructions().size());
  std::iota(all.begin(), all.end(), 0);
  return vectorUseOf(*parsed.target, *parsed.program, all);
}

VectorUse onX86(const std::string &text) {
  return useOf(Parsed(mca::kX86, "sapphirerapids", text + "\naddq $16, %rdi\n"));
}

VectorUse onAArch64(const std::string &text) {
  return useOf(Parsed(mca::kAArch64, "neoverse-v2", text + "\nadd x0, x0, #16\n"));
}

TEST(VectorUse, NoneInScalarCodeOfX86) {
  for (const char *text : {"addsd %xmm1, %xmm0",
                           "vaddss (%rdi), %xmm1, %xmm0",
                           "cvtsi2sdq %rax, %xmm0",
                           "vcvtusi2sd %rax, %xmm0, %xmm0",
                           "cvtss2sd (%rdi), %xmm0",
                           "cvttsd2si %xmm1, %eax",
                           "ucomisd %xmm1, %xmm0",
                           "vfmadd231sd (%rdi), %xmm2, %xmm0",
                           "roundsd $9, %xmm1, %xmm0",
                           "vrndscalesd $9, %xmm1, %xmm20, %xmm0",
                           "sqrtss %xmm1, %xmm0",
                           "vcmpltsd %xmm1, %xmm0, %k2",
                           "vaddsd %xmm1, %xmm20, %xmm0 {%k1}",
                           "vaddsh %xmm1, %xmm20, %xmm0",
                           "movsd (%rdi), %xmm0",
                           "vmovss %xmm20, (%rdi)",
                           "movq (%rdi), %xmm0",
                           "movd %eax, %xmm0",
                           "movaps %xmm1, %xmm0",
                           "vmovdqa64 %xmm20, %xmm0",
                           "xorps %xmm0, %xmm0",
                           "vpxor %xmm0, %xmm0, %xmm0",
                           "andps .Lmask(%rip), %xmm0",
                           "movaps 16(%rsp), %xmm0",
                           "movq (%rdi), %rax",
                           "fldl (%rdi)",
                           "kmovw %k1, %eax",
                           "movmskps %xmm0, %eax"})
    EXPECT_EQ(onX86(text), VectorUse::None) << text;
}

TEST(VectorUse, OfRegistersOnX86) {
  for (const char *text : {"addps %xmm1, %xmm0", "vpaddd %ymm1, %ymm2, %ymm0", "pabsd %xmm1, %xmm0",
                           "pminsd %xmm1, %xmm0", "vpdpbusd %zmm1, %zmm2, %zmm0", "pmovzxbd (%rdi), %xmm0",
                           "vbroadcastss (%rdi), %xmm0", "vaddpd %zmm1, %zmm2, %zmm0 {%k1}", "vpslld $3, %xmm1, %xmm0"})
    EXPECT_EQ(onX86(text), VectorUse::Registers) << text;
}

TEST(VectorUse, OfMemoryOnX86) {
  for (const char *text : {"movups (%rdi), %xmm0", "vmovups %ymm0, (%rdi)", "pxor (%rdi), %xmm0", "addps (%rdi), %xmm0",
                           "vmovups (%rdi), %zmm0 {%k1} {z}", "vmovdqu8 %zmm0, (%rdi) {%k1}",
                           "vpgatherdd (%rdi,%ymm2,4), %ymm0 {%k1}", "movups (%rax,%rdi,8), %xmm0"})
    EXPECT_EQ(onX86(text), VectorUse::Memory) << text;
}

TEST(VectorUse, OnAArch64) {
  for (const char *text : {"fadd d0, d1, d2", "ldr d0, [x0]", "ldp x1, x2, [x0]", "str s0, [x0], #4", "scvtf d0, x1",
                           "movi v0.2d, #0", "fmov x1, d0", "bif v0.16b, v1.16b, v2.16b", "mov v0.16b, v1.16b",
                           "fcvt d0, s1", "fmadd d0, d1, d2, d3", "fmul d0, d1, v2.d[0]"})
    EXPECT_EQ(onAArch64(text), VectorUse::None) << text;
  for (const char *text : {"fadd v0.4s, v1.4s, v2.4s", "add v0.8b, v1.8b, v2.8b", "fmla v0.2s, v1.2s, v2.2s",
                           "add z0.s, z1.s, z2.s", "addv b0, v0.8b"})
    EXPECT_EQ(onAArch64(text), VectorUse::Registers) << text;
  for (const char *text : {"ldr q0, [x0]", "ldp q0, q1, [x0]", "str q0, [x0], #16", "ld1 { v0.4s }, [x0]",
                           "ld1w { z0.s }, p0/z, [x0]", "st1d { z0.d }, p0, [x0, x1, lsl #3]"})
    EXPECT_EQ(onAArch64(text), VectorUse::Memory) << text;
  EXPECT_EQ(onAArch64("ldr q0, [x9]"), VectorUse::None) << "the same each time";
}

TEST(VectorUse, OnOtherTargets) {
  const auto on = [](const char *triple, const char *cpu, const std::string &text) {
    return useOf(Parsed(triple, cpu, text));
  };
  const std::string step = "addi a0, a0, 16\n";
  EXPECT_EQ(on(mca::kRiscv, "sifive-x280", "vle32.v v8, (a0)\n" + step), VectorUse::Memory);
  EXPECT_EQ(on(mca::kRiscv, "sifive-x280", "vadd.vx v8, v9, a1\n" + step), VectorUse::Registers);
  EXPECT_EQ(on(mca::kRiscv, "sifive-x280", "vsetvli a2, a3, e32, m1, ta, ma\nfld fa0, (a0)\n" + step), VectorUse::None);
  EXPECT_EQ(on("powerpc64le-linux-gnu", "pwr9", "lxvx 34, 3, 4\naddi 3, 3, 16\n"), VectorUse::Memory);
  EXPECT_EQ(on("powerpc64le-linux-gnu", "pwr9", "vadduwm 2, 3, 4\n"), VectorUse::Registers);
  EXPECT_EQ(on("powerpc64le-linux-gnu", "pwr9", "lfdx 1, 3, 4\nxsadddp 1, 2, 3\nfadd 1, 2, 3\naddi 3, 3, 16\n"),
            VectorUse::None);
  EXPECT_EQ(on("armv8a-linux-gnueabihf", "cortex-a57", "vadd.f32 q0, q1, q2\n"), VectorUse::Registers);
  EXPECT_EQ(on("armv8a-linux-gnueabihf", "cortex-a57", "vadd.i32 d0, d1, d2\n"), VectorUse::Registers);
  EXPECT_EQ(on("armv8a-linux-gnueabihf", "cortex-a57", "vadd.f64 d0, d1, d2\nvldr d0, [r0]\nadd r0, r0, #8\n"),
            VectorUse::None);
  EXPECT_EQ(on("s390x-linux-gnu", "z14", "vl %v0, 0(%r2)\nla %r2, 16(%r2)\n"), VectorUse::Memory);
  EXPECT_EQ(on("s390x-linux-gnu", "z14", "adbr %f0, %f2\nld %f0, 0(%r2)\nla %r2, 8(%r2)\n"), VectorUse::None);
}

} // namespace
} // namespace analysis
