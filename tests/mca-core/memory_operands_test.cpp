// Loads and stores with one operand: which loads wait for which stores, and what that does to the cycles of a loop.
#include "mca-core/engine/dispatch_limit.h"
#include "mca-core/model/memory_operands.h"
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mca {
namespace {

struct Setting {
  std::string triple = kX86;
  std::string cpu = "znver4";
  bool sameOperands = true;
  bool steadyState = true;
  bool inAnyOrder = false;
};

Simulation simulated(const std::string &text, const Setting &run = {}) {
  const Parsed parsed(run.triple, run.cpu, text);
  EXPECT_FALSE(parsed.program->hasErrors()) << text;
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  auto simulation = Simulator(*parsed.target)
                        .simulate(*parsed.program, region,
                                  {.sameOperands = run.sameOperands,
                                   .inAnyOrder = run.inAnyOrder,
                                   .rate = true,
                                   .steadyState = run.steadyState});
  EXPECT_TRUE(simulation) << text;
  return simulation ? std::move(*simulation) : Simulation();
}

double rateOf(const std::string &text, const Setting &run = {}) {
  return simulated(text, run).report.summary.cyclesPerIteration();
}

/// A body, and how many of its loads read what it stores.
struct Body {
  const char *name;
  const char *triple;
  const char *cpu;
  const char *text;
  uint32_t loads = 0;
};
std::ostream &operator<<(std::ostream &out, const Body &test) {
  return out << test.name;
}

class OperandBodies : public testing::TestWithParam<Body> {};

TEST_P(OperandBodies, LoadsOfStoredOperandsWait) {
  const Body &test = GetParam();
  const Setting with{.triple = test.triple, .cpu = test.cpu};
  Setting without = with;
  without.sameOperands = false;
  const Simulation waiting = simulated(test.text, with);
  EXPECT_EQ(waiting.operandLoads, test.loads);
  const double rate = waiting.report.summary.cyclesPerIteration(), free = rateOf(test.text, without);
  if (test.loads && Parsed(test.triple, test.cpu, test.text).target->isOutOfOrder())
    EXPECT_GT(rate, free);
  else if (test.loads)
    EXPECT_GE(rate, free) << "in order, the store may have been executed before the load is next";
  else
    EXPECT_EQ(rate, free);
}

TEST_P(OperandBodies, AStatementDoesTheSame) {
  const Body &test = GetParam();
  const std::string comment = std::string(test.triple) == kX86 || std::string(test.triple) == kRiscv ? "# " : "// ";
  Setting run{.triple = test.triple, .cpu = test.cpu};
  const double rate = rateOf(test.text, run);
  run.sameOperands = false;
  EXPECT_EQ(rateOf(comment + "mca: same-operands\n" + test.text, run), rate);
}

constexpr const char *kArm = "thumbv7em-none-eabi";

INSTANTIATE_TEST_SUITE_P(
    X86, OperandBodies,
    testing::Values(Body{"counter", kX86, "znver4", "incl (%rdi)\nmovl %edx, (%rsi)\naddq $4, %rsi\n", 1},
                    Body{"load_add_store", kX86, "skylake", "movl (%rdi), %eax\naddl $3, %eax\nmovl %eax, (%rdi)\n", 1},
                    Body{"floats", kX86, "znver4",
                         "vmovss 8(%rdi), %xmm0\nvaddss %xmm1, %xmm0, %xmm0\nvmovss %xmm0, 8(%rdi)\n", 1},
                    Body{"folded", kX86, "znver4", "vaddss (%rdi), %xmm1, %xmm0\nvmovss %xmm0, (%rdi)\n", 1},
                    Body{"index", kX86, "znver4", "addl $1, 16(%rdi,%rcx,8)\n", 1},
                    Body{"symbol", kX86, "znver4", "addl $1, counter(%rip)\n", 1},
                    Body{"symbol_and_number", kX86, "znver4",
                         "movl counter+4(%rip), %eax\nincl %eax\nmovl %eax, counter+4(%rip)\n", 1},
                    Body{"absolute", kX86, "znver4", "addl $1, counter\n", 1},
                    Body{"thread_local", kX86, "znver4", "addl $1, %fs:counter@tpoff\n", 1},
                    Body{"stack", kX86, "znver4", "movl -4(%rbp), %eax\naddl $1, %eax\nmovl %eax, -4(%rbp)\n", 1},
                    Body{"wider_load", kX86, "znver4", "movq (%rdi), %rax\naddl $1, %eax\nmovl %eax, (%rdi)\n", 1},
                    Body{"narrower_load", kX86, "znver4", "movzbl (%rdi), %eax\naddl $1, %eax\nmovl %eax, (%rdi)\n", 1},
                    Body{"atomic", kX86, "znver4", "lock incl (%rdi)\n", 1},
                    Body{"in_order", kX86, "atom", "movl (%rdi), %eax\naddl $1, %eax\nmovl %eax, (%rdi)\n", 1},
                    Body{"in_one_iteration", kX86, "znver4",
                         "addl %ecx, %ecx\nmovl %ecx, (%rdi)\nmovl (%rdi), %ecx\naddq $4, %rdi\n", 1}),
    [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    X86Others, OperandBodies,
    testing::Values(
        Body{"other_displacement", kX86, "znver4", "movl 4(%rdi), %eax\naddl $3, %eax\nmovl %eax, (%rdi)\n"},
        Body{"other_register", kX86, "znver4", "movl (%rdi), %eax\naddl $3, %eax\nmovl %eax, (%rsi)\n"},
        Body{"other_scale", kX86, "znver4", "movl (%rdi,%rcx,4), %eax\naddl $3, %eax\nmovl %eax, (%rdi,%rcx,8)\n"},
        Body{"other_segment", kX86, "znver4", "movl %fs:8, %eax\naddl $3, %eax\nmovl %eax, %gs:8\n"},
        Body{"other_symbol", kX86, "znver4", "movl a(%rip), %eax\naddl $3, %eax\nmovl %eax, b(%rip)\n"},
        Body{"moved_pointer", kX86, "znver4", "incl (%rdi)\naddq $4, %rdi\n"},
        Body{"moved_index", kX86, "znver4", "incl (%rdi,%rcx,4)\nincq %rcx\n"},
        Body{"part_of_the_pointer", kX86, "znver4", "movb %al, %dil\nincl (%rdi)\n"},
        Body{"moved_between", kX86, "znver4", "movl %ecx, (%rdi)\naddq $4, %rdi\nmovl (%rdi), %ecx\n"},
        Body{"loaded_before", kX86, "znver4", "movl (%rdi), %ecx\nincl %ecx\nmovl %ecx, (%rdi)\naddq $4, %rdi\n"},
        Body{"pointer_of_the_loop", kX86, "znver4", "movq (%rdi), %rax\nincl (%rax)\n"},
        Body{"call_between", kX86, "znver4", "incl (%rdi)\ncall f\n"},
        Body{"push_and_pop", kX86, "znver4", "pushq %rax\naddq $1, %rax\npopq %rax\n"},
        Body{"below_a_push", kX86, "znver4", "incl (%rsp)\npushq %rax\n"},
        Body{"pushed_from_memory", kX86, "znver4", "pushq (%rdi)\nmovq %rax, 8(%rdi)\n"},
        Body{"prefetched", kX86, "znver4", "prefetcht0 (%rdi)\nmovl (%rdi), %eax\n"},
        Body{"bit_of_a_register", kX86, "znver4", "btsl %eax, (%rdi)\n"}, Body{"string", kX86, "znver4", "movsb\n"},
        Body{"only_loads", kX86, "znver4", "movl (%rdi), %eax\naddl (%rdi), %eax\n"}),
    [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    AArch64, OperandBodies,
    testing::Values(
        Body{"counter", kAArch64, "neoverse-n1", "ldr w8, [x0]\nadd w8, w8, #1\nstr w8, [x0]\n", 1},
        Body{"displacement", kAArch64, "neoverse-n1", "ldr w8, [x0, #8]\nadd w8, w8, #1\nstr w8, [x0, #8]\n", 1},
        Body{"unscaled", kAArch64, "neoverse-n1", "ldur w8, [x0, #-4]\nadd w8, w8, #1\nstur w8, [x0, #-4]\n", 1},
        Body{"other_width", kAArch64, "neoverse-n1", "ldr x8, [x0, #8]\nadd w8, w8, #1\nstr w8, [x0, #8]\n", 1},
        Body{"index", kAArch64, "neoverse-n1", "ldr w8, [x0, x1, lsl #2]\nadd w8, w8, #1\nstr w8, [x0, x1, lsl #2]\n",
             1},
        Body{"pair", kAArch64, "neoverse-n1", "ldp x8, x9, [sp, #16]\nadd x8, x8, x9\nstp x8, x9, [sp, #16]\n", 1},
        Body{"float", kAArch64, "neoverse-n1", "ldr s0, [x0]\nfadd s0, s0, s1\nstr s0, [x0]\n", 1},
        Body{"vector", kAArch64, "neoverse-n1", "ld1 {v0.4s}, [x0]\nfadd v0.4s, v0.4s, v1.4s\nst1 {v0.4s}, [x0]\n", 1},
        Body{"page", kAArch64, "neoverse-n1", "ldr w9, [x8, :lo12:c]\nadd w9, w9, #1\nstr w9, [x8, :lo12:c]\n", 1},
        Body{"in_order", kAArch64, "cortex-a55", "ldr w8, [x0]\nadd w8, w8, #1\nstr w8, [x0]\n", 1},
        Body{"other_displacement", kAArch64, "neoverse-n1", "ldr w8, [x0, #4]\nadd w8, w8, #1\nstr w8, [x0]\n"},
        Body{"scaled_otherwise", kAArch64, "neoverse-n1", "ldr w8, [x0, #4]\nadd w8, w8, #1\nstr x8, [x0, #8]\n"},
        Body{"post_index", kAArch64, "neoverse-n1", "ldr w8, [x0], #4\nadd w8, w8, #1\nstr w8, [x0]\n"},
        Body{"pre_index", kAArch64, "neoverse-n1", "ldr w8, [x0, #4]!\nadd w8, w8, #1\nstr w8, [x0, #4]\n"},
        Body{"extended", kAArch64, "neoverse-n1",
             "ldr w8, [x0, w1, sxtw #2]\nadd w8, w8, #1\nstr w8, [x0, w1, uxtw #2]\n"},
        Body{"part_of_the_index", kAArch64, "neoverse-n1",
             "ldr w8, [x0, x1]\nadd w8, w8, #1\nstr w8, [x0, x1]\nadd w1, w1, #4\n"},
        Body{"prefetched", kAArch64, "neoverse-n1", "prfm pstl1keep, [x0]\nldr w8, [x0]\n"}),
    [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, OperandBodies,
    testing::Values(
        Body{"riscv", kRiscv, "sifive-p670", "lw a1, 8(a0)\naddi a1, a1, 1\nsw a1, 8(a0)\n", 1},
        Body{"riscv_symbol", kRiscv, "sifive-p670", "lw a1, %lo(c)(a0)\naddi a1, a1, 1\nsw a1, %lo(c)(a0)\n", 1},
        Body{"riscv_in_order", kRiscv, "sifive-u74", "lw a1, 0(sp)\naddi a1, a1, 1\nsw a1, 0(sp)\n", 1},
        Body{"riscv_vector", kRiscv, "sifive-p670",
             "vsetvli zero, a4, e32, m1, ta, ma\nvle32.v v8, (a0)\nvadd.vv v8, v8, v8\nvse32.v v8, (a0)\n", 1},
        Body{"riscv_other", kRiscv, "sifive-p670", "lw a1, 8(a0)\naddi a1, a1, 1\nsw a1, 4(a0)\n"},
        Body{"riscv_gathered", kRiscv, "sifive-p670",
             "vsetvli zero, a4, e32, m1, ta, ma\nvluxei32.v v8, (a0), v4\nvadd.vv v8, v8, v8\nvse32.v v8, (a0)\n"},
        Body{"riscv_moved", kRiscv, "sifive-p670", "lw a1, 8(a0)\naddi a1, a1, 1\nsw a1, 8(a0)\naddi a0, a0, 4\n"},
        Body{"arm", kArm, "cortex-m7", "ldr r3, [r2]\nadds r3, r3, #1\nstr r3, [r2]\n", 1},
        Body{"arm_moved", kArm, "cortex-m7", "ldr r3, [r2]\nadds r3, r3, #1\nstr r3, [r2], #4\n"}),
    [](const auto &info) { return info.param.name; });

// What the statement `alias` says of the only pointer is the same here.
TEST(MemoryOperands, WaitAsAliasSays) {
  const std::string body = "incl (%rdi)\nmovl %edx, (%rsi,%rdx,4)\nincq %rdx\n";
  for (const char *cpu : {"znver4", "skylake", "atom"}) {
    EXPECT_EQ(rateOf(body, {.cpu = cpu}), rateOf("# mca: alias rdi\n" + body, {.cpu = cpu, .sameOperands = false}));
    EXPECT_EQ(rateOf("# mca: distinct rdi\n" + body, {.cpu = cpu}), rateOf(body, {.cpu = cpu}))
        << "one address is not distinct from itself";
  }
}

TEST(MemoryOperands, AreThoseOfUnwrittenRegistersAlongATrace) {
  EXPECT_EQ(simulated("incl (%rdi)\n", {.inAnyOrder = true}).operandLoads, 1u);
  EXPECT_EQ(simulated("movl %ecx, (%rdi)\nmovl (%rdi), %ecx\naddq $4, %rdi\n", {.inAnyOrder = true}).operandLoads, 0u);
}

/// Operations on a few operands, of which some registers are written.
std::string randomBody(std::mt19937 &random) {
  static constexpr const char *kLines[] = {"movl (%rdi), %eax\n",  "movl %eax, (%rdi)\n",      "addl %ebx, 8(%rdi)\n",
                                           "movl 8(%rdi), %ebx\n", "addl (%rsi,%rdx), %ecx\n", "addl $4, (%rsi,%rdx)\n",
                                           "imull %eax, %ecx\n",   "addl %ecx, %eax\n",        "leaq 4(%rsi), %rsi\n",
                                           "movl %ecx, x(%rip)\n", "movl x(%rip), %ebx\n",     "mfence\n"};
  std::string body;
  for (size_t left = 2 + random() % 14; left; --left)
    body += kLines[random() % 60 ? random() % 11 : 11];
  return body;
}

TEST(MemoryOperands, SteadyStateIsExact) {
  std::mt19937 random{7};
  for (int i = 0; i < 80; ++i) {
    const std::string body = (i % 2 ? "# mca: alias rdi, rsi\n" : "") + randomBody(random);
    for (const char *cpu : {"znver4", "skylake", "atom"})
      EXPECT_EQ(simulated(body, {.cpu = cpu}).report.summary.cycles,
                simulated(body, {.cpu = cpu, .steadyState = false}).report.summary.cycles)
          << cpu << "\n"
          << body;
  }
}

// More places than a class has bits for pointers.
TEST(MemoryOperands, OfManyPlacesEachWaitsForItsOwn) {
  std::string body;
  for (int i = 0; i < 200; ++i)
    body += "incl " + std::to_string(4 * i) + "(%rdi)\n";
  const Simulation simulation = simulated(body, {.cpu = "skylake"});
  EXPECT_EQ(simulation.operandLoads, 200u);
  EXPECT_EQ(simulation.report.summary.cyclesPerIteration(), rateOf(body, {.cpu = "skylake", .sameOperands = false}))
      << "the stores have long been executed";
}

// ---- the dispatch limit --------------------------------------------------------------------------------------------

struct Micro {
  uint32_t microOps = 1;
  bool begins = false, ends = false;
};

double dispatchLimitOf(std::initializer_list<Micro> instructions, uint32_t width) {
  mca::Body body;
  for (const Micro &one : instructions) {
    BodyInstruction &code = body.instructions.emplace_back();
    code.microOps = one.microOps;
    code.beginGroup = one.begins;
    code.endGroup = one.ends;
  }
  return findDispatchLimit(body, width).cyclesPerIteration();
}

TEST(DispatchLimit, IsMicroOpsByWidthWithoutGroups) {
  EXPECT_EQ(dispatchLimitOf({{}, {}, {}, {}, {}}, 4), 1.25);
  EXPECT_EQ(dispatchLimitOf({{}}, 6), 1.0 / 6);
  EXPECT_EQ(dispatchLimitOf({{.microOps = 0}}, 4), 0) << "it takes no slot";
  EXPECT_EQ(dispatchLimitOf({}, 4), 0);
}

TEST(DispatchLimit, InstructionsAreNotSplit) {
  EXPECT_EQ(dispatchLimitOf({{2}, {1}, {1}, {1}}, 3), 2) << "the two of the next iteration have one slot left";
  EXPECT_EQ(dispatchLimitOf({{3}, {3}, {1}, {1}}, 3), 3);
  EXPECT_EQ(dispatchLimitOf({{2}}, 3), 1);
}

TEST(DispatchLimit, LongInstructionsCarryOver) {
  EXPECT_EQ(dispatchLimitOf({{6}}, 4), 2) << "the next one needs a whole cycle";
  EXPECT_EQ(dispatchLimitOf({{6}, {2}}, 4), 2);
  EXPECT_EQ(dispatchLimitOf({{9}, {1}}, 4), 3);
}

TEST(DispatchLimit, GroupsBeginAndEndCycles) {
  EXPECT_EQ(dispatchLimitOf({{1, true}, {1}}, 4), 1);
  EXPECT_EQ(dispatchLimitOf({{1}, {1, false, true}}, 4), 1);
  EXPECT_EQ(dispatchLimitOf({{1, true, true}, {1}, {1, true}}, 4), 3);
}

} // namespace
} // namespace mca
