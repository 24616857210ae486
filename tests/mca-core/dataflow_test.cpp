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
  return Simulator(*parsed.target).findDataflowLimit(*parsed.program, all);
}

using Chain = std::vector<uint32_t>;

TEST(Dataflow, AnAccumulator) {
  const DataflowLimit limit = limitOf("znver4", "addsd (%rdi), %xmm0\naddq $8, %rdi\n");
  EXPECT_EQ(limit.cyclesPerIteration, 3); // the latency of addsd; the load comes before it is needed
  EXPECT_EQ(limit.chain, Chain{0});
}

TEST(Dataflow, AChainOfTwo) {
  const DataflowLimit limit = limitOf("skylake", "imull %ecx, %eax\naddl %edx, %eax\nincl %esi\n");
  EXPECT_EQ(limit.cyclesPerIteration, 4);
  EXPECT_EQ(limit.chain, (Chain{0, 1}));
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
}

TEST(Dataflow, OfNothing) {
  EXPECT_EQ(limitOf("skylake", "# nothing\n").cyclesPerIteration, 0);
}

} // namespace
} // namespace mca
