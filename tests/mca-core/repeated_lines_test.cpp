// A program is the same whether lines that repeat are read again or not.
#include "tests/mca-core/described.h"
#include "tests/mca-core/parsed.h"

#include <random>

namespace mca {
namespace {

const std::vector<std::string> kPlain = {"\taddl %eax, %ecx",
                                         "\tmovq 8(%rdi,%rcx,4), %rax",
                                         "\tmovl $-3, %eax # 4-byte Folded",
                                         "\tincl %eax",
                                         "\tvaddps %ymm0, %ymm1, %ymm2",
                                         "\tret",
                                         "\tmovl $0x1f, %eax",
                                         "\tfadd %st(1)",
                                         "\tvaddps {rz-sae}, %zmm0, %zmm1, %zmm2 {%k1} {z}",
                                         "\tcall *%rax",
                                         "  xorl %eax, %eax",
                                         "\tjmp .L1",
                                         "\tcall f@PLT",
                                         "\tmovl g+4(%rip), %eax",
                                         "\tmovl $g, %eax",
                                         "\tmovl g, %eax"};
const std::vector<std::string> kOdd = {
    "\tfstcw (%rax)",
    "\tvgatherdps %xmm2, (%rdi,%xmm1,2), %xmm2",
    "\twait",
    "\tlock",
    "\tlock incl (%rax)",
    "\trep movsb",
    "\tdata16",
    "{evex} vaddps %xmm0, %xmm1, %xmm2",
    "\tvaddps %xmm0, %xmm1, %xmm2",
    "\taddl $, %eax",
    "\tmovl $x, %eax",
    "x = 3",
    "x = 4",
    "\t.set y, %rax",
    "1:\tdecl %eax",
    "\tjmp 1b",
    "\tincl %eax; decl %eax",
    "\tincl %eax /* begin",
    "*/ addl %eax, %ecx",
    "\t.ascii \"open",
    "\"",
    "\t.code32",
    "\t.code64",
    "\t.intel_syntax noprefix",
    "\t.att_syntax",
    "\t.macro incl a\n\tdecl %ecx\n\t.endm",
    "\t.macro XORL a, b\n\tdecl %ecx\n\t.endm",
    "\t.macro m\n\taddl %eax, %ecx\n\tincl %eax\n\t.endm",
    "\tm",
    "\t.endm",
    "\t.purgem incl",
    "\t.if 0",
    "\t.else",
    "\t.endif",
    "\t.rept 2",
    "\t.endr",
    "# 7 \"file.c\"",
    "# LLVM-MCA-BEGIN one",
    "# LLVM-MCA-END one",
    "\taddl %eax, %ecx # LLVM-MCA-END one",
    "\tjmp .+4",
    "\tjmp .",
    ".L1:",
    "g = 4",
    "g = f + 4",
    "g = %rax",
    "\t.set g, 8",
    "\t.set .L1, g",
    "\t.equiv f, 3",
    "\t.weakref f, h",
    "\tmovl g-.L1(%rip), %eax",
    "\tcall *g(,%rax,8)",
    "\t.quad .-new",
    "\t.loc 1 3 0",
    "\t.cfi_startproc",
    "\t.cfi_def_cfa_offset 16",
    "\t.cfi_offset %rbx, -16 # why",
    "\t.cfi_endproc",
    "# %bb.0:",
    "   # 12 \"other.c\"",
    "#\r",
    "new3: # LLVM-MCA-BEGIN two",
    "\t.data",
    "\t.text",
    "new:",
    "new2: addl %eax, %ecx",
    "",
    "\tincl %eax\r",
    "\tmovl new, %eax",
    "\tmovabsq $0, %rax",
    "\t.arch x",
    "\t.end",
};

/// Lines of which most repeat.
std::string textOf(std::mt19937 &random, unsigned odd) {
  const auto any = [&](const std::vector<std::string> &lines) { return lines[random() % lines.size()]; };
  std::string text = random() % 4 ? "\t.file 1 \"a.c\"\n" : "";
  const size_t lines = 3 + random() % 40;
  for (size_t i = 0; i < lines; ++i)
    text += (random() % 100 < odd ? any(kOdd) : any(kPlain)) + (i + 1 == lines && random() % 2 ? "" : "\n");
  return text;
}

void expectSame(const std::string &text, const Target &target) {
  for (const bool asLlvmMca : {false, true}) {
    ParseOptions options{.asLlvmMca = asLlvmMca};
    const std::unique_ptr<Program> quick = Program::parse(text, target, options);
    options.repeatedLines = false;
    const std::unique_ptr<Program> plain = Program::parse(text, target, options);
    ASSERT_EQ(describe(*quick, target), describe(*plain, target)) << text;
  }
}

TEST(RepeatedLines, SayTheSameAsReadAnew) {
  // Without AVX-512 some of the lines are errors, each time.
  for (const char *const cpu : {"znver4", "skylake"}) {
    const std::unique_ptr<Target> target = targetOf(kX86, cpu);
    std::mt19937 random(11);
    for (unsigned round = 0; round < 1500 && !HasFatalFailure(); ++round)
      expectSame(textOf(random, round % 3 * 15), *target);
  }
}

TEST(RepeatedLines, StandWhereTheyStand) {
  const Parsed parsed(kX86, "skylake", "\tincl %eax\n\n  incl %eax\n\tincl %eax # again\n\tincl %eax\n\tincl %eax");
  EXPECT_EQ(parsed.lines(), (Lines{1, 3, 4, 5, 6}));
}

TEST(RepeatedLines, OneMayMakeTwoInstructions) {
  const Parsed parsed(kX86, "skylake", "\tnop\n\tfstcw (%rax)\n\tnop\n\tnop\n\tfstcw (%rax)\n\tnop\n\tnop\n");
  EXPECT_EQ(parsed.lines(), (Lines{1, 2, 2, 3, 4, 5, 5, 6, 7}));
}

TEST(RepeatedLines, AreNotLookedForInALongLine) {
  std::string text = "\tincl %eax\n\tincl %eax";
  for (int i = 0; i < 500'000; ++i) // a minute and more, if each looked for the line's end
    text += ";incl %eax";
  EXPECT_EQ(Parsed(kX86, "skylake", text).count(), 500'002u);
}

TEST(RepeatedLines, AMacroMayTakeTheirPlace) {
  const std::unique_ptr<Target> target = targetOf(kX86, "skylake");
  for (const char *const name : {"incl", "INCL"})
    expectSame("\tnop\n\tincl %eax\n\tnop\n\tincl %eax\n\t.macro " + std::string(name) +
                   " a\n\tdecl %ecx\n\t.endm\n\tnop\n\tincl %eax\n\tnop\n\tincl %eax\n",
               *target);
}

TEST(RepeatedLines, AnotherModeReadsThemAnotherWay) {
  const Parsed parsed(kX86, "skylake",
                      "\tnop\n\tpush $1\n\tnop\n\tpush $1\n\t.code32\n\tnop\n\tpush $1\n\tnop\n\tpush $1\n");
  EXPECT_EQ(parsed.opcode(3), "PUSH64i8");
  EXPECT_EQ(parsed.opcode(5), "PUSH32i8");
  EXPECT_EQ(parsed.opcode(7), "PUSH32i8");
}

} // namespace
} // namespace mca
