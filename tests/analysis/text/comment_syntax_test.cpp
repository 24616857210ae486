// Where comments with settings begin and end, in each language's spelling.
#include "analysis/text/comment_syntax.h"

#include <gtest/gtest.h>
#include <string>

namespace analysis::comments {
namespace {

constexpr size_t kNone = std::string_view::npos;

std::string settingsOn(std::string_view line) {
  const size_t begin = settingsBegin(line);
  return begin == kNone ? "none" : std::string(line.substr(begin));
}

TEST(CommentSyntax, SettingsStandAloneOnTheirLine) {
  EXPECT_EQ(settingsOn("# mca: cpu=znver4"), " cpu=znver4");
  EXPECT_EQ(settingsOn("\t//mca:"), "");
  EXPECT_EQ(settingsOn("/* mca: cpu=a */"), " cpu=a */");
  EXPECT_EQ(settingsOn("mca: cpu=a"), "none");
  EXPECT_EQ(settingsOn("  mca: cpu=a"), "none") << "a label";
  EXPECT_EQ(settingsOn("addl %eax, %ebx # mca: cpu=a"), "none");
  EXPECT_EQ(settingsOn("# see mca: cpu=a"), "none");
}

TEST(CommentSyntax, TheClosingIsNoWord) {
  const std::string_view text = " cpu=a\titerations=2 */\r\n";
  EXPECT_EQ(wordsOf(text), (std::vector<std::string_view>{"cpu=a", "iterations=2"}));
  EXPECT_EQ(wordsOf(text)[0].data(), text.data() + 1);
  EXPECT_EQ(wordsOf(" cpu=znver4*/"), (std::vector<std::string_view>{"cpu=znver4"}));
  EXPECT_TRUE(wordsOf(" ").empty());
}

TEST(CommentSyntax, EachTargetHasItsOpening) {
  EXPECT_EQ(assemblyOpening("x86_64-linux-gnu"), "#");
  EXPECT_EQ(assemblyOpening("riscv64"), "#");
  EXPECT_EQ(assemblyOpening("aarch64-linux-gnu"), "//");
  EXPECT_EQ(assemblyOpening("arm64-apple-darwin"), "//");
  EXPECT_EQ(assemblyOpening("thumbv7m-none-eabi"), "@");
  EXPECT_EQ(assemblyOpening("sparcv9"), "!");
  EXPECT_EQ(assemblyOpening(""), "#");
}

TEST(CommentSyntax, ACommentHasItsDelimitersBeforeAndBehindItsText) {
  const std::string_view line = "nop /* LLVM-MCA-END a  */ nop";
  const size_t inside = line.find(kEndMarker);
  EXPECT_EQ(commentBegin(line, inside), 4u);
  EXPECT_EQ(line.substr(inside, commentEnd(line, inside) - inside), "LLVM-MCA-END a");
  EXPECT_EQ(commentBegin("LLVM-MCA-END", 0), kNone);
  EXPECT_EQ(commentBegin("call LLVM-MCA-END", 5), kNone);
}

} // namespace
} // namespace analysis::comments
