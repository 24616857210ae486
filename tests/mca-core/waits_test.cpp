// Wait reasons: small regions whose waits can be counted by hand, and what must hold for any region.
#include "mca-core/report/simulator.h"
#include "mca-core/views/text.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace mca {
namespace {

Report simulate(const Parsed &parsed, const SimulationOptions &options) {
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  auto simulation = Simulator(*parsed.target).simulate(*parsed.program, region, options);
  EXPECT_TRUE(simulation);
  return simulation ? std::move(simulation->report) : Report();
}

Report explain(const char *triple, const char *cpu, const char *text, SimulationOptions options = {}) {
  options.waitReasons = true;
  return simulate(Parsed(triple, cpu, text), options);
}

/// "300 for %eax from [0] imull" for each reason of an instruction.
Strings reasonsOf(const Report &report, uint32_t instruction) {
  Strings reasons;
  for (const WaitReason &reason : report.waits->instructions[instruction].reasons)
    reasons.push_back(std::to_string(reason.cycles) + " " + describeWait(report, reason));
  return reasons;
}

/// All of it, for a comparison.
std::string textOf(const Waits &waits) {
  std::string text;
  for (const InstructionWaits &instruction : waits.instructions)
    for (const WaitReason &reason : instruction.reasons) {
      text += std::to_string(unsigned(reason.kind)) + reason.what + '/' + std::to_string(reason.by) + ':' +
              std::to_string(reason.cycles);
      for (const WaitReason::Holder &holder : reason.holders)
        text += '+' + std::to_string(holder.instruction) + ':' + std::to_string(holder.cycles);
      text += '\n';
    }
  for (const std::vector<WaitSegment> &segments : waits.segments)
    for (const WaitSegment &segment : segments)
      text +=
          std::to_string(segment.from) + '-' + std::to_string(segment.to) + ' ' + std::to_string(segment.reason) + '\n';
  return text;
}

std::string textOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printSummary(out, report);
  printBottlenecks(out, report);
  printResourcePressure(out, report);
  printTimeline(out, report);
  printDispatchStatistics(out, *report.dispatch);
  printSchedulerStatistics(out, *report.schedulers);
  printRetireStatistics(out, *report.retirement);
  return text;
}

// An imull takes three cycles, its addl waits for it: in the first iteration it is dispatched beside it, and each one
// later a cycle behind where the chain of imulls is. With two iterations nothing is full.
TEST(Waits, ForARegisterAndInRetireOrder) {
  const Report report = explain(kX86, "skylake", "imull %esi, %eax\naddl %eax, %ebx\n", {.iterations = 2});
  // Dispatched in cycle 0 both times, issued in 1 and 4: three cycles of waiting between. The addls issue in 4 and 7.
  EXPECT_EQ(reasonsOf(report, 0), (Strings{"3 for %eax from [0] imull"}));
  EXPECT_EQ(reasonsOf(report, 1), (Strings{"9 for %eax from [0] imull"}));
}

TEST(Waits, ForAUnitAndWhoHoldsIt) {
  // Both want port 5, one cycle each: the second waits a cycle.
  const Report report =
      explain(kX86, "skylake", "vpshufb %ymm0, %ymm1, %ymm2\nvpshufb %ymm0, %ymm1, %ymm3\n", {.iterations = 1});
  EXPECT_EQ(reasonsOf(report, 0), Strings{});
  EXPECT_EQ(reasonsOf(report, 1), (Strings{"1 for SKLPort5, held by [0] vpshufb"}));
}

TEST(Waits, InRetireOrderBehindASlowOne) {
  const Report report = explain(kX86, "skylake", "imull %esi, %eax\naddl $1, %ebx\n", {.iterations = 1});
  // imull: issued in 1, executed in 4; addl executed in 2.
  EXPECT_EQ(reasonsOf(report, 1), (Strings{"2 in retire order behind [0] imull"}));
}

TEST(Waits, BehindAStoreThatMayAlias) {
  const Report report = explain(kX86, "skylake", "imull %eax, %eax\nmovl %eax, (%rdi)\nmovl (%rsi), %ebx\n",
                                {.iterations = 1, .noAlias = false});
  // The store issues in 4 and is executed in 5: then the load may go.
  EXPECT_EQ(reasonsOf(report, 2), (Strings{"4 in memory order behind [1] movl"}));
}

