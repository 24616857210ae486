// Calibrations laid over assembly: LLVM's values where rows are missing, and each rule on and off.
#include "mca-core/calibration/form.h"
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <algorithm>
#include <bit>
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
    dispatch = simulator.findDispatchLimit(prepared);
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
  DispatchLimit dispatch;
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

/// Two vectors are loaded in a cycle, and of each two stores in a row the second takes the time of a load.
TEST(CalibratedBody, StoresOfVectorsInPairsTakeUnitsOfLoads) {
  Made made;
  made.resources = {{"load", 2, {}}, {"store", 2, {}}};
  made.form("VMOVUPSYrm", "base+disp", {{0, 1}}, {{1, 0, 4}}).form("VMOVUPSYmr", "base+disp", {{1, 1}}, {});
  made.form("MOV64mr", "base+disp", {{1, 1}}, {});
  const auto cycles = [&](std::string_view order) {
    std::string text;
    for (size_t i = 0; i < order.size(); ++i) {
      const std::string place = std::to_string(32 * (i + 1));
      text += order[i] == 'L'   ? "vmovups " + place + "(%rsi), %ymm1\n"
              : order[i] == 'S' ? "vmovups %ymm2, " + place + "(%rdi)\n"
                                : "movq %rax, " + place + "(%rdi)\n";
    }
    return Simulated(text, made).rate();
  };
  EXPECT_NEAR(cycles("LLLLSSSS"), 2, .1);
  made.rule("store-pairs", {{"load", 1}});
  EXPECT_NEAR(cycles("LLLLSSSS"), 3, .1) << "two pairs";
  EXPECT_NEAR(cycles("LLLLSSS"), 2.5, .1) << "a pair and one";
  EXPECT_NEAR(cycles("SLLLLSS"), 2.5, .1) << "the last and the next iteration's first are no pair: the former has one";
  EXPECT_NEAR(cycles("SLLLLLLS"), 3.5, .1) << "the last and the next iteration's first";
  EXPECT_NEAR(cycles("LLSLLS"), 2, .1) << "each alone";
  EXPECT_NEAR(cycles("LLLLGGGG"), 2, .1) << "general registers";
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

/// As on Golden Cove.
TEST(CalibratedBody, MemoryIsRenamedWhateverTheStoresExpression) {
  Made made;
  made.resources = {{"alu", 4, {}}, {"load", 2, {}}, {"store", 2, {}}};
  made.form("MOVSX64rm32", "base", {{1, 1}}, {{1, 0, 5}});
  made.rule("store-forwarding", {{"general", 5}, {"vector", 6}, {"partial", 20}});
  made.rule("memory-renaming",
            {{"other-stores", 1}, {"index", 0}, {"rip", 0}, {"words", 0}, {"sign-extending", 0}, {"least-bytes", 1}});
  const std::string product = "imulq %rcx, %rax\n"; // 3 cycles
  const auto rate = [&](const std::string &load, const std::string &store) {
    return Simulated(load + product + store, made).rate();
  };
  EXPECT_EQ(rate("movq (%rdi), %rax\n", "movq %rax, (%rdi)\n"), 3);
  EXPECT_EQ(rate("movq (%rdi), %rax\n", "movq %rax, 8(%rdi)\naddq $8, %rdi\n"), 3) << "another expression";
  EXPECT_EQ(rate("movl (%rdi), %eax\n", "movq %rax, (%rdi)\n"), 3) << "the first half";
  EXPECT_EQ(rate("movl 4(%rdi), %eax\n", "movq %rax, (%rdi)\n"), 8) << "the second half";
  EXPECT_EQ(rate("movzbl (%rdi), %eax\n", "movb %al, (%rdi)\n"), 3);
  EXPECT_EQ(rate("movzwl (%rdi), %eax\n", "movw %ax, (%rdi)\n"), 8);
  EXPECT_EQ(rate("movq (%rdi,%rsi), %rax\n", "movq %rax, (%rdi,%rsi)\n"), 8);
  EXPECT_EQ(rate("movq 64(%rip), %rax\n", "movq %rax, 64(%rip)\n"), 8);
  EXPECT_EQ(rate("movslq (%rdi), %rax\n", "movl %eax, (%rdi)\n"), 9) << "a cycle more than without a store, too";
}

/// A run of three stores to a line needs two times.
TEST(CalibratedBody, StoresLeaveInRuns) {
  Made made;
  made.resources = {{"alu", 4, {}}, {"load", 2, {}}, {"store", 2, {}}};
  made.form("MOV64mr", "base", {{2, 1}}, {});
  const auto stores = [](std::initializer_list<int> places) {
    std::string text;
    for (const int place : places)
      text += "movq %rax, " + std::to_string(place) + "(%rdi)\n";
    return text;
  };
  made.rule("store-commit", {{"per-cycle", 1}, {"bytes", 64}});
  EXPECT_EQ(Simulated(stores({0, 8, 16, 64}), made).rate(), 2);
  made.rule("store-commit", {{"per-cycle", 1}, {"bytes", 64}, {"together", 2}});
  EXPECT_EQ(Simulated(stores({0, 8, 16, 64}), made).rate(), 3);
  EXPECT_EQ(Simulated(stores({0, 8, 64}), made).rate(), 2);
  EXPECT_EQ(Simulated(stores({0, 64, 8, 72}), made).rate(), 4);
  EXPECT_EQ(Simulated(stores({0, 8, 16, 24}), made).rate(), 2);
  EXPECT_EQ(Simulated(stores({0}) + "addq $8, %rdi\n", made).rate(), 1) << "the addition's chain";
  // A pointer that was loaded points to another line than one that was not.
  made.form("MOV64rm", "base", {{1, 1}}, {{1, 0, 4}});
  EXPECT_EQ(Simulated("movq 64(%rsi), %rdx\nmovq %rax, 8(%rdi)\nmovq %rax, (%rdx)\n", made).rate(), 2);
  const std::string scatter = "movq (%rsi), %rdx\nmovq 8(%rsi), %rcx\nmovq %rax, (%rdx)\nmovq %rax, (%rcx)\n";
  EXPECT_EQ(Simulated(scatter + "addq $16, %rsi\n", made).rate(), 2) << "and so does each pointer that is loaded";
}

/// Six loads, of which three start in a cycle; a bank has two of them.
TEST(CalibratedBody, LoadsOfOneBankWaitForEachOther) {
  Made made;
  made.resources = {{"load", 3, {}}};
  for (const auto &[opcode, latency] : {std::pair("MOV64rm", 4.0), {"VMOVAPSYrm", 7.0}})
    made.form(opcode, "base", {{0, 1}}, {{1, 0, latency}});
  const auto loads = [](int distance, const std::string &of = "movq", const std::string &into = "%rax") {
    std::string text;
    for (int i = 0; i < 6; ++i)
      text += of + " " + std::to_string(i * distance) + "(%rdi), " + into + "\n";
    return text;
  };
  for (const int distance : {0, 8, 16, 64})
    EXPECT_EQ(Simulated(loads(distance), made).rate(), 2) << distance;
  made.rule("load-banks", {{"per-cycle", 2}, {"bytes", 8}, {"line", 64}});
  EXPECT_EQ(Simulated(loads(0), made).rate(), 3);
  EXPECT_EQ(Simulated(loads(64), made).rate(), 3);
  EXPECT_EQ(Simulated(loads(8), made).rate(), 2);
  EXPECT_EQ(Simulated(loads(16), made).rate(), 2) << "four banks";
  EXPECT_EQ(Simulated(loads(32), made).rate(), 2) << "two banks, three loads of each";
  EXPECT_EQ(Simulated(loads(32, "vmovaps", "%ymm0"), made).rate(), 2);
  EXPECT_EQ(Simulated(loads(0, "vmovaps", "%ymm0"), made).rate(), 3);
  EXPECT_EQ(Simulated(loads(0) + "addq $8, %rdi\n", made).rate(), 2) << "the next iterations have other banks";
  EXPECT_EQ(Simulated(loads(0) + "addq $64, %rdi\n", made).rate(), 3) << "the same bank of the next line";
  EXPECT_EQ(Simulated("movq (%rdi), %rax\nmovq (%rsi), %rbx\nmovq (%rdx), %rcx\n", made).rate(), 1.5)
      << "pointers begin a line";
}

/// Expected: what an Emerald Rapids takes, measured in unrolled loops.
TEST(CalibratedBody, TakesLoadsWithAnIndexApartFromTheirOperation) {
  const auto copies = [](const std::string &one, int nops) {
    std::string text;
    for (int i = 0; i < 24; ++i) {
      text += one + "\n";
      for (int nop = 0; nop < nops; ++nop)
        text += "nop\n";
    }
    return text;
  };
  Made made;
  made.facts.slotsPerCycle.value = 6;
  made.form("NOOP", "", {}, {});
  made.rule("micro-fusion", {{"index-within", 3}, {"index-per-cycle", 2}});
  const auto each = [&](const std::string &one, int nops) {
    return Simulated(copies(one, nops), made, "sapphirerapids").rate() / 24;
  };
  const std::string apart = "vandps (%rdi,%rax), %xmm7, %xmm1", together = "vandps (%rdi), %xmm7, %xmm1";
  const std::map<int, double> kCycles = {{0, .5},     {1, .5},  {2, 1}, {3, 1}, {4, 1},
                                         {5, 4. / 3}, {6, 1.5}, {7, 2}, {9, 2}};
  for (const auto &[nops, cycles] : kCycles) {
    EXPECT_NEAR(each(apart, nops), cycles, .05) << nops;
    EXPECT_NEAR(each(together, nops), std::max((1 + nops) / 6., 1 / 3.), .02) << nops;
  }
  for (const char *other : {"cmpq (%rdi,%rax), %rcx", "andnq (%rdi,%rax), %rcx, %rdx", "vpabsd (%rdi,%rax), %xmm1",
                            "pmovzxbd (%rdi,%rax), %xmm1", "cmovneq (%rdi,%rax), %rdx"})
    EXPECT_NEAR(each(other, 5), 4. / 3, .02) << other;
  for (const char *stays : {"paddd (%rdi,%rax), %xmm1", "xorq (%rdi,%rax), %rcx", "movzbl (%rdi,%rax), %ecx",
                            "vbroadcastss (%rdi,%rax), %ymm1", "movss %xmm7, (%rdi,%rax)"})
    EXPECT_NEAR(each(stays, 5), 1, .02) << stays;
  EXPECT_NEAR(each("pshufd $1, (%rdi), %xmm1", 3), 5 / 6., .02) << "two slots with any address";
  const std::string fused = "cmpq (%rdi,%rax), %rcx\njne 1f\n1:\n";
  EXPECT_EQ(Simulated(fused, made, "sapphirerapids").body.instructions[0].slots, 2 * kTicksPerUnit);
  const Simulated withBranch(fused, Made(made).rule("macro-fusion", {{"cmp", 1}, {"memory", 1}}), "sapphirerapids");
  EXPECT_EQ(withBranch.body.instructions[0].slots, kTicksPerUnit);
  EXPECT_FALSE(withBranch.body.instructions[0].isUnlaminated) << "a branch keeps it together";
  const Simulated loop(copies(apart, 2), made, "sapphirerapids");
  EXPECT_EQ(loop.dispatch.cyclesPerIteration(), 24) << "the limit of renaming alone";
  EXPECT_EQ(Simulated(copies(together, 2), made, "sapphirerapids").dispatch.cyclesPerIteration(), 12);
  made.forms.push_back({"CMP64rm", "base+index", 2.0, {}, {}, RenameTreatment::None, {}});
  EXPECT_EQ(Simulated("cmpq (%rdi,%rax), %rcx\n", made, "sapphirerapids").body.instructions[0].slots, 2 * kTicksPerUnit)
      << "a row of this shape has both slots";
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

TEST(CalibratedBody, NeedsTheOperandOfAnAdditionOnlyWhenTheValueIsLoaded) {
  Made rows;
  rows.form("ADD64rm", "base", {{0, 1}, {1, 1}}, {{1, 0, 1}, {2, 0, 5}});
  EXPECT_EQ(Simulated("addq (%rdi), %rax\n", rows).rate(), 1);
  EXPECT_EQ(Simulated("addq (%rax), %rax\n", rows).rate(), 5);
}

/// LLVM's model of Golden Cove says 6, 5, 6 and so on, since its vector loads take longer than its read advances.
TEST(CalibratedBody, LetsLlvmsComputationTakeWhatItTakesWithoutALoad) {
  const std::pair<const char *, const char *> kPairs[] = {
      {"vfmadd231ps (%rdi), %ymm1, %ymm0\n", "vfmadd231ps %ymm2, %ymm1, %ymm0\n"},
      {"vaddps (%rdi), %ymm0, %ymm0\n", "vaddps %ymm2, %ymm0, %ymm0\n"},
      {"vminpd (%rdi), %xmm0, %xmm0\n", "vminpd %xmm2, %xmm0, %xmm0\n"},
      {"pmulld (%rdi), %xmm0\n", "pmulld %xmm2, %xmm0\n"},
      {"vpaddd (%rdi){1to16}, %zmm0, %zmm0\n", "vpaddd %zmm2, %zmm0, %zmm0\n"},
      {"vaddps (%rdi), %zmm0, %zmm0 {%k1}\n", "vaddps %zmm2, %zmm0, %zmm0 {%k1}\n"},
      {"adcq (%rdi), %rax\n", "adcq %rbx, %rax\n"},
      {"imulq (%rdi), %rax\n", "imulq %rbx, %rax\n"}};
  for (const char *cpu : {"emeraldrapids", "znver4"})
    for (const auto &[withLoad, without] : kPairs)
      EXPECT_EQ(Simulated(withLoad, Made(), cpu).rate(), Simulated(without, Made(), cpu).rate()) << cpu << withLoad;
  EXPECT_EQ(Simulated("vfmadd231ps (%rdi), %ymm1, %ymm0\n", Made(), "emeraldrapids").rate(), 4);
  EXPECT_EQ(Simulated("xorq (%rdi), %rax\n", Made(), "emeraldrapids").rate(), 1)
      << "a known error of its register form";
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

TEST(CalibratedBody, ForwardsMasksAsVectors) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}, {"vector", 9}}).rule("memory-renaming");
  const Simulated mask("kmovw %k1, -2(%rsp)\nkmovw -2(%rsp), %k1\n", made);
  ASSERT_TRUE(mask.forwardOf(1));
  EXPECT_EQ(mask.forwardOf(1)->kind, Kind::Vector) << "only general registers are renamed";
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
  EXPECT_EQ(commits("vpscatterdd %zmm0, (%rsi,%zmm1,4) {%k1}\nvpscatterqd %ymm0, (%rsi,%zmm1,4) {%k1}\n"),
            (Cycles{16, 8}))
      << "each element leaves on its own";
  EXPECT_EQ(commits("movb %al, (%rdi)\nmovw %ax, 64(%rdi)\n"), (Cycles{4, 1})) << "narrow stores, once";
  EXPECT_EQ(commits("movb %al, (%rdi)\nmovb %al, 1(%rdi)\n"), (Cycles{0, 0}));
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
