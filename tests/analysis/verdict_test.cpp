// What limits a region: the rules, on reports made for them. A report here is of 100 iterations.
#include "analysis/verdict/verdict.h"
#include "lsp/wording/verdict_text.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Kind = wire::Verdict::Kind;

/// What a verdict says of each of its witnesses.
struct Role {
  uint32_t instruction = 0;
  std::string message;
};

/// A verdict with its words.
struct Verdict {
  Kind kind = Kind::None; ///< None if no limit takes nearly all cycles
  std::string limit, sentence;
  std::vector<Role> witnesses;
};

Verdict judged(const Evidence &evidence) {
  const wire::Verdict verdict = judge(evidence);
  Verdict inWords{verdict.isLargest ? Kind::None : verdict.kind,
                  lsp::wording::limitOf(verdict),
                  lsp::wording::sentenceOf(verdict, 1),
                  {}};
  for (const wire::Verdict::Witness &witness : verdict.witnesses)
    inWords.witnesses.push_back({witness.instruction, lsp::wording::roleOf(witness, verdict, 1)});
  return inWords;
}

/// A report of two instructions on a machine with the units A, B.0 and B.1.
mca::Report reportOf(uint64_t cycles, std::vector<double> pressure = {0, 0, 0}) {
  mca::Report report;
  report.summary = {.iterations = 100, .instructions = 200, .microOps = 200, .dispatchWidth = 4, .rate = {cycles, 100}};
  report.instructions.resize(2);
  report.pressure.units = {{"A", 1, 0, 1}, {"B", 2, 0, 2}, {"B", 2, 1, 2}};
  report.pressure.byInstruction = {pressure[0], 0, pressure[2], 0, pressure[1], 0};
  report.pressure.perIteration = std::move(pressure);
  return report;
}

/// A loop-carried chain of that many cycles per iteration through both instructions.
mca::DataflowLimit chainOf(double cycles) {
  return {.cyclesPerIteration = cycles,
          .chain = {{.from = 0, .to = 1, .cycles = 1, .name = "%eax"},
                    {.from = 1, .to = 0, .iterations = 1, .cycles = 4, .name = "%xmm0"}}};
}

Verdict judge(const mca::Report &report, const mca::DataflowLimit &limit) {
  return judged({.report = report, .limit = &limit});
}

/// Instructions with these texts, that use the unit A for so many cycles each.
mca::Report usersOfA(const std::vector<std::pair<std::string, double>> &users) {
  mca::Report report = reportOf(1000);
  report.instructions.resize(users.size());
  report.pressure.byInstruction.assign(users.size() * 3, 0);
  for (size_t i = 0; i < users.size(); ++i) {
    report.instructions[i].text = users[i].first;
    report.pressure.byInstruction[i * 3] = users[i].second;
    report.pressure.perIteration[0] += users[i].second;
  }
  return report;
}

TEST(Verdict, WithoutALimitTheLargestIsNamedWithItsShare) {
  const Verdict verdict = judge(reportOf(1000), {});
  EXPECT_EQ(verdict.kind, Kind::None);
  EXPECT_EQ(verdict.limit, "") << "a hint names only what takes nearly all cycles";
  EXPECT_EQ(verdict.sentence, "no single limit, largest: dispatch 5 %: 2.0 micro-ops, at most 4 per cycle, take 0.5 of "
                              "10.0 cycles per iteration");
  EXPECT_TRUE(verdict.witnesses.empty());
}

TEST(Verdict, TheLargestIsWhateverTakesMostCycles) {
  EXPECT_EQ(judge(reportOf(1000, {3, 6.2, 6.15}), chainOf(5)).sentence,
            "no single limit, largest: B 62 %: 2 instructions keep both units of B busy in 6.2 of 10.0 cycles per "
            "iteration");
  EXPECT_EQ(judge(reportOf(1000, {3, 6.2, 4}), chainOf(5)).sentence,
            "no single limit, largest: B.0 62 %: 1 instruction keeps B.0 busy in 6.2 of 10.0 cycles per iteration");
  EXPECT_EQ(judge(reportOf(1000, {3, 6.2, 4}), chainOf(7)).sentence,
            "no single limit, largest: dep 70 %: a loop-carried chain through xmm0 takes 7.0 of 10.0 cycles per "
            "iteration");
  const Verdict busy = judge(reportOf(1000, {3, 6.2, 4}), {});
  ASSERT_EQ(busy.witnesses.size(), 1u);
  EXPECT_EQ(busy.witnesses[0].message, "B.0 for 6.20 cycles");
}