TEST(Waits, InOrder) {
  const Report report = explain(kAArch64, "cortex-a55",
                                "ldr x2, [x0]\nadd x3, x2, x3\nfdiv d0, d1, d2\nfdiv d3, d1, d2\n", {.iterations = 1});
  EXPECT_EQ(reasonsOf(report, 1), (Strings{"3 for x2 from [0] ldr"}));
  ASSERT_EQ(reasonsOf(report, 3).size(), 1u);
  EXPECT_NE(reasonsOf(report, 3)[0].find("for CortexA55UnitFPDIV, held by [2] fdiv"), std::string::npos)
      << reasonsOf(report, 3)[0];
}

TEST(Waits, AreNotThereUnlessAskedFor) {
  EXPECT_FALSE(simulate(Parsed(kX86, "skylake", "nop\n"), {}).waits);
}

struct Case {
  const char *triple;
  const char *cpu;
  const char *text;
};

class AnyRegion : public testing::TestWithParam<Case> {
protected:
  Report run(bool waits, bool steadyState, bool noAlias = true) const {
    return simulate(parsed, {.iterations = 300,
                             .timeline = true,
                             .timelineMaxCycles = 0,
                             .bottlenecks = true,
                             .inOrderBottlenecks = true,
                             .noAlias = noAlias,
                             .dispatchStatistics = true,
                             .schedulerStatistics = true,
                             .retireStatistics = true,
                             .waitReasons = waits,
                             .steadyState = steadyState});
  }
  Parsed parsed{GetParam().triple, GetParam().cpu, GetParam().text};
};

TEST_P(AnyRegion, HasAReasonForEachCycleOfTheTimeline) {
  for (const bool noAlias : {true, false}) {
    const Report report = run(true, true, noAlias);
    const Timeline &timeline = *report.timeline;
    ASSERT_EQ(report.waits->segments.size(), timeline.entries.size());
    for (size_t i = 0; i < timeline.entries.size(); ++i) {
      const TimelineEntry &entry = timeline.entries[i];
      int64_t inScheduler = 0, beforeRetire = 0, last = 0;
      for (const WaitSegment &segment : report.waits->segments[i]) {
        EXPECT_LE(last, segment.from) << i;
        EXPECT_LT(segment.from, segment.to) << i;
        last = segment.to;
        const int64_t cycles = segment.to - segment.from;
        if (segment.to <= entry.dispatched)
          continue;
        if (segment.from < entry.issued) {
          EXPECT_GT(segment.from, entry.dispatched);
          EXPECT_LE(segment.to, entry.issued);
          inScheduler += cycles;
        } else {
          EXPECT_GT(segment.from, entry.executed);
          EXPECT_LE(segment.to, entry.retired);
          beforeRetire += cycles;
        }
      }
      EXPECT_EQ(inScheduler, std::max<int64_t>(0, entry.issued - entry.dispatched - 1)) << i;
      EXPECT_EQ(beforeRetire, std::max<int64_t>(0, entry.retired - entry.executed - 1)) << i;
    }
  }
}

TEST_P(AnyRegion, AgreesWithTheAverageWaits) {
  SimulationOptions options{.iterations = 10, .timeline = true, .timelineMaxCycles = 0, .waitReasons = true};
  const Report report = simulate(parsed, options);
  const size_t count = report.instructions.size();
  for (size_t what = 0; what < count; ++what) {
    uint64_t inScheduler = 0, beforeRetire = 0, dispatchCycles = 0;
    for (const WaitReason &reason : report.waits->instructions[what].reasons) {
      if (reason.kind >= WaitKind::RetireOrder)
        beforeRetire += reason.cycles;
      else if (reason.kind >= WaitKind::Register && parsed.target->isOutOfOrder())
        inScheduler += reason.cycles;
    }
    for (size_t id = what; id < report.timeline->entries.size(); id += count)
      dispatchCycles += report.timeline->entries[id].issued > report.timeline->entries[id].dispatched;
    EXPECT_EQ(inScheduler + dispatchCycles, report.timeline->waits[what].inScheduler) << what;
    EXPECT_EQ(beforeRetire, report.timeline->waits[what].beforeRetire) << what;
  }
}

