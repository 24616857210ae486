// What limits a region: the rules, on reports made for them. A report here is of 100 iterations.
#include "analysis/insight/verdict.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Kind = Verdict::Kind;

/// A report of two instructions on a machine with the units A, B.0 and B.1.
mca::Report reportOf(uint64_t cycles, std::vector<double> pressure = {0, 0, 0}) {
  mca::Report report;
  report.summary = {.iterations = 100, .instructions = 200, .cycles = cycles, .microOps = 200, .dispatchWidth = 4};
  report.instructions.resize(2);
  report.pressure.units = {{"A", 1, 0, 1}, {"B", 2, 0, 2}, {"B", 2, 1, 2}};
  report.pressure.byInstruction = {pressure[0], 0, pressure[2], 0, pressure[1], 0};
  report.pressure.perIteration = std::move(pressure);
  return report;
}

/// A loop-carried chain of that many cycles per iteration through both instructions.
mca::DataflowLimit chainOf(double cycles) {
  return {.cyclesPerIteration = cycles, .chain = {{.from = 0, .to = 1}, {.from = 1, .to = 0, .iterations = 1}}};
}

TEST(Verdict, NoneWithoutAReason) {
  const Verdict verdict = judge(reportOf(1000), {});
  EXPECT_EQ(verdict.kind, Kind::None);
  EXPECT_EQ(verdict.sentence, "");
  EXPECT_TRUE(verdict.witnesses.empty());
}

TEST(Verdict, ResourceFromNineTenthsOn) {
  EXPECT_EQ(judge(reportOf(1000, {9.1, 0, 0}), {}).kind, Kind::Resource);
  EXPECT_EQ(judge(reportOf(1000, {8.9, 0, 0}), {}).kind, Kind::None);
}

TEST(Verdict, ResourceNamesUnitNumbersAndUsers) {
  const Verdict verdict = judge(reportOf(1000, {0, 10, 0}), {});
  EXPECT_EQ(verdict.sentence, "limited by B.0: busy in 10.0 of 10.0 cycles per iteration");
  ASSERT_EQ(verdict.witnesses.size(), 1u);
  EXPECT_EQ(verdict.witnesses[0].instruction, 1u);
  EXPECT_EQ(verdict.witnesses[0].message, "B.0 for 10.00 cycles");
}

TEST(Verdict, ResourceNamesTheBusiestFirst) {
  const std::string sentence = judge(reportOf(1000, {9.2, 9.6, 9.4}), {}).sentence;
  EXPECT_TRUE(sentence.starts_with("limited by B.0, B.1, A: busy in 9.6 of 10.0")) << sentence;
}

TEST(Verdict, DispatchFromNineTenthsOn) {
  mca::Report report = reportOf(1000);
  report.summary.microOps = 3700; // 37 an iteration, 9.25 cycles at four a cycle
  const Verdict verdict = judge(report, {});
  EXPECT_EQ(verdict.kind, Kind::Dispatch);
  EXPECT_EQ(verdict.sentence, "limited by dispatch: 37.0 micro-ops per iteration, 4 per cycle");
  report.summary.microOps = 3500;
  EXPECT_EQ(judge(report, {}).kind, Kind::None);
}

TEST(Verdict, ResourceComesBeforeDispatchAndDependencies) {
  mca::Report report = reportOf(1000, {10, 0, 0});
  report.summary.microOps = 4000;
  EXPECT_EQ(judge(report, chainOf(10)).kind, Kind::Resource);
  report.pressure.perIteration[0] = 1;
  EXPECT_EQ(judge(report, chainOf(10)).kind, Kind::Dispatch);
}

TEST(Verdict, RegistersFromNineTenthsOn) {
  const Verdict verdict = judge(reportOf(1000), chainOf(9.1));
  EXPECT_EQ(verdict.kind, Kind::Registers);
  EXPECT_EQ(verdict.sentence,
            "limited by register dependencies: a loop-carried chain takes 9.1 of 10.0 cycles per iteration");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[1].instruction, 1u);
  EXPECT_EQ(judge(reportOf(1000), chainOf(8.9)).kind, Kind::None);
}

TEST(Verdict, NeedsSomeIterations) {
  mca::Report report = reportOf(90, {10, 0, 0});
  report.summary.iterations = 9;
  EXPECT_EQ(judge(report, {}).kind, Kind::None);
}

TEST(Verdict, OfAnEmptyReport) {
  EXPECT_EQ(judge(mca::Report(), {}).kind, Kind::None);
}

TEST(Verdict, EveryKindHasACode) {
  EXPECT_STREQ(codeOf(Kind::Resource), "resource-bottleneck");
  EXPECT_STREQ(codeOf(Kind::Dispatch), "dispatch-limit");
  EXPECT_STREQ(codeOf(Kind::Registers), "register-dependency");
  EXPECT_STREQ(codeOf(Kind::None), "");
}

} // namespace
} // namespace analysis
