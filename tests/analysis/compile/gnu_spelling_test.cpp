#include "analysis/compile/gnu_spelling.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(GnuSpelling, NamesOutsideOfAsciiAreQuoted) {
  EXPECT_EQ(withLlvmSpelling("\t.globl\t_Z4größv\n_Z4größv:\n\t.size\t_Z4größv, .-_Z4größv\n\tcall\t数.part.0@PLT"),
            "\t.globl\t\"_Z4größv\"\n\"_Z4größv\":\n\t.size\t\"_Z4größv\", .-\"_Z4größv\"\n\tcall\t\"数.part.0\"@PLT");
}

TEST(GnuSpelling, InStringsAndOfAsciiStayAsTheyAre) {
  for (const char *text : {"", "\n", "main:\n\tcall\tf@PLT", "\t.file\t\"größe.c\"\n", "\t.string\t\"a\\\"größe\"\n"})
    EXPECT_EQ(withLlvmSpelling(text), text);
  EXPECT_EQ(withLlvmSpelling("\t.string\t\"ä\"; call ä"), "\t.string\t\"ä\"; call \"ä\"");
}

TEST(GnuSpelling, ABytesSignIsNoPartOfIt) {
  EXPECT_EQ(withLlvmSpelling("\tmovi\tv6.16b, 0xffffffffffffff96\n\tmovi\tv1.8b, 0xffffffffffffff80\n"),
            "\tmovi\tv6.16b, 0x96              \n\tmovi\tv1.8b, 0x80              \n");
  for (const char *text : {"\tmovi\tv6.16b, 0x96\n", "\tmovi\tv0.2d, 0xffffffffffffff00\n",
                           "\tand\tx0, x1, 0xffffffffffffff00\n", "\tmovi\tv6.16b, 0xffffffffffffff"})
    EXPECT_EQ(withLlvmSpelling(text), text);
}

} // namespace
} // namespace analysis
