// Windows of a trace: the reference is the same body in a loop, whose timeline, waits and pressure are compared with
// llvm-mca elsewhere, and the rule for what follows a mispredicted branch.
#include "mca-core/report/simulator.h"
#include "mca-core/views/text.h"
#include "mca-core/views/trace.h"
#include "tests/mca-core/parsed.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>
#include <numeric>

namespace mca {
namespace {

/// A body as a trace: it is cut into segments of a few instructions, and may end with a branch that is mispredicted in
/// each `period`-th run.
class Repeated final : public InstructionStream {
public:
  Repeated(uint32_t instructions, uint64_t runs, uint64_t period = 0)
      : body_(instructions), left_(runs), period_(period) {
    std::iota(body_.begin(), body_.end(), 0);
  }
  Segment next() override {
    constexpr size_t kSegment = 3;
    if (position_ == body_.size()) {
      position_ = 0;
      --left_;
    }
    if (!left_)
      return {};
    const auto segment = std::span(body_).subspan(position_, std::min(kSegment, body_.size() - position_));
    position_ += segment.size();
    return {.instructions = segment, .endsMispredicted = position_ == body_.size() && period_ && left_ % period_ == 0};
  }

private:
  std::vector<uint32_t> body_;
  uint64_t left_;
  uint64_t period_;
  size_t position_ = 0;
};

constexpr uint32_t kRuns = 100;
constexpr uint32_t kRedirect = 13;

struct Machine {
  const char *triple;
  const char *cpu;
  const char *body;
};

constexpr const char *kX86Body = "movq (%rdi), %rax\nimulq %rax, %rdx\naddq %rdx, (%rsi)\nmovq %rdx, %rcx\n"
                                 "xorl %r8d, %r8d\ndivl %ecx\naddq $8, %rdi\ntestq %rax, %rax\njne .L\n.L:\n";
constexpr const char *kAArch64Body =
    "ldr x0, [x1], #8\nmadd x4, x0, x0, x4\nstr x4, [x2, #16]\nfdiv d0, d0, d1\nadd x2, x2, #8\ncbnz x0, .L\n.L:\n";
constexpr const char *kRiscvBody =
    "ld a0, 0(a1)\nmul a2, a0, a2\nsd a2, 8(a3)\ndiv a4, a4, a2\naddi a1, a1, 8\nbnez a0, .L\n.L:\n";

class Window : public testing::TestWithParam<Machine> {
protected:
  SimulationOptions options() const {
    return {.iterations = kRuns,
            .timeline = true,
            .timelineMaxCycles = 0,
            .bottlenecks = true,
            .inOrderBottlenecks = true,
            .noAlias = false,
            .waitReasons = true};
  }
  uint32_t count() const { return static_cast<uint32_t>(parsed_.count()); }
  Report loop() {
    auto made = simulator_.simulate(*parsed_.program, region(), options());
    EXPECT_TRUE(made);
    return made ? std::move(made->report) : Report();
  }
  Result<TraceWindow> tryRecord(const WindowRange &range, uint64_t period = 0) {
    EXPECT_FALSE(simulator_.prepare(*parsed_.program, region(), options(), prepared_));
    Repeated stream(count(), kRuns, period);
    return simulator_.record(prepared_, stream, kRedirect, range);
  }
  TraceWindow record(const WindowRange &range, uint64_t period = 0) {
    auto made = tryRecord(range, period);
    EXPECT_TRUE(made);
    return made ? std::move(*made) : TraceWindow();
  }

private:
  std::vector<uint32_t> region() const {
    std::vector<uint32_t> all(parsed_.count());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const Parsed parsed_{GetParam().triple, GetParam().cpu, GetParam().body};
  Simulator simulator_{*parsed_.target};
  PreparedRegion prepared_;
};

/// The begin of a row in cycles, for messages, and its end.
std::string textOf(const TimelineEntry &entry) {
  return llvm::formatv("D {0} ready {1} issued {2} E {3} R {4}", entry.dispatched, entry.ready, entry.issued,
                       entry.executed, entry.retired);
}

std::string textOf(const std::vector<WaitSegment> &segments) {
  std::string text;
  for (const WaitSegment &one : segments) {
    text += llvm::formatv("[{0}, {1}) reason {2} by", one.from, one.to, one.reason);
    for (const uint32_t by : one.by)
      text += " " + std::to_string(by);
  }
  return text;
}

std::string textOf(const Report &report, const InstructionWaits &waits) {
  std::string text = std::to_string(waits.cycles) + ':';
  for (const WaitReason &reason : waits.reasons) {
    text += '\n' + std::to_string(reason.cycles) + " " + describeWait(report, reason);
    for (const WaitReason::Holder &holder : reason.holders)
      text += llvm::formatv(" +{0}: {1}", holder.instruction, holder.cycles);
  }
  return text;
}

TEST_P(Window, RowsAreThoseOfTheLoopsTimeline) {
  const Report expected = loop();
  const TraceWindow window = record({.count = 10 * count()});
  const Timeline &timeline = *expected.timeline;
  ASSERT_EQ(window.rows.size(), timeline.entries.size());
  for (size_t i = 0; i < window.rows.size(); ++i) {
    EXPECT_EQ(window.rows[i].instruction, i % count());
    ASSERT_EQ(textOf(window.rows[i].entry), textOf(timeline.entries[i])) << "row " << i;
    EXPECT_FALSE(window.rows[i].isMispredicted);
  }
  for (size_t i = 0; i < timeline.waits.size(); ++i) {
    const WaitTimes &waits = window.executed[i].waits;
    EXPECT_EQ(window.executed[i].executions, 10u);
    EXPECT_EQ(waits.inScheduler, timeline.waits[i].inScheduler);
    EXPECT_EQ(waits.inSchedulerReady, timeline.waits[i].inSchedulerReady);
    EXPECT_EQ(waits.beforeRetire, timeline.waits[i].beforeRetire);
  }
}

TEST_P(Window, WaitsAreThoseOfTheLoop) {
  const Report expected = loop();
  const TraceWindow window = record({.count = kRuns * count()});
  for (uint32_t i = 0; i < count(); ++i)
    EXPECT_EQ(textOf(window.report, window.report.waits->instructions[i]),
              textOf(expected, expected.waits->instructions[i]))
        << "instruction " << i;
  ASSERT_EQ(window.report.waits->segments.size(), window.rows.size());
  for (size_t i = 0; i < expected.waits->segments.size(); ++i)
    EXPECT_EQ(textOf(window.report.waits->segments[i]), textOf(expected.waits->segments[i])) << "row " << i;
}

/// A window that is longer than the trace has all cycles.
TEST_P(Window, PressureIsThatOfTheLoop) {
  const Bottlenecks expected = *loop().bottlenecks;
  const Bottlenecks found = *record({.count = kRuns * count() + 1}).report.bottlenecks;
  EXPECT_EQ(found.cycles, expected.cycles);
  EXPECT_EQ(found.stalled, expected.stalled);
  EXPECT_EQ(found.pressureCycles, expected.pressureCycles);
  EXPECT_EQ(found.resourceCycles, expected.resourceCycles);
  EXPECT_EQ(found.registerDependencyCycles, expected.registerDependencyCycles);
  EXPECT_EQ(found.memoryDependencyCycles, expected.memoryDependencyCycles);
  EXPECT_EQ(found.dataDependencyCycles, expected.dataDependencyCycles);
  ASSERT_EQ(found.resources.size(), expected.resources.size());
  for (size_t i = 0; i < found.resources.size(); ++i)
    EXPECT_EQ(found.resources[i].cycles, expected.resources[i].cycles) << found.resources[i].name;
  EXPECT_TRUE(found.criticalSequence.empty());
}

TEST_P(Window, IsAPartOfTheWhole) {
  const TraceWindow whole = record({.count = kRuns * count()}, /*period=*/4);
  const uint64_t first = 7 * count() + 2, size = 5 * count();
  const TraceWindow part = record({.first = first, .count = size}, /*period=*/4);
  ASSERT_EQ(part.rows.size(), size);
  EXPECT_EQ(part.first, first);
  EXPECT_EQ(part.begin, whole.rows[first].entry.dispatched);
  const auto shifted = [&](int64_t cycle) { return cycle - part.begin; };
  for (size_t i = 0; i < size; ++i) {
    const TraceWindowRow &expected = whole.rows[first + i];
    EXPECT_EQ(part.rows[i].entry.dispatched, shifted(expected.entry.dispatched)) << "row " << i;
    EXPECT_EQ(part.rows[i].entry.executed, shifted(expected.entry.executed)) << "row " << i;
    EXPECT_EQ(part.rows[i].isMispredicted, expected.isMispredicted) << "row " << i;
    EXPECT_EQ(part.rows[i].resumed, expected.resumed ? std::optional(shifted(*expected.resumed)) : std::nullopt);
    ASSERT_EQ(part.report.waits->segments[i].size(), whole.report.waits->segments[first + i].size()) << "row " << i;
  }
}

/// Cycles of a wait are those of its segments.
TEST_P(Window, WaitsOfAPartAreThoseOfItsRows) {
  const TraceWindow part = record({.first = 3 * count() + 1, .count = 9 * count()}, /*period=*/2);
  const Waits &waits = *part.report.waits;
  std::vector<uint64_t> cycles(count());
  for (size_t i = 0; i < part.rows.size(); ++i)
    for (const WaitSegment &segment : waits.segments[i])
      cycles[part.rows[i].instruction] += static_cast<uint64_t>(segment.to - segment.from);
  for (uint32_t i = 0; i < count(); ++i)
    EXPECT_EQ(waits.instructions[i].cycles, cycles[i]) << "instruction " << i;
}

/// The machine is empty when the branch has executed, or nearly so, and nothing else delays the next instruction.
TEST_P(Window, TheInstructionAfterAMispredictedBranchEntersAfterTheRedirect) {
  const TraceWindow window = record({.count = kRuns * count()}, /*period=*/3);
  uint64_t mispredicted = 0;
  for (size_t i = 0; i < window.rows.size(); ++i) {
    const TraceWindowRow &row = window.rows[i];
    EXPECT_EQ(row.isMispredicted, row.resumed.has_value()) << "row " << i;
    if (!row.isMispredicted)
      continue;
    ++mispredicted;
    EXPECT_EQ(*row.resumed, row.entry.executed + kRedirect) << "row " << i;
    EXPECT_EQ(window.rows[i + 1].entry.dispatched, row.entry.executed + kRedirect) << "row " << i;
  }
  EXPECT_EQ(mispredicted, kRuns / 3);
  EXPECT_EQ(window.executed.back().redirects, mispredicted);
}

TEST_P(Window, ItEndsWithTheTrace) {
  const uint64_t all = kRuns * uint64_t(count());
  EXPECT_EQ(record({.first = all - 2}).rows.size(), 2u);
  const auto beyond = tryRecord({.first = all});
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.message().find(std::to_string(all)), std::string::npos) << beyond.message();
  // A mispredicted branch at the end of the trace holds nothing back.
  const TraceWindow last = record({.first = all - 1}, /*period=*/1);
  EXPECT_TRUE(last.rows[0].isMispredicted);
  EXPECT_FALSE(last.rows[0].resumed);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, Window,
    testing::Values(Machine{kX86, "skylake", kX86Body}, Machine{kX86, "znver4", kX86Body},
                    Machine{kX86, "btver2", kX86Body}, Machine{kX86, "sandybridge", kX86Body},
                    Machine{kX86, "atom", kX86Body}, Machine{kAArch64, "neoverse-v2", kAArch64Body},
                    Machine{kAArch64, "cortex-a55", kAArch64Body}, Machine{kAArch64, "cortex-a57", kAArch64Body},
                    Machine{kRiscv, "sifive-u74", kRiscvBody}, Machine{kRiscv, "sifive-p670", kRiscvBody}),
    [](const auto &info) {
      std::string name = info.param.cpu;
      std::erase(name, '-');
      return name;
    });

/// A branch over one instruction in a loop. Its direction mostly changes from one iteration to the next, which a
/// bimodal predictor cannot learn.
class WindowOfATrace : public testing::Test {
protected:
  WindowOfATrace() {
    auto made = prepareTrace(simulator_, *parsed_.target, *parsed_.program, targets_, text_.traces.front(),
                             {.bottlenecks = true, .waitReasons = true},
                             {.predictor = PredictorKind::Bimodal, .mispredictPenalty = 20}, {});
    prepared_ = std::get<PreparedTrace>(std::move(made));
  }
  TraceWindow record(const WindowRange &range) {
    auto made = recordWindow(prepared_, simulator_, range);
    EXPECT_TRUE(made);
    return made ? std::move(*made) : TraceWindow();
  }
  std::string print(const TraceWindow &window, const WindowViews &views) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printWindow(out, window, views);
    return text;
  }

