// The known errors of LLVM's models: each is of its CPUs alone, is corrected only on request, and the corrected numbers
// are the right ones.
#include "mca-core/report/simulator.h"
#include "mca-core/target/errata.h"
#include "tests/mca-core/parsed.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mca {
namespace {

using Kind = Erratum::Kind;

std::vector<uint32_t> allOf(const Parsed &parsed) {
  std::vector<uint32_t> all(parsed.count());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Result<Simulation> simulate(const Parsed &parsed, Corrections corrections) {
  SimulationOptions options;
  options.rate = true;
  options.corrections = corrections;
  Simulator simulator(*parsed.target);
  return simulator.simulate(*parsed.program, allOf(parsed), options);
}

double cycles(const char *cpu, const std::string &text, Corrections corrections) {
  const Result<Simulation> simulation = simulate(Parsed(kX86, cpu, text), corrections);
  EXPECT_TRUE(simulation) << cpu << "\n" << text;
  return simulation ? (*simulation).report.summary.cyclesPerIteration() : 0;
}

/// Of a CPU that lacks the instruction, none.
std::vector<Kind> kindsOf(const char *triple, const char *cpu, const std::string &text) {
  std::vector<Kind> kinds;
  if (const Result<Simulation> simulation = simulate(Parsed(triple, cpu, text), Corrections::All))
    for (const FoundErratum &found : (*simulation).errata)
      kinds.push_back(found.erratum.kind);
  return kinds;
}

/// The CPUs among some for which the error of a loop's only instruction is known.
std::string cpusWith(Kind kind, const std::string &text, const std::vector<const char *> &cpus) {
  std::string found;
  for (const char *cpu : cpus)
    if (kindsOf(kX86, cpu, text) == std::vector{kind})
      found += (found.empty() ? "" : " ") + std::string(cpu);
  return found;
}

TEST(Errata, EachIsOfItsCpusAlone) {
  const std::vector<const char *> all{"sandybridge", "haswell",        "core-avx2", "broadwell",      "skylake",
                                      "cascadelake", "icelake-server", "alderlake", "sapphirerapids", "emeraldrapids",
                                      "lunarlake",   "bdver2",         "bdver3",    "znver1",         "znver2",
                                      "znver3",      "znver4",         "znver5"};
  const std::vector<const char *> avx512{"cascadelake", "icelake-server", "emeraldrapids", "znver4", "znver5"};
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "popcntq %rax, %rcx", all),
            "sandybridge haswell core-avx2 broadwell skylake cascadelake");
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "tzcntl %eax, %ecx", all), "haswell core-avx2 broadwell znver5");
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "lzcntl %eax, %ecx", all), "haswell core-avx2 broadwell");
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "blsrq %rax, %rcx", all), "znver5");
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "vpcompressd %zmm1, %zmm0 {%k1} {z}", avx512), "znver4 znver5");
  EXPECT_EQ(cpusWith(Kind::FalseDependency, "vpermd %zmm1, %zmm2, %zmm0", avx512), "");
  EXPECT_EQ(cpusWith(Kind::TooFast, "vmovups %ymm0, (%rdi)", all), "bdver2");
  EXPECT_EQ(cpusWith(Kind::TooFast, "vmovaps %ymm0, (%rdi)", all), "");
  EXPECT_EQ(cpusWith(Kind::TooFast, "vdivps %ymm1, %ymm2, %ymm0", all), "alderlake sapphirerapids emeraldrapids");
  EXPECT_EQ(cpusWith(Kind::TooSlow, "xorl %ecx, %eax", all), "alderlake sapphirerapids emeraldrapids");
  EXPECT_EQ(cpusWith(Kind::TooSlow, "addl %ecx, %eax", all), "");
  EXPECT_EQ(cpusWith(Kind::TooFast, "shldq $3, %rcx, %rax", all), "znver1 znver2");
  EXPECT_EQ(cpusWith(Kind::OneAccess, "vpgatherdd %ymm1, (%rax,%ymm2,4), %ymm0", all),
            "sandybridge znver1 znver2 znver3 znver4 znver5");
  EXPECT_EQ(cpusWith(Kind::OneAccess, "vpscatterdd %zmm0, (%rax,%zmm2,4) {%k1}", avx512), "znver4 znver5");
  EXPECT_EQ(cpusWith(Kind::Placeholder, "pclmulqdq $0, %xmm1, %xmm0", all), "znver1 znver2");
  EXPECT_EQ(cpusWith(Kind::LateOperation, "vfmadd231ps (%rdi), %ymm1, %ymm0", all),
            "alderlake sapphirerapids emeraldrapids lunarlake");
  EXPECT_EQ(kindsOf(kAArch64, "cortex-a55", "smax v0.4s, v1.4s, v2.4s"), std::vector{Kind::TooSlow});
  EXPECT_EQ(kindsOf(kAArch64, "cortex-a510", "ld1 {v0.4s, v1.4s, v2.4s, v3.4s}, [x0]"), std::vector{Kind::TooFast});
  EXPECT_EQ(kindsOf(kAArch64, "cortex-a57", "smax v0.4s, v1.4s, v2.4s"), std::vector<Kind>{});
  constexpr const char *kArm = "armv7-unknown-linux-gnueabihf";
  EXPECT_EQ(kindsOf(kArm, "cortex-a9", ".fpu neon\nvld1.32 {d0, d1}, [r0]"), std::vector{Kind::NoUnits});
  EXPECT_EQ(kindsOf(kArm, "cortex-a9", ".fpu neon\nvadd.i32 q0, q1, q2"), std::vector<Kind>{});
  EXPECT_EQ(kindsOf(kArm, "cortex-a57", ".fpu neon\nvld1.32 {d0, d1}, [r0]"), std::vector<Kind>{});
}

