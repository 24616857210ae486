// What the driver makes of the flags that choose a target.
#include "analysis/compile/compile.h"
#include "tests/analysis/compile/temp_folder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace analysis {
namespace {

struct Case {
  std::vector<std::string> flags;
  std::string triple, cpu, tuneCpu;
  bool cpuNamed;
  std::string namedBy;
  std::string feature; ///< one that must be among the features; empty for none
};

const std::vector<Case> &cases() {
  static const std::vector<Case> cases = {
      {{"--target=x86_64-pc-linux-gnu"}, "x86_64-pc-linux-gnu", "x86-64", "", false, "", ""},
      {{"--target=x86_64-linux-gnu", "-march=haswell"},
       "x86_64-unknown-linux-gnu",
       "haswell",
       "",
       true,
       "-march=haswell",
       ""},
      {{"--target=x86_64-linux-gnu", "-march=x86-64-v3"}, "x86_64-unknown-linux-gnu", "x86-64-v3", "", false, "", ""},
      {{"--target=x86_64-linux-gnu", "-march=x86-64-v3", "-mtune=znver4"},
       "x86_64-unknown-linux-gnu",
       "x86-64-v3",
       "znver4",
       true,
       "-mtune=znver4",
       ""},
      {{"--target=x86_64-linux-gnu", "-march=skylake", "-mtune=generic"},
       "x86_64-unknown-linux-gnu",
       "skylake",
       "generic",
       true,
       "-march=skylake",
       ""},
      {{"--target=x86_64-linux-gnu", "-march=haswell", "-march=znver3"},
       "x86_64-unknown-linux-gnu",
       "znver3",
       "",
       true,
       "-march=znver3",
       ""},
      {{"--target=x86_64-linux-gnu", "-mavx2", "-mno-fma"},
       "x86_64-unknown-linux-gnu",
       "x86-64",
       "",
       false,
       "",
       "+avx2"},
      {{"--target=x86_64-linux-gnu", "-m32", "-march=pentium4"},
       "i386-unknown-linux-gnu",
       "pentium4",
       "",
       true,
       "-march=pentium4",
       ""},
      {{"--target=aarch64-linux-gnu"}, "aarch64-unknown-linux-gnu", "generic", "", false, "", "+neon"},
      {{"--target=aarch64-linux-gnu", "-mcpu=neoverse-v2"},
       "aarch64-unknown-linux-gnu",
       "neoverse-v2",
       "",
       true,
       "-mcpu=neoverse-v2",
       "+sve2"},
      {{"--target=aarch64-linux-gnu", "-mcpu=cortex-a76+crypto"},
       "aarch64-unknown-linux-gnu",
       "cortex-a76",
       "",
       true,
       "-mcpu=cortex-a76+crypto",
       "+aes"},
      {{"--target=aarch64-linux-gnu", "-march=armv8.2-a+sve"},
       "aarch64-unknown-linux-gnu",
       "generic",
       "",
       false,
       "",
       "+sve"},
      {{"--target=aarch64-linux-gnu", "-mtune=cortex-a55"},
       "aarch64-unknown-linux-gnu",
       "generic",
       "cortex-a55",
       true,
       "-mtune=cortex-a55",
       ""},
      {{"--target=arm-linux-gnueabihf", "-mcpu=cortex-a53"},
       "armv8a-unknown-linux-gnueabihf",
       "cortex-a53",
       "",
       true,
       "-mcpu=cortex-a53",
       ""},
      {{"--target=riscv64-linux-gnu"}, "riscv64-unknown-linux-gnu", "generic-rv64", "", false, "", "+c"},
      {{"--target=riscv64-linux-gnu", "-march=rv64gcv"},
       "riscv64-unknown-linux-gnu",
       "generic-rv64",
       "",
       false,
       "",
       "+v"},
      {{"--target=riscv64-linux-gnu", "-mcpu=sifive-x280"},
       "riscv64-unknown-linux-gnu",
       "sifive-x280",
       "",
       true,
       "-mcpu=sifive-x280",
       "+v"},
      {{"--target=riscv64-linux-gnu", "-mtune=sifive-7-series"},
       "riscv64-unknown-linux-gnu",
       "generic-rv64",
       "sifive-7-series",
       true,
       "-mtune=sifive-7-series",
       ""},
      {{"--target=powerpc64le-linux-gnu", "-mcpu=pwr9"},
       "powerpc64le-unknown-linux-gnu",
       "pwr9",
       "",
       true,
       "-mcpu=pwr9",
       ""},
      {{"--target=s390x-linux-gnu", "-march=z15"}, "s390x-unknown-linux-gnu", "z15", "", true, "-march=z15", ""},
  };
  return cases;
}

CompileCommand commandWith(const std::vector<std::string> &flags) {
  wire::Settings settings;
  settings.extraFlags = flags;
  return findCompileCommand("/tmp/a.cpp", wire::Language::Cxx, settings);
}

TEST(TargetOf, KnowsWhatTheDriverMakesOfTheFlags) {
  for (const Case &one : cases()) {
    SCOPED_TRACE(::testing::PrintToString(one.flags));
    const CompiledTarget target = targetOf(commandWith(one.flags));
    EXPECT_EQ(target.triple, one.triple);
    EXPECT_EQ(target.cpu, one.cpu);
    EXPECT_EQ(target.tuneCpu, one.tuneCpu);
    EXPECT_EQ(target.cpuNamed, one.cpuNamed);
    EXPECT_EQ(target.namedBy, one.namedBy);
    if (!one.feature.empty()) {
      EXPECT_NE(std::find(target.features.begin(), target.features.end(), one.feature), target.features.end());
    }
  }
}

TEST(TargetOf, NativeIsThisMachine) {
  const CompiledTarget target = targetOf(commandWith({"-march=native"}));
  EXPECT_EQ(target.cpu, llvm::sys::getHostCPUName().str());
  EXPECT_FALSE(target.features.empty());
  const bool hostIsKnown = target.cpu != "x86-64" && target.cpu != "generic";
  EXPECT_EQ(target.cpuNamed, hostIsKnown);
  EXPECT_EQ(target.namedBy, hostIsKnown ? "-march=native" : "");
}

TEST(TargetOf, KnowsWhetherTheCompilerOptimizes) {
  const auto optimizes = [](std::vector<std::string> flags) {
    CompileCommand command{.directory = "/tmp"};
    command.arguments = {"clang", "-x", "c++"};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.insert(command.arguments.end(), {"-S", "--", "/tmp/a.cpp"});
    return targetOf(command).optimizes;
  };
  EXPECT_FALSE(optimizes({}));
  EXPECT_FALSE(optimizes({"-O0"}));
  EXPECT_FALSE(optimizes({"-O2", "-g", "-O0"})) << "the last one wins";
  for (const char *level : {"-O", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og", "-Ofast", "-O9"})
    EXPECT_TRUE(optimizes({level})) << level;
  EXPECT_TRUE(targetOf(commandWith({})).optimizes) << "the fallback command has a level of its own";
}

TEST(TargetOf, NonsenseHasATargetAllTheSame) {
  for (const char *flag : {"-march=pdp11", "--target=no-such-machine",
                           "-mcpu=", "-mtune=", "--target=", "-ftrivial-auto-var-init-max-size=x"}) {
    const CompiledTarget target = targetOf(commandWith({flag}));
    EXPECT_FALSE(target.triple.empty()) << flag;
    EXPECT_FALSE(target.cpuNamed) << flag;
  }
}

} // namespace
} // namespace analysis
