// Code that tries to do anything but compute ends as a refusal, within its time, and leaves nothing behind.
#include "mca-core/assembly/program.h"
#include "mca-core/measure/region_code.h"
#include "mca-core/measure/region_setup.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <dirent.h>
#include <sys/wait.h>

namespace {

using namespace mca;
using namespace mca::measure;
using Kind = CodeRefusal::Kind;

struct Hostile {
  const char *name;
  const char *assembly; ///< AT&T; lines end with a semicolon
  Kind kind;
};

void PrintTo(const Hostile &one, std::ostream *out) {
  *out << one.name;
}

// rdi and rsi point to memory, rsp to a stack; the others hold small numbers.
constexpr Hostile kHostile[] = {
    // System calls, by every way there is.
    {"Write", "movl $1, %eax; movl $2, %edi; leaq (%rsp), %rsi; movl $4, %edx; syscall", Kind::SystemCall},
    {"Read", "xorl %eax, %eax; xorl %edi, %edi; movq %rsp, %rsi; movl $4, %edx; syscall", Kind::SystemCall},
    {"Open", "movl $2, %eax; movl $0x6f6f2f, (%rdi); syscall", Kind::SystemCall},
    {"Mmap", "movl $9, %eax; xorl %edi, %edi; movl $4096, %esi; movl $7, %edx; movl $0x22, %r10d; syscall",
     Kind::SystemCall},
    {"Mprotect", "movl $10, %eax; movl $0x10000000, %edi; movl $4096, %esi; movl $7, %edx; syscall", Kind::SystemCall},
    {"Munmap", "movl $11, %eax; movl $0x18000000, %edi; movl $4096, %esi; syscall", Kind::SystemCall},
    {"Sigreturn", "movl $15, %eax; syscall", Kind::SystemCall},
    {"Sigaction", "movl $13, %eax; movl $11, %edi; syscall", Kind::SystemCall},
    {"Fork", "movl $57, %eax; syscall", Kind::SystemCall},
    {"Clone", "movl $56, %eax; xorl %edi, %edi; syscall", Kind::SystemCall},
    {"Vfork", "movl $58, %eax; syscall", Kind::SystemCall},
    {"Execve", "movl $59, %eax; syscall", Kind::SystemCall},
    {"Exit", "movl $60, %eax; xorl %edi, %edi; syscall", Kind::SystemCall},
    {"ExitGroup", "movl $231, %eax; xorl %edi, %edi; syscall", Kind::SystemCall},
    {"Kill", "movl $62, %eax; movl $-1, %edi; movl $9, %esi; syscall", Kind::SystemCall},
    {"Socket", "movl $41, %eax; movl $2, %edi; movl $1, %esi; xorl %edx, %edx; syscall", Kind::SystemCall},
    {"Ptrace", "movl $101, %eax; xorl %edi, %edi; syscall", Kind::SystemCall},
    {"Prctl", "movl $157, %eax; movl $4, %edi; movl $1, %esi; syscall", Kind::SystemCall},
    {"IoUring", "movl $425, %eax; syscall", Kind::SystemCall},
    {"Pause", "movl $34, %eax; syscall", Kind::SystemCall},
    {"CallOfX32", "movl $0x40000001, %eax; syscall", Kind::SystemCall},
    {"CallOutOfRange", "movl $-1, %eax; syscall", Kind::SystemCall},
    {"Int80", "movl $1, %eax; int $0x80", Kind::SystemCall},
    {"Int80Fork", "movl $2, %eax; int $0x80", Kind::SystemCall},
    // Instructions that are not for programs.
    {"Hlt", "hlt", Kind::Protection},
    {"Cli", "cli", Kind::Protection},
    {"Sti", "sti", Kind::Protection},
    {"In", "inb $0x60, %al", Kind::Protection},
    {"InByRegister", "inl %dx, %eax", Kind::Protection},
    {"Out", "outb %al, $0x80", Kind::Protection},
    {"Ins", "rep insb %dx, %es:(%rdi)", Kind::Protection},
    {"Wrmsr", "wrmsr", Kind::Protection},
    {"Rdmsr", "rdmsr", Kind::Protection},
    {"ReadControlRegister", "movq %cr3, %rax", Kind::Protection},
    {"WriteControlRegister", "movq %rax, %cr0", Kind::Protection},
    {"WriteDebugRegister", "movq %rax, %dr7", Kind::Protection},
    {"Lgdt", "lgdt (%rdi)", Kind::Protection},
    {"Lidt", "lidt (%rdi)", Kind::Protection},
    {"Ltr", "ltr %ax", Kind::Protection},
    {"Wbinvd", "wbinvd", Kind::Protection},
    {"Invlpg", "invlpg (%rdi)", Kind::Protection},
    {"Clts", "clts", Kind::Protection},
    {"Swapgs", "swapgs", Kind::Protection},
    {"Int13", "int $13", Kind::Protection},
    {"Xsetbv", "xorl %ecx, %ecx; xsetbv", Kind::Protection},
    {"SegmentRegister", "movl $0x33, %eax; movl %eax, %ss; movl $0x7fff, %eax; movl %eax, %ds", Kind::Protection},
    {"ReservedFloatingPointControl", "movl $-1, (%rdi); ldmxcsr (%rdi)", Kind::Protection},
    {"Ud2", ".byte 0x0f, 0x0b", Kind::Illegal},
    {"Ud1", "ud1l %eax, %eax", Kind::Illegal},
    {"InvalidIn64Bit", ".byte 0x06", Kind::Illegal},
    {"Int3", "int3", Kind::Trap},
    {"Int3Long", ".byte 0xcd, 0x03", Kind::Trap},
    {"TrapFlag", "pushfq; orl $0x100, (%rsp); popfq; nop", Kind::Trap},
    // Memory.
    {"ReadNull", "movq 0, %rax", Kind::Access},
    {"WriteNull", "movq %rax, 0", Kind::Access},
    {"ReadBelowMemory", "movl $0x1ffffff8, %ecx; movq (%rcx), %rax", Kind::Access},
    {"WriteBehindMemory", "movl $0x20100000, %ecx; movq %rax, (%rcx)", Kind::Access},
    {"ReadKernel", "movq $-4096, %rcx; movq (%rcx), %rax", Kind::Access},
    {"ReadTls", "movq %fs:0, %rax", Kind::Access},
    {"ReadProgram", "movl $0x400000, %ecx; movq (%rcx), %rax", Kind::Access},
    {"ModifyItself", "leaq (%rip), %rcx; movb $0x90, (%rcx)", Kind::Access},
    {"ModifyHarness", "movl $0x10000000, %ecx; movb $0x90, (%rcx)", Kind::Access},
    {"NotCanonical", "movabsq $0x1234567812345678, %rcx; movq (%rcx), %rax", Kind::Protection},
    {"Misaligned", "movaps 1(%rdi), %xmm0", Kind::Protection},
    {"FillEverything", "movl $0x20000000, %edi; movl $-1, %ecx; rep stosq", Kind::Access},
    {"WipeResults", "movl $0x18000000, %edi; movl $1000000, %ecx; xorl %eax, %eax; rep stosb", Kind::Changed},
    {"WipeResultsAndLoop", "movl $0x18000000, %edi; movl $65536, %ecx; movl $-1, %eax; rep stosb; 1: jmp 1b",
     Kind::Changed},
    // The stack.
    {"NoStack", "xorl %esp, %esp; pushq %rax", Kind::Access},
    {"EndlessPush", "1: pushq %rax; jmp 1b", Kind::Access},
    {"StackNotCanonical", "movabsq $0x1234567812345678, %rsp; pushq %rax", Kind::Protection},
    {"StackOfSignals", "movl $0x180100c0, %esp; xorl %ecx, %ecx; movq (%rcx), %rax", Kind::Access},
    // Time.
    {"EndlessLoop", "nop; 1: jmp 1b", Kind::TimeLimit},
    {"EndlessMemory", "1: incq (%rdi); jmp 1b", Kind::TimeLimit},
    {"MoveTheNumberOfTheCode", "1: incq 0x18000010; jmp 1b", Kind::Changed},
    {"LongLoop", "movabsq $0x7fffffffffff, %rcx; 1: decq %rcx; jnz 1b", Kind::TimeLimit},
    // Arithmetic and state.
    {"DivideByZero", "xorl %ecx, %ecx; divl %ecx", Kind::Arithmetic},
    {"QuotientTooLarge", "movl $-1, %edx; movl $2, %ecx; divl %ecx", Kind::Arithmetic},
    {"MinimumByMinusOne", "movl $0x80000000, %eax; cltd; movl $-1, %ecx; idivl %ecx", Kind::Arithmetic},
    {"UnmaskedVectorException", "movl $0, (%rdi); ldmxcsr (%rdi); xorps %xmm0, %xmm0; divss %xmm0, %xmm0",
     Kind::Arithmetic},
    {"UnmaskedX87Exception", "movw $0x0340, (%rdi); fldcw (%rdi); fldz; fldz; fdivp; fwait", Kind::Arithmetic},
    {"DirectionFlag", "std", Kind::Changed},
    {"AlignmentCheck", "pushfq; orl $0x40000, (%rsp); popfq", Kind::Changed},
};

// The limit is 1.2 s; the rest is for a machine whose processors are taken.
#ifdef MCA_SANITIZED
constexpr int kMostSeconds = 20;
#else
constexpr int kMostSeconds = 5;
#endif

class HostileCode : public testing::TestWithParam<Hostile> {
protected:
  void SetUp() override {
    auto made = CodeRunner::create();
    if (!made)
      GTEST_SKIP() << made.message();
    runner_ = std::move(*made);
  }
  std::unique_ptr<CodeRunner> runner_;
};

/// Takes a system call off the end of a text, and returns its bytes. RegionCode refuses them, and what is tried here is
/// that the child's own confinement does, too.
std::vector<uint8_t> takeSystemCall(llvm::StringRef &text) {
  if (text.consume_back("syscall"))
    return {0x0f, 0x05};
  const size_t at = text.rfind("int $");
  uint8_t number = 0;
  if (at == llvm::StringRef::npos || text.drop_front(at + 5).getAsInteger(0, number))
    return {};
  text = text.take_front(at);
  return {0xcd, number};
}

/// The code of a text, entered as a region is.
CodeToRun codeOf(llvm::StringRef hostile, const CodeRunner &runner) {
  const std::vector<uint8_t> systemCall = takeSystemCall(hostile);
  const std::string text = (systemCall.empty() ? "" : "nop; ") + hostile.str();
  const auto target = Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64-v3"});
  const auto program = Program::parse(text, **target, {});
  EXPECT_FALSE(program->hasErrors()) << text;
  const ProgramBranches branches(**target, *program);
  std::vector<uint32_t> all(program->instructions().size());
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  const auto code = RegionCode::assemble(**target, *program, branches, all, runner.memory());
  CodeToRun made{.repetitions = 2};
  if (const auto *refusal = std::get_if<RegionRefusal>(&code))
    ADD_FAILURE() << refusal->reason;
  else
    EXPECT_TRUE(std::get<RegionCode>(code).emit(made, Repeating::Own, 1));
  made.code.insert(made.code.end(), systemCall.begin(), systemCall.end());
  for (uint32_t i = 0; i < 16; ++i)
    made.registers[i] = i + 2;
  for (const uint32_t pointer : {4, 6, 7})
    made.registers[pointer] = runner.memory().begin + (pointer << 16);
  return made;
}

std::vector<std::string> openFiles() {
  std::vector<std::string> names;
  DIR *const folder = opendir("/proc/self/fd");
  while (const dirent *entry = readdir(folder))
    names.emplace_back(entry->d_name);
  closedir(folder);
  return names;
}

TEST_P(HostileCode, IsRefusedWithinItsTimeAndLeavesNothing) {
  CodeToRun code;
  if (llvm::StringRef(GetParam().assembly).starts_with(".byte")) {
    // What no parser of instructions returns.
    llvm::SmallVector<llvm::StringRef> bytes;
    llvm::StringRef(GetParam().assembly).drop_front(5).split(bytes, ',');
    for (const llvm::StringRef byte : bytes)
      ASSERT_FALSE(byte.trim().getAsInteger(0, code.code.emplace_back()));
  } else {
    code = codeOf(GetParam().assembly, *runner_);
  }
  const std::vector<std::string> before = openFiles();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<CodeResult> results = runner_->run({&code, 1});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(kMostSeconds));
  ASSERT_EQ(results.size(), 1u);
  const auto *refusal = std::get_if<CodeRefusal>(&results[0]);
  ASSERT_TRUE(refusal);
  // A kernel without calls of 32-bit programs leaves these to the processor.
  const bool isCallOf32Bits = llvm::StringRef(GetParam().assembly).contains("int $0x80");
  EXPECT_TRUE(refusal->kind == GetParam().kind || (isCallOf32Bits && refusal->kind == Kind::Protection))
      << refusal->reason;
  EXPECT_FALSE(refusal->reason.empty());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child is left";
  EXPECT_EQ(openFiles(), before);
}

