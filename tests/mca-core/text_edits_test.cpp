// A program of an edited text has the places of the text as it was written.
#include "mca-core/assembly/text_edits.h"
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

TEST(TextEdits, MapOffsetsBack) {
  const std::vector<TextEdit> edits = {{0, 2, "longer"}, {4, 0, "++"}, {6, 3, ""}, {10, 1, "x"}};
  const RewrittenText rewritten("abcdefghijklm", edits);
  EXPECT_EQ(rewritten.text(), "longercd++efjxlm");
  EXPECT_EQ(rewritten.originalOffset(0), 0u);
  EXPECT_EQ(rewritten.originalOffset(1), 1u);
  EXPECT_EQ(rewritten.originalOffset(5), 2u);
  EXPECT_EQ(rewritten.originalOffset(6), 2u);  // c
  EXPECT_EQ(rewritten.originalOffset(8), 4u);  // the inserted text
  EXPECT_EQ(rewritten.originalOffset(10), 4u); // e
  EXPECT_EQ(rewritten.originalOffset(12), 9u); // j
  EXPECT_EQ(rewritten.originalOffset(13), 10u);
  EXPECT_EQ(rewritten.originalOffset(16), 13u);
}

TEST(TextEdits, LeaveNoTraceInAProgram) {
  const std::string text = "# LLVM-MCA-BEGIN a\nf: foo %eax\nbogus\n decl %eax\n# LLVM-MCA-END\n jne f\n";
  const auto at = [&](const char *word) { return static_cast<uint32_t>(text.find(word)); };
  const Parsed parsed(kX86, "skylake", text, {.edits = {{at("foo"), 3, "incl"}, {at("decl"), 4, "negl"}}});
  const Program &program = *parsed.program;
  EXPECT_EQ(program.text(), text);
  ASSERT_EQ(parsed.count(), 3u);
  EXPECT_EQ(parsed.opcode(0), "INC32r");
  EXPECT_EQ(program.instructions()[0].offset, at("foo"));
  EXPECT_EQ(program.instructions()[1].offset, at("decl"));
  EXPECT_EQ(program.instructions()[2].offset, at("jne"));
  EXPECT_EQ(program.labels().front().offset, at("f:"));
  ASSERT_EQ(program.diagnostics().size(), 1u);
  EXPECT_EQ(program.diagnostics().front().begin, at("bogus"));
  EXPECT_EQ(program.diagnostics().front().end, at("bogus") + 5);
  ASSERT_EQ(program.markerRegions().size(), 1u);
  EXPECT_EQ(program.markerRegions().front().end, at(" LLVM-MCA-END"));
  EXPECT_FALSE(parsed.program->update(text + "\n", *parsed.target));
}

TEST(TextEdits, CanBeginInAnotherSyntax) {
  const Parsed parsed(kX86, "skylake", "add eax, ebx\n", {.syntax = 1});
  EXPECT_EQ(parsed.count(), 1u);
  EXPECT_FALSE(parsed.program->hasErrors());
  EXPECT_EQ(parsed.program->syntaxVariant(), 1u);
}

} // namespace
} // namespace mca
