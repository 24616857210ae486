// Walks with odds: the frequencies that they ask for, and what the predictor of odds gets wrong.
#include "mca-core/report/trace_simulation.h"
#include "mca-core/trace/static_odds.h"
#include "tests/mca-core/parsed.h"

#include <cmath>
#include <map>

namespace mca {
namespace {

struct Odds : testing::Test {
  void parse(std::string text, const char *triple = kX86, const char *cpu = "skylake") {
    branches.reset();
    parsed = std::make_unique<Parsed>(triple, cpu, std::move(text));
    EXPECT_EQ(parsed->diagnostics(), Strings{});
    branches = std::make_unique<ProgramBranches>(*parsed->target, *parsed->program);
  }
  uint32_t onLine(uint32_t line) const { return branches->firstOnLine(line); }
  TraceScope scope(uint32_t firstLine, uint32_t lastLine) const {
    TraceScope scope{.header = onLine(firstLine)};
    for (uint32_t i = 0; i < branches->size(); ++i)
      if (branches->lineOf(i) >= firstLine && branches->lineOf(i) <= lastLine)
        scope.instructions.push_back(i);
    return scope;
  }
  BranchOdds odds(uint32_t line, double taken, bool isUncertain = true) const {
    return {.branch = onLine(line), .taken = taken, .isUncertain = isUncertain, .targets = {}};
  }
  std::vector<TraceStep> walk(const TraceScope &scope, const std::vector<BranchOdds> &odds, OddsLimits limits) const {
    OddsWalk walk(*branches, scope, odds, limits);
    std::vector<TraceStep> steps;
    for (TraceStep step; walk.next(step);)
      steps.push_back(step);
    return steps;
  }
  /// The lines that a walk executes.
  std::string lines(const std::vector<TraceStep> &steps) const {
    std::string all;
    for (const TraceStep &step : steps)
      all += std::to_string(branches->lineOf(step.instruction)) + " ";
    return all;
  }
  TraceReport simulate(const TraceScope &scope, const std::vector<BranchOdds> &odds,
                       const TraceSettings &settings = {}) const {
    Simulator simulator(*parsed->target);
    auto prepared = prepareOdds(simulator, *parsed->target, *parsed->program, *branches, scope, odds, {}, settings, {});
    const auto *error = std::get_if<TraceError>(&prepared);
    EXPECT_FALSE(error) << error->message;
    auto report = runTrace(std::get<PreparedTrace>(prepared), simulator);
    EXPECT_TRUE(report);
    return std::move(*report);
  }