TEST_P(AnyRegion, GivesTheSameInTheSteadyState) {
  for (const bool noAlias : {true, false})
    EXPECT_EQ(textOf(*run(true, true, noAlias).waits), textOf(*run(true, false, noAlias).waits));
}

TEST_P(AnyRegion, LeavesTheRestOfTheReportAlone) {
  EXPECT_EQ(textOf(run(true, true)), textOf(run(false, true)));
}

constexpr const char *kX86Mix =
    "imull %esi, %eax\naddl %eax, %ebx\nvpshufb %ymm0, %ymm1, %ymm2\nvpermq $1, %ymm2, %ymm4\nmovl (%rdi), %ecx\n"
    "movl %ecx, (%rsi)\nmovq %rcx, %r8\nxaddl %eax, (%rdi)\ndivl %ecx\nmovups (%rdi), %xmm3\nmovups %xmm3, 16(%rsi)\n"
    "mfence\nlock addl $1, (%rdi)\nnop\ncqto\nsqrtsd %xmm0, %xmm1\nxchgq %rcx, %rdx\nmovb %al, %cl\npushq %rax\n";
constexpr const char *kX86Wide =
    "addl $1, %eax\naddl $1, %ebx\naddl $1, %ecx\naddl $1, %edx\naddl $1, %esi\n"
    "movl (%rdi), %r8d\nmovl (%rdi), %r9d\nmovl (%rdi), %r10d\nvmulps %ymm0, %ymm1, %ymm2\n";
constexpr const char *kX86Barriers = "movl (%rdi), %eax\nlfence\nmovl (%rsi), %ebx\nsfence\nmovl %eax, (%rdx)\ncpuid\n"
                                     "rep movsb\nfxch %st(1)\ncmovel %eax, %ecx\n";
constexpr const char *kArmMix =
    "mul x0, x0, x1\nldr x2, [x0]\nadd x3, x2, x3\nstr x3, [x1]\nfdiv d0, d1, d2\nfdiv d3, d1, d2\nldp x7, x8, [x1], "
    "#16\n"
    "fmla v2.4s, v0.4s, v1.4s\nsdiv x4, x3, x2\nsubs x12, x12, #1\ncsel x13, x12, x11, ne\ndmb ish\nldr x6, [x9], #8\n"
    "mov x9, x5\nld1 {v4.4s}, [x0], #16\n";
constexpr const char *kRiscvMix =
    "mul a2, a0, a1\ndiv a3, a2, a1\nld a4, 0(a0)\nsd a4, 8(a0)\nfmadd.d fa2, fa0, fa1, fa2\n"
    "fdiv.d fa3, fa2, fa1\nfsd fa3, 0(a1)\namoadd.w a0, a1, (a2)\nfence\naddi a5, a5, 1\n";

constexpr Case kCases[] = {
    {kX86, "skylake", kX86Mix},        {kX86, "znver4", kX86Mix},         {kX86, "btver2", kX86Mix},
    {kX86, "haswell", kX86Wide},       {kX86, "icelake-server", kX86Mix}, {kX86, "alderlake", kX86Wide},
    {kX86, "skylake", kX86Barriers},   {kX86, "znver2", kX86Wide},        {kAArch64, "neoverse-v2", kArmMix},
    {kAArch64, "cortex-a57", kArmMix}, {kAArch64, "cortex-a55", kArmMix}, {kAArch64, "cortex-a510", kArmMix},
    {kAArch64, "apple-m1", kArmMix},   {kRiscv, "sifive-u74", kRiscvMix}, {kRiscv, "sifive-p670", kRiscvMix},
    {kRiscv, "rocket-rv64", kRiscvMix}};

INSTANTIATE_TEST_SUITE_P(Waits, AnyRegion, testing::ValuesIn(kCases), [](const auto &test) {
  std::string name = test.param.cpu;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + std::to_string(test.index);
});

} // namespace
} // namespace mca
