// Runs along traces: what a mispredicted branch costs, by a rule that is written down here, and which part counts.
#include "mca-core/views/trace.h"
#include "tests/mca-core/traced.h"

#include <gtest/gtest.h>
#include <numeric>

namespace mca {
namespace {

/// Every run of a body ends with a mispredicted branch.
class MispredictedRuns final : public InstructionStream {
public:
  MispredictedRuns(size_t instructions, uint64_t runs) : positions_(instructions), left_(runs) {
    std::iota(positions_.begin(), positions_.end(), 0);
  }
  Segment next() override {
    if (!left_)
      return {};
    --left_;
    return {.instructions = positions_, .endsMispredicted = true};
  }

private:
  std::vector<uint32_t> positions_;
  uint64_t left_;
};

struct Machine {
  const char *triple;
  const char *cpu;
  const char *body;
};

constexpr const char *kX86Body =
    "movq (%rdi), %rax\nimulq %rax, %rax\naddq $8, %rsi\naddq $8, %rdi\ntestq %rax, %rax\njne .L\n.L:\n";
constexpr const char *kAArch64Body = "ldr x0, [x1]\nmul x0, x0, x0\nadd x1, x1, #8\nadd x2, x2, #8\ncbnz x0, .L\n.L:\n";
constexpr const char *kRiscvBody = "ld a0, 0(a1)\nmul a0, a0, a0\naddi a1, a1, 8\nbnez a0, .L\n.L:\n";

class RedirectRule : public testing::TestWithParam<Machine> {};

/// The reference: the next run enters the empty machine `redirect` cycles after the branch has executed. So each run
/// takes as long as the branch takes to execute in an empty machine, and the redirect.
TEST_P(RedirectRule, ARunEntersAfterTheBranchHasExecutedAndTheRedirect) {
  const Parsed parsed(GetParam().triple, GetParam().cpu, GetParam().body);
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  Simulator simulator(*parsed.target);
  auto once = simulator.simulate(*parsed.program, region, {.iterations = 1, .timeline = true});
  ASSERT_TRUE(once);
  const std::vector<TimelineEntry> &entries = once->report.timeline->entries;
  const auto untilExecuted = static_cast<uint64_t>(entries.back().executed - entries.front().dispatched);
  for (const uint32_t redirect : {0u, 1u, 13u, 40u})
    for (const uint64_t runs : {1u, 2u, 9u, 100u}) {
      PreparedRegion prepared;
      ASSERT_FALSE(simulator.prepare(*parsed.program, region, {}, prepared));
      MispredictedRuns stream(region.size(), runs);
      auto traced = simulator.run(prepared, stream, redirect);
      ASSERT_TRUE(traced);
      EXPECT_EQ(traced->cycles, once->report.summary.cycles + (runs - 1) * (untilExecuted + redirect))
          << redirect << " cycles, " << runs << " runs";
      EXPECT_EQ(traced->instructions, runs * region.size());
      EXPECT_EQ(traced->byInstruction.back().executions, runs);
      EXPECT_EQ(traced->byInstruction.back().redirects, runs - 1) << "fetching does not go on after the last one";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, RedirectRule,
    testing::Values(Machine{kX86, "skylake", kX86Body}, Machine{kX86, "znver4", kX86Body},
                    Machine{kX86, "btver2", kX86Body}, Machine{kX86, "sapphirerapids", kX86Body},
                    Machine{kX86, "atom", kX86Body}, Machine{kAArch64, "neoverse-v2", kAArch64Body},
                    Machine{kAArch64, "cortex-a55", kAArch64Body}, Machine{kAArch64, "apple-m1", kAArch64Body},
                    Machine{kRiscv, "sifive-u74", kRiscvBody}, Machine{kRiscv, "sifive-p670", kRiscvBody}),
    [](const auto &info) {
      std::string name = info.param.cpu;
      std::erase(name, '-');
      return name;
    });

/// Simulates the first trace of a text.
class Traced : public testing::Test {
protected:
  std::variant<TraceReport, TraceError> run(const Parsed &parsed, const std::string &trace,
                                            const TraceSettings &settings) {
    const auto text = readTrace(trace);
    if (const auto *error = std::get_if<TraceError>(&text))
      return *error;
    const ProgramBranches branches(*parsed.target, *parsed.program);
    const TokenTargets targets(branches, std::get<TraceText>(text));
    return simulateTrace(parsed, targets, std::get<TraceText>(text).traces.front(), {}, settings);
  }
  TraceReport report(const Parsed &parsed, const std::string &trace, const TraceSettings &settings) {
    auto made = run(parsed, trace, settings);
    const auto *error = std::get_if<TraceError>(&made);
    EXPECT_FALSE(error) << error->message;
    return error ? TraceReport() : std::get<TraceReport>(std::move(made));
  }
};

/// A branch over one instruction, in a loop of `iterations`; the bits say whether the branch is taken.
std::string skipTrace(const std::vector<bool> &taken) {
  std::string trace = "mcatrace 1\ntrace f: ENTRY";
  for (size_t i = 0; i < taken.size(); ++i)
    trace += std::string(taken[i] ? " T" : " N") + (i + 1 < taken.size() ? " T" : " N");
  return trace + " RET\n";
}

constexpr const char *kSkip = "f:\n.L1:\nmovzbl (%rdi), %eax\ntestb $1, %al\nje .L2\naddl $1, %edx\n.L2:\nincq %rdi\n"
                              "cmpq %rsi, %rdi\njne .L1\nret\n";

/// Bits that no predictor knows.
std::vector<bool> randomBits(size_t count) {
  std::vector<bool> bits;
  uint64_t state = 88172645463325252ull;
  for (size_t i = 0; i < count; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    bits.push_back(state >> 40 & 1);
  }
  return bits;
}

TEST_F(Traced, APerfectlyPredictedTraceIsTheLoop) {
  const Parsed parsed(kX86, "skylake", "f:\n.L1:\naddl %ecx, %eax\ndecq %rdi\njne .L1\nret\n");
  const TraceReport traced =
      report(parsed, "mcatrace 1\ntrace f: ENTRY T x999 N RET\n", {.predictor = PredictorKind::Perfect});
  EXPECT_EQ(traced.run.instructions, 3001u);
  EXPECT_EQ(traced.run.redirects, 0u);
  EXPECT_EQ(traced.run.cycles, traced.perfectCycles);
  EXPECT_EQ(traced.trainingInstructions, 0u);
  EXPECT_NEAR(double(traced.run.cycles), 1000, 20);
  ASSERT_EQ(traced.branches.size(), 1u);
  EXPECT_EQ(traced.branches[0].executions, 1000u);
  EXPECT_EQ(traced.branches[0].taken, 999u);
}

TEST_F(Traced, RandomOutcomesCostWhatTheConditionTakesAndTheRedirect) {
  const Parsed parsed(kX86, "skylake", kSkip);
  const TraceReport traced = report(parsed, skipTrace(randomBits(20000)), {.mispredictPenalty = 20});
  ASSERT_EQ(traced.branches.size(), 2u);
  const TracedBranch &skip = traced.branches[0];
  EXPECT_NEAR(double(skip.executions), 10000, 2500) << "the second half";
  EXPECT_NEAR(double(skip.mispredictions) / double(skip.executions), 0.5, 0.05);
  // A load of 5 cycles, a test and the branch.
  EXPECT_GE(skip.conditionWait, 6);
  EXPECT_LE(skip.conditionWait, 12);
  ASSERT_TRUE(skip.cost);
  EXPECT_NEAR(*skip.cost, skip.conditionWait + 20, 4);
  EXPECT_NEAR(double(traced.run.cycles - traced.perfectCycles), *skip.cost * double(skip.mispredictions),
              0.1 * double(traced.run.cycles));
  EXPECT_LT(double(traced.branches[1].mispredictions), 100);
  EXPECT_FALSE(traced.isBarelyTrained);
}

TEST_F(Traced, APeriodIsLearned) {
  const Parsed parsed(kX86, "skylake", kSkip);
  const std::vector<bool> period = randomBits(60);
  std::vector<bool> bits;
  for (size_t i = 0; i < 20000; ++i)
    bits.push_back(period[i % period.size()]);
  const TraceReport tage = report(parsed, skipTrace(bits), {});
  EXPECT_LT(tage.mispredictionsPerThousand(), 2);
  const TraceReport bimodal = report(parsed, skipTrace(bits), {.predictor = PredictorKind::Bimodal});
  EXPECT_GT(bimodal.mispredictionsPerThousand(), 30);
  EXPECT_GT(bimodal.run.cycles, 3 * tage.run.cycles);
}

TEST_F(Traced, AShortTraceSaysThatItTrainsLittle) {
  const Parsed parsed(kX86, "skylake", kSkip);
  EXPECT_TRUE(report(parsed, skipTrace(randomBits(40)), {}).isBarelyTrained);
  EXPECT_FALSE(report(parsed, skipTrace(randomBits(40)), {.predictor = PredictorKind::Perfect}).isBarelyTrained);
}

TEST_F(Traced, TheBoundMispredictsEachBranch) {
  const Parsed parsed(kX86, "znver4", kSkip);
  const TraceReport traced = report(parsed, skipTrace(randomBits(500)), {.predictor = PredictorKind::None});
  for (const TracedBranch &branch : traced.branches)
    EXPECT_EQ(branch.mispredictions, branch.executions);
  EXPECT_EQ(traced.mispredictPenalty, 13u) << "the model's";
}

TEST_F(Traced, AFollowedCallTakesTheTimeOfItsCallee) {
  const Parsed parsed(kX86, "skylake",
                      ".type f,@function\nf:\n.L1:\ncall g\ndecq %rdi\njne .L1\nret\n.type g,@function\ng:\n"
                      "addl $1, %eax\nret\n");
  const TraceReport traced =
      report(parsed, "mcatrace 1\ntrace f: ENTRY (g RET T)x199 g RET N RET\n", {.predictor = PredictorKind::Perfect});
  EXPECT_EQ(traced.run.instructions, 5u * 200 + 1);
  EXPECT_LT(traced.run.cycles, 200u * 30) << "not the 100 cycles that are assumed of an unknown function";
}

TEST_F(Traced, JsonHasTheNumbersOfTheReport) {
  const Parsed parsed(kX86, "skylake", kSkip);
  const TraceReport traced = report(parsed, skipTrace(randomBits(2000)), {.predictor = PredictorKind::None});
  const llvm::json::Object json = toJson(traced, ProgramBranches(*parsed.target, *parsed.program));
  EXPECT_EQ(json.getInteger("TotalCycles"), static_cast<int64_t>(traced.run.cycles));
  EXPECT_EQ(json.getInteger("Mispredictions"), 4000);
  EXPECT_EQ(json.getString("Predictor"), "none");
  const llvm::json::Array &branches = *json.getArray("Branches");
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].getAsObject()->getInteger("Line"), 5);
  EXPECT_EQ(branches[0].getAsObject()->getInteger("Mispredictions"), 2000);
  EXPECT_EQ(branches[0].getAsObject()->getNumber("Cost"), traced.branches[0].cost);
}

TEST_F(Traced, ATraceOfOtherCodeIsRefusedAtItsToken) {
  const Parsed parsed(kX86, "skylake", kSkip);
  const auto made = run(parsed, "mcatrace 1\ntrace f: ENTRY T .L9 RET\n", {});
  const auto *error = std::get_if<TraceError>(&made);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->position.line, 2u);
  EXPECT_EQ(error->position.column, 18u);
}

} // namespace
} // namespace mca
