// Innermost loops from labels and branches, on the shapes that compilers and people write.
#include "analysis/regions/control_flow.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::kAArch64;
using mca::kX86;
using mca::Lines;
using mca::Parsed;

/// The lines of each loop's instructions, and the line of its header.
struct Found {
  Lines header;
  std::vector<Lines> bodies;
  Lines blocks;
};

Found loopsOf(const Parsed &parsed) {
  Found found;
  const Lines lines = parsed.lines();
  for (const Loop &loop : findInnermostLoops(*parsed.target, *parsed.program)) {
    found.header.push_back(lines[loop.header()]);
    found.blocks.push_back(static_cast<uint32_t>(loop.blocks.size()));
    Lines &body = found.bodies.emplace_back();
    for (const uint32_t instruction : loop.instructions)
      body.push_back(lines[instruction]);
  }
  return found;
}

Found x86(const std::string &text) {
  const Parsed parsed(kX86, "skylake", text);
  EXPECT_EQ(parsed.diagnostics(), mca::Strings{});
  return loopsOf(parsed);
}

TEST(Loops, NoneInAnEmptyTextAndInAStraightOne) {
  EXPECT_TRUE(x86("").bodies.empty());
  EXPECT_TRUE(x86("nop\nret\nnop\n").bodies.empty());
  EXPECT_TRUE(x86("jmp out\nnop\nout:\nret\n").bodies.empty());
}

