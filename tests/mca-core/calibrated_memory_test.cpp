// Calibrations laid over loads and stores: what they wait for, forward and rename, and which rule says so.
#include "tests/mca-core/made_calibration.h"

#include <algorithm>

namespace mca {
namespace {

/// Two vectors are loaded in a cycle, and of each two stores in a row the second takes the time of a load.
TEST(CalibratedMemory, StoresOfVectorsInPairsTakeUnitsOfLoads) {
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

/// As on Golden Cove.
TEST(CalibratedMemory, MemoryIsRenamedWhateverTheStoresExpression) {
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
TEST(CalibratedMemory, StoresLeaveInRuns) {
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
TEST(CalibratedMemory, LoadsOfOneBankWaitForEachOther) {
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
TEST(CalibratedMemory, TakesLoadsWithAnIndexApartFromTheirOperation) {
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

TEST(CalibratedMemory, NeedsTheOperandOfAnAdditionOnlyWhenTheValueIsLoaded) {
  Made rows;
  rows.form("ADD64rm", "base", {{0, 1}, {1, 1}}, {{1, 0, 1}, {2, 0, 5}});
  EXPECT_EQ(Simulated("addq (%rdi), %rax\n", rows).rate(), 1);
  EXPECT_EQ(Simulated("addq (%rax), %rax\n", rows).rate(), 5);
}

/// LLVM's model of Golden Cove says 6, 5, 6 and so on, since its vector loads take longer than its read advances.
TEST(CalibratedMemory, LetsLlvmsComputationTakeWhatItTakesWithoutALoad) {
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

TEST(CalibratedMemory, FindsTheStoreThatALoadReads) {
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

TEST(CalibratedMemory, ForwardsMasksAsVectors) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}, {"vector", 9}}).rule("memory-renaming");
  const Simulated mask("kmovw %k1, -2(%rsp)\nkmovw -2(%rsp), %k1\n", made);
  ASSERT_TRUE(mask.forwardOf(1));
  EXPECT_EQ(mask.forwardOf(1)->kind, Kind::Vector) << "only general registers are renamed";
}

TEST(CalibratedMemory, RenamesMemoryOfTheSameExpression) {
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

TEST(CalibratedMemory, PredictsForwardingInLoopsOfFewLoads) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}}).rule("predictive-forwarding", {{"loads", 1}, {"latency", 2}});
  const std::string one = "movq %rax, 8(%rdi)\nmovq 8(%rdi), %rax\n";
  EXPECT_EQ(Simulated(one, made).forwardOf(1)->latency, 7) << "no branch";
  EXPECT_EQ(Simulated("1:\n" + one + "jne 1b\n", made).forwardOf(1)->latency, 2);
  EXPECT_EQ(Simulated("1:\n" + one + "movq 8(%rdi), %rbx\njne 1b\n", made).forwardOf(1)->latency, 7) << "two loads";
}

TEST(CalibratedMemory, ChargesAccessesAcrossLines) {
  Made made;
  made.form("MOVUPSrm", "base", {{1, 1}}, {{1, 0, 7}});
  const auto loads = [&](const std::string &text) { return 2 * Simulated(text, made).report.pressure.at(0, 0); };
  EXPECT_EQ(loads("movups 56(%rdi), %xmm0\n"), 1) << "the rule is off";
  made.rule("splits", {{"load", 2}});
  EXPECT_EQ(loads("movups 56(%rdi), %xmm0\n"), 3);
  EXPECT_EQ(loads("movups 48(%rdi), %xmm0\n"), 1);
  EXPECT_EQ(loads("movups 8(%rdi), %xmm0\naddq $16, %rdi\n"), 1.5) << "every fourth";
}

TEST(CalibratedMemory, LetsStoresToOneBlockLeaveTogether) {
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

TEST(CalibratedMemory, LoadsThroughLongAddressesTakeLonger) {
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

TEST(CalibratedMemory, FindsTheChainThroughMemory) {
  Made made;
  made.rule("store-forwarding", {{"general", 7}});
  const Simulated chain("movq (%rdi), %rax\naddq %rcx, %rax\nmovq %rax, (%rdi)\n", made);
  EXPECT_EQ(chain.rate(), 8);
  EXPECT_EQ(chain.limit.cyclesPerIteration, 8);
  EXPECT_TRUE(std::ranges::any_of(chain.limit.chain, &DataLink::isMemory));
}

/// A file may say so, see calibration/rules.cpp.
TEST(CalibratedMemory, WritesStoresAsSlowlyAsItIsTold) {
  const std::string stores = "movq %rax, (%rdi)\nmovq %rax, 64(%rdi)\nmovq %rax, 128(%rdi)\n";
  for (const double perCycle : {0.01, 0.04, 0.05, 1.0})
    for (const char *cpu : {"znver3", "skylake"}) // LLVM's model of the second one has no store queue
      EXPECT_EQ(Simulated(stores, Made().rule("store-commit", {{"per-cycle", perCycle}}), cpu).rate(), 3 / perCycle);
}

} // namespace
} // namespace mca
