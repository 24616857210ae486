// What a compiler really writes: kernels.c and routines.c, compiled for many CPUs, through `mca` and llvm-mca, each
// file as one region, with all views.
#include "tests/differential/compiled.h"
#include "tests/differential/corpus.h"
#include "tests/differential/process.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace differential {

// PrintTo keeps GoogleTest from showing the bytes of the struct.
void PrintTo(const Compiled &kernel, std::ostream *out) {
  *out << nameOf(kernel);
}

namespace {

/// Every second CPU: options_test has all of them, with less of each.
std::vector<Compiled> builds() {
  std::vector<Compiled> chosen;
  for (size_t i = 0; i < compiledKernels().size(); i += 2)
    chosen.push_back(compiledKernels()[i]);
  return chosen;
}

ptrdiff_t differingLine(const ProcessResult &ours, const ProcessResult &llvm) {
  const auto [a, b] = std::mismatch(ours.output.begin(), ours.output.end(), llvm.output.begin(), llvm.output.end());
  return 1 + std::count(ours.output.begin(), a, '\n');
}

std::vector<std::string> command(const char *program, const Compiled &kernel, const std::string &assembly) {
  return {program,
          std::string("-mtriple=") + kernel.triple,
          std::string("-mcpu=") + kernel.cpu,
          "-timeline",
          "-bottleneck-analysis",
          "-skip-unsupported-instructions=lack-sched",
          "-iterations=7",
          assembly};
}

class Kernels : public testing::TestWithParam<Compiled> {};

TEST_P(Kernels, PrintWhatLlvmMcaPrints) {
  const TemporaryFolder folder;
  const std::string assembly = folder / "kernels.s";
  for (const char *source : kKernelSources) {
    ASSERT_EQ(compileKernels(GetParam(), source, assembly), "");
    const ProcessResult llvm = runProcess(command(LLVM_MCA, GetParam(), assembly));
    const ProcessResult ours = runProcess(command(MCA_PROGRAM, GetParam(), assembly));
    ASSERT_EQ(llvm.status, 0) << source << ": " << llvm.errors;
    EXPECT_EQ(ours.status, 0) << source << ": " << ours.errors;
    EXPECT_GT(llvm.output.size(), 10000u) << source;
    EXPECT_TRUE(ours.output == llvm.output)
        << source << ": the reports differ, first in line " << differingLine(ours, llvm);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Kernels, testing::ValuesIn(builds()),
                         [](const testing::TestParamInfo<Compiled> &info) { return identifier(nameOf(info.param)); });

TEST(KernelBuilds, AreOfEveryTargetAndLevel) {
  std::set<std::string> targets, levels;
  for (const Compiled &kernel : builds()) {
    const std::string name = nameOf(kernel);
    targets.insert(name.substr(0, name.find(' ')));
    levels.insert(kernel.level);
  }
  EXPECT_GE(builds().size(), 30u);
  for (const char *target :
       {"x86_64", "aarch64", "armv7", "thumbv7em", "riscv64", "powerpc64le", "s390x", "mipsel", "amdgcn"})
    EXPECT_TRUE(targets.contains(target)) << target;
  EXPECT_EQ(levels, (std::set<std::string>{"-O0", "-O1", "-O2", "-O3"}));
}

} // namespace
} // namespace differential
