// Data in code that control flow reaches reads as the instructions that it encodes, and other data as nothing.
#include "tests/mca-core/described.h"
#include "tests/mca-core/parsed.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/TargetRegistry.h"

#include <iomanip>
#include <random>
#include <sstream>

namespace mca {
namespace {

constexpr const char *kArm = "armv7-linux-gnueabihf";
constexpr const char *kThumb = "thumbv8.1m.main-none-eabi";

class Decoded : public Parsed {
public:
  explicit Decoded(const std::string &text, const char *triple = kX86, const char *cpu = "znver3")
      : Parsed(triple, cpu, text, {.dataAsCode = true}) {}

  /// "3: nop" for each instruction, by line.
  Strings text() const {
    Strings result;
    const auto printer = target->createPrinter(program->syntaxVariant());
    for (const Instruction &one : program->instructions()) {
      std::string printed;
      llvm::raw_string_ostream stream(printed);
      printer->printInst(&one.inst, 0, "", target->subtarget(), stream);
      llvm::SmallVector<llvm::StringRef, 4> words;
      llvm::SplitString(printed, words);
      result.push_back(std::to_string(lineOf(one.offset)) + ": " + llvm::join(words, " "));
    }
    return result;
  }
  /// The lines of unread data.
  Lines unread() const {
    Lines result;
    for (const UnreadLine &one : program->unreadLines())
      result.push_back(lineOf(one.offset));
    return result;
  }
};

TEST(CodeData, AfterAnInstructionThatFallsThrough) {
  const Decoded decoded("nop\n.byte 0xc4,0x62,0xab,0xf6,0x06\n  .byte 0x66,0x4d,0x0f,0x38,0xf6,0xc8 # adcx\nret\n");
  EXPECT_EQ(decoded.text(), (Strings{"1: nop", "2: mulxq (%rsi), %r10, %r8", "3: adcxq %r8, %r9", "4: retq"}));
  EXPECT_EQ(decoded.diagnostics(), Strings{});
  EXPECT_TRUE(decoded.program->instructions()[1].fromData);
  EXPECT_FALSE(decoded.program->instructions()[3].fromData);
  EXPECT_EQ(decoded.program->text().substr(decoded.program->instructions()[2].offset, 5), ".byte");
}

TEST(CodeData, SeveralOfALineAndOneOfSeveralLines) {
  EXPECT_EQ(Decoded("nop\n.byte 0x90, 0xff, 0xc0; .byte 0x90\n.byte 0xf3,0x0f\n.byte 0xb8\n.byte 0xc1,0xc3\n").text(),
            (Strings{"1: nop", "2: nop", "2: incl %eax", "2: nop", "3: popcntl %ecx, %eax", "5: retq"}));
  EXPECT_EQ(Decoded("nop\n.long 0x909090c0 - 0xc0 + 0x90\n.value 0xc0ff\n.quad 0x9090909090909090\nret\n").count(),
            15u);
  EXPECT_EQ(Decoded("nop\n.fill 3, 1, 0x90\n.skip 2, 0x90\nret\n").count(), 7u);
  EXPECT_EQ(Decoded("nop\n.ascii \"\\x90\\x90\"\nret\n").count(), 4u);
}

TEST(CodeData, AfterALabelThatABranchLeadsTo) {
  EXPECT_EQ(Decoded("f:\n1: .byte 0x90\ndecl %eax\njne 1b\nret\n").text().front(), "2: nop");
  EXPECT_EQ(Decoded("jmp 1f\n.long 7, 8\n1: .byte 0x90\nret\n").text(),
            (Strings{"1: jmp .Ltmp0", "3: nop", "4: retq"}));
  EXPECT_EQ(Decoded("ret\n.type f,@function\nf: .byte 0x90\n.Lend:\n").text(), (Strings{"1: retq", "3: nop"}));
  EXPECT_EQ(Decoded("ret\nf: .byte 0x90\nret\n").text(), (Strings{"1: retq", "2: nop", "3: retq"}))
      << "the second ret is dead code otherwise";
  EXPECT_EQ(Decoded(".byte 0x90\nret\n").text(), (Strings{"1: nop", "2: retq"})) << "a text begins at its first line";
}

TEST(CodeData, ThatControlFlowDoesNotReach) {
  for (const char *text :
       {"jmp *t(,%rax,8)\nt: .quad 0x9090909090909090\n", "ret\n.byte 0x90\n", "ud2\n.byte 0x90\n.Lx:\nret\n",
        "jmp .Lx\n.byte 0x90\n.Lx: ret\n", "K: .long 1, 2\n.type f,@function\nf: movl K(%rip), %eax\n",
        "call abort\n.Lt: .long 0x90909090\n.globl g\ng: ret\n", "call 1f\n.asciz \"hello\"\n1: popq %rdi\n",
        "nop\n.p2align 4\nret\n", "nop\n.balign 8, 0x90\nret\n", "nop\n.data\n.byte 0x90\n.text\nret\n",
        "nop\n.section .rodata\n.quad 0x90\n.text\nret\n", "ret\nt: .byte 0xff, 0xff\nret\n"}) {
    const Decoded decoded(text);
    EXPECT_EQ(describe(*decoded.program, *decoded.target),
              describe(*Parsed(kX86, "znver3", text).program, *decoded.target))
        << text;
  }
  // A literal pool after a call that does not return, as gcc writes it.
  EXPECT_EQ(
      Decoded("bl abort\n.L3:\n.align 2\n.L2:\n.word 0xe1a00000\n.type g, %function\ng: bx lr\n", kArm, "cortex-a9")
          .count(),
      2u);
  EXPECT_EQ(Decoded("ldr x0, .L2\nret\n.L2: .xword 0xd503201fd503201f\n", kAArch64, "cortex-a55").count(), 2u);
}

TEST(CodeData, ThatIsNoInstruction) {
  const Decoded unknown("nop\n.byte 0x06\nret\n"), symbol("nop\n.byte 0xe8\n.long f - . - 4\nret\n");
  EXPECT_EQ(unknown.unread(), Lines{2});
  EXPECT_EQ(unknown.diagnostics(), (Strings{"2: control flow runs into this data, which cannot be read as "
                                            "instructions: it is left out, and the cycles are a lower bound"}));
  EXPECT_EQ(unknown.program->diagnostics()[0].severity, Diagnostic::Severity::Warning);
  EXPECT_FALSE(unknown.program->hasErrors());
  EXPECT_EQ(symbol.unread(), (Lines{2, 3})) << "the point is a label";
  EXPECT_EQ(symbol.count(), 2u);
  EXPECT_EQ(Decoded("nop\n.byte 0xeb, 0x00\nret\n").unread(), Lines{2}) << "a jump: it is not known where to";
  EXPECT_EQ(Decoded("nop\n.skip 4096\nret\n").unread(), Lines{2});
  EXPECT_EQ(Decoded("nop\n.uleb128 .La - .Lb\n.La: ret\n.Lb:\n").unread(), Lines{2});
  EXPECT_EQ(Decoded("nop\n.byte 0x90\n.byte 0x06\n.byte 0x90\nret\n").text(), (Strings{"1: nop", "2: nop", "5: retq"}));
  EXPECT_EQ(Decoded("nop\n.inst 0xffffffff\nret\n", kAArch64, "cortex-a55").unread(), Lines{2});
  EXPECT_EQ(Decoded("nop\n.word f\nret\n", kRiscv, "sifive-x280").unread(), Lines{2});
}

TEST(CodeData, PrefixesOfAnInstruction) {
  EXPECT_EQ(Decoded("nop\n.byte 0xf3\nret\n").text(), (Strings{"1: nop", "3: rep retq"}));
  EXPECT_EQ(Decoded("nop\n.byte 0x66, 0x66\nnop\nret\n").count(), 3u);
  EXPECT_EQ(Decoded("nop\n.byte 0xf3; bsrl %ecx, %eax\n").text(), (Strings{"1: nop", "2: lzcntl %ecx, %eax"}))
      << "a prefix that makes another instruction of it";
  EXPECT_EQ(Decoded("nop\n.byte 0xf3\nmovsb\nret\n").text()[1], "3: rep movsb (%rsi), %es:(%rdi)");
  EXPECT_EQ(Decoded("nop\n.byte 0x3e\n1: addl %eax, (%rdi)\nret\n").count(), 3u);
  // What gcc writes for a thread-local variable: padding that a linker uses.
  const Decoded tls("nop\n.byte 0x66\nleaq x@tlsgd(%rip), %rdi\n.value 0x6666\nrex64\ncall __tls_get_addr@PLT\n");
  EXPECT_EQ(tls.unread(), Lines{});
  EXPECT_EQ(tls.count(), 4u);
  EXPECT_EQ(Decoded("nop\n.byte 0xf0\naddl $1, (%rdi)\nret\n").text()[1], "3: lock addl $1, (%rdi)");
  EXPECT_EQ(Decoded("nop\n.byte 0x66\n.byte 0x06\nret\n").unread(), Lines{2});
}

TEST(CodeData, DirectivesForInstructions) {
  EXPECT_EQ(Decoded("nop\n.inst 0x9b017c00\n.long 0x8b010000\nret\n", kAArch64, "cortex-a55").text(),
            (Strings{"1: nop", "2: mul x0, x0, x1", "3: add x0, x0, x1", "4: ret"}));
  EXPECT_EQ(Decoded("nop\n.inst 0xe0000091\n.inst 0xe0800001\nbx lr\n", kArm, "cortex-a9").text(),
            (Strings{"1: nop", "2: mul r0, r1, r0", "3: add r0, r0, r1", "4: bx lr"}));
  EXPECT_EQ(Decoded("nop\n.inst.n 0x1840\n.inst.w 0xfb00f001\n.inst 0x1840\nbx lr\n", kThumb, "cortex-m55").text(),
            (Strings{"1: nop", "2: adds r0, r0, r1", "3: mul r0, r0, r1", "4: adds r0, r0, r1", "5: bx lr"}));
  EXPECT_EQ(
      Decoded("nop\n.insn r 0x33, 0, 0x01, t1, t0, t0\n.insn 0x025282b3\n.insn 4, 0x025282b3\n.word 0x025282b3\nret\n",
              kRiscv, "sifive-x280")
          .text(),
      (Strings{"1: nop", "2: mul t1, t0, t0", "3: mul t0, t0, t0", "4: mul t0, t0, t0", "5: mul t0, t0, t0",
               "6: ret"}));
  EXPECT_EQ(
      Decoded(".L1: .insn i 0x13, 0, a0, a0, 8\n.insn b 0x63, 1, a0, a1, .L1\nret\n", kRiscv, "sifive-x280").text(),
      (Strings{"1: addi a0, a0, 8", "2: bne a0, a1, .L1", "3: ret"}));
  EXPECT_EQ(Decoded("nopr\n.insn rre, 0xb9080000, %r1, %r2\nbr %r14\n", "s390x-linux-gnu", "z14").text()[1],
            "2: agr %r1, %r2");
}

TEST(CodeData, InstructionsThatChangeTheRestOfTheText) {
  const Decoded vector("vsetvli a0, a1, e32, m2, ta, ma\n.word 0x0d05f557\nvadd.vv v0, v8, v16\nret\n", kRiscv,
                       "sifive-x280");
  EXPECT_EQ(vector.opcode(1), "VSETVLI");
  EXPECT_EQ(vector.instruments(2), "RISCV-LMUL=M1 RISCV-SEW=E32") << "as in the vsetvli that is data";
}

TEST(CodeData, OfMacrosAndOtherSections) {
  EXPECT_EQ(Decoded(".macro m\n.byte 0x90\n.byte 0xff,0xc0\n.endm\nnop\nm\nret\n").text(),
            (Strings{"5: nop", "6: nop", "6: incl %eax", "7: retq"}));
  EXPECT_EQ(Decoded("nop\n.rept 3\n.byte 0x90\n.endr\nret\n").count(), 5u);
  EXPECT_EQ(Decoded("nop\n.section .fixup,\"ax\"\n.long 7\n1: ret\n.text\n.byte 0x90\nret\n").text(),
            (Strings{"1: nop", "4: retq", "6: nop", "7: retq"}));
}

TEST(CodeData, IsLeftToTheParserWithoutTheOption) {
  const Parsed parsed(kX86, "znver3", "nop\n.byte 0x90\n.byte 0xf3\nret\n");
  EXPECT_EQ(parsed.count(), 2u);
  EXPECT_TRUE(parsed.program->unreadLines().empty());
}

TEST(CodeData, MakesAnUpdateImpossible) {
  const std::unique_ptr<Target> target = targetOf(kX86, "znver3");
  const auto updates = [&](const std::string &before, const std::string &after) {
    return Program::parse(before, *target, {.dataAsCode = true})->update(after, *target);
  };
  EXPECT_TRUE(updates("nop\nnop\n.data\n.byte 1\n", "nop\nincl %eax\n.data\n.byte 1\n"));
  EXPECT_FALSE(updates("nop\nnop\n.byte 0x90\nret\n", "nop\nret\n.byte 0x90\nret\n")) << "no longer reached";
  EXPECT_FALSE(updates("nop\nret\n.byte 0x90\n", "nop\nnop\n.byte 0x90\n"));
}

// ---- random texts --------------------------------------------------------------------------------------------------

struct Language {
  const char *triple, *cpu;
  Strings instructions;
};

const std::vector<Language> kLanguages = {
    {kX86,
     "znver4",
     {"addl (%rdi), %eax", "imulq %rcx, %rdx", "vpaddd %ymm0, %ymm1, %ymm2", "mulxq (%rsi), %r10, %r8", "incl %ecx",
      "vaddps 64(%rdi), %zmm1, %zmm2", "movl $7, %eax", "leaq 8(%rdi,%rax,4), %rdi", "pshufb %xmm0, %xmm1", "nop",
      "adcxq %r8, %r9", "movq %r10, (%rdi)", "popcntl %ecx, %eax", "rep movsb (%rsi), %es:(%rdi)",
      "lock addl $1, (%rdi)"}},
    {kAArch64,
     "neoverse-v2",
     {"add x0, x0, x1", "ldr q0, [x1], #16", "fmla v0.4s, v1.4s, v2.4s", "mul x2, x3, x4", "ldp x5, x6, [x7]",
      "casb w0, w1, [x2]", "str x0, [x1, #8]", "fadd z0.s, p0/m, z0.s, z1.s"}},
    {kRiscv,
     "sifive-x280",
     {"add a0, a0, a1", "mul t0, t0, t1", "ld a2, 8(a3)", "vadd.vv v8, v16, v24", "addi a0, a0, 8",
      "fmadd.d fa0, fa1, fa2, fa3"}},
    {kThumb, "cortex-m55", {"adds r0, r0, r1", "mul r0, r0, r1", "ldr r2, [r3, #4]", "vadd.f32 s0, s1, s2", "nop"}}};

/// The encoding, as directives of random sizes and numbers of values.
std::string asBytes(const std::string &bytes, std::mt19937 &random) {
  std::ostringstream out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const bool continues = i && random() % 4;
    out << (continues ? ","
            : i       ? (random() % 3 ? "\n .byte " : "; .byte ")
                      : " .byte ")
        << int{static_cast<uint8_t>(bytes[i])};
  }
  return out.str() + "\n";
}

/// What the program says of each instruction, without places.
Strings instructionsOf(const Program &program, const Target &target) {
  Strings result;
  const auto printer = target.createPrinter(program.syntaxVariant());
  for (const Instruction &one : program.instructions()) {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    printer->printInst(&one.inst, 0, "", target.subtarget(), stream);
    result.push_back(printed + " " + std::to_string(one.inst.getOpcode()) + " " + std::to_string(one.instrumentSet));
  }
  return result;
}

TEST(CodeData, ReadsAsTheInstructionsThatWereEncoded) {
  std::mt19937 random(35);
  for (const Language &language : kLanguages) {
    const std::unique_ptr<Target> target = targetOf(language.triple, language.cpu);
    for (int round = 0; round < 60; ++round) {
      std::string spelled = "nop\n";
      for (size_t i = 0; i < 1 + random() % 12; ++i)
        spelled += language.instructions[random() % language.instructions.size()] + "\n";
      const std::unique_ptr<Program> expected = Program::parse(spelled, *target, {});
      ASSERT_TRUE(expected->diagnostics().empty()) << expected->diagnostics()[0].message << "\n" << spelled;
      const std::unique_ptr<llvm::MCCodeEmitter> emitter(
          target->backend().createMCCodeEmitter(target->instructions(), expected->context()));
      std::string written;
      for (size_t i = 0; i < expected->instructions().size(); ++i) {
        const Instruction &one = expected->instructions()[i];
        llvm::SmallString<16> bytes;
        llvm::SmallVector<llvm::MCFixup, 1> fixups;
        emitter->encodeInstruction(one.inst, bytes, fixups, target->subtarget());
        const size_t end = spelled.find('\n', one.offset);
        written += i && random() % 4 ? asBytes(bytes.str().str(), random)
                                     : spelled.substr(one.offset, end - one.offset) + "\n";
      }
      const std::unique_ptr<Program> found = Program::parse(written, *target, {.dataAsCode = true});
      EXPECT_EQ(instructionsOf(*found, *target), instructionsOf(*expected, *target)) << written;
      EXPECT_TRUE(found->unreadLines().empty()) << written;
    }
  }
}

} // namespace
} // namespace mca
