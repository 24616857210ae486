// Calibrations laid over assembly: LLVM's values where rows are missing, and each rule on and off.
#include "mca-core/calibration/form.h"
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mca {
namespace {

using Latencies = std::vector<CalibratedForm::Latency>;
using Values = std::map<std::string, double>;
using Kind = StoreForward::Kind;

/// A calibration with the resources alu (4 a cycle), load (2) and store (1).
struct Made : Calibration {
  Made() {
    resources = {{"alu", 4, {}}, {"load", 2, {}}, {"store", 1, {}}};
    facts.slotsPerCycle.value = 6;
    facts.loadLatency.value = 4;
  }
  Made &rule(const std::string &name, const Values &values = {}) {
    EXPECT_TRUE(switchOn(*this, name, values, {}));
    return *this;
  }
  Made &form(const std::string &opcode, const std::string &shape, std::vector<CalibratedForm::Use> uses,
             Latencies latencies, RenameTreatment treatment = RenameTreatment::None) {
    forms.push_back({opcode, shape, 1.0, std::move(uses), std::move(latencies), treatment, {}});
    return *this;
  }
};

SimulationOptions with(const Calibration &calibration, SimulationOptions options = {}) {
  options.calibration = std::make_shared<const Calibration>(calibration);
  options.rate = true;
  return options;
}

struct Simulated {
  Simulated(const std::string &text, const Calibration &calibration, const std::string &cpu = "znver3")
      : parsed(kX86, cpu, text) {
    std::vector<uint32_t> region(parsed.count());
    std::iota(region.begin(), region.end(), 0);
    Simulator simulator(*parsed.target);
    PreparedRegion prepared;
    const auto failure = simulator.prepare(*parsed.program, region, with(calibration, {.iterations = 100}), prepared);
    EXPECT_FALSE(failure);
    if (failure)
      return;
    body = *prepared.calibrated;
    limit = simulator.findDataflowLimit(prepared);
    links = simulator.findDataLinks(prepared);
    report = simulator.run(prepared)->report;
  }
  double rate() const { return report.summary.cyclesPerIteration(); }
  const StoreForward *forwardOf(size_t instruction) const {
    const auto &forward = report.calibrated->instructions[instruction].forward;
    return forward ? &*forward : nullptr;
  }

  Parsed parsed;
  CalibratedBody body;
  DataflowLimit limit;
  std::vector<DataLink> links;
  Report report;
};

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

TEST(CalibratedBody, NeedsTheOperandOfAnAdditionOnlyWhenTheValueIsLoaded) {
  Made rows;
  rows.form("ADD64rm", "base", {{0, 1}, {1, 1}}, {{1, 0, 1}, {2, 0, 5}});
  EXPECT_EQ(Simulated("addq (%rdi), %rax\n", rows).rate(), 1);
  EXPECT_EQ(Simulated("addq (%rax), %rax\n", rows).rate(), 5);
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

TEST(CalibratedBody, FindsTheStoreThatALoadReads) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}, {"vector", 9}, {"partial", 14}});
  const auto forward = [&](const std::string &text, size_t load) { return *Simulated(text, made).forwardOf(load); };
  const StoreForward plain = forward("movq %rax, 8(%rdi)\nmovq 8(%rdi), %rbx\n", 1);
  EXPECT_EQ(plain.kind, Kind::General);
  EXPECT_EQ(plain.latency, 7);
  EXPECT_EQ(plain.distance, 0u);
  EXPECT_EQ(forward("movl %eax, 8(%rdi)\nmovq 8(%rdi), %rbx\n", 1).kind, Kind::Partial);
  EXPECT_EQ(forward("movq %rax, 8(%rdi)\nmovl 12(%rdi), %ebx\n", 1).kind, Kind::General);
  EXPECT_EQ(forward("movups %xmm0, (%rdi)\nmovups (%rdi), %xmm1\n", 1).latency, 9);
  EXPECT_EQ(forward("movq %rax, 8(%rdi)\naddq $8, %rdi\nmovq (%rdi), %rbx\n", 2).distance, 0u);
  EXPECT_EQ(forward("movq %rax, 8(%rdi)\nleaq 8(%rdi), %rsi\nmovq (%rsi), %rbx\n", 2).distance, 0u);
  EXPECT_EQ(forward("movq %rbx, 4096(%rax)\naddq $4096, %rax\nmovq (%rax), %rcx\n", 2).distance, 0u);
  const StoreForward later = forward("movq (%rdi), %rax\nmovq %rax, 16(%rdi)\naddq $8, %rdi\n", 0);
  EXPECT_EQ(later.store, 1u);
  EXPECT_EQ(later.distance, 2u);
  const Simulated other("movq %rax, 8(%rdi)\nmovq 16(%rdi), %rbx\nmovq 8(%rsi), %rcx\n", made);
  EXPECT_FALSE(other.forwardOf(1));
  EXPECT_FALSE(other.forwardOf(2));
  const Simulated loaded("movq %rax, 8(%rdi)\nmovq (%rsi), %rdi\nmovq 8(%rdi), %rbx\naddq $8, %rsi\n", made);
  EXPECT_FALSE(loaded.forwardOf(2)) << "the register has another value";
  const Simulated same("movq %rax, 8(%rdi)\nmovq (%rsi), %rdi\nmovq 8(%rdi), %rbx\n", made);
  EXPECT_TRUE(same.forwardOf(2)) << "each iteration loads the same pointer";
  const Simulated written("movq %rax, 8(%rdi)\nmovq (%rsi), %rdi\nmovq 8(%rdi), %rbx\nmovq %rcx, (%rsi)\n", made);
  EXPECT_FALSE(written.forwardOf(2)) << "the pointer is written";
  EXPECT_EQ(forward("movl %r15d, %ecx\nmovq %rax, 8(%rcx)\nmovl %r15d, %edx\nmovq 8(%rdx), %rbx\n", 3).distance, 0u)
      << "the same computation gives the same value";
}

