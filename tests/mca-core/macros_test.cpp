// Where the instructions stand that the assembler makes: at the outermost call in the text.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

Parsed x86(const std::string &text) {
  return {kX86, "skylake", text};
}

TEST(Macros, StandAtTheirCall) {
  const Parsed parsed = x86(".macro two\nnop\nincl %eax\n.endm\nnop\ntwo\nnop\ntwo\n");
  EXPECT_EQ(parsed.lines(), (Lines{5, 6, 6, 7, 8, 8}));
  EXPECT_FALSE(parsed.program->instructions()[0].fromMacro);
  EXPECT_TRUE(parsed.program->instructions()[1].fromMacro);
}

TEST(Macros, OneInAnotherStandsAtTheOuterCall) {
  const Parsed parsed =
      x86(".macro inner\nnop\n.endm\n.macro outer\ninner\nincl %eax\ninner\n.endm\n\n  outer\ninner\n");
  EXPECT_EQ(parsed.lines(), (Lines{10, 10, 10, 11}));
  EXPECT_EQ(parsed.program->instructions()[0].offset, parsed.program->text().find("  outer") + 2);
}

TEST(Macros, RepetitionsStandAtTheirDirective) {
  const Parsed parsed = x86("nop\n.rept 3\nincl %eax\n.endr\n.irp r, %eax, %ebx\nincl \\r\n.endr\n"
                            ".irpc d, 01\nmovl $\\d, %eax\n.endr\nnop\n");
  EXPECT_EQ(parsed.lines(), (Lines{1, 2, 2, 2, 5, 5, 8, 8, 11}));
}

TEST(Macros, RepetitionsInMacrosAndMacrosInRepetitions) {
  const Parsed parsed = x86(".macro pair\n.rept 2\nnop\n.endr\n.endm\n.rept 2\npair\n.endr\npair\n");
  EXPECT_EQ(parsed.lines(), (Lines{6, 6, 6, 6, 9, 9}));
}

TEST(Macros, ManyCallsKeepTheirOrder) {
  std::string text = ".macro step\nnop\n.endm\n";
  for (int i = 0; i < 500; ++i)
    text += i % 3 ? "step\n" : "incl %eax\n";
  const Parsed parsed = x86(text);
  const Lines lines = parsed.lines();
  ASSERT_EQ(lines.size(), 500u);
  for (uint32_t i = 0; i < 500; ++i)
    EXPECT_EQ(lines[i], i + 4);
}

TEST(Macros, LabelsInThemStandAtTheCall) {
  const Parsed parsed = x86(".macro head name\n\\name:\nnop\n.endm\nnop\nhead first\n");
  ASSERT_EQ(parsed.program->labels().size(), 1u);
  EXPECT_EQ(parsed.program->labels()[0].name, "first");
  EXPECT_EQ(parsed.program->labels()[0].instruction, 1u);
  EXPECT_EQ(parsed.lineOf(parsed.program->labels()[0].offset), 6u);
}

TEST(Macros, AnErrorInOneStandsAtTheCallAndKeepsTheRest) {
  const Parsed parsed = x86(".macro broken r\nincl \\r\nfoo \\r\ndecl \\r\n.endm\nnop\nbroken %eax\nnop\n");
  EXPECT_EQ(parsed.lines(), (Lines{6, 7, 7, 8}));
  EXPECT_EQ(parsed.diagnostics(), (Strings{"7: invalid instruction mnemonic 'foo'"}));
}

TEST(Macros, AnErrorInANestedOneStandsAtTheOuterCall) {
  const Parsed parsed = x86(".macro inner\nfoo\n.endm\n.macro outer\ninner\n.endm\nnop\nouter\nnop\n");
  EXPECT_EQ(parsed.diagnostics(), (Strings{"8: invalid instruction mnemonic 'foo'"}));
  EXPECT_EQ(parsed.count(), 2u);
}

TEST(Macros, ThatNeverEndIsAnError) {
  const Parsed parsed = x86("nop\n.macro open\nnop\n");
  EXPECT_TRUE(parsed.program->hasErrors());
  EXPECT_EQ(parsed.count(), 1u);
}

TEST(Macros, ThatCallThemselvesEnd) {
  const Parsed parsed = x86("nop\n.macro again\nnop\nagain\n.endm\nagain\nincl %eax\n");
  EXPECT_TRUE(parsed.program->hasErrors());
  EXPECT_EQ(parsed.opcode(static_cast<uint32_t>(parsed.count()) - 1), "INC32r");
}

TEST(Macros, BetweenMarkersBelongToTheRegion) {
  const Parsed parsed = x86(".macro two\nnop\nnop\n.endm\n# LLVM-MCA-BEGIN\ntwo\n.rept 2\nincl %eax\n.endr\n"
                            "# LLVM-MCA-END\ntwo\n");
  EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]), (Lines{0, 1, 2, 3}));
}

} // namespace
} // namespace mca