  std::unique_ptr<Parsed> parsed;
  std::unique_ptr<ProgramBranches> branches;
};

/// Two independent branches in a loop.
constexpr const char *kTwo = "f:\n.Ll:\n  je .La\n  nop\n.La:\n  jl .Lb\n  nop\n.Lb:\n  decq %rdi\n  jne .Ll\n  ret\n";

TEST_F(Odds, FrequenciesAreThoseAskedFor) {
  parse(kTwo);
  for (const double p : {0.0, 0.02, 0.1, 0.25, 0.5, 0.77, 0.99, 1.0})
    for (const double q : {0.1, 0.5}) {
      const auto steps = walk(scope(3, 10), {odds(3, p), odds(6, q), odds(10, 0.9)}, {.iterations = 640});
      double iterations = 0, first = 0, second = 0, both = 0;
      bool isFirst = false;
      for (const TraceStep &step : steps) {
        const uint32_t line = branches->lineOf(step.instruction);
        iterations += line == 3;
        first += line == 3 && step.taken;
        isFirst = line == 3 ? step.taken : isFirst;
        second += line == 6 && step.taken;
        both += line == 6 && step.taken && isFirst;
      }
      EXPECT_EQ(iterations, 640);
      // Of each 64 in a row, the number is right but for one.
      EXPECT_NEAR(first, 640 * p, 10);
      EXPECT_NEAR(second, 640 * q, 10);
      EXPECT_NEAR(both, 640 * p * q, 4 * std::sqrt(640 * p * q + 1)) << "independent of each other";
    }
}

TEST_F(Odds, OutcomesFollowNoOrder) {
  parse(kTwo);
  const auto steps = walk(scope(3, 10), {odds(3, 0.5)}, {.instructions = 1'000'000, .iterations = 20'000});
  std::map<uint32_t, int> patterns; // of four outcomes
  uint32_t history = 0;
  for (const TraceStep &step : steps)
    if (step.instruction == onLine(3))
      ++patterns[history = (history * 2 + step.taken) & 15];
  double chiSquare = 0;
  for (const auto &[pattern, count] : patterns)
    chiSquare += (count - 1250.0) * (count - 1250.0) / 1250.0;
  EXPECT_EQ(patterns.size(), 16u);
  // Overlapping patterns of stratified draws: the bound is wide. Alternating outcomes would have 140,000.
  EXPECT_LT(chiSquare, 150);
}

TEST_F(Odds, WalksAreRepeatable) {
  parse(kTwo);
  const std::vector<BranchOdds> all{odds(3, 0.3), odds(6, 0.6), odds(10, 0.9)};
  const auto a = walk(scope(3, 10), all, {}), b = walk(scope(3, 10), all, {});
  EXPECT_EQ(lines(a), lines(b));
  OddsWalk walk(*branches, scope(3, 10), all);
  std::vector<TraceStep> batch(100), later(50), again(50);
  EXPECT_EQ(walk.read(batch), 100u);
  const auto copy = walk.clone();
  EXPECT_EQ(walk.read(later), 50u);
  EXPECT_EQ(copy->read(again), 50u);
  EXPECT_EQ(lines(later), lines(again));
}

TEST_F(Odds, LeavingTheLoopStartsAgain) {
  parse("f:\n.Ll:\n  je .Lout\n  call g\n  jmp .Ll\n.Lout:\n  nop\n  ret\n");
  EXPECT_EQ(lines(walk(scope(3, 5), {odds(3, 0)}, {.iterations = 2})), "3 4 5 3 4 5 ");
  EXPECT_EQ(lines(walk(scope(3, 5), {odds(3, 1)}, {.iterations = 3})), "3 3 3 ");
  EXPECT_EQ(lines(walk(scope(3, 5), {odds(3, 0)}, {.instructions = 4})), "3 4 5 3 ");
  parse("f:\n.Ll:\n  nop\n  ret\n");
  EXPECT_EQ(lines(walk(scope(3, 4), {}, {.iterations = 2})), "3 4 3 4 ") << "a return leaves it, too";
  EXPECT_EQ(lines(walk({}, {}, {})), "");
  parse(".set noreorder\nf:\n  nop\n  bnez $4, f\n  addiu $4, $4, -1\n  jr $31\n  nop\n", "mips-linux-gnu", "mips32r2");
  EXPECT_EQ(lines(walk(scope(3, 7), {odds(4, 1)}, {.iterations = 2})), "3 4 5 3 4 5 ");
  EXPECT_EQ(lines(walk(scope(3, 7), {odds(4, 0)}, {.iterations = 2})), "3 4 5 6 7 3 4 5 6 7 ");
}

TEST_F(Odds, IndirectJumps) {
  parse("f:\n  jmp *%rax\n.La:\n  jmp f\n.Lb:\n  jmp f\n.Lc:\n  jmp f\n");
  const std::vector<BranchOdds> all{
      {.branch = onLine(2), .targets = {{onLine(4), 0.5}, {onLine(6), 0.25}, {onLine(8), 0.125}}}};
  std::map<uint32_t, int> counts;
  for (const TraceStep &step : walk(scope(2, 8), all, {.iterations = 640}))
    if (step.instruction == onLine(2))
      ++counts[step.target];
  EXPECT_EQ(counts[onLine(4)], 320);
  EXPECT_EQ(counts[onLine(6)], 160);
  EXPECT_EQ(counts[onLine(8)], 80);
  EXPECT_EQ(counts[kNone], 80) << "the rest leaves the loop";
  const TraceReport report = simulate(scope(2, 8), all);
  ASSERT_EQ(report.branches.size(), 1u);
  EXPECT_NEAR(double(report.branches[0].mispredictions) / double(report.branches[0].executions), 0.5, 0.01);
}

TEST_F(Odds, TheLessLikelyWayIsMispredicted) {
  parse("f:\n.Ll:\n  movq (%rsi), %rax\n  testq %rax, %rax\n  je .La\n  incq %rdx\n.La:\n  decq %rdi\n  jne .Ll\n  "
        "ret\n");
  for (const double p : {0.0, 0.1, 0.5, 0.8, 1.0}) {
    const TraceReport report = simulate(scope(3, 9), {odds(5, p), odds(9, 0.98, false)});
    ASSERT_EQ(report.branches.size(), 2u);
    const TracedBranch &branch = report.branches[0];
    EXPECT_NEAR(double(branch.mispredictions), std::min(p, 1 - p) * double(branch.executions), 35) << p;
    EXPECT_EQ(report.branches[1].mispredictions, 0u) << "not uncertain";
    EXPECT_EQ(report.iterations, 2000u);
    EXPECT_EQ(report.predictor, "odds");
    if (branch.mispredictions) {
      EXPECT_GT(branch.cost.value_or(0), 10);
      EXPECT_NEAR(double(report.run.cycles - report.perfectCycles), *branch.cost * double(branch.mispredictions),
                  0.1 * double(report.run.cycles));
    } else {
      EXPECT_EQ(report.perfectCycles, report.run.cycles);
    }
  }
}

TEST_F(Odds, MeasurementsAndBoundsComeFirst) {
  parse(kTwo);
  const std::vector<BranchOdds> all{odds(3, 0.5), odds(6, 0.5), odds(10, 1)};
  const TraceReport measured =
      simulate(scope(3, 10), all, {.measured = {{.instruction = onLine(3), .executions = 100, .mispredictions = 7}}});
  EXPECT_EQ(measured.branches[0].mispredictions, 140u);
  EXPECT_NEAR(double(measured.branches[1].mispredictions), 1000, 20);
  EXPECT_EQ(simulate(scope(3, 10), all, {.predictor = PredictorKind::Perfect}).mispredictions, 0u);
  const TraceReport none = simulate(scope(3, 10), all, {.predictor = PredictorKind::None});
  EXPECT_EQ(none.mispredictions, 6000u);
}

TEST_F(Odds, OfTheCodeAlone) {
  parse("  .type f,@function\nf:\n.Lo:\n.Ll:\n  je .Lskip\n  nop\n.Lskip:\n  jl .Lout\n"            // 8
        "  jb .Lbad\n  decq %rdi\n  jne .Ll\n  jns .Lo\n.Lout:\n  jp .Lend\n  nop\n.Lend:\n  ret\n" // 17
        ".Lbad:\n  call abort@PLT\n"
        "  .type g,@function\ng:\n  jne .Lok\n  ud2\n.Lok:\n  jmpq *.LT(,%rax,8)\n.L1:\n  ret\n.L2:\n  ret\n" // 29
        "  .section .rodata\n.LT:\n  .quad .L1\n  .quad .L2\n");
  std::map<uint32_t, BranchOdds> byLine;
  for (const BranchOdds &one : staticOdds(CodeBlocks(*branches)))
    byLine[branches->lineOf(one.branch)] = one;
  EXPECT_EQ(byLine.size(), 8u);
  EXPECT_EQ(byLine[5].taken, 0.5);
  EXPECT_TRUE(byLine[5].isUncertain);
  EXPECT_EQ(byLine[8].taken, 0.1) << "out of both loops";
  EXPECT_FALSE(byLine[8].isUncertain);
  EXPECT_EQ(byLine[9].taken, 0) << "to abort";
  EXPECT_EQ(byLine[11].taken, 0.9);
  EXPECT_EQ(byLine[14].taken, 0.5) << "outside of loops";
  EXPECT_EQ(byLine[22].taken, 1) << "over ud2";
  ASSERT_EQ(byLine[25].targets.size(), 2u);
  EXPECT_EQ(byLine[25].targets[1].instruction, onLine(29));
  EXPECT_EQ(byLine[25].targets[1].probability, 0.5);
}

} // namespace
} // namespace mca