TEST(CalibratedBody, RenamesMemoryOfTheSameExpression) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}}).rule("memory-renaming");
  const std::string chain = "movq 8(%rdi), %rax\naddq $1, %rax\nmovq %rax, 8(%rdi)\n";
  const Simulated renamed(chain, made);
  ASSERT_TRUE(renamed.forwardOf(0));
  EXPECT_EQ(renamed.forwardOf(0)->kind, Kind::Renamed);
  EXPECT_EQ(renamed.forwardOf(0)->distance, 1u);
  EXPECT_EQ(renamed.rate(), 1);
  Made off;
  off.rule("store-forwarding", {{"general", 7}});
  EXPECT_EQ(Simulated(chain, off).rate(), 8);
  EXPECT_EQ(Simulated("movq %rax, 8(%rdi)\naddq $8, %rdi\nmovq (%rdi), %rbx\n", made).forwardOf(2)->kind, Kind::General)
      << "another expression of the same address";
  EXPECT_EQ(Simulated("movups %xmm0, (%rdi)\nmovups (%rdi), %xmm1\n", made).forwardOf(1)->kind, Kind::Vector);
  EXPECT_EQ(Simulated("movb %al, (%rdi)\nmovb (%rdi), %bl\n", made).forwardOf(1)->kind, Kind::General) << "too small";
}

TEST(CalibratedBody, PredictsForwardingInLoopsOfFewLoads) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}}).rule("predictive-forwarding", {{"loads", 1}, {"latency", 2}});
  const std::string one = "movq %rax, 8(%rdi)\nmovq 8(%rdi), %rax\n";
  EXPECT_EQ(Simulated(one, made).forwardOf(1)->latency, 7) << "no branch";
  EXPECT_EQ(Simulated("1:\n" + one + "jne 1b\n", made).forwardOf(1)->latency, 2);
  EXPECT_EQ(Simulated("1:\n" + one + "movq 8(%rdi), %rbx\njne 1b\n", made).forwardOf(1)->latency, 7) << "two loads";
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

TEST(CalibratedBody, ChargesAccessesAcrossLines) {
  Made made;
  made.form("MOVUPSrm", "base", {{1, 1}}, {{1, 0, 7}});
  const auto loads = [&](const std::string &text) { return 2 * Simulated(text, made).report.pressure.at(0, 0); };
  EXPECT_EQ(loads("movups 56(%rdi), %xmm0\n"), 1) << "the rule is off";
  made.rule("splits", {{"load", 2}});
  EXPECT_EQ(loads("movups 56(%rdi), %xmm0\n"), 3);
  EXPECT_EQ(loads("movups 48(%rdi), %xmm0\n"), 1);
  EXPECT_EQ(loads("movups 8(%rdi), %xmm0\naddq $16, %rdi\n"), 1.5) << "every fourth";
}

