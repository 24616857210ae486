// What makes two regions the same code, in whatever text they stand.
#include "analysis/simulate/code_digest.h"
#include "tests/mca-core/parsed.h"

#include <numeric>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;

uint64_t digest(const std::string &text, const std::string &cpu = "skylake") {
  const Parsed parsed(kX86, cpu, text);
  std::vector<uint32_t> all(parsed.count());
  std::iota(all.begin(), all.end(), 0);
  return codeDigest(*parsed.target, *parsed.program, all);
}

TEST(CodeDigest, IsOfTheInstructionsAlone) {
  const uint64_t one = digest(".LBB0_3:\naddl $1, %eax\nmovl .LCPI0_1(%rip), %edx\njne .LBB0_3\n");
  EXPECT_NE(one, 0u);
  EXPECT_EQ(one, digest("# moved\n.LBB7_1: addl $1, %eax # 1\n\nmovl .LCPI7_0(%rip), %edx\njne .LBB7_1\n"));
  EXPECT_EQ(one, digest(".LBB0_3:\naddl $1, %eax\nmovl .LCPI0_1(%rip), %edx\njne .LBB0_3\n", "znver4"));
}

TEST(CodeDigest, DiffersForOtherInstructions) {
  const uint64_t one = digest("addl $1, %eax\nsubl %ebx, %ecx\n");
  for (const char *other :
       {"addl $2, %eax\nsubl %ebx, %ecx\n", "addl $1, %edx\nsubl %ebx, %ecx\n", "subl %ebx, %ecx\naddl $1, %eax\n",
        "addq $1, %rax\nsubl %ebx, %ecx\n", "addl $1, %eax\n", "lock addl $1, (%rax)\nsubl %ebx, %ecx\n"})
    EXPECT_NE(one, digest(other)) << other;
  EXPECT_NE(digest("movl 8(%rax), %ecx\n"), digest("movl 16(%rax), %ecx\n"));
}

} // namespace
} // namespace analysis
