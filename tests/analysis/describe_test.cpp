// What is sent of a simulation: its numbers and the first rows of its timeline; and from the buffer's text on what is
// sent of single instructions: costs, waits, whose results they read, the chain.
#include "analysis/job/analyzer.h"
#include "analysis/verdict/describe.h"
#include "lsp/wording/timeline_text.h"
#include "mca-core/views/text.h"
#include "tests/shown.h"

#include <gtest/gtest.h>
#include <sstream>

namespace analysis {
namespace {

Shown analyse(const std::string &text, wire::Settings settings = {}) {
  const wire::AnalyzeRequest request{.id = 1, .path = "/nowhere/a.s", .text = text, .settings = std::move(settings)};
  return shown(Analyzer().run(request, {}, [](const wire::Progress &) {}), text);
}

const std::string kSkylake = "# mca: triple=x86_64-unknown-linux-gnu cpu=skylake\n";

using Positions = std::vector<uint32_t>;

TEST(Details, OfEachInstruction) {
  const std::string text = kSkylake + "imull  %ecx, %eax # why\n addl %edx, %eax; incl\t%esi\n";
  const Shown result = analyse(text);
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
  const Shown result = analyse(
      kSkylake + "# LLVM-MCA-BEGIN\nimull %ecx, %eax\n# LLVM-MCA-LATENCY 9\nimull %ecx, %ebx\n# LLVM-MCA-END\n");
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].body.size(), 2u);
  EXPECT_EQ(result.regions[0].body[0].latency, 3u);
  EXPECT_EQ(result.regions[0].body[1].latency, 9u);
}

TEST(Details, LoadsAreTold) {
  const Shown result = analyse(kSkylake + "addl (%rdi), %eax\nmovl %eax, (%rsi)\n");
  ASSERT_EQ(result.regions.size(), 1u);
  ASSERT_EQ(result.regions[0].body.size(), 2u);
  EXPECT_TRUE(result.regions[0].body[0].loads);
  EXPECT_FALSE(result.regions[0].body[1].loads);
}

