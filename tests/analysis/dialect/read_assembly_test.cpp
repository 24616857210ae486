// Spellings that LLVM's parser refuses: read nevertheless, with the places of the text; the others are left alone.
#include "analysis/dialect/read_assembly.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Strings;

/// What readAssembly() makes of a text.
class Read {
public:
  Read(const char *triple, const char *cpu, std::string text, std::string_view syntax = "")
      : target_(mca::targetOf(triple, cpu)), text_(std::move(text)),
        program(readAssembly(text_, *target_, dialectOf(text_, *target_, syntax), {})) {}

  /// "MOVSXD64rr@movsx" for each instruction: LLVM's opcode, and the word at its place.
  Strings instructions() const {
    Strings all;
    for (const mca::Instruction &one : program->instructions())
      all.push_back(target_->instructions().getName(one.inst.getOpcode()).str() + "@" +
                    text_.substr(one.offset, text_.find_first_of(" \t\n", one.offset) - one.offset));
    return all;
  }
  Strings labels() const {
    Strings all;
    for (const mca::Label &label : program->labels())
      all.emplace_back(label.name);
    return all;
  }

private:
  std::unique_ptr<mca::Target> target_;
  std::string text_;

public:
  std::unique_ptr<mca::Program> program;
};

Strings intel(const std::string &line) {
  return Read(mca::kX86, "skylake", line + "\n", "intel").instructions();
}

TEST(ReadAssembly, KnowsGccsIntelSyntax) {
  EXPECT_EQ(intel("movsx rcx, r9d"), (Strings{"MOVSX64rr32@movsx"}));
  EXPECT_EQ(intel("movsx\trax, DWORD PTR 4[rdx]"), (Strings{"MOVSX64rm32@movsx"}));
  EXPECT_EQ(intel("movsx rcx, r9w"), (Strings{"MOVSX64rr16@movsx"}));
  EXPECT_EQ(intel("call [QWORD PTR f[rip]]"), (Strings{"CALL64m@call"}));
  EXPECT_EQ(intel("jmp [QWORD PTR [rax+rdi*8]]"), (Strings{"JMP64m@jmp"}));
  EXPECT_EQ(intel("mov rax, OFFSET FLAT:f"), (Strings{"MOV64ri32@mov"}));
  EXPECT_EQ(intel("mov eax, DWORD PTR and[rip]"), (Strings{"MOV32rm@mov"}));
  EXPECT_EQ(intel("add eax, DWORD PTR rax[rip]"), (Strings{"ADD32rm@add"}));
  EXPECT_EQ(intel("bogus eax, DWORD PTR x[rip]"), Strings{});
}

TEST(ReadAssembly, KnowsMnemonicsOfObjdump) {
  EXPECT_EQ(Read(mca::kX86, "skylake", "f:\n loopq f\n bnd jmp f\n").instructions(),
            (Strings{"LOOP@loopq", "JMP_1@jmp"}));
}

TEST(ReadAssembly, KnowsRustsPaths) {
  const Read read(mca::kX86, "skylake",
                  "lib::pick:\n\tpush rax\n\tvxorpd xmm0, xmm0, xmm0\n\tcall core::panicking::panic\n"
                  "\tcall <a::B<T> as c::D>::e\n\tlea rdi, [rip + lib::X]\n\tcall qword ptr [rip + lib::f@GOTPCREL]\n"
                  "<a::B<T> as c::D>::e:\n\tret\nlib::main::{{closure}}:\n\tret\n");
  EXPECT_FALSE(read.program->hasErrors());
  EXPECT_EQ(read.labels(), (Strings{"lib::pick", "<a::B<T> as c::D>::e", "lib::main::{{closure}}"}));
  EXPECT_EQ(read.instructions().size(), 8u);
  EXPECT_EQ(read.program->labels()[1].offset, read.program->text().find("<a::B<T> as c::D>::e:"));
  const Read arm(mca::kAArch64, "cortex-a57",
                 "lib::pick:\n\tadrp x0, lib::X\n\tadd x0, x0, :lo12:lib::X\n\tbl core::panicking::panic\n");
  EXPECT_FALSE(arm.program->hasErrors());
  EXPECT_EQ(arm.instructions().size(), 3u);
}