TEST(Verdict, ResourceFromNineTenthsOn) {
  EXPECT_EQ(judge(reportOf(1000, {9.1, 0, 0}), {}).kind, Kind::Resource);
  EXPECT_EQ(judge(reportOf(1000, {8.9, 0, 0}), {}).kind, Kind::None);
}

TEST(Verdict, ResourceNamesUnitNumbersAndUsers) {
  const Verdict verdict = judge(reportOf(1000, {0, 10, 0}), {});
  EXPECT_EQ(verdict.sentence, "limited by B.0: 1 instruction keeps it busy in 10.0 of 10.0 cycles per iteration");
  EXPECT_EQ(verdict.limit, "B.0");
  ASSERT_EQ(verdict.witnesses.size(), 1u);
  EXPECT_EQ(verdict.witnesses[0].instruction, 1u);
  EXPECT_EQ(verdict.witnesses[0].message, "B.0 for 10.00 cycles");
}

TEST(Verdict, ResourceNamesTheBusiestFirst) {
  const Verdict verdict = judge(reportOf(1000, {9.8, 9.2, 0}), {});
  EXPECT_TRUE(verdict.sentence.starts_with("limited by A and B.0: 2 instructions keep them busy in 9.8 of 10.0"))
      << verdict.sentence;
  EXPECT_EQ(verdict.limit, "A,B.0");
}

TEST(Verdict, AllUnitsOfAResourceAreTheResource) {
  const Verdict verdict = judge(reportOf(1000, {9.2, 9.6, 9.4}), {});
  EXPECT_TRUE(verdict.sentence.starts_with("limited by both units of B and A: ")) << verdict.sentence;
  EXPECT_EQ(verdict.limit, "B,A");
}

TEST(Verdict, ResourceNamesAMnemonicThatMakesUpHalfOfTheUse) {
  const auto sentence = [](const std::vector<std::pair<std::string, double>> &users) {
    return judge(usersOfA(users), {}).sentence;
  };
  EXPECT_EQ(sentence({{"vpshufd\t$1, %xmm0", 5}, {"vpshufd\t$2, %xmm1", 5}}),
            "limited by A: 2 vpshufd keep it busy in 10.0 of 10.0 cycles per iteration");
  EXPECT_EQ(sentence({{"addl\t%eax", 3}, {"divss\t%xmm0", 7}}),
            "limited by A: 1 divss and 1 other keep it busy in 10.0 of 10.0 cycles per iteration");
  EXPECT_EQ(sentence({{"addl\t%eax", 3}, {"subl\t%eax", 3}, {"orl\t%eax", 4}}),
            "limited by A: 3 instructions keep it busy in 10.0 of 10.0 cycles per iteration");
  EXPECT_EQ(sentence({{"nop", 0.1}, {"divss\t%xmm0", 9.9}}),
            "limited by A: 1 divss keeps it busy in 10.0 of 10.0 cycles per iteration")
      << "what hardly uses it is not counted";
}

TEST(Verdict, EachInstructionNamesTheUnitsThatItUses) {
  mca::Report report = reportOf(1000, {9.5, 9.5, 9.5});
  report.pressure.byInstruction = {0.5, 0.25, 0.04, 0, 1, 1};
  const Verdict verdict = judge(report, {});
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].message, "B.0 for 1.00 and B.1 for 1.00 cycles");
  EXPECT_EQ(verdict.witnesses[1].message, "A for 0.50 and B.0 for 0.25 cycles") << "B.1 is hardly used";
}

TEST(Verdict, OfManyUnitsThreeAreNamed) {
  mca::Report report = reportOf(1000);
  report.pressure.units = {{"A", 1, 0, 1}, {"B", 2, 0, 1}, {"C", 3, 0, 1}, {"D", 4, 0, 1}, {"E", 5, 0, 1}};
  report.pressure.perIteration = {9.1, 9.2, 9.3, 9.4, 9.5};
  report.pressure.byInstruction = {1, 1, 1, 1, 1, 0.5, 0.5, 1, 0.5, 0};
  const Verdict verdict = judge(report, {});
  EXPECT_EQ(verdict.limit, "E,D,C,B,A");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].message, "E for 1.00, D for 1.00 and C for 1.00 cycles, and 2 more units");
  EXPECT_EQ(verdict.witnesses[1].message, "C for 1.00, D for 0.50 and B for 0.50 cycles, and 1 more unit");
}

