// Which branches of a loop depend on data, on the loops that compilers make for three architectures.
#include "analysis/flows/branch_condition.h"
#include "tests/mca-core/parsed.h"

#include <map>

namespace analysis {
namespace {

using mca::Parsed;

/// The line of the load that each branch waits for; 0 if it depends on data without waiting for a load. Branches that
/// do not depend on data are left out. By the line of the branch.
using Dependent = std::map<uint32_t, uint32_t>;

Dependent dependentOf(const char *triple, const char *cpu, const std::string &text) {
  const Parsed parsed(triple, cpu, text);
  EXPECT_EQ(parsed.diagnostics(), mca::Strings{}) << text;
  const mca::ControlFlow code(*parsed.target, *parsed.program);
  const mca::Lines lines = parsed.lines();
  const std::vector<mca::Loop> loops = mca::findInnermostLoops(code);
  EXPECT_EQ(loops.size(), 1u) << text;
  Dependent dependent;
  for (const mca::Loop &loop : loops) {
    const BranchConditions conditions(code.branches, loop);
    for (const uint32_t instruction : loop.instructions)
      if (const BranchCondition condition = conditions.of(instruction); condition.dependsOnData)
        dependent[lines[instruction]] = condition.load == mca::kNone ? 0 : lines[condition.load];
  }
  return dependent;
}

Dependent x86(const std::string &text) {
  return dependentOf(mca::kX86, "skylake", text);
}
Dependent arm(const std::string &text) {
  return dependentOf(mca::kAArch64, "neoverse-v2", text);
}
Dependent riscv(const std::string &text) {
  return dependentOf(mca::kRiscv, "sifive-p670", text);
}

const Dependent kNoBranch;

TEST(BranchCondition, OfACountedLoopIsPredictable) {
  EXPECT_EQ(x86("a:\nmovl (%rdi,%rax,4), %ecx\naddl %ecx, %edx\nincq %rax\ncmpq %rax, %rsi\njne a\n"), kNoBranch);
  EXPECT_EQ(x86("a:\naddl (%rdi), %eax\naddq $4, %rdi\ncmpq %rsi, %rdi\njne a\n"), kNoBranch);
  EXPECT_EQ(x86("a:\naddl (%rdi), %eax\nleaq 4(%rdi), %rdi\ndecl %ecx\njg a\n"), kNoBranch) << "down to zero";
  EXPECT_EQ(x86("a:\nleaq 1(%rax), %rcx\nmovl (%rdi,%rax,4), %edx\nmovq %rcx, %rax\ncmpq %rcx, %rsi\njne a\n"),
            kNoBranch)
      << "a copy";
  EXPECT_EQ(x86("a:\naddl (%rdi), %eax\naddq %r8, %rdi\ncmpq (%rsp), %rdi\njb a\n"), kNoBranch)
      << "by an invariant, to an invariant in memory";
  EXPECT_EQ(arm("a:\nldr w8, [x0], #4\nadd w9, w9, w8\ncmp x0, x1\nb.ne a\n"), kNoBranch) << "a moved base";
  EXPECT_EQ(arm("a:\nldr w8, [x0, x10, lsl #2]\nadd x10, x10, #1\nadd w9, w9, w8\nsubs w2, w2, #1\nb.ne a\n"),
            kNoBranch);
  EXPECT_EQ(dependentOf("armv7-linux-gnueabihf", "cortex-a57",
                        "a:\nldr r3, [r0], #4\ncmp r3, #0\naddgt r2, r2, r3\nsubs r1, r1, #1\nbne a\n"),
            kNoBranch)
      << "`subs` writes the flags";
  EXPECT_EQ(riscv("a:\nlw a3, 0(a0)\naddi a0, a0, 4\naddw a2, a2, a3\nbne a0, a1, a\n"), kNoBranch);
}

TEST(BranchCondition, OfAnElementDependsOnItsLoad) {
  EXPECT_EQ(x86("a:\nmovl (%rdi), %ecx\ntestl %ecx, %ecx\njle b\naddl %ecx, %eax\nb:\naddq $4, %rdi\ncmpq %rsi, %rdi\n"
                "jne a\n"),
            (Dependent{{4, 2}}));
  EXPECT_EQ(x86("a:\ncmpl $0, (%rdi)\njle b\nincl %eax\nb:\naddq $4, %rdi\ncmpq %rsi, %rdi\njne a\n"),
            (Dependent{{3, 2}}))
      << "the comparison loads";
  EXPECT_EQ(arm("a:\nldr w8, [x0], #4\ncmp w8, #1\nb.lt b\nadd w9, w9, w8\nb:\ncmp x0, x1\nb.ne a\n"),
            (Dependent{{4, 2}}));
  EXPECT_EQ(arm("a:\nldrb w8, [x0, x9]\ncbz w8, b\nadd w10, w10, #1\nb:\nadd x9, x9, #1\ncmp x9, x1\nb.ne a\n"),
            (Dependent{{3, 2}}));
  EXPECT_EQ(riscv("a:\nlw a3, 0(a0)\nblez a3, b\naddw a2, a2, a3\nb:\naddi a0, a0, 4\nbne a0, a1, a\n"),
            (Dependent{{3, 2}}));
}

TEST(BranchCondition, OfASearchDependsOnItsLoad) {
  EXPECT_EQ(x86("a:\nincq %rax\ncmpb $0, (%rdi,%rax)\njne a\n"), (Dependent{{4, 3}})) << "strlen";
  EXPECT_EQ(x86("a:\ncmpl %edx, (%rdi,%rax,4)\nje b\nincq %rax\ncmpq %rax, %rsi\njne a\nb:\nret\n"),
            (Dependent{{3, 2}}));
  EXPECT_EQ(x86("a:\nmovq (%rdi), %rdi\ntestq %rdi, %rdi\njne a\n"), (Dependent{{4, 2}})) << "a list";
  EXPECT_EQ(riscv("a:\nlbu a2, 0(a0)\naddi a0, a0, 1\nbnez a2, a\n"), (Dependent{{4, 2}}));
}

TEST(BranchCondition, WaitsForTheLastLoadOnTheWay) {
  EXPECT_EQ(x86("a:\nmovslq (%rdi), %rcx\nmovl (%r8,%rcx,4), %ecx\ntestl %ecx, %ecx\njle b\nincl %eax\nb:\n"
                "addq $4, %rdi\ncmpq %rsi, %rdi\njne a\n"),
            (Dependent{{5, 3}}));
}

TEST(BranchCondition, OfABinarySearchDependsOnData) {
  // The end of the loop waits for the way that was taken, and for no load.
  EXPECT_EQ(x86("a:\nleaq (%rax,%rdx), %rcx\nshrq %rcx\ncmpl %esi, (%rdi,%rcx,4)\njge b\nleaq 1(%rcx), %rax\n"
                "cmpq %rdx, %rax\njb a\njmp out\nb:\nmovq %rcx, %rdx\ncmpq %rdx, %rax\njb a\nout:\nret\n"),
            (Dependent{{5, 4}, {8, 0}, {13, 0}}));
}

TEST(BranchCondition, OfAHashOrARandomNumberDependsOnData) {
  EXPECT_EQ(x86("a:\nimull $1103515245, %eax, %eax\naddl $12345, %eax\ntestl $65536, %eax\nje b\nincl %edx\nb:\n"
                "decl %ecx\njne a\n"),
            (Dependent{{5, 0}}));
  EXPECT_EQ(arm("a:\nmadd x8, x8, x9, x10\ntbz x8, #33, b\nadd w11, w11, #1\nb:\nsubs w2, w2, #1\nb.ne a\n"),
            (Dependent{{3, 0}}));
  EXPECT_EQ(x86("a:\nleal (%rax,%rax), %eax\ntestl $65536, %eax\nje b\nincl %edx\nb:\ndecl %ecx\njne a\n"),
            (Dependent{{4, 0}}))
      << "doubled";
}

TEST(BranchCondition, OfWhatIsComputedFromACounterIsPredictable) {
  EXPECT_EQ(x86("a:\ntestb $1, %cl\nje b\nincl %edx\nb:\ndecl %ecx\njne a\n"), kNoBranch);
  EXPECT_EQ(riscv("a:\nandi a3, a0, 7\nbnez a3, b\naddi a4, a4, 1\nb:\naddi a0, a0, 1\nbne a0, a1, a\n"), kNoBranch);
}

TEST(BranchCondition, OfTheResultOfACallDependsOnData) {
  EXPECT_EQ(x86("a:\ncallq next\ntestl %eax, %eax\nje b\nincl %ebp\nb:\ndecl %ebx\njne a\n"), (Dependent{{4, 0}}));
  EXPECT_EQ(arm("a:\nbl next\ncbz w0, b\nadd w20, w20, #1\nb:\nsubs w21, w21, #1\nb.ne a\n"), (Dependent{{3, 0}}));
  EXPECT_EQ(riscv("a:\ncall next\nbeqz a0, b\naddi s1, s1, 1\nb:\naddi s2, s2, -1\nbnez s2, a\n"), (Dependent{{3, 0}}));
}

TEST(BranchCondition, OfASwitchWaitsForTheIndex) {
  const std::string table = "\n.section .rodata\nt:\n.long b-t\n.long c-t\n";
  EXPECT_EQ(x86("leaq t(%rip), %rdx\na:\nmovzbl (%rdi), %ecx\nmovslq (%rdx,%rcx,4), %rcx\naddq %rdx, %rcx\njmpq "
                "*%rcx\nb:\nincl %eax\n"
                "jmp d\nc:\ndecl %eax\nd:\nincq %rdi\ncmpq %rsi, %rdi\njne a\n" +
                table),
            (Dependent{{6, 3}}));
  EXPECT_EQ(x86("a:\nmovl %ecx, %r8d\nandl $1, %r8d\nleaq t(%rip), %rdx\nmovslq (%rdx,%r8,4), %r9\naddq %rdx, %r9\n"
                "jmpq *%r9\nb:\nincl %eax\njmp d\nc:\ndecl %eax\nd:\ndecl %ecx\njne a\n" +
                table),
            kNoBranch)
      << "in turn";
}

TEST(BranchCondition, IgnoresWhatIsReplacedOnEachWay) {
  EXPECT_EQ(x86("a:\nmovl (%rdi,%rax,4), %ecx\nmovl %ecx, (%r8,%rax,4)\nxorl %ecx, %ecx\ntestl %ecx, %ecx\nje b\n"
                "incl %edx\nb:\nincq %rax\ncmpq %rax, %rsi\njne a\n"),
            kNoBranch)
      << "xor clears a register";
  EXPECT_EQ(x86("a:\nmovl (%rdi,%rax,4), %ecx\ntestb $1, %al\nje b\nmovl %eax, %ecx\nb:\ncmpl %ecx, %r9d\nje c\n"
                "incl %edx\nc:\nincq %rax\ncmpq %rax, %rsi\njne a\n"),
            (Dependent{{8, 2}}))
      << "replaced on one of two ways";
}

TEST(BranchCondition, OfACounterInMemoryIsPredictable) {
  const std::string counted = "incl -4(%rbp)\nmovl -4(%rbp), %eax\ncmpl -8(%rbp), %eax\njl a\n";
  EXPECT_EQ(x86("a:\n" + counted), kNoBranch);
  EXPECT_EQ(x86("a:\nmovslq -4(%rbp), %rax\ncmpl $0, (%rdi,%rax,4)\njle b\nincl %edx\nb:\n" + counted),
            (Dependent{{4, 3}}));
}

TEST(BranchCondition, OfALongLoopIsNotFollowed) {
  std::string text = "a:\nmovl (%rdi), %ecx\ntestl %ecx, %ecx\njle b\nb:\naddq $4, %rdi\ncmpq %rsi, %rdi\n";
  for (size_t i = 0; i < BranchConditions::kMaxInstructions; ++i)
    text += "nop\n";
  EXPECT_EQ(x86(text + "jne a\n"), kNoBranch);
}

} // namespace
} // namespace analysis
