// The target that a text tells: by directives and registers of one target, and by CPUs that others lack.
#include "analysis/dialect/target_signs.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

const llvm::Triple kHost("x86_64-pc-linux-gnu");

std::string archOf(std::string_view text, const std::string &cpu = "", const llvm::Triple &standard = kHost) {
  return llvm::Triple(readTargetSigns(text, cpu, standard).triple).getArchName().str();
}

TEST(TargetSigns, AreDirectives) {
  const TargetSigns signs =
      readTargetSigns(".syntax unified\n.cpu cortex-m4\n.thumb\nf:\n ldrb r3, [r0], #1\n", "", kHost);
  EXPECT_EQ(signs.triple, "thumbv7em-none-eabi");
  EXPECT_EQ(signs.reason, "only it has the directive `.syntax unified`");
  EXPECT_EQ(signs.cpu, "cortex-m4");
  EXPECT_EQ(archOf(".arch armv7-m\n.thumb\nf: bx lr\n"), "thumbv7m");
  EXPECT_EQ(archOf("\t.cpu cortex-a9\n\t.arm\nf:\n"), "armv7");
  EXPECT_EQ(archOf(".thumb_func\nf: bx lr\n"), "armv7");
  EXPECT_EQ(archOf(".option rvc\nf: ret\n"), "riscv64");
  EXPECT_EQ(archOf(".attribute arch, \"rv32imac\"\nf: ret\n"), "riscv32");
  EXPECT_EQ(archOf(".option arch, +v\nf: ret\n"), "riscv64");
  EXPECT_EQ(archOf(".abiversion 2\nf: blr\n"), "powerpc64le");
  EXPECT_EQ(archOf(".machinemode zarch\nf: br %r14\n"), "s390x");
  EXPECT_EQ(archOf(".set noreorder\nf: jr $31\n"), "mips64el");
  EXPECT_EQ(archOf(".cfi_b_key_frame\nf: ret\n"), "aarch64");
  EXPECT_EQ(archOf("\t.cpu neoverse-n3\nf: ret\n"), "aarch64");
}

TEST(TargetSigns, AreRegisters) {
  EXPECT_EQ(archOf("f:\n ldr w3, [x0], #4\n add w0, w0, w3\n"), "aarch64");
  EXPECT_EQ(archOf("f:\n fmla v0.4s, v1.4s, v2.4s\n fadd z0.s, z0.s, z1.s\n"), "aarch64");
  EXPECT_EQ(archOf("f:\n ldr r3, [r0], #4\n push {r4, lr}\n"), "armv7");
  EXPECT_EQ(archOf("f:\n lw a3, 0(a0)\n addi a0, a0, 4\n bnez a1, f\n"), "riscv64");
  EXPECT_EQ(archOf("f:\n pushl %ebp\n movl 8(%esp), %eax\n"), "i386");
  EXPECT_EQ(readTargetSigns("f:\n pushl %ebp\n movl 8(%esp), %eax\n", "", kHost).reason,
            "only it has instructions that push registers of 32 bits");
  EXPECT_EQ(archOf("f:\n movq %rax, %rbx\n movl (%rdi), %ecx\n", "", llvm::Triple("aarch64-linux-gnu")), "x86_64");
  EXPECT_EQ(archOf("f:\n mov rax, qword ptr [rdi]\n add rax, rcx\n", "", llvm::Triple("aarch64-linux-gnu")), "x86_64");
}

TEST(TargetSigns, AreTheFormatOfAListingAndOfObjects) {
  EXPECT_EQ(archOf("a.o:     file format elf64-littleaarch64\n0000000000000000 <f>:\n   0:\td65f03c0 \tret\n"),
            "aarch64");
  EXPECT_EQ(archOf("a.o:\tfile format elf32-littleriscv\n0000000000000000 <f>:\n   0: 8082 \tret\n"), "riscv32");
  EXPECT_EQ(readTargetSigns("\t.build_version macos, 14, 0\nf:\n\tadd w0, w0, w1\n\tldr w1, [x0]\n", "", kHost).triple,
            "arm64-apple-macosx");
  EXPECT_EQ(readTargetSigns("f:\n\tmovq %rax, %rbx\n\t.subsections_via_symbols\n", "", kHost).triple,
            "x86_64-apple-macosx");
}

TEST(TargetSigns, AreCpusThatOthersLack) {
  const TargetSigns signs = readTargetSigns("f: ret\n", "neoverse-v2", kHost);
  EXPECT_EQ(signs.triple, "aarch64-unknown-linux-gnu");
  EXPECT_EQ(signs.reason, "only it has the CPU neoverse-v2");
  EXPECT_EQ(archOf("", "cortex-m7"), "thumbv7em");
  EXPECT_EQ(archOf("", "sifive-x280"), "riscv64");
  EXPECT_EQ(archOf("", "sifive-e31"), "riscv32");
  EXPECT_EQ(archOf("", "pwr9"), "powerpc64le");
  EXPECT_EQ(archOf("", "znver4", llvm::Triple("aarch64-linux-gnu")), "x86_64");
  // Both of Arm's have it: the text decides.
  EXPECT_EQ(archOf("", "cortex-a57"), "aarch64");
  EXPECT_EQ(archOf("f:\n ldr r3, [r0], #4\n push {r4, lr}\n", "cortex-a57"), "armv7");
}

TEST(TargetSigns, AreNoneInDoubt) {
  EXPECT_EQ(archOf(""), "");
  EXPECT_EQ(archOf("f:\n movq %rax, %rbx\n movl (%rdi), %ecx\n"), "");
  EXPECT_EQ(archOf("", "znver4"), "");
  EXPECT_EQ(archOf("", "no-such-cpu"), "");
  // A file for several targets, chosen by the preprocessor.
  EXPECT_EQ(archOf("#ifdef __x86_64__\n movq %rax, %rbx\n#else\n ldr w3, [x0]\n add w0, w0, w3\n#endif\n"), "");
  EXPECT_EQ(archOf(".thumb\n movq %rax, %rbx\n"), "");
  EXPECT_EQ(archOf("f:\n add w0, w0, w1\n lw a0, 0(a1)\n addi a0, a0, 1\n ldr w0, [x1]\n"), "");
  EXPECT_EQ(archOf("# ldr w3, [x0]\n# ldr w4, [x0]\n nop\n"), "");
  EXPECT_EQ(archOf("f:\n nop\n ret\n"), "");
  EXPECT_EQ(archOf(".code16\n pushl %eax\n movw %ax, %bx\n"), "");
}

TEST(TargetSigns, NameCpusToChooseFrom) {
  EXPECT_EQ(usualCpus(llvm::Triple("riscv64-linux-gnu")).substr(0, 12), "sifive-p670,");
  EXPECT_EQ(usualCpus(llvm::Triple("thumbv7em-none-eabi")).substr(0, 10), "cortex-m7,");
  EXPECT_EQ(usualCpus(llvm::Triple("x86_64-linux-gnu")), "");
}

} // namespace
} // namespace analysis