const char *tripleOf(llvm::StringRef model) {
  return model.starts_with("cortex") || model == "a64fx" ? kAArch64 : kX86;
}

/// A name that LLVM has changed, or a CPU that has lost its tuning, would make an entry silent.
TEST(Errata, EveryEntryHasCpusAndInstructionsAndUnits) {
  for (const ErratumEntry &entry : errataTable()) {
    const std::string name = (entry.models + " " + entry.opcodes).str();
    llvm::Regex pattern(("^(" + entry.opcodes + ")$").str());
    EXPECT_FALSE(entry.erratum.reference.empty()) << name;
    for (const llvm::StringRef model : llvm::split(entry.models, ' ')) {
      const llvm::StringRef cpu = entry.cpu.empty() ? model : entry.cpu;
      const auto target = targetOf(tripleOf(model), cpu.str());
      EXPECT_EQ(modelNameOf(target->subtarget()), model) << name;
      const llvm::MCInstrInfo &instructions = target->instructions();
      const auto opcodes = llvm::seq(0u, instructions.getNumOpcodes());
      EXPECT_TRUE(llvm::any_of(opcodes, [&](unsigned opcode) { return pattern.match(instructions.getName(opcode)); }))
          << name;
      if (!entry.tuning.empty())
        EXPECT_TRUE(target->subtarget().checkFeatures(("+" + entry.tuning).str()) || model == "skylake-avx512") << name;
      const llvm::MCSchedModel &sched = target->subtarget().getSchedModel();
      const auto units = llvm::seq(1u, sched.getNumProcResourceKinds());
      if (!entry.erratum.unit.empty())
        EXPECT_TRUE(llvm::any_of(units, [&](unsigned unit) {
          return llvm::StringRef(sched.getProcResource(unit)->Name).ends_with(entry.erratum.unit);
        })) << name;
    }
  }
}

struct Corrected {
  const char *cpu;
  const char *text;
  double llvms, right; ///< cycles per iteration
};

