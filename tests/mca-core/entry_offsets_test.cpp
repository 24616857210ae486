// Where a loop's pointers are when it begins, from the code before it, and what that does to its accesses.
#include "mca-core/program/entry_offsets.h"
#include "mca-core/program/loops.h"
#include "tests/mca-core/made_calibration.h"

#include <map>

namespace mca {
namespace {

using Offsets = std::map<std::string, uint32_t>;

const std::string kLoop = "1:\nmovups (%rax), %xmm0\naddq $64, %rax\ncmpq %rax, %rdx\njne 1b\nret\n";

std::vector<EntryOffset> ofOnlyLoop(const Parsed &parsed) {
  EXPECT_EQ(parsed.diagnostics(), std::vector<std::string>());
  const ControlFlow flow(*parsed.target, *parsed.program);
  const std::vector<Loop> loops = findInnermostLoops(flow);
  EXPECT_EQ(loops.size(), 1u);
  return loops.empty() ? std::vector<EntryOffset>() : findEntryOffsets(flow, loops[0].header(), loops[0].instructions);
}

/// Of the only loop of a text that is a function.
Offsets offsetsOf(const std::string &before, const std::string &loop = kLoop) {
  const Parsed parsed(kX86, "znver4", ".type f,@function\nf:\n" + before + loop);
  Offsets named;
  for (const EntryOffset &one : ofOnlyLoop(parsed))
    named[parsed.target->registers().getName(one.reg)] = one.bytes;
  return named;
}

TEST(EntryOffsets, OfAPointerThatTheCodeBeforeMoves) {
  EXPECT_EQ(offsetsOf(""), Offsets());
  EXPECT_EQ(offsetsOf("leaq 392(%rdi), %rax\n"), (Offsets{{"RAX", 392}}));
  EXPECT_EQ(offsetsOf("addq $8, %rdi\nmovq %rdi, %rax\nsubq $-128, %rax\nincq %rax\n"), (Offsets{{"RAX", 137}}));
  EXPECT_EQ(offsetsOf("leaq -8(%rdi), %rax\n"), (Offsets{{"RAX", kOffsetPeriod - 8}}));
  EXPECT_EQ(offsetsOf("movq %rdi, %rax\n"), Offsets());
  EXPECT_EQ(offsetsOf("leaq 8(%rax), %rdx\n"), Offsets()) << "no pointer";
  EXPECT_EQ(offsetsOf("leaq 4096(%rdi), %rax\n"), Offsets()) << "a whole page";
}

TEST(EntryOffsets, FromWhatIsNotFollowedOn) {
  EXPECT_EQ(offsetsOf("movq (%rdi), %rax\naddq $8, %rax\n"), (Offsets{{"RAX", 8}})) << "what memory holds";
  EXPECT_EQ(offsetsOf("addq $4, %rdi\nleaq (%rdi,%rcx,8), %rax\n"), Offsets()) << "a sum of two registers";
  EXPECT_EQ(offsetsOf("leaq (%rdi,%rcx,8), %rax\naddq $8, %rax\n"), Offsets()) << "and eight";
  EXPECT_EQ(offsetsOf("movq %rdi, %rax\naddq (%rsi), %rax\naddq $8, %rax\n"), Offsets()) << "a sum with memory";
  EXPECT_EQ(offsetsOf("leaq 8(%rdi), %rax\ncall g\n"), Offsets()) << "a call may change it";
  EXPECT_EQ(offsetsOf("call g\naddq $16, %rax\n"), (Offsets{{"RAX", 16}})) << "what a call returned";
  EXPECT_EQ(offsetsOf("addl $8, %eax\n"), Offsets()) << "half of a register";
  EXPECT_EQ(offsetsOf("subq $40, %rsp\nleaq 8(%rsp), %rax\n"), Offsets()) << "where the stack begins is not known";
}

TEST(EntryOffsets, OfAnIndexWithANumber) {
  const std::string loop = "1:\nmovups (%rdi,%rcx,4), %xmm0\naddq $4, %rcx\njne 1b\nret\n";
  EXPECT_EQ(offsetsOf("movl $3, %ecx\n", loop), (Offsets{{"RCX", 3}}));
  EXPECT_EQ(offsetsOf("movq $-1000, %rcx\n", loop), (Offsets{{"RCX", kOffsetPeriod - 1000}}));
  EXPECT_EQ(offsetsOf("xorl %ecx, %ecx\n", loop), Offsets());
}

TEST(EntryOffsets, ThroughBlocksThatControlAlwaysComesThrough) {
  EXPECT_EQ(offsetsOf("leaq 8(%rdi), %rax\ntestq %rdx, %rdx\nje 2f\naddq $8, %rax\n2:\n"), Offsets())
      << "two ways to a block";
  EXPECT_EQ(offsetsOf("testq %rdx, %rdx\nje 2f\naddq $8, %rax\n2:\naddq $4, %rax\n"), Offsets())
      << "what two ways leave";
  EXPECT_EQ(offsetsOf("leaq 8(%rdi), %rax\ntestq %rdx, %rdx\njne 3f\nret\n3:\naddq $8, %rax\n"),
            (Offsets{{"RAX", 16}}));
  EXPECT_EQ(offsetsOf("leaq 8(%rdi), %rax\njmp 3f\n4: ret\n3:\n"), (Offsets{{"RAX", 8}}));
  EXPECT_EQ(offsetsOf("leaq 8(%rdi), %rax\n4:\nnop\n5:\n"), (Offsets{{"RAX", 8}})) << "nobody jumps to these labels";
  EXPECT_EQ(offsetsOf("movq %rdi, %rax\n", "jmp 2f\n1:\naddq $8, %rax\n2:\nmovups (%rax), %xmm0\njne 1b\nret\n"),
            Offsets())
      << "a loop that is entered in its middle";
  const std::string inOuter =
      "6:\nleaq 8(%rdi), %rax\n" + kLoop.substr(0, kLoop.size() - 4) + "decq %rsi\njne 6b\nret\n";
  EXPECT_EQ(offsetsOf("addq $4, %rdi\n", inOuter), (Offsets{{"RAX", 8}})) << "from the begin of the outer iteration";
}

TEST(EntryOffsets, NotOfWhatALoopBeforeLeft) {
  const Parsed parsed(kX86, "znver4",
                      ".type f,@function\nf:\nmovq %rdi, %rax\n1:\naddq $8, %rax\ndecq %rcx\njne 1b\n" + kLoop);
  const ControlFlow flow(*parsed.target, *parsed.program);
  const std::vector<Loop> loops = findInnermostLoops(flow);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(findEntryOffsets(flow, loops[1].header(), loops[1].instructions), std::vector<EntryOffset>());
}

/// As in the decoder of LZ4: a loop with two ways out reads bytes, and the next one goes on from there.
TEST(EntryOffsets, NotOfAPointerThatWalkedOverBytes) {
  const Parsed parsed(kX86, "znver4",
                      ".type f,@function\nf:\n2:\naddq $1, %rax\ncmpq %rax, %rcx\nje 3f\ncmpq $255, %rdi\nje 2b\n"
                      "movl $8, %esi\n" +
                          kLoop + "3: ret\n");
  const ControlFlow flow(*parsed.target, *parsed.program);
  const std::vector<Loop> loops = findInnermostLoops(flow);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(findEntryOffsets(flow, loops[1].header(), loops[1].instructions), std::vector<EntryOffset>());
}

TEST(EntryOffsets, OfARegionInABlock) {
  const Parsed parsed(kX86, "znver4", "leaq 8(%rdi), %rax\nmovups (%rax), %xmm0\n");
  const ControlFlow flow(*parsed.target, *parsed.program);
  const uint32_t region[] = {1};
  ASSERT_EQ(findEntryOffsets(flow, 1, region).size(), 1u);
  EXPECT_EQ(findEntryOffsets(flow, 1, region)[0].bytes, 8u);
}

TEST(EntryOffsets, OfOtherTargets) {
  const Parsed parsed(kAArch64, "neoverse-v2",
                      "add x1, x0, #24\n1:\nldr q0, [x1], #16\nsubs x2, x2, #1\nb.ne 1b\nret\n");
  const std::vector<EntryOffset> found = ofOnlyLoop(parsed);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bytes, 24u);
}

/// Units of loads in an iteration, of which an access across a line takes one more.
TEST(EntryOffsets, DecideWhichAccessesCrossALine) {
  Made made;
  made.resources = {{"load", 1, {}}};
  for (const char *shape : {"base", "base+disp", "base+index"})
    made.form("VMOVUPSZrm", shape, {{0, 1}}, {{1, 0, 7}}).form("VMOVUPSYrm", shape, {{0, 1}}, {{1, 0, 7}});
  made.rule("splits", {{"load", 1}});
  const auto rate = [&](const std::string &before, const std::string &body) {
    const Parsed parsed(kX86, "znver4", before + "1:\n" + body + "decq %rsi\njne 1b\nret\n");
    const ControlFlow flow(*parsed.target, *parsed.program);
    const std::vector<uint32_t> region = findInnermostLoops(flow).at(0).instructions;
    SimulationOptions options = with(made, {.iterations = 100});
    options.entryOffsets = findEntryOffsets(flow, region.front(), region);
    return (*Simulator(*parsed.target).simulate(*parsed.program, region, options)).report.pressure.at(0, 0);
  };
  const std::string zmm = "vmovups (%rax), %zmm0\naddq $64, %rax\n", ymm = "vmovups (%rax), %ymm0\naddq $32, %rax\n";
  EXPECT_EQ(rate("movq %rdi, %rax\n", zmm), 1);
  EXPECT_EQ(rate("leaq 16(%rdi), %rax\n", zmm), 2);
  EXPECT_EQ(rate("leaq 16(%rdi), %rax\n", ymm), 1.5) << "every second";
  EXPECT_EQ(rate("leaq 32(%rdi), %rax\n", ymm), 1);
  const std::string indexed = "vmovups (%rdi,%rcx,8), %zmm0\naddq $8, %rcx\n";
  EXPECT_EQ(rate("xorl %ecx, %ecx\n", indexed), 1);
  EXPECT_EQ(rate("movl $1, %ecx\n", indexed), 2);
  EXPECT_EQ(rate("movl $8, %ecx\n", indexed), 1);
  EXPECT_EQ(rate("movq $-1000, %rcx\n", "vmovups 8000(%rdi,%rcx,8), %zmm0\naddq $8, %rcx\n"), 1)
      << "an array from its begin";
}

} // namespace
} // namespace mca
