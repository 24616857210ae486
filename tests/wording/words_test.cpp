// The words that texts are made of.
#include "lsp/wording/words.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::WaitKind;

TEST(Words, ARegistersNameInASentence) {
  EXPECT_EQ(registerInWords("%xmm0"), "xmm0");
  EXPECT_EQ(registerInWords("x3"), "x3");
  EXPECT_EQ(registerInWords("3"), "register 3");
  EXPECT_EQ(registerInWords("$4"), "$4");
  EXPECT_EQ(registerInWords(""), "a register");
}

TEST(Words, EveryKindOfWaitHasWords) {
  for (unsigned kind = 0; kind <= static_cast<unsigned>(WaitKind::RetireWidth); ++kind)
    EXPECT_TRUE(phraseOf({.kind = static_cast<WaitKind>(kind), .what = "U1, U2, U3", .by = {0}}).starts_with("for "));
  EXPECT_EQ(phraseOf({.kind = WaitKind::Resource, .what = "U1, U2, U3"}), "for U1, U2 and 1 more");
  EXPECT_EQ(phraseOf({.kind = WaitKind::Memory, .what = "store"}), "for an earlier store");
  EXPECT_EQ(phraseOf({.kind = WaitKind::Memory}), "for an earlier load or store");
}

TEST(Words, OfWhatCyclesAre) {
  EXPECT_EQ(perIterations(1), "per iteration");
  EXPECT_EQ(perIterations(4), "per 4 iterations");
  EXPECT_EQ(perIterations(0), "per iteration of the machine code");
}

TEST(Words, ColumnsOfATable) {
  EXPECT_EQ(padded("ab", 4), "ab  ");
  EXPECT_EQ(padded("abcde", 4), "abcde");
  EXPECT_EQ(rightAligned("ab", 4), "  ab");
  EXPECT_EQ(rightAligned("abcde", 4), "abcde");
}

TEST(Words, ClippedTextEndsWithAMark) {
  EXPECT_EQ(clipped("abcd", 4, "…"), "abcd");
  EXPECT_EQ(clipped("abcde", 4, "…"), "abc…");
  EXPECT_EQ(clipped("äöüß", 4, ">"), "äöüß");
  EXPECT_EQ(clipped("äöüß€", 4, ">"), "äöü>");
  EXPECT_EQ(clipped("ab", 1, ">"), ">");
}

} // namespace
} // namespace lsp::wording