TEST(CalibratedBody, LetsStoresToOneBlockLeaveTogether) {
  Made made;
  const auto commits = [&](const std::string &text) {
    std::vector<double> cycles;
    for (const CalibratedInstruction &instruction : Simulated(text, made).body.instructions)
      cycles.push_back(double(instruction.commitTicks) / kTicksPerUnit);
    return cycles;
  };
  using Cycles = std::vector<double>;
  const std::string pair = "movq %rax, 24(%rdi)\nmovq %rax, 16(%rdi)\n",
                    apart = "movq %rax, 24(%rdi)\nmovq %rax, 32(%rdi)\n";
  EXPECT_EQ(commits(pair), (Cycles{0, 0})) << "the rule is off";
  made.rule("store-commit", {{"per-cycle", 1}, {"bytes", 32}, {"narrow-bytes", 4}, {"narrow-cycles", 3}});
  EXPECT_EQ(commits(pair), (Cycles{0, 0}));
  EXPECT_EQ(commits(apart), (Cycles{1, 1}));
  EXPECT_EQ(commits("movq %rax, (%rdi)\nmovq %rax, (%rsi)\n"), (Cycles{1, 1})) << "other pointers, other blocks";
  EXPECT_EQ(commits("movq %rax, (%rdi)\naddq $8, %rdi\n"), (Cycles{0.25, 0})) << "every fourth begins a block";
  EXPECT_EQ(commits("movb %al, (%rdi)\nmovw %ax, 64(%rdi)\n"), (Cycles{4, 1})) << "narrow stores, once";
  EXPECT_EQ(commits("movb %al, (%rdi)\nmovb %al, 1(%rdi)\n"), (Cycles{0, 0}));
}

TEST(CalibratedBody, FetchesSmallLoopsByLines) {
  Made made;
  made.rule("small-loops", {{"least-cycles", 1}, {"fetch-ops", 8}});
  const auto rate = [&](size_t nops) {
    std::string text = ".Lloop:\n";
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
}

TEST(CalibratedBody, LoadsThroughLongAddressesTakeLonger) {
  Made made;
  made.form("MOV64rm", "base", {{1, 1}}, {{1, 0, 4}});
  const auto rate = [&](const std::string &text) { return Simulated(text, made).rate(); };
  EXPECT_EQ(rate("movq (%rdi,%rsi,8), %rdi\n"), 4);
  made.facts.scaledIndexLatency.value = 1;
  made.facts.threePartLatency.value = 2;
  EXPECT_EQ(rate("movq (%rdi), %rdi\n"), 4);
  EXPECT_EQ(rate("movq 8(%rdi), %rdi\n"), 4);
  EXPECT_EQ(rate("movq (%rdi,%rsi), %rdi\n"), 4);
  EXPECT_EQ(rate("movq (%rdi,%rsi,8), %rdi\n"), 5);
  EXPECT_EQ(rate("movq 8(%rdi,%rsi), %rdi\n"), 6);
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

TEST(CalibratedBody, FindsTheChainThroughMemory) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}});
  const Simulated chain("movq (%rdi), %rax\naddq %rcx, %rax\nmovq %rax, (%rdi)\n", made);
  EXPECT_EQ(chain.rate(), 8);
  EXPECT_EQ(chain.limit.cyclesPerIteration, 8);
  EXPECT_TRUE(std::ranges::any_of(chain.limit.chain, &DataLink::isMemory));
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

/// A file may say so, see calibration/rules.cpp.
TEST(CalibratedBody, WritesStoresAsSlowlyAsItIsTold) {
  const std::string stores = "movq %rax, (%rdi)\nmovq %rax, 64(%rdi)\nmovq %rax, 128(%rdi)\n";
  for (const double perCycle : {0.01, 0.04, 0.05, 1.0})
    for (const char *cpu : {"znver3", "skylake"}) // LLVM's model of the second one has no store queue
      EXPECT_EQ(Simulated(stores, Made().rule("store-commit", {{"per-cycle", perCycle}}), cpu).rate(), 3 / perCycle);
}

} // namespace
} // namespace mca
