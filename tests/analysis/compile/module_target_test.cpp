// What a module says of its CPU, and what of it would be another module for another CPU.
#include "analysis/compile/module_target.h"

#include "gmock/gmock.h"

#include <string>
#include <vector>

namespace analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

const TargetAttributes kOld{.cpu = "x86-64", .tuneCpu = "generic", .features = "+sse,+sse2"};
const TargetAttributes kNew{.cpu = "x86-64-v3", .features = "+avx,+avx2", .widestVectorBits = "256"};
const std::string kFunction = "attributes #0 = { uwtable \"no-trapping-math\"=\"true\" \"target-cpu\"=\"x86-64\" "
                              "\"target-features\"=\"+sse,+sse2\" \"tune-cpu\"=\"generic\" }\n";

Invocation invocationWith(std::vector<std::string> flags) {
  std::vector<std::string> arguments{"/usr/bin/clang-22", "--target=x86_64-linux-gnu", "-S", "-o", "-"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  arguments.insert(arguments.end(), {"--", "/tmp/a.cpp"});
  return invocationOf("/", arguments);
}

FlagDifference difference(std::vector<std::string> one, std::vector<std::string> other) {
  return differenceOf(invocationWith(std::move(one)), invocationWith(std::move(other)));
}

TEST(Retargeted, ReplacesTheAttributesOfFunctions) {
  const auto module = retargeted("define void @f() #0 {\n}\n" + kFunction, kOld, kNew);
  ASSERT_TRUE(module);
  EXPECT_THAT(*module, HasSubstr("define void @f() #0 {\n}\n"));
  EXPECT_THAT(*module, HasSubstr("\"no-trapping-math\"=\"true\""));
  EXPECT_THAT(*module, HasSubstr("\"target-cpu\"=\"x86-64-v3\" \"target-features\"=\"+avx,+avx2\" "
                                 "\"prefer-vector-width\"=\"256\" }\n"));
  EXPECT_THAT(*module, Not(HasSubstr("tune-cpu")));
  EXPECT_EQ(retargeted(*module, kNew, kOld).value_or(""), "define void @f() #0 {\n}\n" + kFunction);
}

TEST(Retargeted, LeavesAttributesOfCallsAlone) {
  const std::string module = "attributes #7 = { builtin nounwind }\n";
  EXPECT_EQ(retargeted(module, kOld, kNew), module);
}

TEST(Retargeted, RefusesAFunctionWithATargetOfItsOwn) {
  std::string module = kFunction;
  module.replace(module.find("+sse,"), 5, "+avx,+sse,");
  EXPECT_FALSE(retargeted(module, kOld, kNew));
  EXPECT_FALSE(retargeted("attributes #0 = { \"target-features\"=\"+avx\" }\n", kOld, kNew));
}

TEST(DependsOnTarget, WhatTheFrontEndTranslatesByTheCpu) {
  for (const char *line :
       {"define <8 x float> @f(<4 x float> %0) #0 {", "  %1 = load <4 x i64>, ptr %0", "  %2 = fadd half %0, %1",
        "define void @f(bfloat noundef %0)", "  %1 = cmpxchg ptr %0, i128 %1, i128 %2 seq_cst seq_cst",
        "  %1 = load atomic i128, ptr %0 seq_cst", "declare void @__atomic_load(i64, ptr, ptr, i32)",
        "  %1 = add <vscale x 4 x i32> %0, %0"})
    EXPECT_TRUE(dependsOnTarget(std::string("source_filename = \"a.cpp\"\n") + line + "\n")) << line;
}

TEST(DependsOnTarget, OtherThingsDoNot) {
  for (const char *line :
       {"define <4 x float> @f(<2 x double> %0)", "  %1 = load i128, ptr %0", "define void @half(ptr %0)",
        "  %1 = atomicrmw add ptr %0, i64 1 seq_cst", "!5 = !DISubprogram(name: \"half\")",
        "%struct.A = type <{ i32, i8 }>", "@0 = constant [64 x i8] zeroinitializer"})
    EXPECT_FALSE(dependsOnTarget(std::string(line) + "\n")) << line;
}

TEST(DifferenceOf, FlagsThatOnlyTheOptimizerReads) {
  EXPECT_EQ(difference({"-O2"}, {"-O3"}), FlagDifference::Optimizer);
  EXPECT_EQ(difference({"-O2"}, {"-O2", "-mtune=skylake"}), FlagDifference::Optimizer);
  EXPECT_EQ(difference({"-O2"}, {"-O2", "-fno-vectorize"}), FlagDifference::Optimizer);
  EXPECT_EQ(difference({"-O2"}, {"-O2", "-mprefer-vector-width=512"}), FlagDifference::Optimizer);
}

TEST(DifferenceOf, FlagsOfTheTarget) {
  EXPECT_EQ(difference({"-O2"}, {"-O3", "-march=x86-64-v3"}), FlagDifference::Target);
  EXPECT_EQ(difference({"-O2", "-march=x86-64-v3"}, {"-O2", "-march=x86-64-v3", "-mno-avx2"}), FlagDifference::Target);
  EXPECT_EQ(difference({"-O2", "-fopenmp"}, {"-O2", "-fopenmp", "-march=x86-64-v3"}), FlagDifference::FrontEnd);
  EXPECT_EQ(
      difference({"-O2", "--target=aarch64-linux-gnu"}, {"-O2", "--target=aarch64-linux-gnu", "-mcpu=neoverse-v2"}),
      FlagDifference::FrontEnd);
}

TEST(DifferenceOf, FlagsThatTheFrontEndReads) {
  for (const char *flag : {"-O1", "-Os", "-O0", "-DX", "-std=c++20", "-ffast-math", "-fno-math-errno", "-fwrapv",
                           "-fno-strict-aliasing", "-fno-unroll-loops", "-fno-exceptions", "-fopenmp"})
    EXPECT_EQ(difference({"-O2"}, {"-O2", flag}), FlagDifference::FrontEnd) << flag;
  EXPECT_EQ(difference({"-O1"}, {"-O3"}), FlagDifference::FrontEnd);
}

} // namespace
} // namespace analysis
