// Which documents are ours.
#include "lsp/workspace/language.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::Language;

TEST(Language, KnowsTheNamesOfAssembly) {
  for (const char *id :
       {"asm", "assembly", "s", "gas", "asm-collection", "riscv", "x86asm", "arm", "mips", "ASM", "mca-assembly"})
    EXPECT_EQ(languageOf(id, "/x"), Language::Assembly) << id;
}

TEST(Language, KnowsCAndCxx) {
  EXPECT_EQ(languageOf("c", "/x"), Language::C);
  EXPECT_EQ(languageOf("cpp", "/x.h"), Language::Cxx);
  EXPECT_EQ(languageOf("c++", "/x"), Language::Cxx);
}

TEST(Language, ASuffixDecidesForUnknownNames) {
  EXPECT_EQ(languageOf("plaintext", "/x.s"), Language::Assembly);
  EXPECT_EQ(languageOf("", "/x.S"), Language::Assembly);
  EXPECT_EQ(languageOf("whatever", "/x.asm"), Language::Assembly);
}

TEST(Language, OthersAreNotOurs) {
  EXPECT_EQ(languageOf("nasm", "/x.asm"), std::nullopt);
  EXPECT_EQ(languageOf("objective-c", "/x.m"), std::nullopt);
  EXPECT_EQ(languageOf("cuda-cpp", "/x.cu"), std::nullopt);
  EXPECT_EQ(languageOf("plaintext", "/x.cpp"), std::nullopt);
  EXPECT_EQ(languageOf("rust", "/a.s/x"), std::nullopt);
}

TEST(Language, PathsOnTheCommandLine) {
  EXPECT_EQ(languageOfPath("a.s"), Language::Assembly);
  EXPECT_EQ(languageOfPath("a.sx"), Language::Assembly);
  EXPECT_TRUE(isPreprocessed("/x/a.S") && isPreprocessed("a.sx"));
  EXPECT_FALSE(isPreprocessed("/x/a.s") || isPreprocessed("S") || isPreprocessed("a.S/b.asm"));
  EXPECT_EQ(languageOfPath("dir.s/b.c"), Language::C);
  EXPECT_EQ(languageOfPath("b.cpp"), Language::Cxx);
  EXPECT_EQ(languageOfPath("dir.s/noext"), std::nullopt);
  EXPECT_EQ(languageOfPath(""), std::nullopt);
}

} // namespace
} // namespace lsp
