// The two machines of engine/ against LLVM's own pipeline, in one process: random bodies, drawn from instructions that
// have shown differences between simulators, must give the same cycles, pressure and timeline.
//
// simulate() still runs LLVM's pipeline; these machines are to take its place.
#include "mca-core/engine/in_order.h"
#include "mca-core/engine/out_of_order.h"
#include "mca-core/engine/simulator.h"

#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>
#include <random>

namespace mca {
namespace {

/// Feeds the collectors that LLVM's pipeline feeds.
class Recorder {
public:
  Recorder(const Body &body, const ResourceTable &resources, uint32_t width, uint32_t iterations)
      : body_(body), summary(resources, static_cast<uint32_t>(body.instructions.size()), width),
        pressure(resources, static_cast<uint32_t>(body.instructions.size())),
        timeline(static_cast<uint32_t>(body.instructions.size()), std::min(10u, iterations), 80) {}

  using Registers = std::vector<uint32_t>;
  void onDispatched(uint64_t id, uint32_t, uint32_t, const Registers &) { timeline.onDispatched(id); }
  void onReady(uint64_t id, uint32_t) { timeline.onReady(id); }
  void onIssued(uint64_t id, uint32_t, const std::vector<UsedUnit> &used, const IssuedInstruction &) {
    pressure.onIssued(id, used);
    timeline.onIssued(id);
  }
  void onExecuted(uint64_t id, uint32_t) { timeline.onExecuted(id); }
  void onRetired(uint64_t id, uint32_t what, const Registers &) {
    const BodyInstruction &instruction = body_.instructions[what];
    std::vector<std::pair<uint64_t, uint32_t>> cycles;
    for (uint32_t i = 0; i < instruction.resources; ++i)
      cycles.emplace_back(body_.resources[instruction.firstResource + i].mask,
                          body_.resources[instruction.firstResource + i].cycles);
    summary.onRetired(id, instruction.microOps, cycles);
    timeline.onRetired(id);
  }
  void onBuffersReserved(uint64_t, uint32_t) {}
  void onStall(Stall) {}
  void onPressure(PressureReason, std::span<const DelayedInstruction>, uint64_t) {}
  void onCycleEnd() {
    summary.onCycleEnd();
    timeline.onCycleEnd();
  }

private:
  const Body &body_;

public:
  SummaryCollector summary;
  PressureCollector pressure;
  TimelineCollector timeline;
};

MachineOptions optionsOf(const llvm::MCSchedModel &model) {
  MachineOptions options{.dispatchWidth = model.IssueWidth,
                         .reorderBuffer = static_cast<uint32_t>(model.MicroOpBufferSize)};
  if (!model.hasExtraProcessorInfo())
    return options;
  const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
  const auto bufferOf = [&](unsigned id) {
    return id ? static_cast<uint32_t>(std::max(0, model.getProcResource(id)->BufferSize)) : 0;
  };
  if (extra.ReorderBufferSize)
    options.reorderBuffer = extra.ReorderBufferSize;
  options.maxRetired = extra.MaxRetirePerCycle;
  options.loadQueue = bufferOf(extra.LoadQueueID);
  options.storeQueue = bufferOf(extra.StoreQueueID);
  return options;
}

Report runMachine(const Target &target, const Program &program, std::span<const uint32_t> region, uint32_t iterations) {
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  Lowering lowering(target, 100);
  const Body body = makeBody(target, lowering.lower(program, region), 0);
  const ResourceTable resources(model);
  Recorder recorder(body, resources, model.IssueWidth, iterations);
  if (target.isOutOfOrder())
    OutOfOrderMachine(body, resources, optionsOf(model), recorder).run(iterations);
  else
    InOrderMachine(body, resources, optionsOf(model), recorder).run(iterations);
  Report report;
  report.summary = recorder.summary.finish(iterations);
  report.pressure = recorder.pressure.finish(iterations);
  report.timeline = recorder.timeline.finish();
  return report;
}

void expectEqual(const Report &ours, const Report &reference) {
  EXPECT_EQ(ours.summary.cycles, reference.summary.cycles);
  EXPECT_EQ(ours.summary.microOps, reference.summary.microOps);
  EXPECT_EQ(ours.summary.blockReciprocalThroughput, reference.summary.blockReciprocalThroughput);
  EXPECT_EQ(ours.pressure.byInstruction, reference.pressure.byInstruction);
  const auto &entries = ours.timeline->entries, &expected = reference.timeline->entries;
  ASSERT_EQ(entries.size(), expected.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].dispatched, expected[i].dispatched) << i;
    EXPECT_EQ(entries[i].ready, expected[i].ready) << i;
    EXPECT_EQ(entries[i].issued, expected[i].issued) << i;
    EXPECT_EQ(entries[i].executed, expected[i].executed) << i;
    EXPECT_EQ(entries[i].retired, expected[i].retired) << i;
  }
}