  static TraceText read() {
    std::string trace = "mcatrace 1\ntrace f: ENTRY";
    for (uint32_t i = 0; i < 300; ++i)
      trace += std::string(i % 7 % 2 ? " T" : " N") + (i + 1 < 300 ? " T" : " N");
    return std::get<TraceText>(readTrace(trace + " RET\n"));
  }

  const Parsed parsed_{kX86, "skylake",
                       "f:\n.L1:\nmovzbl (%rdi), %eax\ntestb $1, %al\nje .L2\naddl $1, %edx\n.L2:\nincq %rdi\n"
                       "cmpq %rsi, %rdi\njne .L1\nret\n"};
  const TraceText text_ = read();
  const ProgramBranches branches_{*parsed_.target, *parsed_.program};
  const TokenTargets targets_{branches_, text_};
  Simulator simulator_{*parsed_.target};
  PreparedTrace prepared_;
};

TEST_F(WindowOfATrace, CoversTheCountedPart) {
  Result<TraceReport> report = runTrace(prepared_, simulator_);
  ASSERT_TRUE(report);
  ASSERT_GT(report->mispredictions, 20u);
  const TraceWindow window = record({.count = WindowRange::kMaxCount});
  EXPECT_EQ(window.rows.size(), report->run.instructions);
  EXPECT_EQ(window.report.bottlenecks->cycles, report->run.cycles);
  EXPECT_EQ(window.begin, 0);
  ASSERT_EQ(window.executed.size(), report->run.byInstruction.size());
  for (size_t i = 0; i < window.executed.size(); ++i) {
    EXPECT_EQ(window.executed[i].executions, report->run.byInstruction[i].executions) << i;
    EXPECT_EQ(window.executed[i].redirects, report->run.byInstruction[i].redirects) << i;
    EXPECT_EQ(window.executed[i].heldFetches, report->run.byInstruction[i].heldFetches) << i;
    EXPECT_EQ(window.origins[i], i) << "each instruction is executed";
  }
  EXPECT_EQ(window.rows.back().instruction, 7u) << "ret";
}

TEST_F(WindowOfATrace, TextNamesTheMispredictedBranch) {
  const TraceWindow whole = record({.count = 1000});
  const auto wrong = llvm::find_if(whole.rows, [](const TraceWindowRow &row) { return row.isMispredicted; });
  ASSERT_NE(wrong, whole.rows.end());
  const auto first = static_cast<uint64_t>(wrong - whole.rows.begin());
  const TraceWindow window = record({.first = first, .count = 3});
  const std::string text = print(window, {.timeline = true, .timelineMaxCycles = 0});
  const std::string wait = std::to_string(window.rows[0].entry.executed);
  EXPECT_NE(text.find("\n[" + std::to_string(first) + ",2]"), std::string::npos) << text;
  EXPECT_NE(text.find("je\t.L2  mispredicted, " + wait + " + 20 cycles\n"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing enters after it: mispredicted 1 of 1 times"), std::string::npos) << text;
  EXPECT_NE(text.find("Cycles without fetching after mispredicted branches ["), std::string::npos) << text;
  EXPECT_EQ(text.find("Truncated"), std::string::npos) << text;
  // The rows after the branch begin later.
  const std::string cut = print(window, {.timeline = true, .timelineMaxCycles = 20});
  EXPECT_NE(cut.find("mispredicted, "), std::string::npos) << cut;
  EXPECT_NE(cut.find("\nTruncated display due to cycle limit\n\n\nAverage"), std::string::npos) << cut;
  EXPECT_EQ(cut.find("\n[" + std::to_string(first + 1) + ","), std::string::npos) << cut;
}

TEST_F(WindowOfATrace, JsonHasRowsAndWaits) {
  const TraceWindow window = record({.first = 5, .count = 60});
  const llvm::json::Object json = toJson(window, branches_);
  EXPECT_EQ(json.getInteger("First"), 5);
  EXPECT_EQ(json.getInteger("Begin"), window.begin);
  EXPECT_EQ((*json.getArray("Instructions"))[2].getAsObject()->getInteger("Line"), 5);
  EXPECT_TRUE(json.getArray("WaitReasons"));
  EXPECT_TRUE(json.getObject("BottleneckAnalysis"));
  const llvm::json::Array &rows = *json.getArray("Rows");
  ASSERT_EQ(rows.size(), 60u);
  for (size_t i = 0; i < rows.size(); ++i) {
    const llvm::json::Object &row = *rows[i].getAsObject();
    EXPECT_EQ(row.getInteger("Instruction"), window.rows[i].instruction);
    EXPECT_EQ(row.getInteger("CycleDispatched"), window.rows[i].entry.dispatched);
    EXPECT_EQ(row.getInteger("CycleRetired"), window.rows[i].entry.retired);
    EXPECT_EQ(row.getBoolean("Mispredicted"), window.rows[i].isMispredicted);
    EXPECT_EQ(row.getInteger("RedirectCycles"),
              window.rows[i].isMispredicted ? std::optional(int64_t{20}) : std::nullopt);
    EXPECT_EQ(row.getArray("Waits")->size(), window.report.waits->segments[i].size());
  }
}

} // namespace
} // namespace mca