TEST(Details, WhatIsNoPartOfTheReportIsNone) {
  // The second line has no scheduling data on this CPU: positions count without it.
  const std::string text = "# mca: triple=riscv64-unknown-linux-gnu cpu=rocket-rv64 features=+v\n"
                           "addi a0, a0, 1\nvle32.v v8, (a0)\nadd a0, a0, a1\n";
  const Shown result = analyse(text);
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

bool tellsWaits(const ShownRegion &region) {
  return !region.body.empty() && !region.body.back().waits.empty();
}

TEST(Details, AreToldInTheOrderOfTheTextWhileThereIsRoom) {
  const Shown result = analyse(manyRegions(14, 4000), {.iterations = 1});
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
  const auto run = [&] { return shown(analyzer.run(request, {}, [](const wire::Progress &) {}), request.text); };
  EXPECT_TRUE(tellsWaits(run().regions[1]));
  // The same regions with one more: their waits are known and yet not sent.
  request.text = manyRegions(3, 4000);
  EXPECT_FALSE(tellsWaits(run().regions[1]));
}

TEST(Details, TheRangeOfAnInstructionsText) {
  const auto rangeOf = [](const char *triple, const char *cpu, const std::string &text, uint32_t index) {
    const Shown result = analyse(text, {.cpu = cpu, .triple = triple});
    EXPECT_EQ(result.regions.size(), 1u);
    const wire::ByteRange range = result.regions.at(0).body.at(index).at;
    return text.substr(range.begin, range.end - range.begin);
  };
  const char *const kArm = "aarch64-unknown-linux-gnu";
  EXPECT_EQ(rangeOf(kArm, "neoverse-v2", "  add x0, x0, #1 // one\n", 0), "add x0, x0, #1");
  EXPECT_EQ(rangeOf(kArm, "neoverse-v2", "add x0, x0, #1;sub x1, x1, #2", 1), "sub x1, x1, #2");
  EXPECT_EQ(rangeOf("x86_64-linux-gnu", "skylake", "l: incl %eax /* c */\r\n", 0), "incl %eax");
  EXPECT_EQ(rangeOf("x86_64-linux-gnu", "skylake", ".macro m r\nincl \\r\n.endm\nm %eax # call\n", 0), "m %eax");
}

// ---- a report made for it ------------------------------------------------------------------------------------------

/// Of 100 iterations, which last as long as this at their steady rate, and 7 cycles to run up.
ReportCache::CachedSimulation simulated(uint64_t cycles, uint64_t instructions) {
  mca::Report report;
  report.summary = {.iterations = 100,
                    .instructions = instructions,
                    .cycles = cycles + 7,
                    .microOps = 2 * instructions,
                    .dispatchWidth = 6,
                    .rate = {cycles, 100}};
  report.instructions.resize(instructions / 100);
  ReportCache::CachedSimulation made;
  made.simulation = mca::Simulation{.report = std::move(report)};
  return made;
}

TEST(Describe, NumbersAreOfTheSteadyLoop) {
  const wire::Simulation sent = describe(simulated(400, 900), {}, false);
  EXPECT_EQ(sent.instructions, 9u);
  EXPECT_EQ(sent.cyclesPerIteration, 4);
  EXPECT_EQ(sent.ipc, 2.25);
  EXPECT_EQ(sent.iterations, 100u);
  EXPECT_EQ(sent.dispatchWidth, 6u);
  EXPECT_EQ(sent.cycles, 407u) << "with those of the run-up, as the rest";
  EXPECT_EQ(sent.microOps, 1800u);
  EXPECT_DOUBLE_EQ(sent.averageIpc, 900.0 / 407);
  EXPECT_DOUBLE_EQ(sent.averageMicroOpsPerCycle, 1800.0 / 407);
}

TEST(Describe, ARegionWithoutCyclesDividesByNothing) {
  const wire::Simulation sent = describe(simulated(0, 0), {}, false);
  EXPECT_EQ(sent.cyclesPerIteration, 0);
  EXPECT_EQ(sent.ipc, 0);
}

TEST(Describe, WhatTheCyclesWouldBeIfLoadsWaitedForStores) {
  ReportCache::CachedSimulation known = simulated(400, 800);
  mca::Report &report = (*known.simulation).report;
  EXPECT_FALSE(describe(known, {.memory = true}, false).loadsAndStores);
  EXPECT_EQ(describe(known, {.memory = true}, false).orderedCycles, -1) << "not simulated";
  report.instructions[0].mayLoad = true;
  EXPECT_FALSE(loadsAndStores(report));
  report.instructions[1].mayStore = true;
  EXPECT_TRUE(loadsAndStores(report));
  known.ordered = mca::Summary{.iterations = 100, .rate = {700, 100}};
  EXPECT_TRUE(describe(known, {.memory = true}, false).loadsAndStores);
  EXPECT_EQ(describe(known, {.memory = true}, false).orderedCycles, 7);
  EXPECT_EQ(describe(known, {}, false).orderedCycles, -1) << "not asked for";
}

TEST(Describe, WhatIsKnownAndNotAskedForIsNotTold) {
  ReportCache::CachedSimulation known = simulated(400, 200);
  known.limit = {.cyclesPerIteration = 3,
                 .chain = {{.from = 0, .to = 0, .iterations = 1, .cycles = 3, .name = "%eax"}}};
  known.links = {{.from = 0, .to = 1}};
  known.waits.emplace().instructions = {{}, {500, {{.kind = mca::WaitKind::Register, .cycles = 500}}}};
  const wire::Simulation whole = describe(known, {.waits = true, .instructions = true}, false);
  ASSERT_EQ(whole.body.size(), 2u);
  EXPECT_EQ(whole.body[1].needs, Positions{0});
  EXPECT_EQ(whole.body[1].waits.size(), 1u);
  EXPECT_EQ(whole.chainCycles, 3);
  EXPECT_EQ(whole.chain, (std::vector<wire::ChainLink>{{0, "%eax", 3, 1}}));
  const wire::Simulation brief = describe(known, {.waits = true}, false);
  EXPECT_TRUE(brief.body.empty());
  EXPECT_TRUE(brief.chain.empty());
  EXPECT_EQ(brief.chainCycles, 0);
  EXPECT_TRUE(describe(known, {.instructions = true}, false).body.at(1).waits.empty());
}

/// Each instance is dispatched a cycle after the one before and executes for two.
ReportCache::CachedSimulation withTimeline(size_t instructions, uint32_t iterations) {
  ReportCache::CachedSimulation known = simulated(400, 100 * instructions);
  mca::Report &report = (*known.simulation).report;
  for (size_t i = 0; i < instructions; ++i)
    report.instructions[i].text = "op" + std::to_string(i) + "\t%eax";
  mca::Timeline &timeline = report.timeline.emplace();
  timeline.iterations = iterations;
  timeline.waits.resize(instructions);
  for (size_t i = 0; i < instructions * iterations; ++i) {
    const auto cycle = static_cast<int64_t>(i);
    timeline.entries.push_back({cycle, cycle, cycle + 1, cycle + 2, cycle + 3});
  }
  return known;
}

TEST(Describe, TheTimelineHasWholeIterationsInTenRows) {
  const auto rows = [](size_t instructions, uint32_t iterations) {
    return describe(withTimeline(instructions, iterations), {}, false).timeline.size();
  };
  EXPECT_EQ(rows(1, 10), 10u);
  EXPECT_EQ(rows(1, 2), 2u) << "there are no more";
  EXPECT_EQ(rows(3, 10), 9u);
  EXPECT_EQ(rows(6, 10), 6u);
  EXPECT_EQ(rows(10, 10), 10u);
  EXPECT_EQ(rows(5000, 10), 10u) << "of one iteration what there is room for";
  EXPECT_EQ(rows(0, 10), 0u);
}

TEST(Describe, ARowOfTheTimelineIsAnInstance) {
  const wire::Simulation sent = describe(withTimeline(3, 10), {}, false);
  ASSERT_EQ(sent.timeline.size(), 9u);
  EXPECT_EQ(sent.timeline[4],
            (wire::DrawnRow{.iteration = 1, .instruction = 1, .cells = ".   DeER  ..", .text = "op1 %eax"}));
  EXPECT_EQ(sent.timelineCycles, 12u);
}

TEST(Describe, TheTimelineEndsBeforeWhatWasNotSimulatedToItsEnd) {
  ReportCache::CachedSimulation known = withTimeline(1, 10);
  std::vector<mca::TimelineEntry> &entries = (*known.simulation).report.timeline->entries;
  entries[6].retired = 0;
  EXPECT_EQ(describe(known, {}, false).timeline.size(), 6u);
  entries[4] = {};
  EXPECT_EQ(describe(known, {}, false).timeline.size(), 4u) << "not dispatched";
}

TEST(Describe, AHoverDrawsWhatLlvmMcaDraws) {
  for (const mca::TimelineEntry entry : {mca::TimelineEntry{0, 1, 1, 2, 3},
                                         {7, 8, 9, 12, 16},
                                         {3, 3, 3, 3, 3},
                                         {2, 4, 4, 5, 5},
                                         {0, 0, 0, 4, 5},
                                         {6, 9, 9, 11, 30},
                                         {1, 1, 1, 9, 4}}) {
    ReportCache::CachedSimulation known = withTimeline(1, 1);
    (*known.simulation).report.timeline->entries = {entry};
    std::istringstream rows(lsp::wording::timelineForHover(describe(known, {}, false)));
    std::string row;
    std::getline(std::getline(rows, row), row);
    const std::string drawn = mca::timelineCells(entry, static_cast<uint64_t>(entry.retired));
    const auto columns = static_cast<size_t>(entry.retired) + 1;
    EXPECT_EQ(row.substr(8, row.rfind("  op0") - 8),
              drawn.size() <= columns ? drawn : drawn.substr(0, columns - 1) + ">");
  }
}

} // namespace
} // namespace analysis
