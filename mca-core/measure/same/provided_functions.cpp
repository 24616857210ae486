#include "mca-core/measure/same/provided_functions.h"

#include "mca-core/measure/same/linked_text.h"

#include <cstddef>

namespace mca::measure {
namespace {

// The variables get the content that the call starts with, and their last content goes back there.
constexpr const char *kEntry = R"(
mca.enter:
  movl $mca.dataAddress, %edi
  movq mca.data(%r12), %rsi
  movq mca.dataBytes(%r12), %rcx
  rep movsb
  movq mca.stackWords(%r12), %rcx
  testq %rcx, %rcx
  jz 2f
1:
  pushq mca.stack-8(%r12,%rcx,8)
  decq %rcx
  jnz 1b
2:
  movq mca.vectors(%r12), %xmm0
  movq mca.vectors+8(%r12), %xmm1
  movq mca.vectors+16(%r12), %xmm2
  movq mca.vectors+24(%r12), %xmm3
  movq mca.vectors+32(%r12), %xmm4
  movq mca.vectors+40(%r12), %xmm5
  movq mca.vectors+48(%r12), %xmm6
  movq mca.vectors+56(%r12), %xmm7
  movq mca.integers(%r12), %rdi
  movq mca.integers+8(%r12), %rsi
  movq mca.integers+16(%r12), %rdx
  movq mca.integers+24(%r12), %rcx
  movq mca.integers+32(%r12), %r8
  movq mca.integers+40(%r12), %r9
  movl $8, %eax
  callq *mca.function(%r12)
  movq %rax, mca.integerResult(%r12)
  movq %xmm0, mca.vectorResult(%r12)
  movl $mca.dataAddress, %esi
  movq mca.data(%r12), %rdi
  movq mca.dataBytes(%r12), %rcx
  rep movsb
  movl $mca.left, %eax
  jmpq *%rax
)";

constexpr const char *kMemory = R"(
memcpy:
  movq %rdi, %rax
  movq %rdx, %rcx
  rep movsb
  retq
memmove:
  movq %rdi, %rax
  movq %rdx, %rcx
  movq %rdi, %r8
  subq %rsi, %r8
  cmpq %rdx, %r8
  jb 1f
  rep movsb
  retq
1:
  leaq -1(%rdi,%rdx), %rdi
  leaq -1(%rsi,%rdx), %rsi
  std
  rep movsb
  cld
  retq
memset:
  movq %rdi, %r8
  movl %esi, %eax
  movq %rdx, %rcx
  rep stosb
  movq %r8, %rax
  retq
memcmp:
bcmp:
  xorl %eax, %eax
  xorl %ecx, %ecx
1:
  cmpq %rdx, %rcx
  je 2f
  movzbl (%rdi,%rcx), %eax
  movzbl (%rsi,%rcx), %r8d
  incq %rcx
  subl %r8d, %eax
  jz 1b
2:
  retq
)";

/// One instruction of the CPU each. roundss' immediates: Intel SDM volume 2, ROUNDSS, table 4-24; 8 suppresses the
/// inexact exception, which floor and the like do not raise.
struct Rounding {
  const char *name;
  int immediate;
};
constexpr Rounding kRoundings[] = {{"floor", 9}, {"ceil", 10}, {"trunc", 11}, {"rint", 4}, {"nearbyint", 12}};

std::string numberFunctions() {
  std::string text = "sqrt:\n  sqrtsd %xmm0, %xmm0\n  retq\nsqrtf:\n  sqrtss %xmm0, %xmm0\n  retq\n";
  for (const auto &[name, immediate] : kRoundings)
    for (const bool isFloat : {false, true})
      text += std::string(name) + (isFloat ? "f:\n  roundss $" : ":\n  roundsd $") + std::to_string(immediate) +
              ", %xmm0, %xmm0\n  retq\n";
  return text;
}

} // namespace

std::string providedFunctions(uint64_t left) {
  std::string text = ".text\n";
  const auto name = [&](const char *what, uint64_t value) {
    text += std::string(".set mca.") + what + ", " + std::to_string(value) + "\n";
  };
  name("dataAddress", kDataAddress);
  name("left", left);
  name("function", offsetof(CallRecord, function));
  name("data", offsetof(CallRecord, data));
  name("dataBytes", offsetof(CallRecord, dataBytes));
  name("integers", offsetof(CallRecord, integers));
  name("vectors", offsetof(CallRecord, vectors));
  name("stackWords", offsetof(CallRecord, stackWords));
  name("stack", offsetof(CallRecord, stack));
  name("integerResult", offsetof(CallRecord, integerResult));
  name("vectorResult", offsetof(CallRecord, vectorResult));
  return text + kEntry + kMemory + numberFunctions();
}

} // namespace mca::measure
