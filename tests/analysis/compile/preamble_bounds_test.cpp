// Where the preamble ends. The text after each call is what is left.
#include "analysis/compile/preamble_bounds.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

/// What is before and after the end of the preamble of their text.
void expectPreamble(const std::string &preamble, const std::string &rest, const std::string &file = "/src/a.cpp") {
  EXPECT_EQ(preambleBytes(preamble + rest, file), preamble.size()) << preamble + rest;
}

TEST(PreambleBounds, AreTheDirectivesAtTheTop) {
  expectPreamble("#include <vector>\n#include \"a.h\"\n", "int x;\n#include <map>\n");
  expectPreamble("// A file.\n/* Its\n   license */\n# include <vector>\n", "\n// of x\nint x;\n");
  expectPreamble("#include <a>\n#define TWO(a) \\\n  ((a) + 2)\n#undef THREE\n#warning \"don't\"\n", "int x;\n");
  expectPreamble("#include <a> // first\n#include <b> /* second\n still */\n", "int x;\n");
  expectPreamble("#include <a>\r\n", "int x;\r\n");
  expectPreamble("#include <a>\n", "/* x\n */ int x;\n");
}

TEST(PreambleBounds, EndWithALine) {
  expectPreamble("", "#include <a>");
  expectPreamble("#include <a>\n", "#include <b>");
}

TEST(PreambleBounds, NeedAnInclude) {
  expectPreamble("", "");
  expectPreamble("", "int x;\n");
  expectPreamble("", "#define A 1\nint x;\n");
}

TEST(PreambleBounds, ConditionalsAreClosed) {
  expectPreamble("#ifdef A\n#include <a>\n#elif B\n#include <b>\n#else\n#error none\n#endif\n", "int x;\n");
  expectPreamble("#include <a>\n", "#if A\n#include <b>\nint x;\n#endif\n");
  expectPreamble("", "#ifndef A_H\n#define A_H\n#include <a>\nint x;\n#endif\n");
  expectPreamble("#include <a>\n", "#endif\n#include <b>\n");
}

TEST(PreambleBounds, WhatHoldsForTheRestOfTheFileEndsThem) {
  expectPreamble("#include <a>\n", "#pragma GCC optimize(\"O1\")\n#include <b>\n");
  expectPreamble("#include <a>\n", "#line 100 \"b.cpp\"\n#include <b>\n");
  expectPreamble("#include <a>\n", "# 100 \"b.cpp\"\n#include <b>\n");
  expectPreamble("#include <a>\n", "#embed <b>\n#include <b>\n");
  expectPreamble("", "#pragma once\n#include <a>\n");
  expectPreamble("", "module;\n#include <a>\n");
}

TEST(PreambleBounds, AFileThatMayIncludeItselfHasNone) {
  expectPreamble("", "#include <a>\nint x;\n#include \"a.cpp\"\n");
  expectPreamble("", "#include <a>\nint x;\n # include \"../src/a.cpp\"\n");
  expectPreamble("", "#include <a>\nint x;\n#include __FILE__\n");
  expectPreamble("", "#include NAME\n#include <a>\n");
  expectPreamble("", "#include <a>\n#if __INCLUDE_LEVEL__ == 0\n#include <b>\n#endif\n");
  expectPreamble("// a.cpp: a file\n#include <a>\n", "const char *name = \"a.cpp\";\n");
}

TEST(WithoutPreamble, KeepsThePlaceOfEachCharacter) {
  EXPECT_EQ(withoutPreamble("#include <a>\r\n\n#def\nint x;\n", 20), "            \r\n\n    \nint x;\n");
  EXPECT_EQ(withoutPreamble("int x;\n", 0), "int x;\n");
}

} // namespace
} // namespace analysis
