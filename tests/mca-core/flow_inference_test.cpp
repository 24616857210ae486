// Odds from counts: complete ones, partial ones, contradictory ones, and paths.
#include "mca-core/report/count_simulation.h"
#include "mca-core/trace/flow_inference.h"
#include "tests/mca-core/parsed.h"

#include <map>

namespace mca {
namespace {

/// A loop around a diamond whose second arm has a branch of its own.
constexpr const char *kDiamond = "  .type f,@function\nf:\n  movl $9, %ecx\n.Ll:\n  testl %eax, %eax\n  je .Lb\n" // 6
                                 "  incl %edx\n  jmp .Lend\n.Lb:\n  js .Lend\n  decl %edx\n"                      // 11
                                 ".Lend:\n  decl %ecx\n  jne .Ll\n  ret\n"                                        // 15
                                 "  .type g,@function\ng:\n  jmp *%rax\n.L1:\n  ret\n.L2:\n  ret\n";              // 22

struct Inferred {
  explicit Inferred(const std::string &statements, const char *code = kDiamond)
      : parsed(kX86, "skylake", code), branches(*parsed.target, *parsed.program),
        text(std::get<TraceText>(readTrace("mcatrace 1\n" + statements))), targets(branches, text) {
    auto found = findCounts(targets);
    const auto *error = std::get_if<TraceError>(&found);
    EXPECT_FALSE(error) << error->message;
    if (error)
      return;
    for (BranchOdds &one : oddsFromCounts(CodeBlocks(branches), std::get<ProfileCounts>(found)))
      byLine[branches.lineOf(one.branch)] = std::move(one);
  }
  double taken(uint32_t line) const { return byLine.contains(line) ? byLine.at(line).taken : -1; }

