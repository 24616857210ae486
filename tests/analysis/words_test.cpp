// The words that texts are made of.
#include "analysis/wording/words.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using wire::WaitKind;

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

TEST(Words, NumbersAreRoundedHalfUp) {
  EXPECT_EQ(decimals(0.25, 1), "0.3");
  EXPECT_EQ(decimals(2.675, 2), "2.68");
  EXPECT_EQ(decimals(1e300, 0).size(), 301u);
}

TEST(Words, TextsInOneLine) {
  EXPECT_EQ(flatText("addl\t%eax,  %ebx"), "addl %eax, %ebx");
  EXPECT_EQ(mnemonicOf("addl\t%eax"), "addl");
  EXPECT_EQ(mnemonicOf(""), "");
}

} // namespace
} // namespace analysis
