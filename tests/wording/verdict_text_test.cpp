// Verdicts in words. What a verdict says is in tests/analysis/verdict_test.cpp, with the rules that it follows from.
#include "lsp/wording/verdict_text.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using analysis::wire::Verdict;
using Kind = Verdict::Kind;

/// A chain through two instructions, which the second one carries on to the next iteration.
Verdict chain(double busy) {
  return {.kind = Kind::Registers,
          .busy = busy,
          .cycles = 10,
          .chain = {{0, "%eax", 1, 0}, {1, "%xmm0", 4, 1}},
          .witnesses = {{.instruction = 0}, {.instruction = 1}}};
}

TEST(VerdictText, NamesHowManyIterationsTheCodeDoesAtOnce) {
  const Verdict resource{.kind = Kind::Resource, .busy = 14, .cycles = 14.08, .units = {{"A"}}, .users = 1};
  EXPECT_EQ(sentenceOf(resource, 1), "limited by A: 1 instruction keeps it busy in 14.0 of 14.1 cycles per iteration");
  EXPECT_EQ(sentenceOf(resource, 2), "limited by A: 1 instruction keeps it busy in 14.0 of 14.1 cycles per 2 "
                                     "iterations (7.04 each)");
  EXPECT_EQ(sentenceOf(resource, 0), "limited by A: 1 instruction keeps it busy in 14.0 of 14.1 cycles per "
                                     "iteration of the machine code");
  const Verdict dispatch{.kind = Kind::Dispatch, .busy = 9.5, .cycles = 10, .microOps = 38, .dispatchWidth = 4};
  EXPECT_EQ(sentenceOf(dispatch, 8), "limited by dispatch: 38.0 micro-ops, at most 4 per cycle, take 9.5 of 10.0 "
                                     "cycles per 8 iterations (1.25 each)");
  EXPECT_EQ(sentenceOf(chain(9.1), 4),
            "limited by a loop-carried chain through xmm0: 9.1 of 10.0 cycles per 4 iterations (2.50 each)");
}

TEST(VerdictText, NoMoreThanAllCyclesAreTaken) {
  const Verdict verdict{.kind = Kind::Resource, .busy = 10.4, .cycles = 10, .units = {{"A"}}, .users = 2};
  EXPECT_EQ(sentenceOf(verdict, 1), "limited by A: 2 instructions keep it busy in 10.0 of 10.0 cycles per iteration")
      << "it may be held beyond the last one";
}

TEST(VerdictText, LinksCountIterationsOfTheSource) {
  Verdict verdict = chain(10);
  const auto last = [&](uint32_t sourceIterations) {
    return roleOf(verdict.witnesses.back(), verdict, sourceIterations);
  };
  EXPECT_EQ(last(1), "xmm0 after 4 cycles, for the next iteration");
  EXPECT_EQ(last(4), "xmm0 after 4 cycles, for the next 4 iterations");
  verdict.chain.back().iterations = 2;
  EXPECT_EQ(last(4), "xmm0 after 4 cycles, 8 iterations later");
}

TEST(VerdictText, TheLastWitnessOfALongChainCountsTheOthers) {
  Verdict verdict = chain(10);
  verdict.chain.push_back({2, "%ebx", 1, 0});
  EXPECT_EQ(roleOf(verdict.witnesses[0], verdict, 1), "eax after 1 cycle");
  EXPECT_EQ(roleOf(verdict.witnesses[1], verdict, 1), "xmm0 after 4 cycles, for the next iteration, and 1 more");
}

AnalysedRegion regionWith(Verdict verdict) {
  return {.simulation =
              std::make_shared<analysis::wire::Simulation>(analysis::wire::Simulation{.verdict = std::move(verdict)})};
}

TEST(VerdictText, OfALowerBoundIsNotTheWholeTruth) {
  AnalysedRegion region = regionWith(chain(9.1));
  region.region.sourceIterations = 4;
  const std::string sentence = sentenceOf(chain(9.1), 4);
  EXPECT_EQ(bottleneckOf(region), sentence);
  region.region.caveats = {{.kind = analysis::wire::Caveat::Kind::RepeatPrefix}};
  EXPECT_EQ(bottleneckOf(region), sentence);
  for (const auto kind : {analysis::wire::Caveat::Kind::UnreadLine, analysis::wire::Caveat::Kind::NoSchedulingData}) {
    region.region.caveats = {{.kind = kind, .count = 1}};
    EXPECT_EQ(bottleneckOf(region), "apart from what is left out, " + sentence);
  }
  region.region.calls = {"f"};
  EXPECT_EQ(bottleneckOf(region), "apart from what it calls, " + sentence);
  Verdict part = chain(5);
  part.isLargest = true;
  AnalysedRegion largest = regionWith(part);
  EXPECT_EQ(bottleneckOf(largest), sentenceOf(part, 1));
  largest.region.calls = {"f"};
  EXPECT_EQ(bottleneckOf(largest), "") << "what it calls may take more";
  AnalysedRegion without = regionWith(Verdict());
  without.region.calls = {"f"};
  EXPECT_EQ(bottleneckOf(without), "");
}

TEST(VerdictText, EveryKindHasACode) {
  EXPECT_STREQ(codeOf(Kind::Resource), "resource-bottleneck");
  EXPECT_STREQ(codeOf(Kind::Dispatch), "dispatch-limit");
  EXPECT_STREQ(codeOf(Kind::IssueWidth), "dispatch-limit");
  EXPECT_STREQ(codeOf(Kind::Registers), "register-dependency");
  EXPECT_STREQ(codeOf(Kind::Memory), "memory-dependency");
  EXPECT_STREQ(codeOf(Kind::Stall), "in-order-stall");
  EXPECT_STREQ(codeOf(Kind::Buffer), "buffer-limit");
  EXPECT_STREQ(codeOf(Kind::None), "");
}

} // namespace
} // namespace lsp::wording
