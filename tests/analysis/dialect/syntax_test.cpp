// Intel's syntax is recognised if several lines have it, and none has AT&T's.
#include "analysis/dialect/syntax.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(Syntax, IsIntelsByRegistersAndMemory) {
  EXPECT_TRUE(isIntelSyntax("f:\n mov r8, qword ptr [rdi + 8*rax]\n cmp r8, rcx\n jae f\n"));
  EXPECT_TRUE(isIntelSyntax("\tvxorpd xmm0, xmm0, xmm0\n\tinc rax\n"));
  EXPECT_TRUE(isIntelSyntax("MOV EAX, [RDI+4]\nADD EAX, DWORD PTR [RSI]\n"));
  EXPECT_TRUE(isIntelSyntax("# a $comment with %rax\n push rax\n pop rcx\n"));
  EXPECT_TRUE(isIntelSyntax("\t.section .rodata\n\t.string \"%rax $5\"\n push rax # %rbx\n pop rcx\n"));
}

TEST(Syntax, IsNotWhereAnOperandIsAttOrADirectiveChooses) {
  EXPECT_FALSE(isIntelSyntax("push rax\npop rcx\naddq $1, %rax\n"));
  EXPECT_FALSE(isIntelSyntax("push rax\npop rcx\ncall *%rax\n"));
  EXPECT_FALSE(isIntelSyntax("movl %fs:(,%rax,8), %ecx\npush rax\npop rcx\n"));
  EXPECT_FALSE(isIntelSyntax(".intel_syntax noprefix\nmov rax, rbx\nmov rcx, rdx\n"));
  EXPECT_FALSE(isIntelSyntax(".att_syntax\nmov rax, rbx\nmov rcx, rdx\n"));
}

TEST(Syntax, NeedsSeveralSigns) {
  EXPECT_FALSE(isIntelSyntax(""));
  EXPECT_FALSE(isIntelSyntax("push rax\n"));
  EXPECT_FALSE(isIntelSyntax("jmp f\ncall g\nret\n"));
  // Upper-case registers alone may be Go's.
  EXPECT_FALSE(isIntelSyntax("MOVQ AX, BX\nMOVQ CX, DX\n"));
}

} // namespace
} // namespace analysis
