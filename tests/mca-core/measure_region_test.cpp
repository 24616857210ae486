// A region as code: its bytes are those of LLVM's assembler, its form is the one that was requested, and what is known
// of every CPU is what is measured.
#include "mca-core/measure/measure_region.h"
#include "mca-core/measure/measure_statement.h"
#include "mca-core/measure/region_setup.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ToolOutputFile.h"

#include <gtest/gtest.h>

namespace {

using namespace mca;
using namespace mca::measure;

constexpr MeasureMemory kSymbols{0x2000'0000, 1 << 15};

struct Region {
  explicit Region(const std::string &text)
      : target(std::move(
            *Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64-v3", .features = "+lwp,+uintr"}))),
        program(Program::parse(text, *target, {})), branches(*target, *program) {
    EXPECT_FALSE(program->hasErrors()) << text;
    for (uint32_t i = 0; i < branches.size(); ++i)
      instructions.push_back(i);
  }

  std::variant<RegionCode, RegionRefusal> assemble() const {
    return RegionCode::assemble(*target, *program, branches, instructions, kSymbols);
  }
  std::string refusal() const {
    const auto made = assemble();
    const auto *refusal = std::get_if<RegionRefusal>(&made);
    return refusal ? refusal->reason : "";
  }
  std::vector<uint8_t> bytes(Repeating repeating, uint32_t count) const {
    const auto made = assemble();
    CodeToRun code;
    if (const auto *refusal = std::get_if<RegionRefusal>(&made))
      ADD_FAILURE() << refusal->reason;
    else
      EXPECT_TRUE(std::get<RegionCode>(made).emit(code, repeating, count));
    return code.code;
  }
  RegionToMeasure toMeasure() const {
    return {.target = target.get(), .program = program.get(), .branches = &branches, .instructions = instructions};
  }

  std::unique_ptr<Target> target;
  std::unique_ptr<Program> program;
  ProgramBranches branches;
  std::vector<uint32_t> instructions;
};

/// What llvm-mc and llvm-objcopy make of a text.
std::vector<uint8_t> assembled(const std::string &text) {
  llvm::SmallString<128> source, object, binary;
  for (llvm::SmallString<128> *path : {&source, &object, &binary})
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("measure", "s", *path));
  const llvm::FileRemover remove[] = {llvm::FileRemover(source), llvm::FileRemover(object), llvm::FileRemover(binary)};
  std::error_code error;
  llvm::raw_fd_ostream(source, error) << text << '\n';
  const auto run = [](llvm::StringRef tool, llvm::ArrayRef<llvm::StringRef> arguments) {
    const std::string path = std::string(LLVM_TOOLS) + "/" + tool.str();
    llvm::SmallVector<llvm::StringRef> all{path};
    llvm::append_range(all, arguments);
    EXPECT_EQ(llvm::sys::ExecuteAndWait(path, all), 0);
  };
  run("llvm-mc", {"-triple=x86_64-unknown-linux-gnu", "-filetype=obj", "-o", object, source});
  run("llvm-objcopy", {"-O", "binary", "-j", ".text", object, binary});
  const auto content = llvm::MemoryBuffer::getFile(binary);
  EXPECT_TRUE(content);
  return content ? std::vector<uint8_t>((*content)->getBuffer().bytes_begin(), (*content)->getBuffer().bytes_end())
                 : std::vector<uint8_t>();
}

std::string repeated(const std::string &text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += text;
  return all;
}

TEST(MeasureCode, HasTheBytesOfTheAssembler) {
  const std::string body = "addq $8, %rdi\nvfmadd231ps (%rdi,%rcx,4), %ymm1, %ymm2\nmovabsq $81985529216486895, %rax\n"
                           "lock cmpxchgq %rdx, 16(%rsi)\nimulq $1000, %rbx, %rbx\nmovb %r9b, -1(%rsp)\n";
  EXPECT_EQ(Region(body).bytes(Repeating::Unrolled, 1), assembled(body));
  EXPECT_EQ(Region(body).bytes(Repeating::Unrolled, 3), assembled(repeated(body, 3)));
  // r15 is free.
  EXPECT_EQ(Region(body).bytes(Repeating::Counted, 1), assembled("1:\n" + body + "decq %r15\njne 1b"));
}

TEST(MeasureCode, ClosesALoopByItsOwnBranchOrACounter) {
  const std::string loop = ".Ltop:\naddq (%rdi), %rax\naddq $8, %rdi\ncmpq %rsi, %rdi\njne .Ltop\n";
  EXPECT_EQ(Region(loop).bytes(Repeating::Own, 1), assembled(loop));
  const std::string body = "addq (%rdi), %rax\naddq $8, %rdi\ncmpq %rsi, %rdi\n";
  EXPECT_EQ(Region(loop).bytes(Repeating::Unrolled, 2), assembled(body + body));
  EXPECT_EQ(Region(loop).bytes(Repeating::Counted, 1), assembled("1:\n" + body + "decq %r15\njne 1b"));
}

TEST(MeasureCode, LengthensBranchesThatReachFar) {
  const std::string filler = repeated("vpaddd 0x1000(%rdi), %ymm1, %ymm2\n", 40);
  const std::string loop = ".Ltop:\ntestl %eax, %eax\nje .Lskip\n" + filler + ".Lskip:\ndecl %ecx\njne .Ltop\n";
  EXPECT_EQ(Region(loop).bytes(Repeating::Own, 1), assembled(loop));
}

TEST(MeasureCode, TrapsWhereABranchLeavesTheRegion) {
  Region region("1: cmpq $1, %rax\nje 2f\naddq $1, %rax\njmp 1b\n2: nop\n");
  region.instructions.pop_back();
  EXPECT_EQ(region.bytes(Repeating::Counted, 1),
            assembled("1: cmpq $1, %rax\nje 2f\naddq $1, %rax\ndecq %r15\njne 1b\njmp 3f\n2: ud2\n3:"));
}

TEST(MeasureCode, GivesSymbolsPlaces) {
  const auto made = Region("addps .LCPI0_0(%rip), %xmm0\nmovl $table+4, %edi\nmovl $5, other+8(%rip)\n").assemble();
  CodeToRun code;
  ASSERT_TRUE(std::get<RegionCode>(made).emit(code, Repeating::Unrolled, 1));
  EXPECT_EQ(std::get<RegionCode>(made).symbolCount(), 3u);
  ASSERT_EQ(code.relative.size(), 2u);
  EXPECT_EQ(code.relative[0].offset, 3u);
  // The processor counts from the end of the instruction: 4 bytes later, and 8 if an immediate follows.
  EXPECT_EQ(code.relative[0].address, kSymbols.begin - 4);
  EXPECT_EQ(code.relative[1].address, kSymbols.begin + 2 * 64 + 8 - 8);
  EXPECT_EQ(code.code[8] | code.code[9] << 8 | code.code[10] << 16 | code.code[11] << 24,
            static_cast<int>(kSymbols.begin + 64 + 4));
}

TEST(MeasureCode, RefusesWhatLeavesItForGood) {
  EXPECT_EQ(Region("callq f\n").refusal(), "it calls a function");
  EXPECT_EQ(Region("callq *%rax\n").refusal(), "it calls a function");
  EXPECT_EQ(Region("retq\n").refusal(), "it returns");
  EXPECT_EQ(Region("jmpq *%rax\n").refusal(), "it jumps to a computed address");
  EXPECT_EQ(Region("movl $a-b, %eax\n").refusal(), "it needs an address that only a linker can give");
}

/// What a process may execute, and code that only computes has no use for. None of it is run here.
TEST(MeasureCode, RefusesWhatLeavesTheSandbox) {
  for (const char *text : {"vmmcall",
                           "vmcall",
                           "rep vmmcall",
                           "vmfunc",
                           "vmlaunch",
                           "vmresume",
                           "vmxoff",
                           "vmxon (%rax)",
                           "vmclear (%rax)",
                           "vmptrld (%rax)",
                           "vmptrst (%rax)",
                           "vmread %rax, %rcx",
                           "vmwrite (%rax), %rcx",
                           "vmrun",
                           "vmload",
                           "vmsave",
                           "invept (%rax), %rcx",
                           "invvpid (%rax), %rcx",
                           "stgi",
                           "clgi",
                           "skinit",
                           "invlpga",
                           "invlpgb",
                           "tlbsync",
                           "psmash",
                           "pvalidate",
                           "rmpadjust",
                           "rmpquery",
                           "rmpupdate",
                           "tdcall",
                           "seamcall",
                           "seamops",
                           "seamret",
                           "getsec",
                           "encls",
                           "enclu",
                           "enclv",
                           "pconfig"})
    EXPECT_EQ(Region(std::string("nop\n") + text + "\n").refusal(), "it calls the hypervisor") << text;
  for (const char *text : {"syscall", "sysenter", "int $0x80", "int $4"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it makes a system call") << text;
  for (const char *text : {"ljmpl *(%rax)", "ljmpq *(%rax)", "lcalll *(%rax)", "lcallq *(%rax)", "lretl", "lretq $8",
                           "iretq", "iretl", "uiret"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it jumps to where no instruction was checked") << text;
  for (const char *text : {"mwait", "mwaitx", "monitor", "monitorx", "umwait %eax", "umonitor %rax", "tpause %ecx"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it waits for an event") << text;
  for (const char *text : {"senduipi %rax", "stui", "clui", "llwpcb %rax", "slwpcb %rax", "lwpins $1, %eax, %ecx",
                           "lwpval $1, (%rax), %ecx"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it causes or directs interrupts") << text;
  for (const char *text : {"enqcmd (%rax), %rcx", "enqcmds (%rax), %rcx"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it sends a command to a device") << text;
  EXPECT_EQ(Region("wrpkru\n").refusal(), "it changes which memory may be used");
  for (const char *text : {"1: xbegin 1b", "xabort $1", "xend"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "it begins a transaction, whose faults are not seen") << text;
  for (const char *text :
       {"vmovaps %xmm1, %xmm2", "incq %rax", "insertps $1, %xmm1, %xmm2", "outsb", "cpuid", "rdtsc", "rdpkru", "int3",
        "hlt", "stc", "cli", "pause", "clflush (%rdi)", "xtest", "vmaskmovps %ymm1, %ymm2, (%rdi)"})
    EXPECT_EQ(Region(std::string(text) + "\n").refusal(), "") << text;
}

/// Memory is full of the double 1: what is read from between two of them would be another number.
TEST(MeasureSetup, AnIndexLeavesTheNumbersInMemoryWhole) {
  const Region region("1:\nmovups (%rsi,%r8), %xmm2\nmulps %xmm2, %xmm2\nmovups %xmm2, 16(%rdi,%r8)\n"
                      "addq $32, %r8\ncmpq %r8, %rdx\njne 1b\n");
  const RegionSetup setup(*region.target, *region.program, region.instructions, {}, {0x1000'0000, 1 << 24});
  CodeToRun code;
  ASSERT_TRUE(setup.applyFor(code, 100));
  constexpr uint32_t kRsi = 6, kRdi = 7, kR8 = 8;
  for (const uint32_t pointer : {kRsi, kRdi})
    EXPECT_EQ((code.registers[pointer] + code.registers[kR8]) % 8, 0u) << pointer;
}

TEST(MeasureSetup, APointerBeginsSomeBytesFurtherOn) {
  const Region region("1:\nmovups (%rax), %xmm2\naddq $16, %rax\ncmpq %rax, %rdx\njne 1b\n");
  const auto pointerWith = [&](const std::string &statement) {
    const auto settings = readMeasureStatements(statement).statements.at(0).settings;
    CodeToRun code;
    RegionSetup(*region.target, *region.program, region.instructions, settings, {0x1000'0000, 1 << 24}).apply(code);
    return code.registers[0];
  };
  const uint64_t plain = pointerWith("# mca: measure rcx=1");
  EXPECT_EQ(plain % 64, 0u);
  EXPECT_EQ(pointerWith("# mca: measure rax=+392"), plain + 392);
  EXPECT_EQ(pointerWith("# mca: measure rax=+8 rax=0x100"), 0x100u) << "the last one counts";
}

TEST(MeasureStatement, SetsRegisters) {
  const auto found =
      readMeasureStatements("nop\n# mca: measure rdi=buffer:4096 %rsi=same-line ecx=7 r8d=0x10 r9=+8\nnop\n"
                            "// mca: measure bl=1 */\nnop # mca: measure rax=1\n# mca: cpu=znver3\n");
  EXPECT_TRUE(found.diagnostics.empty());
  ASSERT_EQ(found.statements.size(), 2u);
  const std::vector<RegisterSetting> &settings = found.statements[0].settings;
  ASSERT_EQ(settings.size(), 5u);
  EXPECT_EQ(settings[0].generalRegister, 7u);
  EXPECT_EQ(settings[0].bytes, 4096u);
  EXPECT_EQ(settings[1].kind, RegisterSetting::Kind::SameLine);
  EXPECT_EQ(settings[1].buffer, 7u);
  EXPECT_EQ(settings[2].generalRegister, 1u);
  EXPECT_EQ(settings[2].value, 7u);
  EXPECT_EQ(settings[3].generalRegister, 8u);
  EXPECT_EQ(settings[3].value, 16u);
  EXPECT_EQ(settings[4].kind, RegisterSetting::Kind::Added);
  EXPECT_EQ(settings[4].value, 8u);
  EXPECT_EQ(found.statements[1].settings[0].generalRegister, 3u);
}

TEST(MeasureStatement, ReportsWhatIsWrong) {
  const std::string text = "# mca: measure xmm0=1 rsi=same-line rdi=buffer:1 rax=pointer rcx=+4097";
  const auto found = readMeasureStatements(text);
  ASSERT_EQ(found.diagnostics.size(), 5u);
  EXPECT_EQ(text.substr(found.diagnostics[0].begin, 6), "xmm0=1");
  EXPECT_EQ(found.diagnostics[1].message, "'same-line' needs a buffer before it");
  EXPECT_TRUE(found.statements[0].settings.empty());
}

/// Measures on this machine, if it is quiet within 20 s.
class MeasureRegion : public testing::Test {
protected:
  void SetUp() override {
    auto made = CodeRunner::create();
    if (!made)
      GTEST_SKIP() << made.message();
    runner_ = std::move(*made);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!gate_ && std::chrono::steady_clock::now() < end)
      if (auto gate = Gate::create(*runner_))
        gate_ = std::move(*gate);
    if (!gate_)
      GTEST_SKIP() << "nothing was measured: the machine is too busy";
  }

  RegionResult measure(const Region &region, RegionForm form) {
    RegionMeasurer measurer(*runner_, *gate_, {.timeout = std::chrono::seconds(5)});
    const auto result = measurer.measure(region.toMeasure(), form);
    return result ? *result : RegionResult(RegionRefusal{"busy: " + result.message()});
  }

  /// Skips the test if the machine is too busy.
  void expectCycles(const char *text, RegionForm form, double cycles) {
    const RegionResult result = measure(Region(text), form);
    if (const auto *refusal = std::get_if<RegionRefusal>(&result)) {
      if (refusal->reason.starts_with("busy") || refusal->reason.starts_with("it is unstable"))
        GTEST_SKIP() << "not measured: " << refusal->reason;
      FAIL() << text << ": " << refusal->reason;
    }
    EXPECT_NEAR(std::get<RegionCycles>(result).cycles, cycles, cycles * .05) << text;
  }

  std::unique_ptr<CodeRunner> runner_;
  std::optional<Gate> gate_;
};

TEST_F(MeasureRegion, AMultiplicationTakesThreeCycles) {
  expectCycles("imull %ecx, %eax\n", RegionForm::Unrolled, 3);
}

TEST_F(MeasureRegion, ALoopOfFourDependentMultiplicationsTakesTwelve) {
  expectCycles("imull %ecx, %eax\nimull %ecx, %eax\nimull %ecx, %eax\nimull %ecx, %eax\n", RegionForm::Loop, 12);
}

TEST_F(MeasureRegion, ALoopWithItsOwnBranchIsRunAsOften) {
  expectCycles("1: imull (%rdi), %eax\nimull %ecx, %eax\naddq $8, %rdi\ncmpq %rsi, %rdi\njne 1b\n", RegionForm::Loop,
               6);
}

TEST_F(MeasureRegion, NamesTheInstructionThatIsRefused) {
  const Region region("nop\nhlt\n");
  const RegionResult result = measure(region, RegionForm::Unrolled);
  ASSERT_TRUE(std::holds_alternative<RegionRefusal>(result));
  EXPECT_EQ(std::get<RegionRefusal>(result).instruction, 1u);
  EXPECT_EQ(std::get<RegionRefusal>(result).reason, "it executes an instruction that only the system may execute");
}

TEST_F(MeasureRegion, RefusesALoopThatIsLeft) {
  Region region("1: cmpq $2, %rax\nje 2f\naddq $1, %rcx\njmp 1b\n2: nop\n");
  region.instructions.pop_back();
  const RegionResult result = measure(region, RegionForm::Loop);
  ASSERT_TRUE(std::holds_alternative<RegionRefusal>(result));
  EXPECT_EQ(std::get<RegionRefusal>(result).reason, "a branch leaves it");
  EXPECT_EQ(std::get<RegionRefusal>(result).instruction, 1u);
}

TEST_F(MeasureRegion, ALoopThatDoesNotEndIsRefusedSoon) {
  for (const char *text :
       {"1: imulq %rax, %rax\n2: jmp 2b\njne 1b\n", "1: testl %eax, %eax\n2: pause\njmp 2b\ndecl %ecx\njne 1b\n",
        // It ends, but only after seconds, and needs other memory each time.
        "movl $400000000, %ecx\n1: decl %ecx\njnz 1b\nrdtsc\nshlq $12, %rax\nmovq (%rax), %rcx\n"}) {
    const auto begin = std::chrono::steady_clock::now();
    const RegionResult result = measure(Region(text), RegionForm::Loop);
    const auto *refusal = std::get_if<RegionRefusal>(&result);
    ASSERT_TRUE(refusal) << text;
    EXPECT_EQ(refusal->reason, "it does not end within the time limit") << text;
    EXPECT_TRUE(refusal->holdsForBothForms) << text;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << text;
  }
}

/// The clock could never be read beside it, and the next region would not be measured.
TEST_F(MeasureRegion, CodeThatDisturbsTheClockIsRefused) {
  for (const char *text :
       {"clflush (%rdi)\n", "movl $0x10000000, %ecx\nclflush (%rcx)\n", "movl $0x18000000, %ecx\nclflush (%rcx)\n"}) {
    const RegionResult result = measure(Region(text), RegionForm::Loop);
    if (const auto *refusal = std::get_if<RegionRefusal>(&result); refusal && refusal->reason.starts_with("busy"))
      GTEST_SKIP() << refusal->reason;
    // Some CPUs flush a line so fast that nothing else notices.
    if (const auto *refusal = std::get_if<RegionRefusal>(&result))
      EXPECT_TRUE(refusal->reason.starts_with("it disturbs the clock") || refusal->reason.starts_with("it is unstable"))
          << text << refusal->reason;
  }
}

} // namespace
