// What a region's numbers leave out is said, and makes them a lower bound; what is written as data is not left out.
#include "analysis/job/analyzer.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"

#include <gtest/gtest.h>

#include <tuple>

namespace analysis {
namespace {

using Kind = wire::Caveat::Kind;
using Strings = std::vector<std::string>;

wire::AnalysisResult analysed(const std::string &target, const std::string &text, wire::Settings settings = {}) {
  const wire::AnalyzeRequest request{
      .id = 1, .path = "/nowhere/a.s", .text = "# mca: " + target + "\n" + text, .settings = std::move(settings)};
  return Analyzer().run(request, {}, [](const wire::Progress &) {});
}

Strings messagesOf(const wire::AnalysisResult &result, const char *code) {
  Strings found;
  for (const wire::Finding &finding : result.findings)
    if (finding.code == code)
      found.push_back(lsp::wording::messageOf(finding));
  return found;
}

constexpr const char *kA78 = "triple=aarch64-linux-gnu cpu=cortex-a78";
constexpr const char *kZen3 = "triple=x86_64-linux-gnu cpu=znver3";

TEST(LeftOut, EachMnemonicIsNamedOnce) {
  const wire::AnalysisResult result =
      analysed("triple=riscv64-linux-gnu cpu=rocket-rv64 features=+v",
               ".L1:\n vle32.v v8, (a0)\n addi a0, a0, 4\n vle32.v v9, (a0)\n vadd.vv v8, v8, v9\n bne a0, a1, .L1\n"
               ".L2:\n vle32.v v8, (a0)\n bne a0, a1, .L2\n");
  EXPECT_EQ(
      messagesOf(result, wire::codes::kNoSchedulingData),
      (Strings{"no scheduling data for `vadd.vv` on rocket-rv64: it is left out, and the cycles are a lower bound",
               "no scheduling data for `vle32.v` on rocket-rv64: it is left out, and the cycles are a lower bound"}));
  ASSERT_EQ(result.regions.size(), 2u);
  const auto caveat = std::ranges::find(result.regions[0].caveats, Kind::NoSchedulingData, &wire::Caveat::kind);
  ASSERT_NE(caveat, result.regions[0].caveats.end());
  EXPECT_EQ(caveat->count, 3u);
  EXPECT_EQ(caveat->names, (Strings{"rocket-rv64", "vle32.v", "vadd.vv"}));
  EXPECT_TRUE(isLowerBound(result.regions[0]));
}

TEST(LeftOut, AMnemonicHasNoOperands) {
  const wire::AnalysisResult result = analysed("triple=aarch64-linux-gnu cpu=neoverse-v3 features=+mops",
                                               ".L1:\n cpyfp [x10]!, [x11]!, x12!\n subs x7, x7, #1\n b.ne .L1\n");
  EXPECT_EQ(messagesOf(result, wire::codes::kNoSchedulingData),
            (Strings{"no scheduling data for `cpyfp` on neoverse-v3: it is left out, and the cycles are a lower bound "
                     "(unable to resolve scheduling class for write variant)"}));
}

TEST(LeftOut, WhatOnlyEndsAHardwareLoopIsNoDoubt) {
  for (const char *end : {" le lr, .L1\n", " letp lr, .L1\n"}) {
    const wire::AnalysisResult result =
        analysed("triple=thumbv8.1m.main-none-eabi cpu=cortex-m55",
                 std::string(" dls lr, r0\n.L1:\n ldr r1, [r2], #4\n add r3, r3, r1\n") + end);
    ASSERT_EQ(result.regions.size(), 1u) << end;
    EXPECT_TRUE(result.regions[0].caveats.empty()) << end;
    EXPECT_EQ(messagesOf(result, wire::codes::kNoSchedulingData), Strings{}) << end;
  }
}

TEST(LeftOut, UnreadLinesCountOnEveryCpu) {
  const wire::AnalysisResult result =
      analysed(kZen3, "# LLVM-MCA-BEGIN dot\n# mca: cycles<=9\n# mca: cycles<=9 cpu=skylake\nbogus\naddl %eax, %ecx\n"
                      "bogus\n# LLVM-MCA-END\n");
  ASSERT_EQ(result.budgets.size(), 2u);
  for (const wire::Budget &budget : result.budgets) {
    ASSERT_EQ(budget.regions.size(), 1u);
    EXPECT_TRUE(isLowerBound(budget.regions[0])) << budget.cpu;
  }
}

TEST(LeftOut, OnAnotherCpuAlone) {
  wire::Settings settings;
  settings.cpus = {"btver2", "skylake-avx512"};
  const wire::AnalysisResult result = analysed("triple=x86_64-linux-gnu cpu=skylake",
                                               "# LLVM-MCA-BEGIN dot\n# mca: cycles<=9 cpu=btver2\nvpaddd %ymm0, "
                                               "%ymm1, %ymm2\naddl %eax, %ecx\n# LLVM-MCA-END\n",
                                               settings);
  ASSERT_EQ(result.regions.size(), 1u);
  EXPECT_FALSE(isLowerBound(result.regions[0]));
  const std::vector<wire::CpuSummary> &others = result.simulations.at(0).otherCpus;
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].isLowerBound, others[0].simulated);
  EXPECT_FALSE(others[1].isLowerBound);
  ASSERT_EQ(result.budgets.at(0).regions.size(), 1u);
  const wire::BudgetedRegion &there = result.budgets[0].regions[0];
  EXPECT_TRUE(!there.failure.empty() || isLowerBound(there));
}