TEST(Verdict, DispatchFromNineTenthsOn) {
  mca::Report report = reportOf(1000);
  report.summary.microOps = 3700; // 37 an iteration, 9.25 cycles at four a cycle
  const Verdict verdict = judge(report, {});
  EXPECT_EQ(verdict.kind, Kind::Dispatch);
  EXPECT_EQ(verdict.sentence,
            "limited by dispatch: 37.0 micro-ops, at most 4 per cycle, take 9.3 of 10.0 cycles per iteration");
  report.summary.microOps = 3500;
  EXPECT_EQ(judge(report, {}).kind, Kind::None);
}

TEST(Verdict, DispatchCountsTheSlotsThatGroupsLeaveEmpty) {
  mca::Report report = reportOf(1000);
  report.summary.microOps = 3500;
  const Verdict verdict = judged({.report = report, .dispatch = {29, 3}});
  EXPECT_EQ(verdict.kind, Kind::Dispatch);
  EXPECT_EQ(verdict.sentence, "limited by dispatch: 35.0 micro-ops, at most 4 per cycle and some only together, take "
                              "9.7 of 10.0 cycles per iteration");
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
  EXPECT_EQ(verdict.sentence, "limited by a loop-carried chain through xmm0: 9.1 of 10.0 cycles per iteration");
  EXPECT_EQ(verdict.limit, "dep");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].message, "eax after 1 cycle");
  EXPECT_EQ(verdict.witnesses[1].instruction, 1u);
  EXPECT_EQ(verdict.witnesses[1].message, "xmm0 after 4 cycles, for the next iteration");
  EXPECT_EQ(judge(reportOf(1000), chainOf(8.9)).kind, Kind::None);
}

TEST(Verdict, AChainThroughMemoryIsMemorys) {
  mca::DataflowLimit limit = chainOf(9.1);
  limit.chain[1] = {.from = 1, .to = 0, .iterations = 1, .cycles = 4, .isMemory = true};
  const Verdict verdict = judge(reportOf(1000), limit);
  EXPECT_EQ(verdict.kind, Kind::Memory);
  EXPECT_EQ(verdict.limit, "mem");
  EXPECT_EQ(verdict.sentence, "limited by a loop-carried chain through memory: 9.1 of 10.0 cycles per iteration");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].message, "eax after 1 cycle");
  EXPECT_EQ(verdict.witnesses[1].message, "memory after 4 cycles, for the next iteration");
  limit.cyclesPerIteration = 7;
  EXPECT_EQ(judge(reportOf(1000), limit).sentence, "no single limit, largest: mem 70 %: a loop-carried chain through "
                                                   "memory takes 7.0 of 10.0 cycles per iteration");
}

/// Both instructions of a report wait for memory order, so many cycles per iteration each: the second one for the
/// first, and the first one for `by`.
mca::Waits waitsOf(double cycles, uint32_t by) {
  const auto wait = [&](uint32_t producer) {
    mca::InstructionWaits waits;
    waits.cycles = static_cast<uint64_t>(cycles * 100);
    if (producer != mca::kNoInstruction)
      waits.reasons = {{.kind = mca::WaitKind::Memory, .by = producer, .cycles = waits.cycles}};
    return waits;
  };
  return {.instructions = {wait(by), wait(0)}, .segments = {}};
}

TEST(Verdict, MemoryFromNineTenthsOn) {
  mca::Report report = reportOf(1000);
  report.instructions[0] = {.text = "mfence", .mayLoad = true, .mayStore = true};
  const mca::Waits waits = waitsOf(9.1, 1), less = waitsOf(8.9, 1);
  const Verdict verdict = judged({.report = report, .waits = &waits});
  EXPECT_EQ(verdict.kind, Kind::Memory);
  EXPECT_EQ(verdict.limit, "mem");
  EXPECT_EQ(verdict.sentence,
            "limited by memory order: mfence waits for an earlier load in 9.1 of 10.0 cycles per iteration");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(judged({.report = report, .waits = &less}).kind, Kind::None);
}

TEST(Verdict, MemoryOrderThatDoesNotRecurIsNoLimit) {
  const mca::Report report = reportOf(1000);
  const mca::Waits waits = waitsOf(9.1, mca::kNoInstruction);
  EXPECT_EQ(judged({.report = report, .waits = &waits}).kind, Kind::None);
  const std::vector<mca::DataLink> links{{.from = 1, .to = 0, .iterations = 1}};
  EXPECT_EQ(judged({.report = report, .waits = &waits, .links = links}).kind, Kind::Memory)
      << "a register closes the circle";
}

