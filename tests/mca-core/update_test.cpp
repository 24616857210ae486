// A program that follows an edit is the program that a parse of the new text makes.
#include "tests/mca-core/described.h"
#include "tests/mca-core/parsed.h"

#include <array>
#include <random>
#include <string_view>

namespace mca {
namespace {

struct Language {
  const char *triple;
  const char *cpu;
  std::string text;
  std::vector<std::string> lines; ///< that an edit may put in
};

const std::vector<Language> kLanguages = {
    {kX86,
     "skylake",
     "\t.text\n\t.globl f\n\t.type f,@function\nf:\n\t.file 1 \"a.c\"\n\t.loc 1 3 0\n\t.p2align 4\n.Lf:\n\taddl "
     "(%rdi), %eax\n"
     "# LLVM-MCA-BEGIN one\n\timull %eax, %edx # times\n\t.loc 1 4 7\n\tvaddps %ymm0, %ymm1, %ymm2\n"
     "# LLVM-MCA-END one\n\tdecl %ecx\n\tjne .Lf\n\tret\n\n\t.section .text.g,\"ax\",@progbits\n"
     "g:\n\tmovl $1, %eax\n\tcall f\n\tret\n# LLVM-MCA-END\n\t.section .rodata\n\t.quad f\n\t.asciz \"a;b\"\n"
     "\t.text\nh:\n\txorl %eax, %eax\n",
     {"\tsubl %ecx, %eax", "\tjmp .Lf", "\tjmp nowhere", "\tnonsense %eax", "# a comment", "", "\taddl $, %eax",
      "new:", "\tjne 1b", "1:\tdecl %eax", "\t.data", "\tlock", "\trep movsb", "\tmovl %eax, f(%rip)", "\t.loc 1 9 1",
      "\tmovq $f, %rax; nop", "\tjmp .+4", "# LLVM-MCA-BEGIN two", "\tvaddps (%rdi), %zmm1, %zmm2"}},
    {kX86,
     "znver4",
     "\t.intel_syntax noprefix\nf:\n\tmov eax, dword ptr [rdi + 4]\n\t.p2align 5\n.L1:\n\tadd eax, 7\n\tdec ecx\n\tjne "
     ".L1\n\tret\n",
     {"\timul eax, edx", "\tlea rax, [rdi + 8*rcx]", "\tmov eax, offset f", "\tmov", "\t.att_syntax",
      "\tvfmadd231ps ymm0, ymm1, ymmword ptr [rsi]", "x = 4", ""}},
    {kAArch64,
     "neoverse-v2",
     "\t.text\nf:\n.L1:\n\tldr w1, [x0], #4\n\tadd w2, w2, w1 // sum\n\tsubs x3, x3, #1\n\tb.ne .L1\n\tret\n"
     "\t.data\n\t.xword f\n\t.text\ng:\n\tfmla v0.4s, v1.4s, v2.4s\n\tadrp x0, g\n\tadd x0, x0, :lo12:g\n",
     {"\tmul x0, x1, x2", "\tcbz x0, .L1", "\tldr x0, =f", "\tmovprfx z0, z1", "\tadd z0.s, p0/m, z0.s, z1.s",
      "\tnop // it's", "", "// a comment", "# a comment", "\tadd x0, x0", "\t.arch armv8-a", "\tb 1f"}},
    {kRiscv,
     "sifive-x280",
     "\t.text\nf:\n.L1:\n\tlw a1, 0(a0)\n\tadd a2, a2, a1\n\taddi a0, a0, 4\n\tbne a0, a3, .L1\n\tret\ng:\n\tmul a0, "
     "a1, a2\n"
     "\tcall f\n",
     {"\tli a0, 305419896", "\tla a0, f", "\tvsetvli a0, a1, e32, m1, ta, ma", "\tdiv a0, a1, a2", "\tfadd.d fa0, fa1",
      "\t.option rvc", "", "# a comment", "# LLVM-MCA-RISCV-LMUL M2", "\tlw a0, %lo(f)(a1)"}}};

/// One edit, as someone makes it who types or moves lines.
std::string edited(const std::string &text, const Language &language, std::mt19937 &random) {
  constexpr std::string_view kTyped = "abdelrx0123456789%$,()#.:;=\"'[] \t\n";
  const auto below = [&](size_t bound) { return random() % bound; };
  const size_t at = text.rfind('\n', below(text.size() + 1)) + 1;
  const size_t end = std::min(text.find('\n', at), text.size());
  const std::string &line = language.lines[below(language.lines.size())];
  std::string after = text;
  switch (below(5)) {
  case 0:
    return after.insert(below(text.size() + 1), 1, kTyped[below(kTyped.size())]);
  case 1:
    return after.erase(at, end - at + below(2));
  case 2:
    return after.insert(at, line + "\n");
  case 3:
    return after.replace(at, end - at, line);
  default:
    return after.erase(below(text.size()), 1);
  }
}

TEST(ProgramUpdate, IsWhatAParseOfTheNewTextMakes) {
  for (const Language &language : kLanguages) {
    const std::unique_ptr<Target> target = targetOf(language.triple, language.cpu);
    std::mt19937 random(7);
    size_t updates = 0, edits = 0;
    for (int round = 0; round < 150 && !HasFailure(); ++round) {
      std::string text = language.text;
      std::unique_ptr<Program> program = Program::parse(text, *target, {});
      for (int i = 0; i < 8; ++i, ++edits) {
        const std::string before = text;
        text = edited(text, language, random);
        const std::unique_ptr<Program> fresh = Program::parse(text, *target, {});
        if (!program->update(text, *target)) {
          program = Program::parse(text, *target, {});
          continue;
        }
        ++updates;
        ASSERT_EQ(program->text(), text);
        ASSERT_EQ(describe(*program, *target), describe(*fresh, *target)) << before << "\n--- became\n" << text;
      }
    }
    EXPECT_GT(updates, edits / 10) << language.cpu;
  }
}

class ProgramUpdateOf : public testing::Test {
protected:
  /// Whether the program follows the text with `what` replaced.
  static bool follows(const std::string &text, const std::string &what, const std::string &with,
                      const ParseOptions &options = {}) {
    const std::unique_ptr<Target> target = targetOf(kX86, "skylake");
    const std::unique_ptr<Program> program = Program::parse(text, *target, options);
    std::string after = text;
    after.replace(after.find(what), what.size(), with);
    const bool followed = program->update(after, *target);
    if (followed) {
      EXPECT_EQ(describe(*program, *target), describe(*Program::parse(after, *target, options), *target));
    }
    return followed;
  }
};

TEST_F(ProgramUpdateOf, AnInstructionIsMade) {
  EXPECT_TRUE(follows("nop\naddl %eax, %ecx\nret\n", "%eax", "$100, %edx\nsubl %eax"));
  EXPECT_TRUE(follows("nop\naddl %eax, %ecx\nret\n", "addl %eax, %ecx\n", ""));
  EXPECT_TRUE(follows("nop\naddl %eax, %ecx\nret", "ret", "retq"));
}

// At the top, where no instruction tells the section, and beside lines that are no instructions.
TEST_F(ProgramUpdateOf, EmptyLinesAndCommentsStandAnywhere) {
  const std::string text = "\t.text\nf:\n\taddl %eax, %ecx\n\t.p2align 4\ng:\n\tret\n";
  for (const char *line : {"\t.text", "f:", "\taddl", "\t.p2align", "g:", "\tret"}) {
    EXPECT_TRUE(follows(text, line, std::string("\n") + line));
    EXPECT_TRUE(follows(text, line, std::string("# two\n  # comments\n") + line));
  }
  EXPECT_TRUE(follows(text, "f:\n", "f:\n    \n"));
  EXPECT_TRUE(follows("# one\n\n" + text, "# one\n\n", ""));
  EXPECT_TRUE(follows(text + "\tad %eax, \n", "\tad %eax, \n", "\tad %eax, \n\n")) << "the error stays";
}

TEST_F(ProgramUpdateOf, ATypingErrorIsTold) {
  EXPECT_TRUE(follows("nop\naddl %eax, %ecx\nbad\n", "addl", "ad"));
  EXPECT_TRUE(follows("nop\nad %eax, %ecx\nbad\n", "ad", "addl"));
}

TEST_F(ProgramUpdateOf, WhatMayDependOnOtherLinesIsNot) {
  EXPECT_FALSE(follows("nop\n.macro m\nnop\n.endm\nm\nincl %eax\n", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\n.if 0\nincl %eax\n.endif\n", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\n/* incl %eax\nnop\n*/", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\n.code32\nincl %eax\n", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\n.set x, 3\naddl $x, %eax\n", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\nx = 3\naddl $x, %eax\n", "%eax", "%ecx"));
  EXPECT_FALSE(follows("nop\n.ascii \"open\naddl %eax, %eax\n\"\n", "addl %eax", "addl %ecx"));
  EXPECT_FALSE(follows("nop\n1:\nincl %eax\n1:\njmp 1b\n", "1b", "1f"));
  EXPECT_FALSE(follows("nop\nincl %eax\n", "incl", "x: incl"));
  EXPECT_FALSE(follows("nop\nincl %eax\n", "incl %eax", "incl %eax # LLVM-MCA-BEGIN"));
  EXPECT_FALSE(follows("nop\nincl %eax\n", "incl %eax", "incl %eax; nop"));
  EXPECT_FALSE(follows("nop\nad %eax\n`\n", "ad %eax", "incl %eax")) << "the next line's error";
}

TEST_F(ProgramUpdateOf, AnotherSectionIsNotGuessed) {
  EXPECT_FALSE(follows("nop\n.section .text.x,\"ax\"\nincl %eax\n", "%eax", "%ecx"));
  EXPECT_TRUE(follows(".section .text.x,\"ax\"\nnop\nincl %eax\n", "%eax", "%ecx"));
}

TEST_F(ProgramUpdateOf, TheSyntaxMustBeTheSameThroughout) {
  EXPECT_TRUE(follows(".intel_syntax noprefix\nnop\ninc eax\n", "eax", "ecx"));
  EXPECT_FALSE(follows("nop\n.intel_syntax noprefix\ninc eax\n", "eax", "ecx"));
}

TEST_F(ProgramUpdateOf, AProgramAsLlvmMcaReadsItIsNot) {
  EXPECT_FALSE(follows("nop\nincl %eax\n", "%eax", "%ecx", {.asLlvmMca = true}));
}

TEST_F(ProgramUpdateOf, TheSameTextIsNoWork) {
  EXPECT_TRUE(follows(".macro m\nnop\n.endm\nm\n", "nop", "nop"));
}

TEST(Update, WhatLlvmPointsToOutlivesAShortText) {
  const Parsed parsed(kX86, "skylake", "nop\nnop\n");
  ASSERT_TRUE(parsed.program->update("nop\nincl %eax\nincl %ecx\nnop\n", *parsed.target));
  std::string at;
  for (const Instruction &instruction : parsed.program->instructions())
    at += std::string(instruction.inst.getLoc().getPointer(), 3) + " ";
  EXPECT_EQ(at, "nop inc inc nop ");
}

} // namespace
} // namespace mca
