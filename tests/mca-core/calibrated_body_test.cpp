// Calibrations laid over assembly: LLVM's values where rows are missing, and each rule on and off.
#include "tests/mca-core/made_calibration.h"

#include <algorithm>
#include <bit>

namespace mca {
namespace {

TEST(CalibratedBody, CountsInstructionsWithLlvmsValues) {
  const std::string text = "imulq %rbx, %rax\naddq %rcx, %rax\n";
  const Simulated without(text, Made());
  EXPECT_EQ(without.rate(), 4) << "LLVM's 3 and 1";
  EXPECT_EQ(without.report.calibrated->fromLlvm, 2u);
  Made rows;
  rows.form("IMUL64rr", "", {{0, 1}}, {{1, 0, 5}, {2, 0, 5}});
  const Simulated some(text, rows);
  EXPECT_EQ(some.rate(), 6);
  EXPECT_EQ(some.report.calibrated->fromLlvm, 1u);
  EXPECT_FALSE(some.report.calibrated->instructions[0].isFromLlvm);
  rows.form("ADD64rr", "", {{0, 1}}, {{1, 0, 1}, {2, 0, 1}});
  EXPECT_EQ(Simulated(text, rows).report.calibrated->fromLlvm, 0u);
}

TEST(CalibratedBody, LimitsLlvmsResourcesByTheirGroups) {
  // Zen 3's four ALUs.
  const Simulated made("addq $1, %rax\naddq $1, %rbx\naddq $1, %rcx\naddq $1, %rdx\naddq $1, %rsi\n", Made());
  EXPECT_EQ(made.rate(), 1.25);
}

/// Golden Cove has five ports for integers, two of which shift.
TEST(CalibratedBody, AProfilesRowsTakeLlvmsResourcesByTheirNames) {
  Made rows;
  rows.resources = {{"llvm/Port00_06", 2, {}}, {"llvm/NoSuchPort", 1, {}}};
  const std::string swaps = "bswapl %eax\nbswapl %ebx\n",
                    shifts = "shll $3, %ecx\nshll $3, %edx\nshll $3, %esi\nshll $3, %edi\n";
  for (const char *cpu : {"alderlake", "sapphirerapids"}) {
    const double before = Simulated(swaps + shifts, rows, cpu).rate();
    EXPECT_EQ(before, 2) << "another port";
    Made moved = rows;
    moved.form("BSWAP32r", "", {{0, 1}}, {{1, 0, 1}});
    EXPECT_EQ(Simulated(swaps + shifts, moved, cpu).rate(), 3) << "six for two ports";
    moved.forms.back().uses = {{1, 1}};
    EXPECT_EQ(Simulated(swaps + shifts, moved, cpu).rate(), 2) << "a resource of its own";
  }
  // A group of five ports holds the two.
  rows.form("BSWAP32r", "", {{0, 1}}, {{1, 0, 1}});
  std::string additions;
  for (const char *reg : {"r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"})
    additions += std::string("addl %ecx, %") + reg + "\n";
  EXPECT_EQ(Simulated(swaps + additions, rows, "alderlake").rate(), 2);
}

/// An addition from memory: one of three ports to load, one of five to add. What a report shows are the groups of them.
TEST(CalibratedBody, AProfilesMicroOpsAreBoundToPorts) {
  Made rows;
  rows.profiled = {"sapphirerapids"};
  const std::string text = "addl (%rdi), %eax\n";
  EXPECT_EQ(Simulated(text, rows, "sapphirerapids").body.portCount, 0u);
  rows.rule("port-binding");
  const Simulated bound(text, rows, "sapphirerapids");
  EXPECT_EQ(bound.body.portCount, 3u + 5);
  const CalibratedInstruction &code = bound.body.instructions[0];
  EXPECT_EQ(code.loadUses.count + code.uses.count + code.storeUses.count, 0u);
  ASSERT_EQ(code.loadPorts.count, 1u);
  ASSERT_EQ(code.ports.count, 1u);
  const PortUse &load = bound.body.portUses[code.loadPorts.first], &addition = bound.body.portUses[code.ports.first];
  EXPECT_EQ(std::popcount(load.ports), 3);
  EXPECT_EQ(std::popcount(addition.ports), 5);
  EXPECT_EQ(load.ports & addition.ports, 0u);
  EXPECT_GT(code.groupUses.count, 1u);
  EXPECT_NEAR(bound.report.instructions[0].reciprocalThroughput, 1 / 3., .001) << "a load for three ports";
  rows.profiled.clear();
  EXPECT_EQ(Simulated(text, rows, "sapphirerapids").body.portCount, 0u) << "a calibration has other resources";
}

/// Chains of twelve additions side by side, for one of four units: some wait for one unit while another one is free.
TEST(CalibratedBody, ACalibrationsUnitsMayBePorts) {
  Made rows;
  rows.resources = {{"alu", 4, {}}};
  rows.form("ADD64rr", "", {{0, 1}}, {{1, 0, 2}, {2, 0, 2}}).form("LEA64r", "base+disp", {{0, 1}}, {{1, 0, 2}});
  std::string chains;
  for (const std::string chain : {"rax", "rcx"}) {
    chains += "leaq 8(%rdi), %" + chain + "\n";
    for (int i = 0; i < 11; ++i)
      chains += "addq %rbx, %" + chain + "\n";
  }
  const Simulated counted(chains, rows);
  EXPECT_EQ(counted.body.portCount, 0u);
  rows.rule("port-binding", {{"alu", 4}});
  const Simulated bound(chains, rows);
  EXPECT_EQ(bound.body.portCount, 4u);
  EXPECT_TRUE(bound.body.takesPortsInTurn);
  const CalibratedInstruction &addition = bound.body.instructions[1];
  EXPECT_EQ(addition.uses.count, 0u);
  ASSERT_EQ(addition.ports.count, 1u);
  EXPECT_EQ(bound.body.portUses[addition.ports.first].ports, 15u);
  EXPECT_EQ(addition.groupUses.count, 1u) << "reports show the resource";
  EXPECT_NEAR(counted.rate(), 6, .1);
  EXPECT_GT(bound.rate(), 6.3);
}

/// The stack engine adds up what push and pop change; what was written to the register itself has to be there.
TEST(CalibratedBody, APopWaitsForTheLastWriteOfTheStackPointer) {
  Made made;
  made.form("POP64r", "", {{1, 1}}, {{kFirstImplicit, 0, 4}}).form("LEA64r", "base+disp", {{0, 1}}, {{1, 0, 1}});
  made.rule("stack-engine");
  const std::string text = "leaq -8(%rbp), %rsp\npopq %rbx\npopq %rbp\n";
  EXPECT_EQ(Simulated(text, made).rate(), 5) << "the pointer that is popped: lea, then a load of 4 cycles";
  EXPECT_EQ(Simulated("popq %rbx\npopq %rcx\n", made).rate(), 1) << "two loads a cycle";
  EXPECT_EQ(Simulated("popq %rbx\naddq $8, %rsp\n", made).rate(), 1) << "the addition alone is a chain";
}

TEST(CalibratedBody, AFloatAdditionIsFasterAfterAnotherOne) {
  Made made;
  for (const auto &[opcode, latency] : {std::pair("ADDSSrr", 2.0), {"SUBSSrr", 2.0}, {"MULSSrr", 4.0}})
    for (const std::string &name : {std::string(opcode), std::string(opcode) + "_Int"})
      made.form(name, "", {{0, 1}}, {{1, 0, latency}, {2, 0, latency}});
  const std::string additions = "addss %xmm1, %xmm0\nsubss %xmm2, %xmm0\n",
                    mixed = "mulss %xmm1, %xmm0\naddss %xmm2, %xmm0\n";
  EXPECT_EQ(Simulated(additions, made).rate(), 4);
  EXPECT_EQ(Simulated(mixed, made).rate(), 6);
  made.rule("float-add-bypass", {{"other-cycles", 1}});
  EXPECT_EQ(Simulated(additions, made).rate(), 4);
  EXPECT_EQ(Simulated(mixed, made).rate(), 7);
  EXPECT_EQ(Simulated(mixed + "addss %xmm3, %xmm0\n", made).rate(), 9);
  EXPECT_EQ(Simulated("addss %xmm1, %xmm0\nmovaps %xmm0, %xmm2\nmovaps %xmm2, %xmm0\n",
                      made.rule("move-elimination").form("MOVAPSrr", "", {}, {{1, 0, 0}}, RenameTreatment::Eliminated))
                .rate(),
            2)
      << "a renamed move is still the addition's result";
}

/// Products take p0 or p1 and additions p1 or p5: six of them take three ports for two cycles.
TEST(CalibratedBody, LimitsWhatSeveralOfLlvmsGroupsTakeTogether) {
  std::string text;
  for (const char *reg : {"1", "2", "3"})
    text += std::string("vmulps %ymm0, %ymm0, %ymm") + reg + "\nvaddps %ymm0, %ymm0, %ymm1" + reg + "\n";
  for (const char *cpu : {"alderlake", "sapphirerapids"})
    EXPECT_EQ(Simulated(text, Made(), cpu).rate(), 2) << cpu;
}

/// A conversion takes p0 once, and p0 or p1 once more, as a product does: four of both take two ports for six cycles.
TEST(CalibratedBody, CountsWhatAGroupTakesForItselfOnce) {
  std::string text;
  for (const char *reg : {"1", "2", "3", "4"})
    text += std::string("mulss %xmm0, %xmm") + reg + "\ncvttss2si %xmm0, %edx\n";
  for (const char *cpu : {"alderlake", "sapphirerapids"})
    EXPECT_EQ(Simulated(text, Made(), cpu).rate(), 6) << cpu;
}

TEST(CalibratedBody, RespectsATreatmentIfItsRuleIsOn) {
  Made rows;
  rows.form("ADD64ri8", "", {}, {}, RenameTreatment::Immediate);
  rows.form("ADD64ri32", "", {}, {}, RenameTreatment::Immediate);
  const std::string adds = "addq $1, %rax\naddq $2, %rax\naddq $3, %rax\n";
  EXPECT_EQ(Simulated(adds, rows).rate(), 3) << "LLVM's latency";
  EXPECT_EQ(Simulated(adds, rows).report.calibrated->fromLlvm, 3u);
  EXPECT_EQ(Simulated(adds, rows.rule("immediate-adds")).rate(), 0.5) << "six slots a cycle";
}

bool fusesWithBranch(const std::string &first, const std::string &branch, const Values &values) {
  Made made;
  made.rule("macro-fusion", values);
  const Simulated simulated("1:\n" + first + "\n" + branch + " 1b\n", made);
  EXPECT_EQ(simulated.report.calibrated->instructions[1].slots,
            simulated.report.calibrated->instructions[0].isFusedWithNext ? 0 : 1);
  return simulated.report.calibrated->instructions[0].isFusedWithNext;
}

TEST(CalibratedBody, FusesInstructionsWithBranches) {
  EXPECT_TRUE(fusesWithBranch("cmpq %rax, %rbx", "jne", {{"cmp", 1}}));
  EXPECT_FALSE(fusesWithBranch("cmpq %rax, %rbx", "jne", {{"test", 1}}));
  EXPECT_TRUE(fusesWithBranch("decq %rax", "jne", {{"dec", 3}}));
  EXPECT_FALSE(fusesWithBranch("decq %rax", "jb", {{"dec", 3}})) << "dec leaves the carry";
  EXPECT_TRUE(fusesWithBranch("cmpq %rax, %rbx", "jb", {{"cmp", 2}}));
  EXPECT_FALSE(fusesWithBranch("cmpq %rax, %rbx", "js", {{"cmp", 2}}));
  EXPECT_FALSE(fusesWithBranch("cmpq (%rdi), %rbx", "jne", {{"cmp", 1}}));
  EXPECT_TRUE(fusesWithBranch("cmpq (%rdi), %rbx", "jne", {{"cmp", 1}, {"memory", 1}}));
  EXPECT_FALSE(fusesWithBranch("cmpq $5, (%rdi)", "jne", {{"cmp", 1}, {"memory", 1}}));
  EXPECT_TRUE(fusesWithBranch("cmpq $5, (%rdi)", "jne", {{"cmp", 1}, {"memory", 1}, {"memory-immediate", 1}}));
}

/// LLVM has registers for pairs of masks, but k1 is no part of k0.
TEST(CalibratedBody, MasksDoNotDependOnTheirNeighbours) {
  const Simulated masks("kxnorw %k0, %k0, %k1\nkaddw %k1, %k1, %k2\nkaddw %k2, %k2, %k1\n", Made(), "sapphirerapids");
  const Simulated written("kaddw %k1, %k1, %k1\nkaddw %k2, %k2, %k2\n", Made(), "sapphirerapids");
  EXPECT_EQ(masks.limit.cyclesPerIteration, 0);
  EXPECT_EQ(written.rate(), Simulated("kaddw %k1, %k1, %k1\n", Made(), "sapphirerapids").rate());
}

TEST(CalibratedBody, AFusedBranchIsExecuted) {
  Made made;
  made.resources.push_back({"branch", 1, {}});
  made.form("DEC64r", "", {}, {{1, 0, 0}}, RenameTreatment::Immediate).form("JCC_1", "", {{3, 1}}, {});
  made.form("SETCCr", "", {{3, 1}}, {{kFirstImplicit, 0, 1}});
  made.rule("immediate-adds").rule("macro-fusion", {{"dec", 3}});
  EXPECT_EQ(Simulated("1:\nsete %al\nsete %cl\ndecq %r15\njne 1b\n", made).rate(), 3) << "three for one unit";
}

bool moveFuses(const std::string &text) {
  Made made;
  made.rule("move-fusion", {{"add", 1}});
  return Simulated(text, made).report.calibrated->instructions[0].isFusedWithNext;
}

TEST(CalibratedBody, FusesMovesWithWhatChangesTheCopy) {
  EXPECT_TRUE(moveFuses("movq %rax, %rbx\naddq %rcx, %rbx\n"));
  EXPECT_TRUE(moveFuses("movl %eax, %ebx\naddl $5, %ebx\n"));
  EXPECT_FALSE(moveFuses("movq %rax, %rbx\naddl %ecx, %ebx\n")) << "another width";
  EXPECT_FALSE(moveFuses("movq %rax, %rbx\naddq %rbx, %rcx\n")) << "another register is changed";
  EXPECT_FALSE(moveFuses("movq %rax, %rbx\nsubq %rcx, %rbx\n")) << "not listed";
}

TEST(CalibratedBody, MovesTheStackPointerForNothing) {
  const std::string text = "pushq %rax\npushq %rbx\npopq %rbx\npopq %rax\n";
  const auto writesStack = [](const Simulated &simulated) {
    const CalibratedInstruction &push = simulated.body.instructions[0];
    return simulated.body.destinations.size() > push.destinations.first &&
           std::ranges::any_of(CalibratedBody::slice(simulated.body.destinations, push.destinations),
                               [](const auto &destination) { return !destination.isMemory; });
  };
  EXPECT_TRUE(writesStack(Simulated(text, Made())));
  Made made;
  made.rule("stack-engine", {{"write-slots", 2}});
  EXPECT_FALSE(writesStack(Simulated(text, made)));
  const Simulated written(text + "movq %rsp, %rcx\naddq $0, %rsp\n", made);
  EXPECT_EQ(written.report.calibrated->instructions[4].slots, 1) << "reading is free";
  EXPECT_EQ(written.report.calibrated->instructions[5].slots, 1) << "already written back for the move";
  EXPECT_EQ(Simulated(text + "addq $0, %rsp\n", made).report.calibrated->instructions[4].slots, 3);
  made.rule("store-forwarding", {{"general", 7}}).rule("memory-renaming");
  const Simulated renamed(text, made);
  ASSERT_TRUE(renamed.forwardOf(3));
  EXPECT_EQ(renamed.forwardOf(3)->store, 0u);
  EXPECT_EQ(renamed.forwardOf(3)->kind, Kind::Renamed);
}

TEST(CalibratedBody, KeepsTheCarryApart) {
  const std::string text = "imulq %rdx, %rdx\nincq %rbx\nsetb %cl\n";
  const auto writerOfCarry = [&](const Calibration &calibration) {
    const Simulated simulated(text, calibration);
    const auto link =
        std::ranges::find_if(simulated.links, [](const DataLink &one) { return one.to == 2 && one.from != 2; });
    return link == simulated.links.end() ? kNone : link->from;
  };
  EXPECT_EQ(writerOfCarry(Made()), 1u);
  Made made;
  EXPECT_EQ(writerOfCarry(made.rule("separate-carry")), 0u);
}

TEST(CalibratedBody, GivesEachResultItsOwnLatency) {
  Made made;
  const uint16_t flags = kFirstImplicit;
  made.form("NEG32r", "", {{0, 1}}, {{1, 0, 1}, {1, flags, 1}});
  made.form("SETCCr", "", {{0, 1}}, {{flags, 0, 1}, {0, 0, 1}});
  EXPECT_EQ(Simulated("setne %r13b\nnegl %r13d\n", made).rate(), 2) << "the flags do not wait for the new register";
}

TEST(CalibratedBody, MergesPartialRegisters) {
  const std::string text = "movb $1, %al\nimulq %rax, %rax\n";
  Made made;
  made.rule("partial-registers", {{"merge", 0}});
  EXPECT_EQ(Simulated(text, Made()).rate(), 4);
  EXPECT_LT(Simulated(text, made).rate(), 2) << "no chain";
  EXPECT_EQ(Simulated("movl $1, %eax\nimulq %rax, %rax\n", Made()).rate(), 1) << "32 bits clear the rest";
}

TEST(CalibratedBody, FetchesSmallLoopsByLines) {
  Made made;
  made.rule("small-loops", {{"least-cycles", 1}, {"fetch-ops", 8}});
  const auto rate = [&](size_t nops, const std::string &alignment = ".p2align 6\n") {
    std::string text = alignment + ".Lloop:\n";
    for (size_t i = 0; i < nops; ++i)
      text += "nopl 8(%rax)\n";
    return Simulated(text + "decq %rcx\njne .Lloop\n", made).body.limits.leastCycles;
  };
  made.rule("macro-fusion", {{"dec", 1}});
  EXPECT_EQ(rate(1), 1u);
  EXPECT_EQ(rate(7), 1u);
  EXPECT_EQ(rate(8), 2u);
  EXPECT_EQ(rate(14), 2u);
  EXPECT_EQ(rate(15), 3u) << "the branch is in the second line";
  made.rule("small-loops", {{"least-cycles", 1}, {"fetch-ops", 12}, {"further-cycles", 2}});
  EXPECT_EQ(rate(11), 1u);
  EXPECT_EQ(rate(12), 3u);
  EXPECT_EQ(rate(24), 4u);
  // From the four places that are multiples of 16: 3, 2, 2 and 2 cycles, and 4, 4, 4 and 5.
  EXPECT_EQ(rate(14, ""), 2u) << "who links decides";
  EXPECT_EQ(rate(24, ".p2align 4\n"), 4u);
  EXPECT_EQ(rate(14, ".p2align 5, , 10\n"), 2u) << "the assembler may leave this one out";
}

TEST(CalibratedBody, DelaysTheStackPointerAfterPushes) {
  Made made;
  made.rule("stack-engine", {{"write-latency", 1}});
  EXPECT_EQ(Simulated("addq $8, %rsp\n", made).rate(), 1);
  EXPECT_EQ(Simulated("pushq %rax\naddq $8, %rsp\n", made).rate(), 2);
  EXPECT_EQ(Simulated("pushq %rax\nleaq 8(%rsp), %rbx\naddq $8, %rsp\n", made).rate(), 1) << "read already";
}

TEST(CalibratedBody, FetchesTheCodeAsItIsEncoded) {
  Made made;
  made.facts.codeBytesPerCycle.value = 8;
  EXPECT_EQ(Simulated("nopw 512(%rax,%rax)\nnop\nnop\n", made).rate(), 11.0 / 8);
}

TEST(CalibratedBody, FindsTheChainAndItsRegisters) {
  const Simulated chain("imulq %rbx, %rax\naddq %rcx, %rax\naddq $8, %rdi\n", Made());
  EXPECT_EQ(chain.limit.cyclesPerIteration, 4);
  ASSERT_EQ(chain.limit.chain.size(), 2u);
  EXPECT_EQ(chain.limit.chain[0].from, 0u);
  EXPECT_EQ(chain.limit.chain[0].cycles, 3u);
  EXPECT_EQ(chain.limit.chain[0].iterations, 0u);
  EXPECT_NE(chain.limit.chain[0].reg, 0);
  EXPECT_EQ(chain.limit.chain[1].cycles, 1u);
  EXPECT_EQ(chain.limit.chain[1].iterations, 1u);
  const Simulated none("movq %rbx, %rax\n", Made());
  EXPECT_EQ(none.limit.cyclesPerIteration, 0);
  EXPECT_TRUE(none.limit.chain.empty());
}

TEST(CalibratedBody, ReadsWhatTheTextSaysOfPointers) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}});
  const std::string code = "movq (%rdi), %rax\naddq %rcx, %rax\nmovq %rax, (%rsi)\n";
  EXPECT_LE(Simulated(code, made).rate(), 1);
  EXPECT_EQ(Simulated("# mca: alias rdi, rsi\n" + code, made).rate(), 8);
}

