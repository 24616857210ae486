// Branches to calls that only set errno, in what compilers make of sqrt.
#include "analysis/regions/errno_calls.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

/// Of a branch from one instruction (its index in the text) to another.
std::optional<double> oddsOf(const char *text, uint32_t branch, uint32_t to, const char *triple = mca::kX86,
                             const char *cpu = "skylake") {
  const mca::Parsed parsed(triple, cpu, text);
  const mca::ControlFlow code(*parsed.target, *parsed.program);
  const BranchProbability even = [](uint32_t, uint32_t) { return std::optional(0.5); };
  return withoutErrnoCalls(code, even)(branch, to);
}

/// clang's order: the call in the middle of the loop.
constexpr const char *kClangs = "f:\n.Lloop:\nmovsd (%rbx), %xmm0\nucomisd %xmm1, %xmm0\njb .Lcall\n" // 0 to 2
                                "sqrtsd %xmm0, %xmm0\njmp .Ljoin\n"                                   // 3 and 4
                                ".Lcall:\ncallq sqrt@PLT\n"                                           // 5
                                ".Ljoin:\nmovsd %xmm0, (%r14)\ndecq %r13\njne .Lloop\nretq\n";        // 6 to 8

/// gcc's: the call behind the function, what it needs around it.
constexpr const char *kGccs =
    "f:\n.L6:\nmovss (%rsi), %xmm0\nucomiss %xmm0, %xmm1\nja .L9\nsqrtss %xmm0, %xmm0\n" // 0 to 3
    ".L5:\nmovss %xmm0, (%rdi)\ncmpq %rbx, %rsi\njne .L6\nret\n"                         // 4 to 7
    ".L9:\nmovq %rsi, 8(%rsp)\ncall sqrtf@PLT\nmovq 8(%rsp), %rsi\njmp .L5\n";           // 8

TEST(ErrnoCalls, NeverHappen) {
  EXPECT_EQ(oddsOf(kClangs, 2, 5), kNoWay);
  EXPECT_EQ(oddsOf(kClangs, 2, 3), 1);
  EXPECT_EQ(oddsOf(kClangs, 8, 0), 0.5) << "another branch";
  EXPECT_EQ(oddsOf(kGccs, 2, 8), kNoWay);
  EXPECT_EQ(oddsOf(kGccs, 2, 3), 1);
  const char *const rootFirst = "f:\n.L2:\nfsqrt.d fa0, fa5\nfeq.d a3, fa0, fa0\nbeqz a3, .L4\n"
                                ".L3:\nfsd fa0, 0(a0)\nbne a0, a2, .L2\nj .L5\n"
                                ".L4:\nfmv.d fa0, fa5\ncall sqrt\nj .L3\n.L5:\nret\n";
  EXPECT_EQ(oddsOf(rootFirst, 2, 6, mca::kRiscv, "sifive-u74"), kNoWay) << "the root before the branch";
}

TEST(ErrnoCalls, NotWhereTheCallIsTheOnlyRoot) {
  const char *const condition =
      "f:\n.Lloop:\nucomisd %xmm1, %xmm0\njb .Lskip\ncallq sqrt\n.Lskip:\ndecq %r13\njne .Lloop\nretq\n";
  EXPECT_EQ(oddsOf(condition, 1, 2), 0.5);
}

TEST(ErrnoCalls, NotWhereALoopGoesThroughTheCall) {
  const char *const loop = "f:\nnop\n.Lloop:\ncallq sqrt\nsqrtsd %xmm1, %xmm1\ndecq %r13\njne .Lloop\nretq\n";
  EXPECT_EQ(oddsOf(loop, 4, 1), 0.5);
}

TEST(ErrnoCalls, NotOfOtherFunctions) {
  const char *const other = "f:\n.Lloop:\nucomisd %xmm1, %xmm0\njb .Lcall\nsqrtsd %xmm0, %xmm0\njmp .Ljoin\n"
                            ".Lcall:\ncallq log\n.Ljoin:\ndecq %r13\njne .Lloop\nretq\n";
  EXPECT_EQ(oddsOf(other, 1, 4), 0.5);
}

} // namespace
} // namespace analysis
