// The bytes that instructions move, on three instruction sets and one where only the registers say.
#include "mca-core/program/memory_bytes.h"
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

/// Of all its instructions.
uint32_t bytes(const char *triple, const char *cpu, const std::string &text) {
  const Parsed parsed(triple, cpu, text);
  EXPECT_EQ(parsed.diagnostics(), Strings{}) << text;
  const MemoryBytes memory(*parsed.target);
  uint32_t all = 0;
  for (const Instruction &instruction : parsed.program->instructions())
    all += memory.of(instruction.inst);
  return all;
}

uint32_t x86(const std::string &text) {
  return bytes(kX86, "sapphirerapids", text);
}
uint32_t arm(const std::string &text) {
  return bytes(kAArch64, "neoverse-v2", text);
}
uint32_t riscv(const std::string &text) {
  return bytes(kRiscv, "sifive-x280", text);
}

TEST(MemoryBytes, OnX86) {
  EXPECT_EQ(x86("movb (%rdi), %al\n"), 1u);
  EXPECT_EQ(x86("movzwl (%rdi), %eax\n"), 2u);
  EXPECT_EQ(x86("movslq (%rdi), %rax\n"), 4u) << "what memory holds, not the register";
  EXPECT_EQ(x86("movq %rax, 8(%rdi)\n"), 8u);
  EXPECT_EQ(x86("movss (%rdi), %xmm0\n"), 4u);
  EXPECT_EQ(x86("movups (%rdi), %xmm0\nmovups %xmm0, (%rsi)\n"), 32u);
  EXPECT_EQ(x86("vfmadd231ps (%rdi,%rax,4), %ymm1, %ymm2\n"), 32u);
  EXPECT_EQ(x86("vmovups (%rdi), %zmm0\n"), 64u);
  EXPECT_EQ(x86("vaddps (%rdi){1to16}, %zmm0, %zmm1\n"), 4u) << "one element";
  EXPECT_EQ(x86("addl $1, (%rdi)\n"), 8u) << "loaded and stored";
  EXPECT_EQ(x86("leaq 8(%rdi), %rax\naddl %eax, %ecx\nprefetcht0 (%rdi)\nnopl (%rax)\n"), 0u);
}

TEST(MemoryBytes, OnAArch64) {
  EXPECT_EQ(arm("ldrb w0, [x1]\n"), 1u);
  EXPECT_EQ(arm("ldrsh x0, [x1, x2, lsl #1]\n"), 2u);
  EXPECT_EQ(arm("ldrsw x0, [x1], #4\n"), 4u);
  EXPECT_EQ(arm("ldr d0, [x1]\n"), 8u);
  EXPECT_EQ(arm("ldr b0, [x1]\n"), 1u);
  EXPECT_EQ(arm("ldr h0, [x1]\n"), 2u);
  EXPECT_EQ(arm("stur q0, [x1, #-16]\n"), 16u);
  EXPECT_EQ(arm("ldp q0, q1, [x1], #32\n"), 32u);
  EXPECT_EQ(arm("stnp x0, x2, [x1]\n"), 16u);
  EXPECT_EQ(arm("ld2 { v0.8h, v1.8h }, [x1], #32\n"), 32u);
  EXPECT_EQ(arm("ld1w { z0.s }, p0/z, [x1]\n"), 16u) << "at least";
  EXPECT_EQ(arm("add x0, x1, x2\nprfm pldl1keep, [x1]\n"), 0u);
}

TEST(MemoryBytes, OnRiscv) {
  EXPECT_EQ(riscv("lbu a0, 0(a1)\n"), 1u);
  EXPECT_EQ(riscv("lh a0, 0(a1)\n"), 2u);
  EXPECT_EQ(riscv("flw fa0, 0(a1)\n"), 4u);
  EXPECT_EQ(riscv("ld a0, 8(a1)\nsd a0, 8(a1)\n"), 16u) << "compressed";
  EXPECT_EQ(riscv("amoadd.w a0, a2, (a1)\n"), 4u);
  EXPECT_EQ(riscv("vle32.v v8, (a1)\n"), 16u) << "at least";
  EXPECT_EQ(riscv("addi a0, a0, 1\n"), 0u);
}

TEST(MemoryBytes, ElsewhereOfTheRegisters) {
  EXPECT_EQ(bytes("powerpc64le-linux-gnu", "pwr9", "ld 3, 8(4)\n"), 8u);
  EXPECT_EQ(bytes("powerpc64le-linux-gnu", "pwr9", "std 3, 8(4)\n"), 8u);
}

} // namespace
} // namespace mca
