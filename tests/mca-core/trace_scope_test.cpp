// Runs that count one loop of a trace: the same loop alone is the reference.
#include "mca-core/report/trace_simulation.h"
#include "tests/mca-core/parsed.h"

#include <thread>

namespace mca {
namespace {

/// The instructions of some 1-based lines of a text; the first line's is the header.
TraceScope scopeOf(const ProgramBranches &branches, uint32_t firstLine, uint32_t lastLine) {
  TraceScope scope{.header = branches.firstOnLine(firstLine)};
  for (uint32_t i = 0; i < branches.size(); ++i)
    if (branches.lineOf(i) >= firstLine && branches.lineOf(i) <= lastLine)
      scope.instructions.push_back(i);
  return scope;
}

struct Scoped : Parsed {
  explicit Scoped(std::string code, const char *triple = kX86, const char *cpu = "skylake")
      : Parsed(triple, cpu, std::move(code)), branches(*target, *program) {
    EXPECT_EQ(diagnostics(), Strings{});
  }

  /// Prepares on this thread and runs on another one.
  TraceReport run(const std::string &trace, const TraceSettings &settings) const {
    const auto text = readTrace("mcatrace 1\n" + trace);
    const TokenTargets targets(branches, std::get<TraceText>(text));
    Simulator simulator(*target);
    auto prepared =
        prepareTrace(simulator, *target, *program, targets, std::get<TraceText>(text).traces.front(), {}, settings, {});
    const auto *error = std::get_if<TraceError>(&prepared);
    EXPECT_FALSE(error) << error->message;
    TraceReport report;
    if (!error)
      std::thread([&] {
        Simulator runner(*target);
        auto made = runTrace(std::get<PreparedTrace>(prepared), runner);
        EXPECT_TRUE(made);
        report = std::move(*made);
      }).join();
    return report;
  }
  TraceReport perfect(const std::string &trace, const TraceScope *scope = nullptr) const {
    return run(trace, {.predictor = PredictorKind::Perfect, .scope = scope});
  }