TEST(Loops, ABlockThatJumpsToItself) {
  const Found found = x86("nop\na:\nincl %eax\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 4}}));
  EXPECT_EQ(found.blocks, (Lines{1}));
}

TEST(Loops, OneInstructionThatJumpsToItself) {
  EXPECT_EQ(x86("a: jmp a\n").bodies, (std::vector<Lines>{{1}}));
  EXPECT_EQ(x86("nop\na: loop a\nret\n").bodies, (std::vector<Lines>{{2}}));
}

TEST(Loops, LocalLabelsOfNumbers) {
  EXPECT_EQ(x86("1:\nincl %eax\njne 1b\n1:\ndecl %eax\njne 1b\n").bodies, (std::vector<Lines>{{2, 3}, {5, 6}}));
}

TEST(Loops, AWhileLoopEnteredAtItsTest) {
  const Found found = x86("jmp test\nbody:\nincl %eax\ntest:\ncmpl %eax, %ebx\njne body\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 5, 6}}));
  EXPECT_EQ(found.header, (Lines{5}));
  EXPECT_EQ(found.blocks, (Lines{2}));
}

TEST(Loops, TheInnermostOfThree) {
  const Found found = x86("a:\nnop\nb:\nnop\nc:\nincl %eax\njne c\ndecl %ebx\njne b\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{6, 7}}));
}

TEST(Loops, TwoInOne) {
  const Found found = x86("a:\nnop\nb:\nincl %eax\njne b\nc:\ndecl %eax\njne c\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4, 5}, {7, 8}}));
}

TEST(Loops, TwoLatchesAreOneLoop) {
  const Found found = x86("a:\nincl %eax\nje skip\ndecl %ebx\njmp a\nskip:\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 3, 4, 5, 7, 8}}));
  EXPECT_EQ(found.blocks, (Lines{3}));
}

TEST(Loops, WhatLeavesTheLoopIsNotInIt) {
  const Found found = x86("a:\nincl %eax\njne more\ncall abort\nret\nmore:\ndecl %ecx\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 3, 7, 8}}));
}

TEST(Loops, WithTwoEntriesAreNone) {
  const Found found = x86("f:\nje b\na:\nincl %eax\nb:\ndecl %ebx\njne a\nret\n.type f,@function\n");
  EXPECT_TRUE(found.bodies.empty());
}

TEST(Loops, AroundOneWithTwoEntriesAreNotInnermost) {
  const Found outer =
      x86(".type f,@function\nf:\nnop\ntop:\nje b\na:\nincl %eax\nb:\ndecl %ebx\njne a\ndecl %ecx\njne top\nret\n");
  EXPECT_LE(outer.bodies.size(), 1u);
}

TEST(Loops, AroundAJumpTable) {
  const Found found =
      x86("next:\nmovzbl (%rdi), %eax\njmp *table(,%rax,8)\none:\nincl %ebx\njmp next\ntwo:\ndecl %ebx\n"
          "jmp next\n");
  EXPECT_TRUE(found.bodies.empty()) << "what an indirect jump reaches is unknown";
}

TEST(Loops, BehindASwitchStandAlone) {
  const Found found = x86("jmp *table(,%rax,8)\none:\nincl %ebx\njne one\ntwo:\ndecl %ebx\njne two\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{3, 4}, {6, 7}}));
}

TEST(Loops, CallsDoNotEndThem) {
  EXPECT_EQ(x86("a:\ncall f\ncall *%rax\nincl %eax\njne a\n").bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, AFunctionThatCallsItselfIsNone) {
  EXPECT_TRUE(x86(".type f,@function\nf:\nincl %eax\ncall f\nret\n").bodies.empty());
}

TEST(Loops, ATailCallToItselfIsOne) {
  EXPECT_EQ(x86(".type f,@function\nf:\nincl %eax\njne f\nret\n").bodies, (std::vector<Lines>{{3, 4}}));
}

TEST(Loops, InFunctionsOneBehindTheOther) {
  const Found found =
      x86(".type f,@function\nf:\na:\nincl %eax\njne a\n.type g,@function\ng:\nb:\ndecl %eax\njne b\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4, 5}, {9, 10}}));
}

TEST(Loops, InUnreachableCode) {
  EXPECT_EQ(x86("ret\na:\nincl %eax\njne a\nret\n").bodies, (std::vector<Lines>{{3, 4}}));
}

TEST(Loops, ToALabelThatIsNotThereAreNone) {
  EXPECT_TRUE(x86("incl %eax\njne elsewhere\nret\n").bodies.empty());
  EXPECT_TRUE(x86("incl %eax\njne end\nend:\n").bodies.empty());
}

TEST(Loops, CutBySections) {
  const Found found = x86("a:\nincl %eax\n.section .cold,\"ax\"\nnop\nc:\ndecl %ebx\njne c\n.text\njne a\nret\n");
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{2, 9}, {6, 7}}));
}

TEST(Loops, ThatGoThroughAnotherSection) {
  const Found found = x86(".type f,@function\nf:\nnop\na:\nincl %eax\nje cold\nback:\ndecl %ebx\njne a\nret\n"
                          ".section .text.unlikely,\"ax\"\ncold:\nnop\njmp back\n");
  ASSERT_EQ(found.bodies.size(), 1u);
  EXPECT_EQ(found.bodies[0].size(), 6u);
}

TEST(Loops, WithInstructionsFromAMacro) {
  EXPECT_EQ(x86(".macro step\nincl %eax\njne \\@f\n.endm\na:\n.rept 2\nincl %eax\n.endr\njne a\n").bodies,
            (std::vector<Lines>{{6, 6, 9}}));
}

// ---- other targets -------------------------------------------------------------------------------------------------

TEST(Loops, OnAArch64) {
  for (const char *branch : {"b.ne a", "cbnz x0, a", "tbnz x0, #3, a", "b a"}) {
    const Parsed parsed(kAArch64, "neoverse-v2", std::string("nop\na:\nsubs x0, x0, #1\n") + branch + "\nret\n");
    EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{3, 4}})) << branch;
  }
}

TEST(Loops, OnArmAReturnUnderAConditionEndsNothing) {
  const Parsed parsed("armv7-linux-gnueabihf", "cortex-a9", "a:\nsubs r0, r0, #1\nbxeq lr\nadd r1, r1, r0\nb a\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
  const Parsed popped("armv7-linux-gnueabihf", "cortex-a9", "a:\nsubs r0, r0, #1\npopeq {pc}\nadd r1, r1, r0\nb a\n");
  EXPECT_EQ(loopsOf(popped).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, OnThumb) {
  const Parsed parsed("thumbv7em-none-eabi", "cortex-m4", "a:\nsubs r0, #1\nbne a\nbx lr\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3}}));
  const Parsed compared("thumbv7em-none-eabi", "cortex-m4",
                        "b:\nadds r1, #1\nldr r0, [r0]\ncbz r0, out\nb b\nout:\nbx lr\n");
  EXPECT_EQ(loopsOf(compared).bodies, (std::vector<Lines>{{2, 3, 4, 5}}));
}

TEST(Loops, OnMipsWithTheDelaySlot) {
  const Parsed parsed("mipsel-linux-gnu", "p5600",
                      ".set noreorder\nnop\na:\nsubu $2, $2, $3\nbnez $2, a\nxor $4, $4, $2\njr $ra\nnop\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{4, 5, 6}}));
}

TEST(Loops, OnRiscv) {
  const Parsed parsed("riscv64-linux", "sifive-u74",
                      "a:\naddi a0, a0, -1\nbnez a0, a\nb:\naddi a1, a1, -1\nbgtz a1, b\nret\n");
  EXPECT_EQ(loopsOf(parsed).bodies, (std::vector<Lines>{{2, 3}, {5, 6}}));
}

TEST(Loops, OnPowerAndSystemZ) {
  const Parsed power("powerpc64le-linux-gnu", "pwr9", "a:\naddi 3, 3, -1\nbdnz a\nblr\n");
  EXPECT_EQ(loopsOf(power).bodies, (std::vector<Lines>{{2, 3}}));
  const Parsed z("s390x-linux-gnu", "z14", "a:\nagr %r2, %r3\nbrctg %r4, a\nbr %r14\n");
  EXPECT_EQ(loopsOf(z).bodies, (std::vector<Lines>{{2, 3}}));
}

TEST(Loops, ManyNestedOnesDoNotOverflow) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "l" + std::to_string(i) + ":\nnop\n";
  for (int i = 1999; i >= 0; --i)
    text += "decl %eax\njne l" + std::to_string(i) + "\n";
  const Found found = x86(text);
  EXPECT_EQ(found.bodies, (std::vector<Lines>{{4000, 4001, 4002}}));
}

} // namespace
} // namespace analysis
