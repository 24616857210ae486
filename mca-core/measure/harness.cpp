// One function in assembly, copied to Image::harness. It uses no stack and no register across measured code, which may
// have changed all of them: its variables have absolute addresses (child_layout.h).
//
// A repetition is: the canary; a defined state of x87, MXCSR, vectors, flags and registers; lfence, rdtsc; the code;
// lfence, rdtscp; the canary. lfence waits for all instructions before it, so that the time neither begins before the
// preparation has ended nor ends before the code has (Intel's "How to Benchmark Code Execution Times", 2010; Linux
// makes lfence do so on AMD).
//
// The canary is a short loop of independent loads and nops, which a core without a neighbour runs at its full width. A
// neighbour on the other hardware thread takes a half of it. On shared hosts it comes and goes within 0.1 to 5 ms, so
// each repetition has canaries of its own.
#include "mca-core/measure/harness.h"

#include "mca-core/measure/child_layout.h"

#if defined(__linux__) && defined(__x86_64__)

#include <sys/syscall.h>

extern "C" {
// Defined by the assembly below.
[[gnu::visibility("hidden")]] extern const uint8_t mcaHarnessBegin[], mcaHarnessLeft[], mcaHarnessHandler[],
    mcaHarnessEnd[];
}

namespace mca::measure {
namespace {

// The general registers but rsp, rax, rbx and rdx, in the order of CodeDescriptor::registers.
#define MCA_LOAD(index, name) "movq mca.registers + 8 * " #index "(%rbx), %" #name "\n"
#define MCA_VECTORS(M)                                                                                                 \
  M(0, 16)                                                                                                             \
  M(1, 17)                                                                                                             \
  M(2, 18)                                                                                                             \
  M(3, 19)                                                                                                             \
  M(4, 20) M(5, 21) M(6, 22) M(7, 23) M(8, 24) M(9, 25) M(10, 26) M(11, 27) M(12, 28) M(13, 29) M(14, 30) M(15, 31)
#define MCA_LOAD_128(index, high) "movddup mca.vectors + 8 * " #index "(%rbx), %xmm" #index "\n"
#define MCA_LOAD_256(index, high) "vbroadcastsd mca.vectors + 8 * " #index "(%rbx), %ymm" #index "\n"
#define MCA_LOAD_512(index, high)                                                                                      \
  "vbroadcastsd mca.vectors + 8 * " #index "(%rbx), %zmm" #index "\n"                                                  \
  "vmovdqa64 %zmm" #index ", %zmm" #high "\n"
#define MCA_SET_MASK(index) "kxnorw %k0, %k0, %k" #index "\n"
// A name for an address or an offset of child_layout.h.
#define MCA_NAME(name, value) asm volatile(".set mca." #name ", %c0" ::"i"(value))

// Never called here: only its bytes count.
[[gnu::used, gnu::naked, gnu::noinline]] void assembly() {
  MCA_NAME(stackTop, kControlAddress + offsetof(Control, stack) + Control::kStackBytes);
  MCA_NAME(calls, kImageAddress + offsetof(Image, calls));
  MCA_NAME(callSize, sizeof(PreparationCall));
  MCA_NAME(isPrepared, kControlAddress + offsetof(Control, isPrepared));
  MCA_NAME(failedCall, kControlAddress + offsetof(Control, failedCall));
  MCA_NAME(current, kControlAddress + offsetof(Control, current));
  MCA_NAME(note, kControlAddress + offsetof(Control, note));
  MCA_NAME(notes, kControlAddress + offsetof(Control, notes));
  MCA_NAME(start, kControlAddress + offsetof(Control, start));
  MCA_NAME(canary, kControlAddress + offsetof(Control, canary));
  MCA_NAME(canaryLines, kControlAddress + offsetof(Control, canaryLines));
  MCA_NAME(canaryRounds, kCanaryRounds);
  MCA_NAME(canaryWarmUp, kCanaryWarmUp);
  MCA_NAME(canaryLoads, kCanaryLoads);
  MCA_NAME(ticksNext, kControlAddress + offsetof(Control, ticksNext));
  MCA_NAME(repetitionsLeft, kControlAddress + offsetof(Control, repetitionsLeft));
  MCA_NAME(entry, kControlAddress + offsetof(Control, entry));
  MCA_NAME(rax, kControlAddress + offsetof(Control, rax));
  MCA_NAME(rdx, kControlAddress + offsetof(Control, rdx));
  MCA_NAME(rbx, kControlAddress + offsetof(Control, rbx));
  MCA_NAME(floatingPointControl, kControlAddress + offsetof(Control, floatingPointControl));
  MCA_NAME(faultSignal, kControlAddress + offsetof(Control, fault.signal));
  MCA_NAME(faultCode, kControlAddress + offsetof(Control, fault.code));
  MCA_NAME(faultAddress, kControlAddress + offsetof(Control, fault.address));
  MCA_NAME(faultInstruction, kControlAddress + offsetof(Control, fault.instruction));
  MCA_NAME(faultTrap, kControlAddress + offsetof(Control, fault.trap));
  MCA_NAME(faultError, kControlAddress + offsetof(Control, fault.error));
  MCA_NAME(faultSystemCall, kControlAddress + offsetof(Control, fault.systemCall));
  MCA_NAME(codeCount, kImageAddress + offsetof(Image, codeCount));
  MCA_NAME(hasAvx, kImageAddress + offsetof(Image, hasAvx));
  MCA_NAME(extraPageCount, kImageAddress + offsetof(Image, extraPageCount));
  MCA_NAME(extraPages, kImageAddress + offsetof(Image, extraPages));
  MCA_NAME(descriptors, kImageAddress + offsetof(Image, codes));
  MCA_NAME(descriptorSize, sizeof(CodeDescriptor));
  MCA_NAME(entryOf, offsetof(CodeDescriptor, entry));
  MCA_NAME(ticks, offsetof(CodeDescriptor, ticks));
  MCA_NAME(repetitions, offsetof(CodeDescriptor, repetitions));
  MCA_NAME(vectorBits, offsetof(CodeDescriptor, vectorBits));
  MCA_NAME(memoryFill, offsetof(CodeDescriptor, memoryFill));
  MCA_NAME(registers, offsetof(CodeDescriptor, registers));
  MCA_NAME(vectors, offsetof(CodeDescriptor, vectors));
  MCA_NAME(memory, kMemoryAddress);
  MCA_NAME(memoryWords, kMemoryBytes / 8);
  MCA_NAME(exitGroup, SYS_exit_group);
  MCA_NAME(unpreparedStatus, kUnpreparedStatus);
  MCA_NAME(faultStatus, kFaultStatus);
  MCA_NAME(strayFlagsStatus, kStrayFlagsStatus);
  MCA_NAME(strayFlags, kStrayFlags);
  // clang-format off
  asm volatile(
      ".globl mcaHarnessBegin, mcaHarnessLeft, mcaHarnessHandler, mcaHarnessEnd\n"
      ".hidden mcaHarnessBegin, mcaHarnessLeft, mcaHarnessHandler, mcaHarnessEnd\n"
      ".p2align 6\n" // as Image::harness is, for the canary's loop
      "mcaHarnessBegin:\n"
      "movl $mca.stackTop, %esp\n"
      // The system calls that leave nothing but computing.
      "movl $mca.calls, %ebx\n"
      "xorl %r9d, %r9d\n"
      "1: movq (%rbx), %rax\n"
      "cmpq $-1, %rax\n"
      "je 2f\n"
      "movq 8(%rbx), %rdi\n"
      "movq 16(%rbx), %rsi\n"
      "movq 24(%rbx), %rdx\n"
      "movq 32(%rbx), %r10\n"
      "movq 40(%rbx), %r8\n"
      "syscall\n"
      "testq %rax, %rax\n"
      "js 9f\n"
      "addq $mca.callSize, %rbx\n"
      "jmp 1b\n"
      "2: movq $1, mca.isPrepared\n"
      // The next code: rbx is its descriptor.
      "3: movq mca.current, %rax\n"
      "cmpq mca.codeCount, %rax\n"
      "jae 8f\n"
      "imulq $mca.descriptorSize, %rax, %rbx\n"
      "addq $mca.descriptors, %rbx\n"
      "movq mca.repetitions(%rbx), %rax\n"
      "movq %rax, mca.repetitionsLeft\n"
      "movq mca.ticks(%rbx), %rax\n"
      "movq %rax, mca.ticksNext\n"
      "movq mca.memoryFill(%rbx), %rax\n"
      "movl $mca.memory, %edi\n"
      "movl $mca.memoryWords, %ecx\n"
      "rep stosq\n"
      "xorl %edx, %edx\n"
      "4: cmpq mca.extraPageCount, %rdx\n"
      "jae 5f\n"
      "movq mca.extraPages(, %rdx, 8), %rdi\n"
      "movl $512, %ecx\n"
      "rep stosq\n"
      "incq %rdx\n"
      "jmp 4b\n"
      // A repetition.
      "5: call 90f\n"
      "movq %rax, mca.canary\n"
      "imulq $mca.descriptorSize, mca.current, %rbx\n"
      "addq $mca.descriptors, %rbx\n"
      "movq $0, mca.note\n"
      "fninit\n"
      "movl $0x1f80, mca.floatingPointControl\n"
      "ldmxcsr mca.floatingPointControl\n"
      "cmpq $256, mca.vectorBits(%rbx)\n"
      "je 6f\n"
      "ja 7f\n"
      MCA_VECTORS(MCA_LOAD_128)
      "jmp 70f\n"
      "6:\n"
      MCA_VECTORS(MCA_LOAD_256)
      "jmp 70f\n"
      "7:\n"
      MCA_VECTORS(MCA_LOAD_512)
      MCA_SET_MASK(1) MCA_SET_MASK(2) MCA_SET_MASK(3) MCA_SET_MASK(4) MCA_SET_MASK(5) MCA_SET_MASK(6) MCA_SET_MASK(7)
      "70: movq mca.entryOf(%rbx), %rax\n"
      "movq %rax, mca.entry\n"
      "movq mca.registers(%rbx), %rax\n"
      "movq %rax, mca.rax\n"
      "movq mca.registers + 16(%rbx), %rax\n"
      "movq %rax, mca.rdx\n"
      "movq mca.registers + 24(%rbx), %rax\n"
      "movq %rax, mca.rbx\n"
      "pushq $0\n"
      "popfq\n"
      MCA_LOAD(1, rcx) MCA_LOAD(4, rsp) MCA_LOAD(5, rbp) MCA_LOAD(6, rsi) MCA_LOAD(7, rdi) MCA_LOAD(8, r8)
      MCA_LOAD(9, r9) MCA_LOAD(10, r10) MCA_LOAD(11, r11) MCA_LOAD(12, r12) MCA_LOAD(13, r13) MCA_LOAD(14, r14)
      MCA_LOAD(15, r15)
      "lfence\n"
      "rdtsc\n"
      "movl %eax, mca.start\n"
      "movl %edx, mca.start + 4\n"
      "movq mca.rax, %rax\n"
      "movq mca.rdx, %rdx\n"
      "movq mca.rbx, %rbx\n"
      "lfence\n"
      "jmpq *mca.entry\n"
      "mcaHarnessLeft:\n"
      "lfence\n"
      "rdtscp\n"
      "lfence\n"
      "movl $mca.stackTop, %esp\n"
      "pushfq\n"
      "pushq $0\n"
      "popfq\n"
      "popq %rcx\n"
      "testl $mca.strayFlags, %ecx\n"
      "jnz 81f\n"
      "shlq $32, %rdx\n"
      "orq %rdx, %rax\n"
      "subq mca.start, %rax\n"
      "movq mca.ticksNext, %rcx\n"
      "movq %rax, (%rcx)\n"
      "cmpq $0, mca.hasAvx\n"
      "je 71f\n"
      "vzeroupper\n"
      "71: call 90f\n"
      "cmpq mca.canary, %rax\n"
      "jae 72f\n"
      "movq mca.canary, %rax\n"
      "72: movq mca.ticksNext, %rcx\n"
      "movq %rax, 8(%rcx)\n"
      "addq $16, mca.ticksNext\n"
      "decq mca.repetitionsLeft\n"
      "jnz 5b\n"
      "movq mca.current, %rax\n"
      "movq mca.note, %rcx\n"
      "movq %rcx, mca.notes(, %rax, 8)\n"
      "incq mca.current\n"
      "jmp 3b\n"
      "8: xorl %edi, %edi\n"
      "80: movl $mca.exitGroup, %eax\n"
      "syscall\n"
      "hlt\n" // not reached; should the call be refused, this ends the process
      "81: movl $mca.strayFlagsStatus, %edi\n"
      "jmp 80b\n"
      "9: movq %rax, mca.failedCall\n"
      "movl $mca.unpreparedStatus, %edi\n"
      "jmp 80b\n"
      // The canary: its ticks in rax. What the measured code left of caches and predictors is not timed.
      "90: movl $mca.canaryLines, %edi\n"
      "movl $mca.canaryWarmUp, %ecx\n"
      "call 91f\n"
      "lfence\n"
      "rdtsc\n"
      "movl %eax, %esi\n"
      "lfence\n"
      "movl $mca.canaryRounds, %ecx\n"
      "call 91f\n"
      "lfence\n"
      "rdtscp\n"
      "lfence\n"
      "subl %esi, %eax\n"
      "ret\n"
      ".p2align 6\n"
      "91:\n"
      ".rept mca.canaryLoads / 3\n"
      "movq (%rdi), %rax\n"
      "movq 72(%rdi), %rdx\n"
      "movq 144(%rdi), %r8\n"
      "nop\nnop\nnop\n"
      ".endr\n"
      "decl %ecx\n"
      "jnz 91b\n"
      "ret\n"
      // rdi: the signal, rsi: siginfo_t, rdx: ucontext_t. The direction flag is clear, the stack the signals' own.
      "mcaHarnessHandler:\n"
      "movslq %edi, %rdi\n"
      "movq %rdi, mca.faultSignal\n"
      "movslq 8(%rsi), %rax\n"
      "movq %rax, mca.faultCode\n"
      "movq 16(%rsi), %rax\n"
      "movq %rax, mca.faultAddress\n"
      "movslq 24(%rsi), %rax\n"
      "movq %rax, mca.faultSystemCall\n"
      "movq 168(%rdx), %rax\n" // gregs[REG_RIP], as child.cpp asserts
      "movq %rax, mca.faultInstruction\n"
      "movq 192(%rdx), %rax\n" // gregs[REG_ERR]
      "movq %rax, mca.faultError\n"
      "movq 200(%rdx), %rax\n" // gregs[REG_TRAPNO]
      "movq %rax, mca.faultTrap\n"
      "movl $mca.faultStatus, %edi\n"
      "jmp 80b\n"
      "mcaHarnessEnd:\n");
  // clang-format on
}

} // namespace

Harness harness() {
  return {.code = {mcaHarnessBegin, mcaHarnessEnd},
          .left = static_cast<uint32_t>(mcaHarnessLeft - mcaHarnessBegin),
          .handler = static_cast<uint32_t>(mcaHarnessHandler - mcaHarnessBegin)};
}

} // namespace mca::measure

#else

namespace mca::measure {
Harness harness() {
  return {};
}
} // namespace mca::measure

#endif
