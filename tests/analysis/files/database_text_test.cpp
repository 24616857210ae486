// Which databases LLVM's parser gets.
#include "analysis/files/database_text.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(DatabaseText, WhatLooksLikeJsonIsRead) {
  for (const char *text : {"", "[]", "\xEF\xBB\xBF[{\"file\": \"a.c\", \"n\": [-1.5e+3, true, null]},\r\n\t]",
                           R"(["\\", "\"[[[", "'é#&*!?"])", "["})
    EXPECT_EQ(whyRefused(text), "") << text;
}

TEST(DatabaseText, WhatOnlyYamlHasIsRefused) {
  for (const char *text : {"['a']", "[? a]", "[!tag a]", "[&a b, *a]", "# [", "--- |", "%YAML", "[\x01]", "[é]"})
    EXPECT_EQ(whyRefused(text), "it is no JSON") << text;
}

TEST(DatabaseText, DeepNestingIsRefused) {
  EXPECT_EQ(whyRefused(std::string(kDeepestDatabase, '[')), "");
  EXPECT_EQ(whyRefused(std::string(kDeepestDatabase + 1, '[')), "it is nested deeper than 16 levels");
  std::string pairs;
  for (int i = 0; i < 100; ++i)
    pairs += "[{}],";
  EXPECT_EQ(whyRefused(pairs), "") << "beside each other";
  EXPECT_EQ(whyRefused("]]]]" + std::string(kDeepestDatabase + 1, '{')), "it is nested deeper than 16 levels");
}

TEST(DatabaseText, VeryManyStringsAreRefused) {
  std::string text;
  for (size_t i = 0; i < kMaxDatabaseStrings; ++i)
    text += "\"\",";
  EXPECT_EQ(whyRefused(text), "");
  EXPECT_EQ(whyRefused(text + "\"unfinished"), "it has more than 3000000 names and values");
}

TEST(DatabaseText, PairsOfSurrogatesBecomeTheirCharacter) {
  EXPECT_EQ(withoutSurrogates(R"(["\ud83d\ude00.c", "\uD840\uDC00"])"), "[\"\U0001F600.c\", \"\U00020000\"]");
  for (const char *text :
       {"", "[]", R"(["\u00fc\n\"\\"])", R"(["\\ud83d\\ude00"])", R"(["\ud83d"])", R"(["\ude00\ud83d"])",
        R"(["\ud83d\u0041"])", R"("\)", R"("\ud83d\)", R"("\ud83d\ud8)", R"(["\uzzzz\ude00"])"})
    EXPECT_EQ(withoutSurrogates(text), text);
}

} // namespace
} // namespace analysis
