// Instruments: which are in force where, and what is wrong with a comment that makes none.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

Parsed riscv(const std::string &text) {
  return {kRiscv, "sifive-x280", text};
}

TEST(Instruments, HoldFromTheirCommentOn) {
  const Parsed parsed = riscv("vadd.vv v0, v1, v2\n# LLVM-MCA-RISCV-LMUL M4\nvadd.vv v0, v1, v2\n"
                              "# LLVM-MCA-RISCV-SEW E16\nvadd.vv v0, v1, v2\n");
  EXPECT_EQ(parsed.instruments(0), "");
  EXPECT_EQ(parsed.instruments(1), "RISCV-LMUL=M4");
  EXPECT_EQ(parsed.instruments(2), "RISCV-LMUL=M4 RISCV-SEW=E16");
}

TEST(Instruments, OneOfAKindAtATime) {
  const Parsed parsed = riscv("# LLVM-MCA-RISCV-LMUL M4\nvadd.vv v0, v1, v2\n# LLVM-MCA-RISCV-LMUL MF2\n"
                              "vadd.vv v0, v1, v2\n");
  EXPECT_EQ(parsed.instruments(0), "RISCV-LMUL=M4");
  EXPECT_EQ(parsed.instruments(1), "RISCV-LMUL=MF2");
}

TEST(Instruments, VsetvliAndVsetivliBringTheirs) {
  const Parsed parsed = riscv("vsetvli t0, a0, e32, m2, ta, ma\nvadd.vv v0, v2, v4\n"
                              "vsetivli zero, 4, e64, m1, ta, ma\nvadd.vv v0, v2, v4\n");
  EXPECT_EQ(parsed.instruments(1), "RISCV-LMUL=M2 RISCV-SEW=E32");
  EXPECT_EQ(parsed.instruments(3), "RISCV-LMUL=M1 RISCV-SEW=E64");
}

TEST(Instruments, VsetvlLeavesWhatWas) {
  const Parsed parsed = riscv("vsetvli t0, a0, e32, m2, ta, ma\nvsetvl t0, a0, a1\nvadd.vv v0, v2, v4\n");
  EXPECT_EQ(parsed.instruments(2), "RISCV-LMUL=M2 RISCV-SEW=E32");
}

TEST(Instruments, LatencyOnEveryTarget) {
  const Parsed parsed(kX86, "skylake", "nop\n# LLVM-MCA-LATENCY 50\nnop\n# LLVM-MCA-LATENCY 7\nnop\n");
  EXPECT_EQ(parsed.instruments(0), "");
  EXPECT_EQ(parsed.instruments(1), "LATENCY=50");
  EXPECT_EQ(parsed.instruments(2), "LATENCY=7");
}

// The lexer reads the comments of a macro's definition too, so they count there as well: llvm-mca has it so.
TEST(Instruments, InsideAMacroHoldFromItsDefinitionOn) {
  const Parsed parsed = riscv("vadd.vv v0, v8, v16\n.macro wide\n# LLVM-MCA-RISCV-LMUL M8\nvadd.vv v0, v8, v16\n.endm\n"
                              "vadd.vv v0, v8, v16\n# LLVM-MCA-RISCV-LMUL M1\nvadd.vv v0, v8, v16\nwide\n"
                              "vadd.vv v0, v8, v16\n");
  ASSERT_EQ(parsed.count(), 5u);
  EXPECT_EQ(parsed.instruments(0), "");
  EXPECT_EQ(parsed.instruments(1), "RISCV-LMUL=M8");
  EXPECT_EQ(parsed.instruments(2), "RISCV-LMUL=M1");
  EXPECT_EQ(parsed.instruments(3), "RISCV-LMUL=M8");
  EXPECT_EQ(parsed.instruments(4), "RISCV-LMUL=M8");
}

TEST(Instruments, BehindAnInstructionOfAMacroDoNotHoldForIt) {
  const Parsed parsed = riscv(".macro wide\nvadd.vv v0, v8, v16\n# LLVM-MCA-RISCV-LMUL M8\nvadd.vv v0, v8, v16\n.endm\n"
                              "# LLVM-MCA-RISCV-LMUL M1\nwide\n");
  EXPECT_EQ(parsed.instruments(0), "RISCV-LMUL=M1");
  EXPECT_EQ(parsed.instruments(1), "RISCV-LMUL=M8");
}

TEST(Instruments, BadOnesAreErrorsWithLlvmMcasWords) {
  const Parsed parsed = riscv("# LLVM-MCA-RISCV-LMUL M3\n# LLVM-MCA-RISCV-LMUL\n# LLVM-MCA-RISCV-WIDTH 3\n"
                              "# LLVM-MCA-\nadd a0, a1, a2\n");
  EXPECT_EQ(parsed.diagnostics(), (Strings{"1: Failed to create RISCV-LMUL instrument with data: M3",
                                           "2: Failed to create RISCV-LMUL instrument with no data",
                                           "3: Unknown instrumentation type in LLVM-MCA comment: RISCV-WIDTH",
                                           "4: No instrumentation kind was provided in LLVM-MCA comment"}));
  EXPECT_EQ(parsed.count(), 1u);
  for (const Diagnostic &diagnostic : parsed.program->diagnostics())
    EXPECT_TRUE(diagnostic.fromMarker);
}

TEST(Instruments, OfAnotherTargetAreUnknown) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-RISCV-LMUL M4\nnop\n");
  EXPECT_EQ(parsed.diagnostics(), (Strings{"1: Unknown instrumentation type in LLVM-MCA comment: RISCV-LMUL"}));
}

/// The latency that the simulation takes for one instruction behind such a comment, and what is said of the comment.
std::pair<Strings, std::string> latencyOf(const std::string &data, bool asLlvmMca = false) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-LATENCY" + data + "\naddl %eax, %ebx\n", {.asLlvmMca = asLlvmMca});
  return {parsed.diagnostics(), parsed.instruments(0)};
}

TEST(Instruments, ALatencyIsANumberOfCycles) {
  const std::string wrong = "1: LATENCY needs a number of cycles, at most 2147483647";
  for (const char *data : {" ten", " -1", " 2147483648", " 4294967295", " 4294967296", " 1.5", " 0x10"})
    EXPECT_EQ(latencyOf(data), (std::pair<Strings, std::string>{{wrong}, ""})) << data;
  EXPECT_EQ(latencyOf(" 2147483647"), (std::pair<Strings, std::string>{{}, "LATENCY=2147483647"}));
  EXPECT_EQ(latencyOf(" 0 \t"), (std::pair<Strings, std::string>{{}, "LATENCY=0 \t"}));
  EXPECT_EQ(latencyOf(""), (std::pair<Strings, std::string>{{}, "LATENCY="})) << "ends another";
}

TEST(Instruments, LlvmMcaSaysNothingOfALatency) {
  EXPECT_EQ(latencyOf(" ten", true), (std::pair<Strings, std::string>{{}, "LATENCY=ten"}));
}

} // namespace
} // namespace mca