  Parsed parsed;
  ProgramBranches branches;
  TraceText text;
  TokenTargets targets;
  std::map<uint32_t, BranchOdds> byLine;
};

TEST(FlowInference, CompleteCountsAreKept) {
  const Inferred found("edge f @6 -> .Lb 300\nedge f @6 -> . 700\nedge f @10 -> .Lend 75\nedge f @10 -> . 225\n"
                       "edge f @14 -> .Ll 990\nedge f @14 -> . 10\n");
  EXPECT_EQ(found.byLine.size(), 3u);
  EXPECT_NEAR(found.taken(6), 0.3, 1e-6);
  EXPECT_NEAR(found.taken(10), 0.25, 1e-6);
  EXPECT_NEAR(found.taken(14), 0.99, 1e-6);
  EXPECT_TRUE(found.byLine.at(6).isUncertain);
  EXPECT_FALSE(found.byLine.at(14).isUncertain) << "1 % is less than 2 %";
}

TEST(FlowInference, AMissingCountOfADiamondFollows) {
  const Inferred found("block f .Ll 1000\nedge f @6 -> .Lb 300\nedge f @10 -> .Lend 60\nedge f @14 -> .Ll 900\n");
  EXPECT_NEAR(found.taken(6), 0.3, 0.001);
  EXPECT_NEAR(found.taken(10), 0.2, 0.001);
  EXPECT_NEAR(found.taken(14), 0.9, 0.001);
}

TEST(FlowInference, BlocksAloneAreEnough) {
  const Inferred found("block f @5 1000\nblock f .Lb 300\nblock f @11 240\nblock f @13 1000\nblock f @15 20\n");
  EXPECT_NEAR(found.taken(6), 0.3, 0.001);
  EXPECT_NEAR(found.taken(10), 0.2, 0.001);
  EXPECT_NEAR(found.taken(14), 0.98, 0.001);
}

TEST(FlowInference, ContradictoryAndHugeCounts) {
  const Inferred found("block f .Ll 1099511627776\nedge f @6 -> .Lb 1099511627776\nedge f @6 -> . 1099511627776\n"
                       "edge f @14 -> . 1\n");
  EXPECT_NEAR(found.taken(6), 0.5, 0.3);
  EXPECT_GT(found.taken(14), 0.9);
}

TEST(FlowInference, WhatIsNeverExecutedHasNoOdds) {
  const Inferred found(
      "edge f @6 -> .Lb 0\nedge f @6 -> . 100\nblock f .Lb 0\nedge f @14 -> . 100\nedge f @14 -> .Ll 0\n");
  EXPECT_EQ(found.taken(6), 0);
  EXPECT_EQ(found.taken(10), -1);
  EXPECT_EQ(found.taken(14), 0);
}

TEST(FlowInference, IndirectJumpsWithoutATable) {
  const Inferred found("edge g g -> .L1 60\nedge g g -> .L2 30\nedge g g -> puts 10\n");
  ASSERT_TRUE(found.byLine.contains(18));
  const BranchOdds &jump = found.byLine.at(18);
  ASSERT_EQ(jump.targets.size(), 2u);
  EXPECT_NEAR(jump.targets[0].probability + jump.targets[1].probability, 0.9, 1e-6);
  EXPECT_TRUE(jump.isUncertain);
}

TEST(FlowInference, PathsCountAsTheirEdges) {
  const Inferred found(
      "path f 70: .Ll N .Ll\npath f 20: .Ll T T .Ll\npath f 9: .Ll T N .Ll\npath f 1: .Ll T N N RET\n");
  EXPECT_NEAR(found.taken(6), 0.3, 0.001);
  EXPECT_NEAR(found.taken(10), 20 / 30.0, 0.001);
  EXPECT_NEAR(found.taken(14), 0.99, 0.001);
  const Inferred both("path f 70: .Ll N .Ll\nedge f @6 -> .Lb 50\nedge f @6 -> . 50\n");
  EXPECT_NEAR(both.taken(6), 0.5, 0.001) << "the edges";
}

TEST(FlowInference, EndlessLoopsAndUnreachableCode) {
  const Inferred found("edge f f -> .La 30\nedge f f -> . 10\n",
                       "f:\n.Ll:\n  je .La\n  nop\n.La:\n  jmp .Ll\n.Lx:\n  je .Lx\n  jmp .Lx\n");
  EXPECT_NEAR(found.taken(3), 0.75, 0.02);
}

TEST(FlowInference, LargeFunctionsAreNotCompleted) {
  std::string code = "f:\n";
  for (int i = 0; i < 1500; ++i)
    code += "  je .L" + std::to_string(i) + "\n  nop\n.L" + std::to_string(i) + ":\n";
  const Inferred found("edge f f -> T 30\nedge f f -> N 10\nedge f .L3 -> N 10\n", code.c_str());
  EXPECT_EQ(found.byLine.size(), 2u);
  EXPECT_EQ(found.taken(2), 0.75);
}

// The inference would take minutes.
TEST(FlowInference, CodeWhoseBlocksAllJumpToEachOtherIsNotCompleted) {
  std::string code = "f:\n", counts;
  for (int from = 0; from < 60; ++from) {
    code += ".L" + std::to_string(from) + ":\n  jmp *%rax\n";
    for (int to = 0; to < 60; ++to)
      counts += "edge f .L" + std::to_string(from) + " -> .L" + std::to_string(to) + (to ? " 1\n" : " 61\n");
  }
  const Inferred found(counts, code.c_str());
  ASSERT_EQ(found.byLine.size(), 60u);
  EXPECT_NEAR(found.byLine.at(3).targets[0].probability, 61 / 120.0, 1e-9);
}

TEST(CountSimulation, MispredictionsAreMeasuredOrFollowFromTheOdds) {
  const Inferred found("edge f @6 -> .Lb 300 m 50\nedge f @6 -> . 700\nedge f @10 -> .Lend 60\nedge f @10 -> . 240\n"
                       "edge f @14 -> .Ll 990\nedge f @14 -> . 10\nedge g g -> .L1 5\nedge g g -> .L2 5\n");
  Simulator simulator(*found.parsed.target);
  auto made = prepareCounts(simulator, *found.parsed.target, *found.parsed.program, found.targets, {}, {}, {});
  const auto *error = std::get_if<TraceError>(&made);
  ASSERT_FALSE(error) << error->message;
  auto &functions = std::get<std::vector<CountedFunction>>(made);
  ASSERT_EQ(functions.size(), 2u);
  const TraceReport report = *runTrace(functions[0].run, simulator);
  ASSERT_EQ(report.branches.size(), 3u);
  const auto rate = [&](size_t i) {
    return double(report.branches[i].mispredictions) / double(report.branches[i].executions);
  };
  EXPECT_NEAR(rate(0), 0.05, 0.001) << "measured";
  EXPECT_NEAR(rate(1), 0.2, 0.01) << "the less likely way";
  EXPECT_EQ(rate(2), 0) << "certain";
  EXPECT_NEAR(double(runTrace(functions[1].run, simulator)->branches[0].mispredictions), 1000, 1);

  const Inferred nothing("trace f: T\nblock f f 0");
  made = prepareCounts(simulator, *nothing.parsed.target, *nothing.parsed.program, nothing.targets, {}, {}, {});
  EXPECT_EQ(std::get<TraceError>(made).message, "there are no counts above 0");
}

} // namespace
} // namespace mca
