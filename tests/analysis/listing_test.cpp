// A region as a text that llvm-mca reads, and that means the same when it is read again.
#include "analysis/simulate/listing.h"
#include "mca-core/program/branches.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;

std::string listing(const Parsed &parsed, std::vector<uint32_t> instructions = {}) {
  if (instructions.empty()) {
    instructions.resize(parsed.count());
    std::iota(instructions.begin(), instructions.end(), 0);
  }
  return listingOf(*parsed.program, *parsed.target, instructions);
}

mca::Strings opcodes(const Parsed &parsed) {
  mca::Strings names;
  for (uint32_t i = 0; i < parsed.count(); ++i)
    names.push_back(parsed.opcode(i) + " " + parsed.instruments(i));
  return names;
}

/// The listing read again has the same instructions.
void expectSame(const char *triple, const char *cpu, const std::string &text) {
  const Parsed parsed(triple, cpu, text);
  const Parsed again(triple, cpu, listing(parsed));
  EXPECT_EQ(opcodes(again), opcodes(parsed)) << listing(parsed);
  EXPECT_TRUE(again.program->markerRegions().empty()) << listing(parsed);
}

TEST(Listing, HasTheStatementsThatHoldForIt) {
  const Parsed parsed(kX86, "skylake", ".L1: decl %eax\njne .L1\n.L2: addl (%rdi), %eax\n# mca: alias %rdi\njne .L2\n");
  EXPECT_EQ(listing(parsed, {0}), "\tdecl %eax\n");
  EXPECT_EQ(listing(parsed, {2}), "# mca: alias rdi\n\taddl (%rdi), %eax\n");
}

TEST(Listing, SaysThatLoadsWaitForTheirOperand) {
  EXPECT_EQ(operandStatement(*Parsed(kX86, "skylake", "nop\n").target, 0), "");
  const std::string text = operandStatement(*Parsed(mca::kAArch64, "neoverse-n1", "nop\n").target, 2);
  EXPECT_EQ(text, "// 2 loads wait for the store to the same operand: mca knows by the next line, llvm-mca does not\n"
                  "// mca: same-operands\n");
  const Parsed again(mca::kAArch64, "neoverse-n1", text + "ldr x1, [x0]\nstr x1, [x0]\n");
  ASSERT_EQ(again.program->pointerStatements().size(), 1u);
  EXPECT_TRUE(mca::isAboutOperands(&again.program->pointerStatements()[0]));
}

TEST(Listing, HasTheLinesAsTheyAreWritten) {
  const Parsed parsed(kX86, "skylake", "f:\n  incl %eax   # count\n\n\tdecl %ebx\r\nl: addl $0x10, %ecx\n");
  EXPECT_EQ(listing(parsed), "\tincl %eax   # count\n\tdecl %ebx\n\taddl $0x10, %ecx\n");
}

TEST(Listing, FollowsTheOrderOfExecution) {
  const Parsed parsed(kX86, "skylake", "incl %eax\ndecl %ebx\nnop\n");
  EXPECT_EQ(listing(parsed, {2, 0}), "\tnop\n\tincl %eax\n");
  EXPECT_EQ(listingOf(*parsed.program, *parsed.target, {}), "");
}

TEST(Listing, OfSeveralInstructionsOnALineHasEachOnce) {
  expectSame(kX86, "skylake", "incl %eax; decl %ebx; nop\n");
  expectSame(kX86, "skylake", "rep movsb\nlock incl (%rax)\n");
  expectSame(mca::kAArch64, "neoverse-v2", "add x0, x0, #1; ldr x1, [x0], #8\n");
  const Parsed parsed(kX86, "skylake", "incl %eax; decl %ebx\n");
  EXPECT_EQ(listing(parsed, {1}), "\tdecl %ebx\n");
}

TEST(Listing, OfMacrosPrintsWhatTheyMake) {
  expectSame(kX86, "skylake",
             ".macro two reg\nincl \\reg\ndecl \\reg\n.endm\ntwo %eax\nnop\n.rept 3\naddl $1, %ecx\n.endr\n");
}

TEST(Listing, CommentsThatMeanSomethingAreLeftOut) {
  expectSame(kX86, "skylake", "nop /* begins\nand ends */\nincl %eax\n");
  const Parsed parsed(kX86, "skylake", "incl %eax # LLVM-MCA-BEGIN x\ndecl %ebx\n# LLVM-MCA-END\n");
  EXPECT_EQ(listing(parsed).find("LLVM-MCA"), std::string::npos) << listing(parsed);
}