TEST(CalibratedBody, HoldsForATargetWithoutRules) {
  const Parsed parsed(kAArch64, "neoverse-n1", "ldr x0, [x1]\nadd x1, x1, x0\nadd w2, w2, w3\n");
  const std::vector<uint32_t> region{0, 1, 2};
  auto simulation = Simulator(*parsed.target).simulate(*parsed.program, region, with(Calibration()));
  ASSERT_TRUE(simulation);
  EXPECT_EQ(simulation->report.summary.cyclesPerIteration(), 5) << "LLVM's 4 and 1";
  EXPECT_EQ(simulation->report.calibrated->fromLlvm, 3u);
}

TEST(CalibratedBody, HasTheLongestLatencyThatACalibrationMayName) {
  for (const double cycles : {4096.0, 5000.0, 10000.0}) {
    const Made calibration = Made().form("IMUL64rr", "", {{0, 1}}, {{1, 0, cycles}, {2, 0, cycles}});
    EXPECT_EQ(Simulated("imulq %rcx, %rax\n", calibration).rate(), cycles);
  }
  const Made slots = [] {
    Made made;
    made.forms.push_back({"IMUL64rr", "", 6000.0, {{0, 5000}}, {{1, 0, 3}, {2, 0, 3}}, RenameTreatment::None, {}});
    return made;
  }();
  EXPECT_EQ(Simulated("imulq %rcx, %rax\n", slots).rate(), 1250) << "5,000 units of a resource that has 4 a cycle";
}

