#include "tests/differential/compiled.h"

#include "tests/differential/process.h"

#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace differential {

const std::vector<Compiled> &compiledKernels() {
  static constexpr const char *kX86 = "x86_64-unknown-linux-gnu";
  static constexpr const char *kArm64 = "aarch64-unknown-linux-gnu";
  static constexpr const char *kRiscv = "riscv64-unknown-linux-gnu";
  static constexpr const char *kPower = "powerpc64le-unknown-linux-gnu";
  static constexpr const char *kSystemZ = "s390x-unknown-linux-gnu";
  static constexpr const char *kAmdGpu = "amdgcn-amd-amdhsa";
  static const std::vector<Compiled> kernels = {
      {kX86, "atom", "-O2"},
      {kX86, "silvermont", "-O2"},
      {kX86, "goldmont", "-O1"},
      {kX86, "btver2", "-O3"},
      {kX86, "bdver2", "-O2"},
      {kX86, "znver1", "-O2"},
      {kX86, "znver2", "-O3"},
      {kX86, "znver3", "-O2"},
      {kX86, "znver4", "-O3"},
      {kX86, "znver5", "-O1"},
      {kX86, "sandybridge", "-O2"},
      {kX86, "haswell", "-O3"},
      {kX86, "broadwell", "-O1"},
      {kX86, "skylake", "-O0"},
      {kX86, "skylake-avx512", "-O3"},
      {kX86, "icelake-server", "-O2"},
      {kX86, "alderlake", "-O3"},
      {kX86, "lunarlake", "-O2"},
      {kX86, "sapphirerapids", "-O3"},
      {"i386-unknown-linux-gnu", "nehalem", "-O2"},
      {kArm64, "cortex-a53", "-O2"},
      {kArm64, "cortex-a55", "-O3"},
      {kArm64, "cortex-a510", "-O2"},
      {kArm64, "cortex-a320", "-O2"},
      {kArm64, "cortex-a57", "-O3"},
      {kArm64, "a64fx", "-O3"},
      {kArm64, "neoverse-n1", "-O1"},
      {kArm64, "neoverse-n2", "-O3"},
      {kArm64, "neoverse-n3", "-O2"},
      {kArm64, "neoverse-v1", "-O3"},
      {kArm64, "neoverse-v2", "-O0"},
      {kArm64, "neoverse-v3", "-O2"},
      {kArm64, "ampere1", "-O3"},
      {kArm64, "exynos-m5", "-O2"},
      {kArm64, "falkor", "-O2"},
      {kArm64, "kryo", "-O2"},
      {kArm64, "tsv110", "-O2"},
      {kArm64, "thunderx2t99", "-O2"},
      {kArm64, "thunderxt88", "-O1"},
      {kArm64, "olympus", "-O2"},
      {kArm64, "oryon-1", "-O2"},
      {"arm64-apple-macosx", "apple-m1", "-O3"},
      {"armv7-unknown-linux-gnueabihf", "cortex-a57", "-O3"},
      {"armv8r-none-eabi", "cortex-r52", "-O2"},
      {"thumbv7em-none-eabi", "cortex-m4", "-O2"},
      {"thumbv7em-none-eabi", "cortex-m7", "-O2"},
      {"thumbv8.1m.main-none-eabi", "cortex-m55", "-O3"},
      {kRiscv, "sifive-u74", "-O2"},
      {kRiscv, "sifive-x280", "-O3"},
      {kRiscv, "sifive-p450", "-O2"},
      {kRiscv, "sifive-p670", "-O3"},
      {kRiscv, "spacemit-x60", "-O3"},
      {kRiscv, "tt-ascalon-d8", "-O2"},
      {kRiscv, "xiangshan-nanhu", "-O2"},
      {kRiscv, "andes-ax45", "-O2"},
      {kRiscv, "mips-p8700", "-O2"},
      {kRiscv, "syntacore-scr7", "-O1"},
      {"riscv32-unknown-none-elf", "rocket-rv32", "-O2"},
      {kPower, "pwr8", "-O2"},
      {kPower, "pwr9", "-O3"},
      {kPower, "pwr10", "-O2"},
      {kSystemZ, "z13", "-O2"},
      {kSystemZ, "z14", "-O3"},
      {kSystemZ, "z16", "-O2"},
      {"mipsel-unknown-linux-gnu", "p5600", "-O2"},
      {kAmdGpu, "gfx900", "-O2"},
      {kAmdGpu, "gfx90a", "-O2"},
      {kAmdGpu, "gfx1030", "-O1"},
      {kAmdGpu, "gfx1100", "-O2"},
  };
  return kernels;
}

std::string nameOf(const Compiled &kernel) {
  const std::string triple = kernel.triple;
  return triple.substr(0, triple.find('-')) + " " + kernel.cpu + " " + kernel.level;
}

std::string compileKernels(const Compiled &kernel, const std::string &source, const std::string &output) {
  const std::string_view triple(kernel.triple);
  const bool takesMarch = triple.starts_with("x86") || triple.starts_with("i386") || triple.starts_with("s390x");
  const ProcessResult result = runProcess(
      {LLVM_CLANG, "--target=" + std::string(triple), std::string(takesMarch ? "-march=" : "-mcpu=") + kernel.cpu,
       kernel.level, "-ffast-math", "-ffreestanding", "-w", "-S", DIFFERENTIAL_FILES "/" + source, "-o", output});
  return result.status == 0 ? std::string() : "the compiler failed: " + result.errors;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "mca-differential-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::filesystem::remove_all(path_);
}

} // namespace differential