// ---- instructions as data ------------------------------------------------------------------------------------------

/// A text with two loops, which must have the same numbers: as data, and by their names.
void expectAlike(const std::string &target, const std::string &data, const std::string &spelled) {
  const wire::AnalysisResult result = analysed(target, data + spelled);
  ASSERT_EQ(result.regions.size(), 2u) << data;
  EXPECT_TRUE(result.regions[0].caveats.empty()) << data;
  const auto numbersOf = [&](size_t region) {
    const wire::Simulation &one =
        *std::ranges::find(result.simulations, result.regions[region].simulation, &wire::Simulation::id);
    return std::tuple(one.instructions, one.cyclesPerIteration, one.ipc, one.cycles, one.microOps,
                      one.blockReciprocalThroughput, one.pressure);
  };
  EXPECT_EQ(numbersOf(0), numbersOf(1)) << data;
  EXPECT_EQ(messagesOf(result, wire::codes::kUnreadableData), Strings{});
}

TEST(LeftOut, InstructionsAsDataCount) {
  const std::string rest = " mov %r10, (%rdi)\n lea 8(%rsi), %rsi\n lea 8(%rdi), %rdi\n lea -1(%rcx), %rcx\n"
                           " jrcxz 2f\n jmp 1b\n2: ret\n";
  expectAlike(kZen3,
              "a:\n1: .byte 0xc4,0x62,0xab,0xf6,0x06 # mulx\n .byte 0x66,0x4d,0x0f,0x38,0xf6,0xc8\n"
              " .byte 0xf3,0x4c,0x0f,0x38,0xf6,0x17\n" +
                  rest,
              "b:\n1: mulx (%rsi), %r10, %r8\n adcx %r8, %r9\n adox (%rdi), %r10\n" + rest);
  expectAlike(kA78, "1: .inst 0x9b017c00\n .word 0x8b010000\n cbnz x0, 1b\n ret\n",
              "1: mul x0, x0, x1\n add x0, x0, x1\n cbnz x0, 1b\n ret\n");
  expectAlike("triple=riscv64-linux-gnu cpu=sifive-x280",
              "1: ld t0, (a0)\n .insn r 0x33, 0, 0x01, t1, t0, t0\n .insn 0x025282b3\n .word 0x025282b3\n"
              " addi a0, a0, 8\n bne a0, a1, 1b\n ret\n",
              "1: ld t0, (a0)\n mul t1, t0, t0\n mul t0, t0, t0\n mul t0, t0, t0\n addi a0, a0, 8\n bne a0, a1, 1b\n"
              " ret\n");
}

TEST(LeftOut, DataThatIsNoInstructionMakesALowerBound) {
  const std::string text = ".L1:\n addl %eax, %ecx\n .byte 0x06\n decl %edx\n jne .L1\n";
  const wire::AnalysisResult result = analysed(kZen3, text);
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].caveats.size(), 1u);
  EXPECT_EQ(result.regions[0].caveats[0].kind, Kind::UnreadLine);
  EXPECT_EQ(messagesOf(result, wire::codes::kUnreadableData),
            (Strings{"control flow runs into this data, which cannot be read as instructions: it is left out, and the "
                     "cycles are a lower bound"}));
}

TEST(LeftOut, AnEditDecidesWhetherDataIsExecuted) {
  Analyzer analyzer;
  const auto instructionsOf = [&](const std::string &text) {
    const wire::AnalyzeRequest request{
        .id = 1, .path = "/nowhere/a.s", .text = "# mca: " + std::string(kZen3) + "\n" + text};
    const wire::AnalysisResult result = analyzer.run(request, {}, [](const wire::Progress &) {});
    return result.simulations.at(0).instructions;
  };
  const std::string before = ".L1:\n addl %eax, %ecx\n ", data = "\n .byte 0x90\n.L2: decl %edx\n jne .L1\n ret\n";
  EXPECT_EQ(instructionsOf(before + "nop" + data), 5u);
  EXPECT_EQ(instructionsOf(before + "jmp .L2" + data), 4u);
  EXPECT_EQ(instructionsOf(before + "nop" + data), 5u);
}

} // namespace
} // namespace analysis
