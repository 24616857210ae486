#include "tests/differential/engine/cpus.h"

namespace differential {

const std::vector<Cpu> &engineCpus() {
  static constexpr const char *kX86 = "x86_64-unknown-linux-gnu";
  static constexpr const char *kArm64 = "aarch64-unknown-linux-gnu";
  static constexpr const char *kArm = "armv7-unknown-linux-gnueabihf";
  static constexpr const char *kRiscv = "riscv64-unknown-linux-gnu";
  static constexpr const char *kPower = "powerpc64le-unknown-linux-gnu";
  static constexpr const char *kSystemZ = "s390x-unknown-linux-gnu";
  static constexpr const char *kAmdGpu = "amdgcn-amd-amdhsa";
  static const std::vector<Cpu> cpus = {
      {kX86, "btver2"},
      {kX86, "bdver2"},
      {kX86, "znver1"},
      {kX86, "znver2"},
      {kX86, "znver3"},
      {kX86, "znver4"},
      {kX86, "znver5"},
      {kX86, "sandybridge"},
      {kX86, "haswell"},
      {kX86, "broadwell"},
      {kX86, "skylake"},
      {kX86, "skylake-avx512"},
      {kX86, "icelake-server"},
      {kX86, "alderlake"},
      {kX86, "sapphirerapids"},
      {kX86, "lunarlake"},
      {kX86, "silvermont"},
      {kX86, "goldmont"},
      {kX86, "atom"},
      {kArm64, "cortex-a53"},
      {kArm64, "cortex-a55"},
      {kArm64, "cortex-a57"},
      {kArm64, "cortex-a510"},
      {kArm64, "neoverse-n1"},
      {kArm64, "neoverse-n2"},
      {kArm64, "neoverse-v1"},
      {kArm64, "neoverse-v2"},
      {"arm64-apple-macosx", "apple-m1"},
      {kArm64, "a64fx"},
      {kArm64, "thunderx2t99"},
      {kArm64, "exynos-m5"},
      {kArm64, "kryo"},
      {kArm64, "falkor"},
      {kArm64, "ampere1"},
      {kArm64, "tsv110"},
      {kArm64, "thunderxt88"},
      {kArm64, "thunderx3t110"},
      {kArm64, "cortex-a320"},
      {kArm64, "neoverse-v3"},
      {kArm, "cortex-a57"},
      {kArm, "swift"},
      {"armv8r-none-eabi", "cortex-r52"},
      {"thumbv7em-none-eabi", "cortex-m4"},
      {"thumbv7em-none-eabi", "cortex-m7"},
      {"thumbv8.1m.main-none-eabi", "cortex-m55"},
      {kRiscv, "sifive-u74"},
      {kRiscv, "sifive-x280"},
      {kRiscv, "sifive-p450"},
      {kRiscv, "sifive-p670"},
      {kRiscv, "spacemit-x60"},
      {kRiscv, "syntacore-scr7"},
      {kRiscv, "tt-ascalon-d8"},
      {kRiscv, "sifive-p550"},
      {kRiscv, "mips-p8700"},
      {kRiscv, "andes-ax45"},
      {kRiscv, "syntacore-scr4-rv64"},
      {kRiscv, "xiangshan-nanhu"},
      {"riscv32-unknown-none-elf", "rocket-rv32"},
      {kPower, "pwr7"},
      {kPower, "pwr8"},
      {kPower, "pwr9"},
      {kPower, "pwr10"},
      {kSystemZ, "z13"},
      {kSystemZ, "z14"},
      {kSystemZ, "z15"},
      {kSystemZ, "z16"},
      {kSystemZ, "z17"},
      {"mipsel-unknown-linux-gnu", "p5600"},
      {"mips64el-unknown-linux-gnuabi64", "i6400"},
      {kAmdGpu, "gfx900"},
      {kAmdGpu, "gfx90a"},
      {kAmdGpu, "gfx942"},
      {kAmdGpu, "gfx1030"},
      {kAmdGpu, "gfx1100"},
  };
  return cpus;
}

} // namespace differential
