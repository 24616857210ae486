// `.file` and `.loc` as clang and gcc write them, gcc 12's included, which LLVM's own parser refuses.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

/// "FILE:LINE:COLUMN" of the `.loc` in force at each instruction; "-" without one.
Strings placesOf(const Parsed &parsed) {
  Strings places;
  for (const Instruction &instruction : parsed.program->instructions()) {
    if (instruction.line == kNone) {
      places.push_back("-");
      continue;
    }
    const LineEntry &entry = parsed.program->lines()[instruction.line];
    places.push_back(std::to_string(entry.file) + ":" + std::to_string(entry.line) + ":" +
                     std::to_string(entry.column));
  }
  return places;
}

TEST(LineDirectives, ClangsForm) {
  const Parsed parsed(kX86, "skylake",
                      "nop\n.file 0 \"/home/dir\" \"a.cpp\" md5 0x0123456789abcdef0123456789abcdef\n"
                      ".file 1 \"/usr/include\" \"vector\"\n"
                      ".loc 0 3 7 prologue_end # a.cpp:3:7\nnop\n.loc 1 99 0 is_stmt 0 # vector:99:0 @[ a.cpp:3:7 ]\n"
                      "nop\nnop\n");
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  EXPECT_EQ(placesOf(parsed), (Strings{"-", "0:3:7", "1:99:0", "1:99:0"}));
  const auto files = parsed.program->lineFiles();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].directory, "/home/dir");
  EXPECT_EQ(files[0].name, "a.cpp");
  EXPECT_EQ(files[1].number, 1u);
}

TEST(LineDirectives, GccsFormWithOneFileTwice) {
  const Parsed parsed(kX86, "skylake",
                      ".file \"a.c\"\n.file 0 \"/home/dir\" \"a.c\"\n.file 1 \"a.c\"\n.loc 1 2 40 view -0\nnop\n"
                      ".loc 1 4 5 is_stmt 0 discriminator 3 view .LVU5\nnop\n.loc 1 6 1 is_stmt 1 view .LVU6\nnop\n"
                      ".loc 1 0 0\nnop\n");
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  EXPECT_EQ(placesOf(parsed), (Strings{"1:2:40", "1:4:5", "1:6:1", "1:0:0"}));
  EXPECT_EQ(parsed.program->lineFiles().size(), 2u);
}

TEST(LineDirectives, WithoutAColumn) {
  const Parsed parsed(kX86, "skylake", ".file 1 \"a.c\"\n.loc 1 7\nnop\n.loc 1 8 view .LVU1\nnop\n");
  EXPECT_EQ(placesOf(parsed), (Strings{"1:7:0", "1:8:0"}));
}

TEST(LineDirectives, TheOffsetIsTheDirectives) {
  const Parsed parsed(kX86, "skylake", "nop\n  .loc 1 2 3\nnop\n");
  ASSERT_EQ(parsed.program->lines().size(), 1u);
  EXPECT_EQ(parsed.lineOf(parsed.program->lines()[0].offset), 2u);
}

TEST(LineDirectives, EscapesInNames) {
  const Parsed parsed(kX86, "skylake", ".file 1 \"C:\\\\src\" \"a \\\"b\\\".c\"\nnop\n");
  ASSERT_EQ(parsed.program->lineFiles().size(), 1u);
  EXPECT_EQ(parsed.program->lineFiles()[0].directory, "C:\\src");
  EXPECT_EQ(parsed.program->lineFiles()[0].name, "a \"b\".c");
}

TEST(LineDirectives, NonsenseIsAnErrorOnItsLine) {
  const Parsed parsed(kX86, "skylake", ".file nothing\nnop\n.loc\nnop\n.file -3 \"a\"\n.loc 99999999999 1\nnop\n");
  EXPECT_EQ(parsed.count(), 3u);
  EXPECT_EQ(parsed.program->diagnostics().size(), 4u);
  EXPECT_EQ(placesOf(parsed), (Strings{"-", "-", "-"}));
}

TEST(LineDirectives, OnOtherTargets) {
  const Parsed parsed("armv7-linux-gnueabihf", "cortex-a9", ".file 1 \"a.c\"\n.loc 1 5 2 @ a.c:5:2\nnop\n");
  EXPECT_EQ(placesOf(parsed), (Strings{"1:5:2"}));
}

} // namespace
} // namespace mca
