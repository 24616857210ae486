// Which databases LLVM's parser gets.
#include "analysis/compile/database_text.h"

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

} // namespace
} // namespace analysis
