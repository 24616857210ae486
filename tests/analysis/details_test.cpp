// What is told of single instructions, from the buffer's text on: costs, waits, whose results they read, the chain.
#include "analysis/job/analyzer.h"
#include "analysis/verdict/details.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

wire::AnalysisResult analyse(std::string text, wire::Settings settings = {}) {
  const wire::AnalyzeRequest request{
      .id = 1, .path = "/nowhere/a.s", .text = std::move(text), .settings = std::move(settings)};
  return Analyzer().run(request, {}, [](const wire::Progress &) {});
}

const std::string kSkylake = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n";

using Positions = std::vector<uint32_t>;

TEST(Details, OfEachInstruction) {
  const std::string text = kSkylake + "imull  %ecx, %eax # why\n addl %edx, %eax; incl\t%esi\n";
  const wire::AnalysisResult result = analyse(text);
  ASSERT_EQ(result.regions.size(), 1u);
  const auto &body = result.regions[0].body;
  ASSERT_EQ(body.size(), 3u);
  const auto written = [&](size_t i) { return text.substr(body[i].at.begin, body[i].at.end - body[i].at.begin); };
  EXPECT_EQ(written(0), "imull  %ecx, %eax");
  EXPECT_EQ(written(1), "addl %edx, %eax");
  EXPECT_EQ(written(2), "incl\t%esi");
  EXPECT_EQ(body[2].text, "incl %esi");
  EXPECT_EQ(body[0].latency, 3u);
  EXPECT_EQ(body[0].microOps, 1u);
  EXPECT_EQ(body[0].reciprocalThroughput, 1);
  ASSERT_EQ(body[0].pressure.size(), 1u);
  EXPECT_EQ(body[0].pressure[0].name, "SKLPort1");
  EXPECT_EQ(body[0].needs, Positions{1});
  EXPECT_EQ(body[1].needs, Positions{0});
  EXPECT_EQ(result.regions[0].chain, (Positions{0, 1}));
  ASSERT_FALSE(body[1].waits.empty());
  EXPECT_EQ(body[1].waits[0].kind, wire::WaitKind::Register);
  EXPECT_EQ(body[1].waits[0].what, "%eax");
  EXPECT_EQ(body[1].waits[0].by, Positions{0});
  EXPECT_GT(body[1].waits[0].cycles, 1);
}

TEST(Details, TheLatencyIsTheEffectiveOne) {
  const wire::AnalysisResult result = analyse(
      kSkylake + "# LLVM-MCA-BEGIN\nimull %ecx, %eax\n# LLVM-MCA-LATENCY 9\nimull %ecx, %ebx\n# LLVM-MCA-END\n");
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].body.size(), 2u);
  EXPECT_EQ(result.regions[0].body[0].latency, 3u);
  EXPECT_EQ(result.regions[0].body[1].latency, 9u);
}

TEST(Details, LoadsAreTold) {
  const wire::AnalysisResult result = analyse(kSkylake + "addl (%rdi), %eax\nmovl %eax, (%rsi)\n");
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].body.size(), 2u);
  EXPECT_TRUE(result.regions[0].body[0].loads);
  EXPECT_FALSE(result.regions[0].body[1].loads);
}

TEST(Details, WhatIsNoPartOfTheReportIsNone) {
  // The second line has no scheduling data on this CPU: positions count without it.
  const std::string text = "# mca: triple=riscv64-unknown-linux-gnu cpu=rocket-rv64 features=+v\n"
                           "addi a0, a0, 1\nvle32.v v8, (a0)\nadd a0, a0, a1\n";
  const wire::AnalysisResult result = analyse(text);
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].body.size(), 2u);
  EXPECT_EQ(result.regions[0].body[1].at.begin, text.find("add a0, a0, a1"));
  EXPECT_EQ(result.regions[0].body[1].needs, Positions{0});
}

/// Marked regions of `instructions` each.
std::string manyRegions(size_t regions, size_t instructions) {
  std::string text = kSkylake;
  for (size_t region = 0; region < regions; ++region) {
    text += "# LLVM-MCA-BEGIN r" + std::to_string(region) + "\n";
    for (size_t i = 0; i < instructions; ++i)
      text += "incl %eax\n";
    text += "# LLVM-MCA-END\n";
  }
  return text;
}

bool tellsWaits(const wire::RegionSummary &region) {
  return !region.body.empty() && !region.body.back().waits.empty();
}

TEST(Details, AreToldInTheOrderOfTheTextWhileThereIsRoom) {
  const wire::AnalysisResult result = analyse(manyRegions(14, 4000), {.iterations = 1});
  ASSERT_EQ(result.regions.size(), 14u);
  for (size_t i = 0; i < result.regions.size(); ++i) {
    EXPECT_EQ(result.regions[i].body.size(), i < 12 ? 4000u : 0u) << i;
    EXPECT_FALSE(tellsWaits(result.regions[i])) << i;
  }
}

TEST(Details, DoNotDependOnWhatWasAnalysedBefore) {
  Analyzer analyzer;
  wire::AnalyzeRequest request{.id = 1, .path = "/nowhere/a.s", .text = manyRegions(2, 4000)};
  request.settings.iterations = 1;
  const auto run = [&] { return analyzer.run(request, {}, [](const wire::Progress &) {}); };
  EXPECT_TRUE(tellsWaits(run().regions[1]));
  // The same regions with one more: their waits are known and yet not told.
  request.text = manyRegions(3, 4000);
  EXPECT_FALSE(tellsWaits(run().regions[1]));
}

TEST(Details, TheRangeOfAnInstructionsText) {
  const auto rangeOf = [](const char *triple, const char *cpu, const std::string &text, uint32_t index) {
    const auto target = std::move(*mca::Target::create({.triple = triple, .cpu = cpu}));
    const auto program = mca::Program::parse(text, *target, {});
    const wire::ByteRange range = textRangeOf(*program, *target, index);
    return text.substr(range.begin, range.end - range.begin);
  };
  const char *const kArm = "aarch64-unknown-linux-gnu";
  EXPECT_EQ(rangeOf(kArm, "neoverse-v2", "  add x0, x0, #1 // one\n", 0), "add x0, x0, #1");
  EXPECT_EQ(rangeOf(kArm, "neoverse-v2", "add x0, x0, #1;sub x1, x1, #2", 1), "sub x1, x1, #2");
  EXPECT_EQ(rangeOf("x86_64-linux-gnu", "skylake", "l: incl %eax /* c */\r\n", 0), "incl %eax");
  EXPECT_EQ(rangeOf("x86_64-linux-gnu", "skylake", ".macro m r\nincl \\r\n.endm\nm %eax # call\n", 0), "m %eax");
}

} // namespace
} // namespace analysis