/// The calibrated machine would ignore it, and show the calibration's own number.
TEST(CalibratedBody, LeavesLatenciesThatTheUserStatesToLlvm) {
  const auto reasonFor = [](const std::string &text, uint32_t callLatency = 100) {
    const Parsed parsed(kX86, "znver3", text);
    std::vector<uint32_t> region(parsed.count());
    std::iota(region.begin(), region.end(), 0);
    const auto simulation =
        Simulator(*parsed.target).simulate(*parsed.program, region, with(Made(), {.callLatency = callLatency}));
    return simulation ? std::string() : simulation.message();
  };
  const std::string instrument =
      "an LLVM-MCA- comment changes how its instructions are scheduled, which no calibration knows";
  EXPECT_EQ(reasonFor("# LLVM-MCA-LATENCY 5\nimulq %rcx, %rax\n"), instrument);
  EXPECT_EQ(reasonFor("addq %rcx, %rax\n# LLVM-MCA-LATENCY 50000\nimulq %rcx, %rax\n"), instrument);
  EXPECT_EQ(reasonFor("imulq %rcx, %rax\n# LLVM-MCA-LATENCY 5\n"), "") << "it is about what follows";
  EXPECT_EQ(reasonFor("callq f\n", 10'000), "");
  EXPECT_EQ(reasonFor("callq f\n", 10'001), "it has a latency of more than 10000 cycles, the most of a calibration");
}

} // namespace
} // namespace mca