TEST(ReadAssembly, KnowsNamesWithOtherLetters) {
  const Read read(mca::kX86, "skylake", "\t.type größe, @function\ngröße:\n\tdecl %eax\n\tjne größe\n\tret\n");
  EXPECT_FALSE(read.program->hasErrors());
  EXPECT_EQ(read.labels(), (Strings{"größe"}));
  EXPECT_TRUE(read.program->isFunction(*read.program->labels().front().symbol));
}

TEST(ReadAssembly, SkipsBlockCommentsThatLlvmRefuses) {
  const Read read(mca::kRiscv, "sifive-x280",
                  "f:\n vlse64.v v16, (a1), t1 /* a (b[2]) */\n vnsrl.wx v28, v16, t3 /* 32 */\n"
                  " add a1, a1, t6 /* over\n two lines */\n bnez t4, f\n ret\n");
  EXPECT_FALSE(read.program->hasErrors());
  EXPECT_EQ(read.instructions().size(), 5u);
}

TEST(ReadAssembly, FindsTheSyntaxThatNoDirectiveNames) {
  constexpr const char *kText = "f:\n mov r8, qword ptr [rdi + 8*rax]\n cmp r8, rcx\n push rax\n jne f\n";
  EXPECT_EQ(Read(mca::kX86, "skylake", kText).instructions(),
            (Strings{"MOV64rm@mov", "CMP64rr@cmp", "PUSH64r@push", "JCC_1@jne"}));
  EXPECT_TRUE(Read(mca::kX86, "skylake", kText, "att").program->hasErrors());
  EXPECT_EQ(intel("push rax"), (Strings{"PUSH64r@push"}));
  EXPECT_EQ(Read(mca::kX86, "skylake", "push rax\n").instructions(), (Strings{"PUSH64rmm@push"}));
}

/// What LLVM's parser reads stays as it reads it, beside a line that is respelled.
TEST(ReadAssembly, LeavesOtherLines) {
  const std::string text =
      "a: movsx rcx, r9w\nb: mov eax, dword ptr size[rip]\nc: movsx rcx, r9d\n# a::b\n.string \"x::y\"\n";
  const auto target = mca::targetOf(mca::kX86, "skylake");
  const auto plain = mca::Program::parse(text, *target, {.syntax = 1});
  const auto read = readAssembly(text, *target, {.syntax = 1}, {});
  ASSERT_EQ(plain->instructions().size(), 2u);
  ASSERT_EQ(read->instructions().size(), 3u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(plain->instructions()[i].inst.getOpcode(), read->instructions()[i].inst.getOpcode());
    EXPECT_EQ(plain->instructions()[i].offset, read->instructions()[i].offset);
  }
}

TEST(ReadAssembly, IsNotUpdatedByParts) {
  const auto target = mca::targetOf(mca::kX86, "skylake");
  std::string text = "f:\n movsx rcx, r9d\n add rcx, rdx\n";
  const auto program = readAssembly(text, *target, {.syntax = 1}, {});
  EXPECT_FALSE(program->hasErrors());
  EXPECT_FALSE(program->update("f:\n movsx rcx, r9d\n add rcx, rax\n", *target));
  EXPECT_FALSE(hasRespellableErrors(*program, *target));
  // After an edit that only a respelling can read, the text is parsed again.
  const auto edited = readAssembly("f:\n add rcx, rdx\n add rcx, rdx\n", *target, {.syntax = 1}, {});
  ASSERT_TRUE(edited->update("f:\n add rcx, rdx\n movsx rcx, r9d\n", *target));
  EXPECT_TRUE(hasRespellableErrors(*edited, *target));
}

} // namespace
} // namespace analysis