TEST(Listing, KeepsTheSyntax) {
  const std::string text = ".intel_syntax noprefix\nmov eax, dword ptr [rdi + 4*rax]\nadd rdi, 4; nop\n";
  const Parsed parsed(kX86, "skylake", text);
  EXPECT_TRUE(listing(parsed).starts_with("\t.intel_syntax noprefix\n"));
  expectSame(kX86, "skylake", text);
}

TEST(Listing, KeepsTheVectorType) {
  const std::string text = "vsetvli t0, a0, e32, m2, ta, ma\nvadd.vv v2, v4, v6\nvsetvli t0, a0, e8, mf2, ta, ma\n"
                           "vadd.vv v2, v4, v6\n";
  const Parsed parsed(mca::kRiscv, "sifive-x280", text);
  const Parsed again(mca::kRiscv, "sifive-x280", listing(parsed, {1, 3}));
  ASSERT_EQ(again.count(), 2u);
  EXPECT_EQ(again.instruments(0), parsed.instruments(1)) << listing(parsed, {1, 3});
  EXPECT_EQ(again.instruments(1), parsed.instruments(3)) << listing(parsed, {1, 3});
}

// ---- code that can run alone ---------------------------------------------------------------------------------------

std::string runnable(const Parsed &parsed, std::vector<uint32_t> instructions = {}) {
  if (instructions.empty()) {
    instructions.resize(parsed.count());
    std::iota(instructions.begin(), instructions.end(), 0);
  }
  return runnableListingOf(*parsed.program, *parsed.target, instructions, ".L0_");
}

/// It has the same instructions, and all of its jumps lead to labels that it has.
void expectRunnable(const std::string &text) {
  const Parsed parsed(kX86, "skylake", text);
  const std::string code = runnable(parsed);
  const Parsed again(kX86, "skylake", code);
  EXPECT_EQ(opcodes(again), opcodes(parsed)) << code;
  const mca::ProgramBranches branches(*again.target, *again.program);
  for (uint32_t i = 0; i < again.count(); ++i)
    if (branches.at(i).kind != mca::BranchKind::None) {
      EXPECT_EQ(branches.at(i).target, (i + 1) % again.count()) << code;
    }
}

TEST(RunnableListing, ItsLastJumpGoesToItsFirstInstruction) {
  const Parsed parsed(kX86, "skylake", "head:\n  incl %eax   # count\n  jne head\n");
  EXPECT_EQ(runnable(parsed), ".L0_0:\n\tincl %eax   # count\n\tjne\t.L0_0\n");
}

TEST(RunnableListing, OtherJumpsGoToTheNextInstruction) {
  const Parsed parsed(kX86, "skylake", "head: incl %eax\nje out\ndecl %ebx\njmp far\nout: jne head\nfar: nop\n");
  EXPECT_EQ(runnable(parsed, {0, 1, 2, 4}), ".L0_0:\n\tincl %eax\n\tje\t.L0_2\n.L0_2:\n\tdecl %ebx\n\tjne\t.L0_0\n");
  EXPECT_EQ(runnable(parsed, {4, 5}), ".L0_0:\n\tjne\t.L0_1\n.L0_1:\n\tnop\n") << "no jump closes it";
}

TEST(RunnableListing, ReadsAsTheSameInstructions) {
  expectRunnable("1: incl %eax\njne 2f\n2: decl %ebx\njne 1b\n");
  expectRunnable("a: incl %eax; jne a\n");
  expectRunnable("a: loop a\n");
  expectRunnable("a: jrcxz b\nb: leaq a(%rip), %rax\njbe a+2\n");
  expectRunnable(".intel_syntax noprefix\na: mov eax, dword ptr [rdi + 4*rax]\njne short a\n");
}

TEST(RunnableListing, LeavesOutWhatIsAboutTheSimulation) {
  const Parsed parsed(kX86, "skylake", "# mca: alias %rdi\n# LLVM-MCA-LATENCY 9\na: addl (%rdi), %eax\njne a\n");
  EXPECT_EQ(runnable(parsed), ".L0_0:\n\taddl (%rdi), %eax\n\tjne\t.L0_0\n");
}

} // namespace
} // namespace analysis
