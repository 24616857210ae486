// The dataflow limit: the longest loop-carried chain, on loops whose chain can be told by hand.
#include "mca-core/engine/simulator.h"

#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>
#include <numeric>

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
  simulator.nameRegisters(limit.chain, prepared.syntaxVariant);
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