  ProgramBranches branches;
};

constexpr const char *kLoop =
    ".Ll:\n  imulq %rdi, %rax\n  addq $1, %rcx\n  cmpq %rsi, %rcx\n  jne .Ll\n"; // lines 2 to 6

TEST(TraceScope, ALoopInAFunctionIsTheLoopAlone) {
  const Scoped alone("f:\n" + std::string(kLoop));
  const TraceReport expected = alone.perfect("trace f: ENTRY T x499 N\n");
  const Scoped whole("f:\n" + std::string(kLoop) + "  movq %rax, %rbx\n.Lm:\n  idivq %rbx\n  jne .Lm\n  ret\n");
  const TraceScope scope = scopeOf(whole.branches, 2, 6);
  const TraceReport scoped = whole.perfect("trace f: ENTRY T x499 N (T)x50 N RET\n", &scope);
  EXPECT_EQ(scoped.iterations, 500u);
  EXPECT_EQ(scoped.run.instructions, expected.run.instructions);
  EXPECT_EQ(scoped.run.cycles, expected.run.cycles);
  EXPECT_EQ(scoped.branches.size(), 1u);
  EXPECT_EQ(expected.iterations, 0u) << "without a scope";
}

TEST(TraceScope, VisitsOfALoopAreOneRun) {
  const Scoped whole("f:\n" + std::string(kLoop) + "  idivq %rbx\n  ret\n");
  const TraceScope scope = scopeOf(whole.branches, 2, 6);
  const TraceReport once = whole.perfect("trace f: ENTRY T x199 N RET\n", &scope);
  const TraceReport often = whole.perfect("trace f: (ENTRY T x19 N RET)x10\n", &scope);
  EXPECT_EQ(often.iterations, 200u);
  EXPECT_EQ(often.run.cycles, once.run.cycles);
}

TEST(TraceScope, TrainingIsHalfOfTheScope) {
  const Scoped whole("f:\n.Lp:\n  decq %rdx\n  jne .Lp\n.Ll:\n  decq %rcx\n  jne .Ll\n  ret\n");
  const TraceScope scope = scopeOf(whole.branches, 5, 7);
  const TraceReport traced = whole.run("trace f: ENTRY T x999 N T x399 N RET\n", {.scope = &scope});
  EXPECT_EQ(traced.trainingInstructions, 400u);
  EXPECT_EQ(traced.run.instructions, 400u);
  EXPECT_EQ(traced.iterations, 200u);
}

TEST(TraceScope, ThePredictorLearnsWhatLiesOutside) {
  // The branch of the loop goes as the one before the loop went, whose outcomes follow no rule.
  const Scoped whole("f:\n  je .La\n  nop\n.La:\n.Ll:\n  je .Lb\n  nop\n.Lb:\n  decq %rcx\n  jne .Ll\n  ret\n");
  std::string trace = "trace f:";
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i)
    trace += random() >> 16 & 1 ? " ENTRY T T N RET" : " ENTRY N N N RET";
  const TraceScope scope = scopeOf(whole.branches, 5, 10);
  const TraceReport scoped = whole.run(trace, {.scope = &scope});
  ASSERT_EQ(scoped.branches.size(), 2u);
  EXPECT_NEAR(double(scoped.branches[0].executions), 2000, 100);
  EXPECT_LT(scoped.branches[0].mispredictions, 100u);
}

TEST(TraceScope, CalledFunctionsBelongToTheLoop) {
  const std::string code =
      "  .type f,@function\nf:\n  call g\n.Ll:\n  call g\n  decq %rdi\n  jne .Ll\n  call g\n  ret\n"
      "  .type g,@function\ng:\n  call h\n  ret\n  .type h,@function\nh:\n  imulq %rax, %rax\n  ret\n";
  const Scoped whole(code);
  const TraceScope scope = scopeOf(whole.branches, 5, 7);
  const TraceReport scoped =
      whole.perfect("trace f: ENTRY g h RET RET (g h RET RET T)x99 g h RET RET N g h RET RET RET\n", &scope);
  EXPECT_EQ(scoped.iterations, 100u);
  EXPECT_EQ(scoped.run.instructions, 700u) << "call g, call h, imul, ret, ret, decq, jne";
}

TEST(TraceScope, DelaySlotsOfCallsAndReturns) {
  const Scoped whole(
      ".set noreorder\nf:\n  nop\n.Ll:\n  jal g\n  addiu $4, $4, -1\n  bnez $4, .Ll\n  nop\n  jr $31\n  nop\n"
      "g:\n  jr $31\n  addiu $5, $5, 1\n",
      "mips-linux-gnu", "mips32r2");
  const TraceScope scope = scopeOf(whole.branches, 5, 8);
  const TraceReport scoped = whole.perfect("trace f: ENTRY (g RET T)x9 g RET N RET\n", &scope);
  EXPECT_EQ(scoped.iterations, 10u);
  EXPECT_EQ(scoped.run.instructions, 60u);
}

TEST(TraceScope, ATraceThatNeverEnters) {
  const Scoped whole("f:\n  je .Lend\n" + std::string(kLoop) + ".Lend:\n  ret\n");
  const TraceScope scope = scopeOf(whole.branches, 3, 7);
  for (const PredictorKind predictor : {PredictorKind::Tage, PredictorKind::Perfect}) {
    const TraceReport scoped = whole.run("trace f: (ENTRY T RET)x20\n", {.predictor = predictor, .scope = &scope});
    EXPECT_EQ(scoped.iterations, 0u);
    EXPECT_EQ(scoped.run.cycles, 0u);
    EXPECT_EQ(scoped.run.instructions, 0u);
  }
  // The only iteration is in the training half.
  const TraceReport once = whole.run("trace f: ENTRY N N\n", {.scope = &scope});
  EXPECT_EQ(once.iterations, 0u);
  EXPECT_EQ(once.run.instructions, 2u);
}

TEST(TraceScope, ALimitOfTheCountedPart) {
  const Scoped whole("f:\n" + std::string(kLoop) + "  ret\n");
  const TraceScope scope = scopeOf(whole.branches, 2, 6);
  const TraceReport limited = whole.run("trace f: ENTRY T x9999 N RET\n", {.scope = &scope, .maxInstructions = 1000});
  EXPECT_EQ(limited.trainingInstructions, 20'000u);
  EXPECT_EQ(limited.run.instructions, 1000u);
  EXPECT_EQ(limited.iterations, 250u);
}

} // namespace
} // namespace mca
