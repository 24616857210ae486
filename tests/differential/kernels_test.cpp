// What a compiler really writes: kernels.c, compiled for many CPUs, through `mca` and llvm-mca, the whole file as one
// region, with all views.
#include "tests/differential/corpus.h"
#include "tests/differential/process.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace differential {
namespace {

struct Build {
  const char *triple;
  const char *cpu;
  const char *level;
};

// PrintTo keeps GoogleTest from showing the bytes of the struct.
void PrintTo(const Build &build, std::ostream *out) {
  *out << build.triple << " " << build.cpu << " " << build.level;
}

constexpr Build kBuilds[] = {
    {"x86_64-unknown-linux-gnu", "skylake", "-O2"},
    {"x86_64-unknown-linux-gnu", "skylake-avx512", "-O3"},
    {"x86_64-unknown-linux-gnu", "znver4", "-O3"},
    {"x86_64-unknown-linux-gnu", "btver2", "-O2"},
    {"x86_64-unknown-linux-gnu", "sapphirerapids", "-O2"},
    {"aarch64-unknown-linux-gnu", "cortex-a55", "-O2"},
    {"aarch64-unknown-linux-gnu", "cortex-a57", "-O3"},
    {"aarch64-unknown-linux-gnu", "neoverse-n1", "-O3"},
    {"aarch64-unknown-linux-gnu", "neoverse-v2", "-O3"},
    {"arm64-apple-macosx", "apple-m1", "-O2"},
    {"armv7-unknown-linux-gnueabihf", "cortex-a57", "-O2"},
    {"riscv64-unknown-linux-gnu", "sifive-x280", "-O3"},
    {"riscv64-unknown-linux-gnu", "sifive-p670", "-O3"},
    {"riscv64-unknown-linux-gnu", "sifive-u74", "-O2"},
    {"riscv64-unknown-linux-gnu", "spacemit-x60", "-O2"},
    {"powerpc64le-unknown-linux-gnu", "pwr9", "-O3"},
    {"s390x-unknown-linux-gnu", "z14", "-O2"},
};

/// A folder that goes away with the test.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mca-kernels-XXXXXX").string();
    path_ = mkdtemp(pattern.data()) ? pattern : "";
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

std::vector<std::string> compileCommand(const Build &build, const std::string &output) {
  const std::string_view arch(build.triple);
  const bool takesMarch = arch.starts_with("x86") || arch.starts_with("s390x");
  return {"clang-22",
          std::string("--target=") + build.triple,
          std::string(takesMarch ? "-march=" : "-mcpu=") + build.cpu,
          build.level,
          "-ffast-math",
          "-ffreestanding",
          "-S",
          std::string(DIFFERENTIAL_FILES) + "/kernels.c",
          "-o",
          output};
}

/// "riscv64 sifive-u74 -O2".
std::string nameOf(const Build &build) {
  const std::string triple = build.triple;
  return triple.substr(0, triple.find('-')) + " " + build.cpu + " " + build.level;
}

ptrdiff_t differingLine(const ProcessResult &ours, const ProcessResult &llvm) {
  const auto [a, b] = std::mismatch(ours.output.begin(), ours.output.end(), llvm.output.begin(), llvm.output.end());
  return 1 + std::count(ours.output.begin(), a, '\n');
}

class Kernels : public testing::TestWithParam<Build> {};

TEST_P(Kernels, PrintWhatLlvmMcaPrints) {
  const Build &build = GetParam();
  const TemporaryFolder folder;
  const std::string assembly = folder / "kernels.s";
  const ProcessResult compiled = runProcess(compileCommand(build, assembly));
  ASSERT_EQ(compiled.status, 0) << compiled.errors;
  const auto command = [&](const char *program) {
    return std::vector<std::string>{program,
                                    std::string("-mtriple=") + build.triple,
                                    std::string("-mcpu=") + build.cpu,
                                    "-timeline",
                                    "-bottleneck-analysis",
                                    "-iterations=7",
                                    assembly};
  };
  const ProcessResult llvm = runProcess(command("llvm-mca-22"));
  const ProcessResult ours = runProcess(command(MCA_PROGRAM));
  ASSERT_EQ(llvm.status, 0) << llvm.errors;
  EXPECT_EQ(ours.status, 0) << ours.errors;
  EXPECT_GT(llvm.output.size(), 10000u);
  if (const char *why = knownDifference(Path::Program, nameOf(build)))
    EXPECT_TRUE(ours.output != llvm.output)
        << "does not differ any more (" << why << "): take it off the list of known differences";
  else
    EXPECT_TRUE(ours.output == llvm.output) << "the reports differ, first in line " << differingLine(ours, llvm);
}

INSTANTIATE_TEST_SUITE_P(Builds, Kernels, testing::ValuesIn(kBuilds),
                         [](const testing::TestParamInfo<Build> &info) { return identifier(nameOf(info.param)); });

} // namespace
} // namespace differential