/// The right values are those of the table's references; the chains were measured on an Emerald Rapids.
TEST(Errata, CorrectedNumbersAreRight) {
  for (const auto &[cpu, text, llvms, right] : {
           Corrected{"skylake", "popcntq %rax, %rcx", 1, 3},
           Corrected{"skylake", "popcntq (%rdi), %rcx", 1, 3},
           Corrected{"haswell", "tzcntq %rax, %rcx", 1, 3},
           Corrected{"bdver2", "vmovups %ymm0, (%rdi)", 2, 20},
           Corrected{"znver2", "shldq $3, %rcx, %rax", 1, 3},
           Corrected{"sapphirerapids", "vdivps %ymm1, %ymm2, %ymm0", 1, 5},
           Corrected{"sapphirerapids", "vdivsd (%rdi), %xmm2, %xmm0", 1, 4},
           Corrected{"sapphirerapids", "vsqrtpd %ymm2, %ymm0", 1, 12},
           Corrected{"emeraldrapids", "vfmadd231ps (%rdi), %ymm1, %ymm0", 6, 4},
           Corrected{"emeraldrapids", "vmulps (%rdi), %ymm0, %ymm0", 6, 4},
           Corrected{"emeraldrapids", "xorq (%rdi), %rax\nimulq %rcx, %rax", 7, 4},
           Corrected{"emeraldrapids", "xorq %rcx, %rax\nandl $255, %eax", 4, 2},
           Corrected{"haswell", "xorq (%rdi), %rax\nimulq %rcx, %rax", 6, 4},
           Corrected{"znver3", "xorq (%rdi), %rax\nimulq %rcx, %rax", 5, 4},
       }) {
    EXPECT_NEAR(cycles(cpu, text, Corrections::None), llvms, 0.05) << cpu << "\n" << text;
    EXPECT_NEAR(cycles(cpu, text, Corrections::All), right, 0.05) << cpu << "\n" << text;
  }
}

/// Sixteen scattered elements are at least sixteen stores, at one a cycle.
TEST(Errata, AGatherOrScatterMakesAsManyAccessesAsItHasElements) {
  EXPECT_NEAR(cycles("znver4", "vpscatterdd %zmm0, (%rax,%zmm2,4) {%k1}", Corrections::All), 16, 1);
  EXPECT_NEAR(cycles("znver4", "vpgatherqq (%rax,%zmm2,4), %zmm0 {%k1}", Corrections::All), 8, 0.5);
  EXPECT_NEAR(cycles("znver4", "vpgatherqq (%rax,%ymm2,4), %ymm0 {%k1}", Corrections::All), 4, 1.1);
  EXPECT_GE(cycles("znver3", "vpgatherdd %ymm1, (%rax,%ymm2,4), %ymm3", Corrections::All), 8.0 / 3);
}

/// A load that waits for its address still takes its whole latency, and one that may wait for a store is left alone.
TEST(Errata, LoadsThatIssueEarlyKeepTheirOwnDependencies) {
  for (const char *text : {
           "addq (%rax), %rax",
           "movq %rcx, %rax\naddq (%rax), %rcx",
           "vfmadd231ps (%rdi), %ymm1, %ymm0\nvmovups %ymm0, (%rdi)",
           "xorq (%rdi), %rax\nimulq %rcx, %rax\nmovq %rax, (%rsi)",
       })
    EXPECT_EQ(cycles("emeraldrapids", text, Corrections::All), cycles("emeraldrapids", text, Corrections::None))
        << text;
}

TEST(Errata, WhatAnInstrumentSaysIsNotCorrected) {
  const std::string slow = "# LLVM-MCA-LATENCY 9\nxorl %ecx, %eax\n";
  EXPECT_EQ(kindsOf(kX86, "emeraldrapids", slow), std::vector<Kind>{});
}

/// One Simulator has both numbers: corrections are no state of it.
TEST(Errata, LlvmsNumbersAreTheSameBeforeAndAfterACorrection) {
  const Parsed parsed(kX86, "sapphirerapids",
                      "vfmadd231ps (%rdi), %ymm1, %ymm0\nvdivps %ymm1, %ymm2, %ymm3\npopcntq %rax, %rcx\n");
  Simulator simulator(*parsed.target);
  SimulationOptions llvms, corrected;
  corrected.corrections = Corrections::All;
  const auto run = [&](const SimulationOptions &options) {
    return std::move(*simulator.simulate(*parsed.program, allOf(parsed), options));
  };
  const Simulation before = run(llvms), between = run(corrected), after = run(llvms);
  EXPECT_EQ(before.report.summary.cycles, after.report.summary.cycles);
  EXPECT_NE(before.report.summary.cycles, between.report.summary.cycles);
  EXPECT_EQ(between.errata.size(), 2u);
  EXPECT_TRUE(after.errata.empty());
  EXPECT_EQ(run(corrected).report.summary.cycles, between.report.summary.cycles);
}

} // namespace
} // namespace mca
