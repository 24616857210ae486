// Which places survive an edit, shown on small texts.
#include "lsp/workspace/line_edit.h"

#include <gtest/gtest.h>
#include <random>

namespace lsp {
namespace {

using analysis::wire::ByteRange;

const std::string kText = "one\ntwo\nthree\n"; // lines begin at 0, 4, 8 and 14

std::optional<uint32_t> hintAfter(uint32_t offset, ByteRange replaced, std::string_view with) {
  return moveWithLine(offset, describeEdit(Text(kText), replaced, with));
}

TEST(LineEdit, TheChangedLineLosesItsHint) {
  EXPECT_EQ(hintAfter(4, {5, 6}, "x"), std::nullopt);
  EXPECT_EQ(hintAfter(7, {4, 4}, "x"), std::nullopt);
  EXPECT_EQ(hintAfter(4, {7, 7}, "x"), std::nullopt);
}

TEST(LineEdit, LinesBelowMove) {
  EXPECT_EQ(hintAfter(8, {5, 6}, "xyz"), 10u);
  EXPECT_EQ(hintAfter(8, {4, 7}, ""), 5u);
}

TEST(LineEdit, LinesAboveStay) {
  EXPECT_EQ(hintAfter(3, {5, 6}, "xyz"), 3u);
}

TEST(LineEdit, AddingLinesAroundALineLeavesIt) {
  EXPECT_EQ(hintAfter(4, {7, 7}, "\n  more"), 4u) << "Enter behind it";
  EXPECT_EQ(hintAfter(4, {4, 4}, "more\n"), 9u) << "a line put above it";
  EXPECT_EQ(hintAfter(4, {3, 3}, "\nmore"), 9u) << "Enter behind the line above";
}

TEST(LineEdit, RemovingLinesAroundALineLeavesIt) {
  EXPECT_EQ(hintAfter(4, {0, 4}, ""), 0u);
  EXPECT_EQ(hintAfter(4, {7, 13}, ""), 4u);
  EXPECT_EQ(hintAfter(4, {3, 4}, ""), std::nullopt) << "joined with the line above";
}

TEST(LineEdit, ARangeSurvivesWhenNoLineOfItChanged) {
  const Text text(kText);
  const auto after = [&](ByteRange range, ByteRange replaced, std::string_view with) {
    return moveWithLines(range, describeEdit(text, replaced, with));
  };
  EXPECT_EQ(after({4, 14}, {0, 1}, "OO"), (ByteRange{5, 15}));
  EXPECT_EQ(after({0, 8}, {9, 10}, "x"), (ByteRange{0, 8})) << "its last line ends before the edit";
  EXPECT_EQ(after({0, 14}, {5, 6}, "x"), std::nullopt);
  EXPECT_EQ(after({0, 14}, {7, 7}, "\nmore"), std::nullopt) << "a line was added inside";
  EXPECT_EQ(after({0, 7}, {7, 7}, "\nmore"), (ByteRange{0, 7})) << "a line was added behind";
}

TEST(LineEdit, FindingsAreClamped) {
  const LineEdit edit = describeEdit(Text(kText), {4, 8}, "X\n");
  EXPECT_EQ(moveClamped({0, 3}, edit), (ByteRange{0, 3}));
  EXPECT_EQ(moveClamped({5, 7}, edit), (ByteRange{6, 6}));
  EXPECT_EQ(moveClamped({9, 13}, edit), (ByteRange{7, 11}));
}

/// A hint that survives stands on a line with the same bytes, whatever the edit.
TEST(LineEdit, ASurvivorsLineIsTheSame) {
  std::mt19937 random(4);
  constexpr std::string_view kPieces[] = {"", "a", "\n", "ab\n", "\nab", "\n\n", "\r\n", "\r"};
  for (int round = 0; round < 5000; ++round) {
    std::string bytes;
    for (size_t i = 0; i < random() % 8; ++i)
      bytes += kPieces[random() % std::size(kPieces)];
    const Text before(bytes);
    const auto begin = static_cast<uint32_t>(random() % (bytes.size() + 1));
    const auto end = begin + static_cast<uint32_t>(random() % (bytes.size() - begin + 1));
    const std::string_view with = kPieces[random() % std::size(kPieces)];
    const LineEdit edit = describeEdit(before, {begin, end}, with);
    Text after = before;
    after.replace({begin, end}, with);
    for (uint32_t line = 0; line < before.lineCount(); ++line) {
      const auto moved = moveWithLine(before.lineBegin(line), edit);
      if (moved) {
        ASSERT_EQ(after.line(after.lineOf(*moved)), before.line(line)) << "round " << round;
      }
    }
  }
}

} // namespace
} // namespace lsp
