// How far an iteration's accesses move, on the additions and addresses of three instruction sets.
#include "analysis/regions/induction.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace analysis {
namespace {

using mca::Parsed;

/// What a function says of the body as one iteration.
auto ofIteration(auto function, const char *triple, const char *cpu, const std::string &body) {
  const Parsed parsed(triple, cpu, body);
  EXPECT_EQ(parsed.diagnostics(), mca::Strings{}) << body;
  std::vector<uint32_t> all(parsed.count());
  std::iota(all.begin(), all.end(), 0);
  return function(*parsed.target, *parsed.program, all);
}

uint64_t advance(const char *triple, const char *cpu, const std::string &body) {
  return ofIteration(advanceOf, triple, cpu, body).distance;
}

uint64_t x86(const std::string &body) {
  return advance(mca::kX86, "skylake", body);
}
uint64_t arm(const std::string &body) {
  return advance(mca::kAArch64, "neoverse-v2", body);
}
uint64_t riscv(const std::string &body) {
  return advance(mca::kRiscv, "sifive-x280", body);
}

TEST(Advance, OfPointers) {
  EXPECT_EQ(x86("movl (%rdi), %eax\naddq $4, %rdi\n"), 4u);
  EXPECT_EQ(x86("addq $4, %rdi\nmovl %eax, -4(%rdi)\n"), 4u);
  EXPECT_EQ(x86("vmovups (%rdi), %ymm0\nsubq $-128, %rdi\n"), 128u);
  EXPECT_EQ(x86("movl (%rdi), %eax\nsubq $8, %rdi\n"), 8u) << "backwards";
  EXPECT_EQ(x86("movl (%rdi), %eax\nleaq 16(%rdi), %rdi\n"), 16u);
  EXPECT_EQ(x86("movb (%rdi), %al\nincq %rdi\n"), 1u);
  EXPECT_EQ(x86("movb (%rdi), %al\ndecq %rdi\n"), 1u);
}

TEST(Advance, OfIndices) {
  EXPECT_EQ(x86("movl (%rdi,%rax,4), %ecx\nincq %rax\n"), 4u);
  EXPECT_EQ(x86("vmovups (%rdi,%rax,4), %ymm0\naddq $8, %rax\n"), 32u);
  EXPECT_EQ(x86("movl (%rdi,%rax,4), %ecx\naddl $1, %eax\n"), 4u) << "a part of the register";
  EXPECT_EQ(x86("movl (%rdi,%rax,4), %ecx\nincq %rax\naddq $2, %rdi\n"), 6u) << "both parts of the address";
  EXPECT_EQ(x86("movl %eax, (%rdi,%rax,4)\nincq %rax\n"), 4u) << "the index is stored, too";
}

TEST(Advance, IsTheFarthest) {
  EXPECT_EQ(x86("movl (%rdi), %eax\nmovq %rax, (%rsi)\naddq $4, %rdi\naddq $8, %rsi\n"), 8u);
}

TEST(Advance, AddsUpTheSteps) {
  EXPECT_EQ(x86("movb (%rdi), %al\nincq %rdi\nmovb (%rdi), %al\nincq %rdi\n"), 2u);
  EXPECT_EQ(x86("movb (%rdi), %al\nincq %rdi\ndecq %rdi\n"), 0u);
}

TEST(Advance, UnknownWithoutAConstant) {
  EXPECT_EQ(x86("movl (%rdi), %eax\naddq %rbx, %rdi\n"), 0u);
  EXPECT_EQ(x86("movq (%rdi), %rdi\n"), 0u) << "a list";
  EXPECT_EQ(x86("movl (%rdi), %eax\naddq $4, %rdi\nmovq %rsi, %rdi\n"), 0u);
  EXPECT_EQ(x86("movl (%rdi), %eax\nleaq 4(%rdi,%rbx), %rdi\n"), 0u);
  EXPECT_EQ(x86("movl (%rdi), %eax\naddq $table, %rdi\n"), 0u);
}

TEST(Advance, OfCopies) {
  EXPECT_EQ(x86("addl (%rcx,%rsi,4), %eax\nmovl %edi, %esi\nincl %edi\n"), 4u);
  EXPECT_EQ(x86("vmovsd %xmm1, (%rax,%rsi,8)\nleal 2(%rdx), %esi\nincq %rdx\n"), 8u);
  EXPECT_EQ(arm("ldr w2, [x0, x1, lsl #2]\nmov x1, x3\nadd x3, x3, #2\n"), 8u);
  EXPECT_EQ(riscv("lw a0, 0(a1)\nmv a1, a2\naddi a2, a2, 4\n"), 4u);
  EXPECT_EQ(x86("movl (%rcx,%rsi,4), %eax\nmovl %edi, %esi\nmovl %eax, %esi\nincl %edi\n"), 1u)
      << "written twice: what is left is the counter";
}

TEST(Advance, OfCountersWhereNothingMoves) {
  EXPECT_EQ(x86("imull %edx, %eax\naddl $3, %ecx\n"), 3u);
  EXPECT_EQ(x86("movl (%rdi), %eax\naddl $3, %ecx\n"), 3u);
  EXPECT_EQ(x86("imull %edx, %eax\n"), 0u);
  EXPECT_EQ(x86(""), 0u);
}

TEST(Advance, OfLargeNumbers) {
  EXPECT_EQ(x86("movl (%rdi,%rax,8), %ecx\naddq $0x7fffffff, %rax\n"), 0x7fffffffull * 8);
  EXPECT_EQ(x86("movl (%rdi,%rax,8), %ecx\naddq $-0x80000000, %rax\n"), 0x80000000ull * 8);
}

TEST(Advance, OnAArch64) {
  EXPECT_EQ(arm("ldr w9, [x0], #4\n"), 4u);
  EXPECT_EQ(arm("ldr x9, [x0, #8]!\n"), 8u);
  EXPECT_EQ(arm("ldp q0, q1, [x0], #32\n"), 32u);
  EXPECT_EQ(arm("ldp w1, w2, [x0], #8\n"), 8u);
  EXPECT_EQ(arm("stp x1, x2, [x0, #-16]!\n"), 16u);
  EXPECT_EQ(arm("ldr w9, [x0]\nadd x0, x0, #4\n"), 4u);
  EXPECT_EQ(arm("ldr w9, [x0]\nsub x0, x0, #16\n"), 16u);
  EXPECT_EQ(arm("ldr w9, [x0]\nadd x0, x0, #1, lsl #12\n"), 4096u);
  EXPECT_EQ(arm("ldr w9, [x0, x8, lsl #2]\nadd x8, x8, #1\n"), 4u);
  EXPECT_EQ(arm("ldr q0, [x0, x8, lsl #4]\nadd x8, x8, #1\n"), 16u);
  EXPECT_EQ(arm("ldr s0, [x0, w8, sxtw #2]\nadd w8, w8, #1\n"), 4u);
  EXPECT_EQ(arm("ldrsw x9, [x0, x8, lsl #2]\nadd x8, x8, #1\n"), 4u);
  EXPECT_EQ(arm("ldrsh w9, [x0, x8, lsl #1]\nadd x8, x8, #1\n"), 2u);
  EXPECT_EQ(arm("ldrb w9, [x0, x8]\nadd x8, x8, #1\n"), 1u);
  EXPECT_EQ(arm("ldr q0, [x0, x8]\nadd x8, x8, #16\n"), 16u);
}

TEST(Advance, OnAArch64OfWhatIsStored) {
  EXPECT_EQ(arm("str w8, [x0, x8, lsl #2]\nadd x8, x8, #1\n"), 4u);
  EXPECT_EQ(arm("str w8, [x0], #4\nadd w8, w8, #1\n"), 4u);
  EXPECT_EQ(arm("stp x8, x9, [x0], #16\nadd x8, x8, #1\nadd x9, x9, #1\n"), 16u);
}

TEST(Advance, OnAArch64OfVectorsWithoutALength) {
  EXPECT_EQ(arm("ld1w { z0.s }, p0/z, [x0]\naddvl x0, x0, #1\n"), 0u);
  EXPECT_EQ(arm("ld1w { z0.s }, p0/z, [x0, x8, lsl #2]\nincw x8\n"), 0u);
}

TEST(Advance, OnRiscv) {
  EXPECT_EQ(riscv("lw a5, 0(a4)\naddi a4, a4, 4\n"), 4u);
  EXPECT_EQ(riscv("ld s1, 8(a4)\naddi a4, a4, -16\n"), 16u);
  EXPECT_EQ(riscv("sw a5, 0(a4)\naddi a5, a5, 1\naddi a4, a4, 4\n"), 4u) << "the number is stored, too";
  EXPECT_EQ(riscv("vle32.v v8, (a1)\nadd a1, a1, a3\n"), 0u);
  EXPECT_EQ(riscv("vse32.v v8, (a1)\naddi a1, a1, 64\n"), 64u);
  EXPECT_EQ(advance(mca::kRiscv, "sifive-u74", "lw a5, 0(a4)\naddi a4, a4, 4\naddiw a3, a3, -1\n"), 4u) << "compressed";
}

uint32_t widest(const char *triple, const char *cpu, const std::string &body) {
  return ofIteration(widestMoving, triple, cpu, body);
}

TEST(WidestMoving, OfWhatMoves) {
  EXPECT_EQ(widest(mca::kX86, "skylake", "movl (%rdi), %eax\nmovups (%rsi), %xmm0\naddq $4, %rdi\n"), 4u)
      << "a constant does not move";
  EXPECT_EQ(widest(mca::kX86, "skylake", "movl (%rdi), %eax\nmovups (%rsi), %xmm0\naddq $4, %rdi\naddq $16, %rsi\n"),
            16u);
  EXPECT_EQ(widest(mca::kX86, "skylake", "movl (%rdi), %eax\n"), 0u);
  EXPECT_EQ(widest(mca::kAArch64, "neoverse-v2", "ldp q0, q1, [x0], #32\n"), 16u) << "of each register";
}

Strides strides(const char *triple, const char *cpu, const std::string &body) {
  return ofIteration(stridesOf, triple, cpu, body);
}

TEST(Strides, OfAddresses) {
  const auto x86Strides = [](const std::string &body) { return strides(mca::kX86, "skylake", body); };
  EXPECT_EQ(x86Strides("movl (%rdi), %eax\naddq $4, %rdi\n"), Strides::Constant);
  EXPECT_EQ(x86Strides("movl (%rdi), %eax\nincl %ecx\n"), Strides::Constant) << "one place";
  EXPECT_EQ(x86Strides("movl (%rdi), %eax\naddq %rsi, %rdi\n"), Strides::ByRegister);
  EXPECT_EQ(x86Strides("movl (%rdi), %eax\naddq %rsi, %rdi\nincq %rsi\n"), Strides::Unknown);
  EXPECT_EQ(x86Strides("movl (%rdi), %eax\naddq %rsi, %rdi\naddq $4, %rdi\n"), Strides::Unknown);
  EXPECT_EQ(x86Strides("movq (%rdi), %rdi\n"), Strides::Unknown) << "a list";
  EXPECT_EQ(strides(mca::kAArch64, "neoverse-v2", "str s0, [x2]\nadd x2, x2, x6\n"), Strides::ByRegister);
  EXPECT_EQ(strides(mca::kRiscv, "sifive-x280", "sw a1, 0(a0)\nadd a0, a0, a2\n"), Strides::ByRegister);
}

TEST(StoresWhereDataSay, OfHistograms) {
  const auto depends = [](const char *triple, const char *cpu, const std::string &body) {
    return ofIteration(storesWhereDataSay, triple, cpu, body);
  };
  const auto x86 = [&](const std::string &body) { return depends(mca::kX86, "skylake", body); };
  EXPECT_TRUE(x86("movslq (%rsi,%rax,4), %rcx\nincl (%rdi,%rcx,4)\nincq %rax\n"));
  EXPECT_TRUE(x86("movl (%rsi,%rax,4), %ecx\nsarl $5, %ecx\nmovslq %ecx, %rcx\norl %r9d, (%rdi,%rcx,4)\nincq %rax\n"));
  EXPECT_TRUE(x86("movl %eax, 8(%rdi)\nmovq (%rdi), %rdi\n")) << "a list";
  EXPECT_FALSE(x86("movl (%rsi,%rax,4), %ecx\naddl %ecx, (%rdi,%rax,4)\nincq %rax\n"));
  EXPECT_FALSE(x86("movslq (%rsi,%rax,4), %rcx\nmovss (%rdi,%rcx,4), %xmm0\nmovss %xmm0, (%rdx,%rax,4)\nincq %rax\n"))
      << "it reads where data say";
  EXPECT_FALSE(x86("movl (%rsi), %ecx\nmovl %ecx, (%rdi)\nleaq 8(%rdi), %rcx\nmovl %eax, (%rcx)\n"))
      << "the register is used again";
  EXPECT_TRUE(depends(mca::kAArch64, "neoverse-v2",
                      "ldrsw x9, [x1], #4\nldr s1, [x0, x9, lsl #2]\nstr s1, [x0, x9, lsl #2]\n"));
  EXPECT_FALSE(depends(mca::kAArch64, "neoverse-v2", "ldr w9, [x1], #4\nstr w9, [x0], #4\n"));
}

} // namespace
} // namespace analysis