INSTANTIATE_TEST_SUITE_P(Measure, HostileCode, testing::ValuesIn(kHostile),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(MeasureRunner, RunsTheOthersAfterARefusal) {
  const auto runner = CodeRunner::create();
  if (!runner)
    GTEST_SKIP() << runner.message();
  std::vector<CodeToRun> codes(5, codeOf("imulq %rax, %rax", **runner));
  codes[1] = codeOf("hlt", **runner);
  codes[3] = codeOf("xorl %esp, %esp; pushq %rax", **runner);
  const std::vector<CodeResult> results = (*runner)->run(codes);
  ASSERT_EQ(results.size(), codes.size());
  for (const size_t i : {0, 2, 4})
    EXPECT_EQ(results[i].index(), 0u) << i;
  for (const size_t i : {1, 3})
    EXPECT_EQ(results[i].index(), 1u) << i;
}

TEST(MeasureRunner, AllowsWhatOnlyComputes) {
  const auto runner = CodeRunner::create();
  if (!runner)
    GTEST_SKIP() << runner.message();
  for (const char *text :
       {"rdtsc", "cpuid", "fninit; fldpi", "emms", "pushq %rax; popq %rcx", "std; cld", "xorl %esp, %esp",
        "lock incq (%rdi)", "mfence", "rep stosb", "cmpxchg16b (%rdi)", "prefetcht0 0", "clflush (%rdi)"}) {
    const CodeToRun code = codeOf(text, **runner);
    const std::vector<CodeResult> results = (*runner)->run({&code, 1});
    if (const auto *refusal = std::get_if<CodeRefusal>(&results[0]))
      ADD_FAILURE() << text << ": " << refusal->reason;
  }
}

TEST(MeasureRunner, ReturnsTheNoteAndGivesMemoryAndRegistersTheirContents) {
  const auto runner = CodeRunner::create();
  if (!runner)
    GTEST_SKIP() << runner.message();
  const std::string note = std::to_string(CodeRunner::noteAddress());
  CodeToRun code = codeOf("movq (%rdi), %rax; addq %rcx, %rax; addq 0x40000000, %rax; movq %xmm3, %rdx; addq %rdx, "
                          "%rax; movq %rax, " +
                              note,
                          **runner);
  code.memoryFill = 1000;
  code.registers[1] = 7;
  code.vectors[3] = 50;
  code.extraPages = {0x40000000};
  const std::vector<CodeResult> results = (*runner)->run({&code, 1});
  ASSERT_TRUE(std::holds_alternative<CodeTimes>(results[0])) << std::get<CodeRefusal>(results[0]).reason;
  EXPECT_EQ(std::get<CodeTimes>(results[0]).note, 2057u);
}

TEST(MeasureRunner, RefusesWhatItCannotRun) {
  const auto runner = CodeRunner::create();
  if (!runner)
    GTEST_SKIP() << runner.message();
  std::vector<CodeToRun> codes(6);
  codes[0].repetitions = 0;
  codes[1].code.resize(CodeToRun::kMaxBytes + 1);
  codes[2].vectorBits = 64;
  codes[3].extraPages = {0x10000000};
  codes[4].extraPages = {0x40000001};
  codes[5].relative = {{0, 0x20000000}};
  for (const CodeResult &result : (*runner)->run(codes)) {
    ASSERT_TRUE(std::holds_alternative<CodeRefusal>(result));
    EXPECT_EQ(std::get<CodeRefusal>(result).kind, Kind::Unsuitable);
  }
}

} // namespace
