// The dataflow limit: the longest loop-carried chain, on loops whose chain can be told by hand.
#include "mca-core/report/simulator.h"

#include "tests/mca-core/parsed.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <ostream>
#include <random>

namespace mca {
namespace {

DataflowLimit limitOf(const char *cpu, const std::string &text) {
  const Parsed parsed(kX86, cpu, text);
  std::vector<uint32_t> all(parsed.program->instructions().size());
  std::iota(all.begin(), all.end(), 0);
  Simulator simulator(*parsed.target);
  PreparedRegion prepared;
  EXPECT_FALSE(simulator.prepare(*parsed.program, all, {}, prepared));
  DataflowLimit limit = simulator.findDataflowLimit(prepared);
  simulator.nameRegisters(limit, prepared.syntaxVariant);
  return limit;
}

/// "0 %xmm0 3" for each link: who writes, what, how many cycles until the next one has it; "+1" where that is an
/// iteration later.
std::string linksOf(const std::vector<DataLink> &links) {
  std::string text;
  for (const DataLink &link : links)
    text += (text.empty() ? "" : ", ") + std::to_string(link.from) + " " + link.name + " " +
            std::to_string(link.cycles) + (link.iterations ? " +" + std::to_string(link.iterations) : "") + " to " +
            std::to_string(link.to);
  return text;
}

std::string needsOf(const char *cpu, const std::string &text) {
  const Parsed parsed(kX86, cpu, text);
  std::vector<uint32_t> all(parsed.program->instructions().size());
  std::iota(all.begin(), all.end(), 0);
  Simulator simulator(*parsed.target);
  PreparedRegion prepared;
  EXPECT_FALSE(simulator.prepare(*parsed.program, all, {}, prepared));
  std::vector<DataLink> links = simulator.findDataLinks(prepared);
  simulator.nameRegisters(links, prepared.syntaxVariant);
  return linksOf(links);
}

TEST(Dataflow, AChainThroughMemory) {
  const std::string body = "movl (%rdi), %eax\naddl $3, %eax\nmovl %eax, (%rdi)\n";
  const DataflowLimit limit = limitOf("skylake", "# mca: same-operands\n" + body);
  EXPECT_EQ(limit.cyclesPerIteration, 7);
  EXPECT_EQ(linksOf(limit.chain), "0 %eax 5 to 1, 1 %eax 1 to 2, 2  1 +1 to 0");
  EXPECT_TRUE(limit.chain[2].isMemory);
  EXPECT_EQ(linksOf(limitOf("skylake", "# mca: alias rdi\n" + body).chain), linksOf(limit.chain));
  EXPECT_EQ(linksOf(limitOf("skylake", body).chain), "") << "nothing aliases";
  const DataflowLimit counter = limitOf("skylake", "# mca: same-operands\nincl (%rdi)\n");
  EXPECT_EQ(linksOf(counter.chain), "0  " + std::to_string(uint32_t(counter.cyclesPerIteration)) + " +1 to 0");
  EXPECT_EQ(linksOf(limitOf("skylake", "# mca: same-operands\nmovl %eax, (%rdi)\nmovl (%rdi), %eax\n"
                                       "addq $4, %rdi\n")
                        .chain),
            "0  1 to 1, 1 %eax 5 +1 to 0")
      << "stored and loaded in one iteration";
}

TEST(Dataflow, AnAccumulator) {
  const DataflowLimit limit = limitOf("znver4", "addsd (%rdi), %xmm0\naddq $8, %rdi\n");
  EXPECT_EQ(limit.cyclesPerIteration, 3); // the latency of addsd; the load comes before it is needed
  EXPECT_EQ(linksOf(limit.chain), "0 %xmm0 3 +1 to 0");
}

TEST(Dataflow, AChainOfTwo) {
  const DataflowLimit limit = limitOf("skylake", "imull %ecx, %eax\naddl %edx, %eax\nincl %esi\n");
  EXPECT_EQ(limit.cyclesPerIteration, 4);
  EXPECT_EQ(linksOf(limit.chain), "0 %eax 3 to 1, 1 %eax 1 +1 to 0");
}

TEST(Dataflow, NothingCarried) {
  EXPECT_EQ(limitOf("skylake", "movl (%rdi), %eax\nimull %eax, %eax\nmovl %eax, (%rsi)\n").cyclesPerIteration, 0);
}

TEST(Dataflow, AZeroIdiomEndsTheChain) {
  EXPECT_EQ(limitOf("znver4", "vxorps %xmm0, %xmm0, %xmm0\nvaddps %xmm0, %xmm1, %xmm0\n").cyclesPerIteration, 0);
}

TEST(Dataflow, ThroughSeveralIterations) {
  // A value goes through three registers, a step an iteration.
  const DataflowLimit limit = limitOf("skylake", "leaq 1(%rcx), %rdx\nleaq 1(%rbx), %rcx\nimulq %rdx, %rbx\n");
  EXPECT_GT(limit.cyclesPerIteration, 2);
  EXPECT_LE(limit.cyclesPerIteration, 4);
  // The whole way around is as long as the iterations that it takes.
  double cycles = 0, iterations = 0;
  for (const DataLink &link : limit.chain) {
    cycles += link.cycles;
    iterations += link.iterations;
  }
  EXPECT_DOUBLE_EQ(cycles / iterations, limit.cyclesPerIteration);
  EXPECT_EQ(limit.chain.back().to, limit.chain.front().from);
}

/// The register is needed only when the load has come: the load is no part of the chain, even if another instruction
/// reads the register.
TEST(Dataflow, AFoldedLoadIsNotTheChains) {
  const std::string crc = "xorb (%rdi), %al\nmovzbl %al, %eax\nmovzbl (%rax,%rdx), %eax\nincq %rdi\n";
  const DataflowLimit skylake = limitOf("skylake", crc);
  EXPECT_EQ(skylake.cyclesPerIteration, 7);
  EXPECT_EQ(linksOf(skylake.chain), "0 %al 1 to 1, 1 %eax 1 to 2, 2 %eax 5 +1 to 0");
  EXPECT_EQ(limitOf("znver4", "addsd (%rdi), %xmm0\nmulsd 8(%rdi), %xmm0\n").cyclesPerIteration, 6);
  EXPECT_EQ(linksOf(limitOf("znver4", "addsd (%rdi), %xmm0\nmulsd 8(%rdi), %xmm0\n").chain),
            "0 %xmm0 3 to 1, 1 %xmm0 3 +1 to 0");
}

/// Whether some circle of links is slower than the limit: Bellman and Ford's search for a positive circle, in cycles
/// times the iterations of the limit's chain.
bool isSlowerThan(const std::vector<DataLink> &links, size_t instructions, int64_t cycles, int64_t iterations) {
  std::vector<int64_t> latest(instructions, 0);
  bool later = true;
  for (size_t round = 0; round <= instructions && later; ++round) {
    later = false;
    for (const DataLink &link : links)
      if (const int64_t at = latest[link.from] + link.cycles * iterations - link.iterations * cycles;
          at > latest[link.to]) {
        latest[link.to] = at;
        later = true;
      }
  }
  return later;
}

struct Vocabulary {
  const char *triple;
  const char *cpu;
  std::vector<const char *> lines;
};
std::ostream &operator<<(std::ostream &out, const Vocabulary &vocabulary) {
  return out << vocabulary.cpu;
}

class DataflowOfBodies : public testing::TestWithParam<Vocabulary> {};

/// A chain's notes add up to its length, each is what an instruction may take, and no other chain is longer.
TEST_P(DataflowOfBodies, NotesAddUp) {
  const auto &[triple, cpu, lines] = GetParam();
  std::mt19937 random(11);
  size_t chains = 0;
  for (int body = 0; body < 150; ++body) {
    std::string text;
    for (unsigned count = 1 + random() % 9; count--;)
      text += lines[random() % lines.size()] + std::string("\n");
    SCOPED_TRACE(text);
    const Parsed parsed(triple, cpu, text);
    std::vector<uint32_t> all(parsed.count());
    std::iota(all.begin(), all.end(), 0);
    Simulator simulator(*parsed.target);
    PreparedRegion prepared;
    ASSERT_FALSE(simulator.prepare(*parsed.program, all, {}, prepared));
    const DataflowLimit limit = simulator.findDataflowLimit(prepared);
    int64_t cycles = 0, iterations = 0;
    for (const DataLink &link : limit.chain) {
      cycles += link.cycles;
      iterations += link.iterations;
      EXPECT_LE(int64_t(link.cycles), prepared.body.instructions[link.from].latency + prepared.body.longestLateRead)
          << link.from;
    }
    if (!limit.chain.empty()) {
      EXPECT_EQ(limit.cyclesPerIteration, double(cycles) / double(iterations));
      ++chains;
    }
    const std::vector<DataLink> links = simulator.findDataLinks(prepared);
    if (prepared.body.moves.empty()) { // else the iterations may differ
      EXPECT_FALSE(isSlowerThan(links, all.size(), cycles, std::max<int64_t>(1, iterations)));
    }
  }
  EXPECT_GE(chains, 75u);
}

const std::vector<const char *> kX86Lines = {"xorb (%rdi), %al",           "movzbl %al, %eax",
                                             "movzbl (%rax,%rdx), %eax",   "imulq %rax, %rdx",
                                             "addq (%rdi), %rdx",          "addb %dl, %al",
                                             "movb (%rsi), %dl",           "vaddsd (%rdi), %xmm0, %xmm0",
                                             "vmulsd %xmm0, %xmm1, %xmm1", "vcvtsi2sd %rax, %xmm1, %xmm0",
                                             "vmovq %xmm0, %rdx",          "xorl %ecx, %ecx",
                                             "leaq (%rax,%rcx), %rcx",     "sbbq %rdx, %rax",
                                             "shldq $3, %rcx, %rdx",       "setc %al"};
INSTANTIATE_TEST_SUITE_P(
    Cpus, DataflowOfBodies,
    testing::Values(Vocabulary{kX86, "skylake", kX86Lines}, Vocabulary{kX86, "znver4", kX86Lines},
                    Vocabulary{kX86, "btver2", kX86Lines}, Vocabulary{kX86, "sapphirerapids", kX86Lines},
                    Vocabulary{kAArch64,
                               "neoverse-n1",
                               {"madd x0, x1, x2, x0", "ldr x1, [x0, x2]", "add x0, x0, x1", "fmadd d0, d1, d2, d0",
                                "fmul d1, d0, d2", "fmov x2, d0", "scvtf d0, x2", "ldr x2, [x3], #8", "eor x2, x2, x1",
                                "csel x0, x1, x2, lt", "subs x1, x1, x0"}},
                    Vocabulary{kRiscv,
                               "sifive-p670",
                               {"mul a0, a1, a0", "ld a1, 0(a0)", "add a1, a1, a2", "fmadd.d fa0, fa1, fa2, fa0",
                                "fmul.d fa1, fa0, fa2", "fcvt.d.l fa2, a1", "fcvt.l.d a2, fa1", "addi a0, a0, 8"}}),
    [](const auto &info) {
      std::string name = info.param.cpu;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

constexpr const char *kSuffixSum = "movq %rax, %rsi\nimulq %rcx, %rdi\nmovl (%r11,%rdi,4), %eax\nimulq %rbx, %rax\n"
                                   "movq (%rsi), %rdi\nleaq 8(%rsi), %rax\ndecq %rdx\n";

std::optional<Rate> rateWithoutLateCopies(const char *cpu, const std::string &text) {
  const Parsed parsed(kX86, cpu, text);
  std::vector<uint32_t> all(parsed.count());
  std::iota(all.begin(), all.end(), 0);
  Simulator simulator(*parsed.target);
  PreparedRegion prepared;
  EXPECT_FALSE(simulator.prepare(*parsed.program, all, {}, prepared));
  if (simulator.findDataflowLimit(prepared).lateCopies.empty())
    return std::nullopt;
  return simulator.findRateWithoutLateCopies(prepared);
}

TEST(Dataflow, NamesTheCopyThatWaitsForALaterWriteOfItsSource) {
  const DataflowLimit limit = limitOf("znver4", kSuffixSum);
  ASSERT_EQ(limit.lateCopies.size(), 1u);
  EXPECT_EQ(limit.lateCopies[0].move, 0u);
  EXPECT_EQ(limit.lateCopies[0].name, "%rsi");
  EXPECT_EQ(limit.lateCopies[0].source, "%rax");
  std::string plain = kSuffixSum;
  plain.replace(0, plain.find('\n'), "leaq (%rax), %rsi");
  EXPECT_TRUE(limitOf("znver4", plain).lateCopies.empty());
  const auto without = rateWithoutLateCopies("znver4", kSuffixSum);
  ASSERT_TRUE(without);
  EXPECT_LT(without->cyclesPerIteration(), 4);
  EXPECT_GT(limit.cyclesPerIteration, 10);
}

TEST(Dataflow, ACopyThatIsReadBeforeItsSourceIsWrittenIsNotLate) {
  EXPECT_EQ(rateWithoutLateCopies("znver4", "movq %rax, %rdx\nimulq %rdx, %rax\n"), std::nullopt);
  EXPECT_EQ(rateWithoutLateCopies("skylake", kSuffixSum), std::nullopt) << "it eliminates no move";
  // Through two moves: the copy of the copy has the value of before the write.
  EXPECT_NE(rateWithoutLateCopies("znver4", "movq %rax, %rsi\nimulq %rcx, %rax\nmovq %rsi, %rdi\n"
                                            "imulq %rdi, %rcx\nleaq (%rcx), %rax\n"),
            std::nullopt);
}

TEST(Dataflow, TheEndOfTheChainIsLeftOut) {
  // The division takes part in no later iteration.
  const DataflowLimit limit = limitOf("skylake", "addss %xmm1, %xmm0\nmovaps %xmm0, %xmm2\ndivss %xmm3, %xmm2\n");
  EXPECT_EQ(linksOf(limit.chain), "0 %xmm0 4 +1 to 0");
}

TEST(Dataflow, WhatEachInstructionNeeds) {
  EXPECT_EQ(needsOf("skylake", "imull %ecx, %eax\naddl %edx, %eax\nnop\nincl %esi\n"),
            "1 %eax 1 +1 to 0, 0 %eax 3 to 1, 3 %esi 1 +1 to 3");
  EXPECT_EQ(needsOf("skylake", "addl %ecx, %eax\njne x\nx:\n"), "0 %eax 1 +1 to 0, 0 %flags 1 to 1");
}

TEST(Dataflow, ZeroIdiomsNeedNothing) {
  EXPECT_EQ(needsOf("znver4", "vxorps %xmm0, %xmm0, %xmm0\nvaddps %xmm0, %xmm1, %xmm2\n"), "0 %xmm0 0 to 1");
}

TEST(Dataflow, WhatReadsAnEliminatedMoveNeedsItsSource) {
  EXPECT_EQ(needsOf("znver4", "imulq %rcx, %rax\nmovq %rax, %rdx\naddq %rsi, %rdx\n"),
            "0 %rax 3 +1 to 0, 0 %rax 3 to 2");
}

TEST(Dataflow, OfNothing) {
  EXPECT_EQ(findDataflowLimit(Body()).cyclesPerIteration, 0);
}

} // namespace
} // namespace mca
