// When two results are taken for the same code: a proof that holds for everything proves nothing.
#include "analysis/compile/result_fingerprint.h"

#include "gtest/gtest.h"

#include <string>

namespace analysis {
namespace {

const std::vector<std::string> kF = {"f"};

/// A function as clang prints it, the `number`th of its text.
std::string functionOf(const std::string &name, const std::string &number,
                       const std::string &instruction = "incl\t%eax") {
  return "\t.globl\t" + name + "    # -- Begin function " + name + "\n" + name + ":\n.Lfunc_begin" + number +
         ":\n\t.file\t1 \"a.c\"\n\t.loc\t1 2 3 is_stmt 1   # a.c:2:3\n.LBB" + number +
         "_1: # =>This Inner Loop\n\tmovss\t.LCPI" + number + "_0(%rip), %xmm2   # a comment\n.Ltmp" + number +
         ":\n\t" + instruction + "\n\tjne\t.LBB" + number + "_1\n    # -- End function\n";
}

bool isSame(const std::string &one, const std::string &other) {
  return fingerprintOf(CompileResult{.assembly = one}, kF) == fingerprintOf(CompileResult{.assembly = other}, kF);
}

TEST(FingerprintOfFunctions, DoesNotDependOnNumbersThatCountThroughTheText) {
  EXPECT_TRUE(isSame(functionOf("f", "0"), functionOf("f", "12")));
}

TEST(FingerprintOfFunctions, DoesNotDependOnOtherFunctions) {
  EXPECT_TRUE(isSame(functionOf("f", "0"), functionOf("g", "0") + functionOf("f", "1") + functionOf("h", "2")));
}

TEST(FingerprintOfFunctions, DependsOnEachInstructionLineAndLabel) {
  const std::string whole = functionOf("f", "0");
  EXPECT_FALSE(isSame(whole, functionOf("f", "0", "decl\t%eax")));
  for (const std::string part : {"1 2 3", "a.c:2", "LBB0_1", "LCPI0_0", "%xmm2", "\tjne"}) {
    std::string other = whole;
    other.replace(other.rfind(part), part.size(), part + "9");
    EXPECT_FALSE(isSame(whole, other)) << part;
  }
  EXPECT_FALSE(isSame(whole, functionOf("g", "0"))) << "it is not there";
}

TEST(FingerprintOfFunctions, DependsOnWhatTheCompilerSaysOfThem) {
  CompileResult one{.assembly = functionOf("f", "0"), .decisions = {{.function = "f"}}}, other = one;
  other.decisions[0].vectorized = true;
  EXPECT_FALSE(fingerprintOf(one, kF) == fingerprintOf(other, kF));
  one.decisions[0].function = other.decisions[0].function = "g";
  EXPECT_TRUE(fingerprintOf(one, kF) == fingerprintOf(other, kF));
  one.missed = {{.function = "f"}};
  EXPECT_FALSE(fingerprintOf(one, kF) == fingerprintOf(other, kF));
}

} // namespace
} // namespace analysis
