#include "analysis/compile/symbol_names.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(SymbolNames, OutsideOfAsciiAreQuoted) {
  EXPECT_EQ(withQuotedNames("\t.globl\t_Z4größv\n_Z4größv:\n\t.size\t_Z4größv, .-_Z4größv\n\tcall\t数.part.0@PLT"),
            "\t.globl\t\"_Z4größv\"\n\"_Z4größv\":\n\t.size\t\"_Z4größv\", .-\"_Z4größv\"\n\tcall\t\"数.part.0\"@PLT");
}

TEST(SymbolNames, InStringsAndOfAsciiStayAsTheyAre) {
  for (const char *text : {"", "\n", "main:\n\tcall\tf@PLT", "\t.file\t\"größe.c\"\n", "\t.string\t\"a\\\"größe\"\n"})
    EXPECT_EQ(withQuotedNames(text), text);
  EXPECT_EQ(withQuotedNames("\t.string\t\"ä\"; call ä"), "\t.string\t\"ä\"; call \"ä\"");
}

} // namespace
} // namespace analysis