TEST(Verdict, MemoryOrderThatRecursMayNotBeTheLongestWait) {
  mca::Report report = reportOf(1000);
  report.instructions.resize(3);
  report.pressure.byInstruction.resize(9);
  report.instructions[2].text = "movl\t(%rdi), %eax";
  mca::Waits waits = waitsOf(9.1, 1);
  waits.instructions.push_back({1000, {{.kind = mca::WaitKind::Memory, .by = 0, .cycles = 1000}}});
  const Verdict verdict = judged({.report = report, .waits = &waits});
  EXPECT_EQ(verdict.kind, Kind::Memory);
  ASSERT_FALSE(verdict.witnesses.empty());
  EXPECT_NE(verdict.witnesses[0].instruction, 2u) << "nothing waits for it";
}

TEST(Verdict, RegistersComeBeforeMemory) {
  const mca::Report report = reportOf(1000);
  const mca::Waits waits = waitsOf(9.1, 1);
  const mca::DataflowLimit limit = chainOf(10);
  EXPECT_EQ(judged({.report = report, .limit = &limit, .waits = &waits}).kind, Kind::Registers);
}

/// Both instructions wait before dispatch, in so many cycles of the run.
mca::Waits waitsForRoom(uint64_t first, uint64_t second, mca::WaitKind kind) {
  const auto wait = [&](uint64_t cycles) { return mca::InstructionWaits{cycles, {{.kind = kind, .cycles = cycles}}}; };
  return {.instructions = {wait(first), wait(second)}, .segments = {}};
}

TEST(Verdict, BuffersIfLargerOnesMakeItFaster) {
  mca::Report report = reportOf(1000);
  report.summary.cycles = 1000;
  report.instructions[1].text = "divss\t%xmm1, %xmm0";
  const mca::Waits waits = waitsForRoom(150, 800, mca::WaitKind::RetireTokens);
  mca::Summary roomy{.rate = {700, 100}};
  const Verdict verdict = judged({.report = report, .waits = &waits, .roomy = &roomy});
  EXPECT_EQ(verdict.kind, Kind::Buffer);
  EXPECT_EQ(verdict.limit, "ROB");
  EXPECT_EQ(verdict.sentence,
            "limited by the size of the reorder buffer: dispatch waits for room in 9.5 of 10.0 cycles "
            "per iteration; 7.0 with larger buffers");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].instruction, 1u);
  EXPECT_EQ(verdict.witnesses[0].message, "waits 8.0 cycles for room in the reorder buffer");
  const mca::Waits less = waitsForRoom(100, 700, mca::WaitKind::SchedulerFull);
  EXPECT_EQ(
      judged({.report = report, .waits = &less, .roomy = &roomy}).sentence,
      "no single limit, largest: sched 80 %: dispatch waits for room in 8.0 of 10.0 cycles per iteration; 7.0 with "
      "larger buffers");
  roomy.rate = {950, 100};
  EXPECT_EQ(judged({.report = report, .waits = &waits, .roomy = &roomy}).kind, Kind::None) << "they hardly help";
}

TEST(Verdict, LargerBuffersAreOnlyTriedWhereTheyMayHelp) {
  mca::Report report = reportOf(1000, {8, 0, 0});
  report.summary.cycles = 1000;
  const mca::Waits often = waitsForRoom(100, 450, mca::WaitKind::SchedulerFull),
                   seldom = waitsForRoom(100, 350, mca::WaitKind::SchedulerFull),
                   units = waitsForRoom(100, 800, mca::WaitKind::Resource);
  EXPECT_TRUE(mayLackRoom({.report = report, .waits = &often}));
  EXPECT_FALSE(mayLackRoom({.report = report, .waits = &seldom}));
  EXPECT_FALSE(mayLackRoom({.report = report, .waits = &units}));
  EXPECT_FALSE(mayLackRoom({.report = report}));
  EXPECT_FALSE(mayLackRoom({.report = report, .waits = &often, .inOrder = true}));
  report.pressure.perIteration[0] = 10;
  EXPECT_FALSE(mayLackRoom({.report = report, .waits = &often})) << "the unit limits it";
}

/// A report of 1,000 cycles in 100 iterations of an in-order CPU, at a rate of 9 cycles.
mca::Report inOrderReport() {
  mca::Report report = reportOf(900);
  report.summary.cycles = 1000;
  report.instructions[0].text = "ld\ta0, 0(a1)";
  report.instructions[1].text = "add\ta2, a2, a0";
  return report;
}