constexpr const char *kX86Pool =
    "xchgl %eax, %ebx\nxchgq %rcx, %rdx\nxaddl %eax, (%rdi)\nlock addl $1, (%rdi)\nmovb %al, %cl\nmovw %ax, %cx\n"
    "movb %ah, %bl\naddb %cl, %dh\nmovzbl %al, %eax\nxorl %eax, %eax\nxorps %xmm0, %xmm0\nsubl %ecx, %ecx\n"
    "sbbl %eax, %eax\npcmpeqd %xmm3, %xmm3\nmovl %eax, %ebx\nmovq %rbx, %rcx\nmovq %rcx, %rax\nmovaps %xmm0, %xmm1\n"
    "movups (%rdi), %xmm3\nmovups %xmm3, 16(%rsi)\ncpuid\nmfence\nlfence\nsfence\nfld1\nfadd %st(1), %st\nfxch %st(1)\n"
    "divl %ecx\nimulq %rcx, %rdx\nimull $7, (%rdi), %eax\npopcntl %ecx, %edx\ncmovel %eax, %ecx\nsete %al\n"
    "setb (%rdi)\nshll %cl, %eax\nrolw $3, %ax\npushq %rax\npopq %rbx\nleaq (%rax,%rbx,4), %rcx\naddl %eax, (%rdi)\n"
    "addl (%rdi), %eax\nmovsd %xmm0, %xmm1\nsqrtsd %xmm0, %xmm1\ncvtsi2sdl %eax, %xmm0\ndivps %xmm1, %xmm0\n"
    "pmaddwd %xmm2, %xmm3\nmovd %eax, %xmm0\nrep movsb\ncall f\nnop\ncqto\ncmc\nadcl %eax, %ebx\nbtl %eax, %ecx\n"
    "jne f\n";
constexpr const char *kAArch64Pool =
    "add x0, x0, x1\nmul x2, x0, x1\nmadd x3, x0, x1, x3\nsdiv x4, x3, x2\nldr x5, [x0]\nldr x6, [x0], #8\n"
    "ldp x7, x8, [x1], #16\nstr x5, [x2]\nstp x5, x6, [x2, #16]\nfmadd d0, d1, d2, d0\nfadd v0.4s, v0.4s, v1.4s\n"
    "fmla v2.4s, v0.4s, v1.4s\nfdiv d3, d2, d1\nmov x9, x5\nmov w10, #0\neor x11, x11, x11\nsubs x12, x12, #1\n"
    "csel x13, x12, x11, ne\nldxr x14, [x0]\nstxr w15, x14, [x0]\ndmb ish\nld1 {v4.4s}, [x0], #16\nbl f\nb.ne f\n"
    "ubfx w1, w2, #3, #5\nextr x1, x2, x3, #7\nnop\n";
constexpr const char *kRiscvPool =
    "add a0, a0, a1\nmul a2, a0, a1\ndiv a3, a2, a1\nld a4, 0(a0)\nsd a4, 8(a0)\nlw a5, 4(a1)\nsw a5, 4(a1)\n"
    "fadd.d fa0, fa0, fa1\nfmadd.d fa2, fa0, fa1, fa2\nfdiv.d fa3, fa2, fa1\nfld fa4, 0(a0)\nfsd fa4, 0(a1)\n"
    "amoadd.w a0, a1, (a2)\nfence\nsltu a6, a0, a1\nslli a7, a6, 3\nbnez a0, f\ncall f\nnop\nxor t0, t0, t1\n"
    "fcvt.d.w fa5, a0\nfmv.x.d a1, fa5\n";

struct Case {
  const char *triple;
  const char *cpu;
  const char *pool;
};

class Machine : public testing::TestWithParam<Case> {};

TEST_P(Machine, GivesWhatLlvmsPipelineGives) {
  const Parsed parsed(GetParam().triple, GetParam().cpu, GetParam().pool);
  const auto count = static_cast<uint32_t>(parsed.count());
  ASSERT_GT(count, 20u);
  std::mt19937 random(20); // always the same bodies
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  for (int run = 0; run < 40 && !HasFailure(); ++run) {
    std::vector<uint32_t> region(1 + below(run % 2 ? 6 : 40));
    for (uint32_t &instruction : region)
      instruction = below(count);
    const uint32_t iterations = 1 + below(40);
    SimulationOptions options;
    options.iterations = iterations;
    options.timeline = true;
    const auto reference = Simulator(*parsed.target).simulate(*parsed.program, region, options);
    if (!reference)
      continue; // nothing of it is modelled
    SCOPED_TRACE("run " + std::to_string(run));
    expectEqual(runMachine(*parsed.target, *parsed.program, region, iterations), (*reference).report);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Engine, Machine,
    testing::Values(Case{kX86, "btver2", kX86Pool}, Case{kX86, "bdver2", kX86Pool}, Case{kX86, "znver1", kX86Pool},
                    Case{kX86, "znver4", kX86Pool}, Case{kX86, "sandybridge", kX86Pool},
                    Case{kX86, "haswell", kX86Pool}, Case{kX86, "skylake", kX86Pool},
                    Case{kX86, "silvermont", kX86Pool}, Case{kX86, "sapphirerapids", kX86Pool},
                    Case{kX86, "lunarlake", kX86Pool}, Case{kX86, "atom", kX86Pool},
                    Case{kAArch64, "neoverse-v2", kAArch64Pool}, Case{kAArch64, "neoverse-n1", kAArch64Pool},
                    Case{kAArch64, "apple-m1", kAArch64Pool}, Case{kAArch64, "cortex-a57", kAArch64Pool},
                    Case{kAArch64, "cortex-a55", kAArch64Pool}, Case{kAArch64, "cortex-a53", kAArch64Pool},
                    Case{kAArch64, "cortex-a510", kAArch64Pool}, Case{kRiscv, "sifive-x280", kRiscvPool},
                    Case{kRiscv, "sifive-u74", kRiscvPool}, Case{kRiscv, "sifive-p670", kRiscvPool}),
    [](const auto &info) {
      std::string name = info.param.cpu;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

} // namespace
} // namespace mca