/// The second instruction waits so many cycles, all iterations together, the first one for its result 100.
mca::Waits inOrderWaits(mca::WaitReason reason, uint64_t cycles) {
  reason.cycles = cycles;
  return {.instructions = {{100, {{.kind = mca::WaitKind::Register, .what = "a1", .cycles = 100}}}, {cycles, {reason}}},
          .segments = {}};
}

TEST(Verdict, InOrderWhatIsWaitedForInHalfOfTheCycles) {
  const mca::Report report = inOrderReport();
  const auto judgedFor = [&](const mca::WaitReason &reason, uint64_t cycles, bool inOrder = true) {
    const mca::Waits waits = inOrderWaits(reason, cycles);
    return judged({.report = report, .waits = &waits, .inOrder = inOrder});
  };
  const mca::WaitReason load{.kind = mca::WaitKind::Register, .what = "a0", .by = 0};
  const Verdict verdict = judgedFor(load, 600);
  EXPECT_EQ(verdict.kind, Kind::Stall);
  EXPECT_EQ(verdict.limit, "dep");
  EXPECT_EQ(verdict.sentence, "limited by register dependencies: instructions wait in 6.3 of 9.0 cycles per iteration, "
                              "longest add for a0");
  ASSERT_EQ(verdict.witnesses.size(), 2u);
  EXPECT_EQ(verdict.witnesses[0].instruction, 1u);
  EXPECT_EQ(verdict.witnesses[0].message, "waits 5.4 cycles for a0");
  EXPECT_EQ(judgedFor(load, 600, /*inOrder=*/false).kind, Kind::None) << "others go on";
  EXPECT_EQ(judgedFor({.kind = mca::WaitKind::WriteBack, .by = 0}, 450).kind, Kind::None);
  const Verdict units = judgedFor({.kind = mca::WaitKind::Resource, .what = "CortexA55UnitLd, CortexA55UnitSt"}, 600);
  EXPECT_EQ(units.limit, "Ld");
  EXPECT_EQ(units.sentence.substr(0, 53), "limited by busy units: instructions wait in 5.4 of 9.");
  EXPECT_EQ(judgedFor({.kind = mca::WaitKind::Memory, .by = 0}, 600).limit, "mem");
  EXPECT_EQ(judgedFor({.kind = mca::WaitKind::WriteBack, .by = 0}, 600).limit, "order");
  EXPECT_EQ(judgedFor({.kind = mca::WaitKind::TargetRule}, 600).limit, "rule");
}

TEST(Verdict, InOrderTheLargestIsWhatIsWaitedForMost) {
  const mca::Report report = inOrderReport();
  const mca::Waits waits = inOrderWaits({.kind = mca::WaitKind::WriteBack, .by = 0}, 450);
  const mca::DataflowLimit chain = chainOf(6);
  const Verdict verdict = judged({.report = report, .limit = &chain, .waits = &waits, .inOrder = true});
  EXPECT_EQ(verdict.kind, Kind::None);
  EXPECT_EQ(verdict.sentence,
            "no single limit, largest: dispatch 45 %: nothing waits in 4.1 of 9.0 cycles per iteration");
  const mca::Waits more = inOrderWaits({.kind = mca::WaitKind::WriteBack, .by = 0}, 460);
  EXPECT_EQ(judged({.report = report, .limit = &chain, .waits = &more, .inOrder = true}).sentence,
            "no single limit, largest: order 46 %: instructions wait for the order in which results are written in 4.1 "
            "of 9.0 cycles per iteration, longest add for an earlier instruction to write its result");
}

TEST(Verdict, InOrderWithoutWaitsItIsTheIssueWidth) {
  const mca::Report report = inOrderReport();
  const mca::Waits waits = inOrderWaits({.kind = mca::WaitKind::WriteBack}, 300);
  const Verdict verdict = judged({.report = report, .waits = &waits, .inOrder = true});
  EXPECT_EQ(verdict.kind, Kind::IssueWidth);
  EXPECT_EQ(verdict.sentence, "limited by the issue width: nothing waits in 5.4 of 9.0 cycles per iteration, 2.0 "
                              "micro-ops at 4 per cycle");
}

TEST(Verdict, NeedsSomeIterations) {
  mca::Report report = reportOf(90, {10, 0, 0});
  report.summary.iterations = 9;
  EXPECT_EQ(judge(report, {}).kind, Kind::None);
}

TEST(Verdict, OfAnEmptyReport) {
  EXPECT_EQ(judge(mca::Report(), {}).kind, Kind::None);
}

} // namespace
} // namespace analysis
