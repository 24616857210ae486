// From a program to its trace: a C program that says itself what its branches did, compiled and run under qemu-user.
#include "analysis/import/import.h"

#include "analysis/import/program_image.h"
#include "mca-core/trace/profile_counts.h"
#include "mca-core/trace/trace_walk.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace analysis {
namespace {

// Prints the sign of each element that `kern` sees, in order. `total` is a relocation, and so is the call.
constexpr const char *kSource = R"(
int printf(const char *format, ...);
long total;
__attribute__((noinline)) void helper(int x) { total += x * 3; __asm__ volatile(""); }
__attribute__((noinline)) void kern(const int *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] > 0)
      helper(a[i]);
    total ^= i;
  }
}
int main(void) {
  int a[100];
  unsigned x = 1;
  for (int call = 0; call < 3; ++call) {
    for (int i = 0; i < 100; ++i) {
      x = x * 1664525u + 1013904223u;
      a[i] = (int)(x >> 8) - (1 << 23);
      printf("%c", a[i] > 0 ? '+' : '-');
    }
    kern(a, 100);
  }
  return 0;
}
)";

std::string contentsOf(const std::string &path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write(const std::string &path, const std::string &text) {
  std::ofstream(path) << text;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A folder with k.c, k.s, the program k, its log and its output.
class ImportTrace : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::string pattern = testing::TempDir() + "import-XXXXXX";
    folder_ = std::string(mkdtemp(pattern.data())) + "/";
    write(folder_ + "k.c", kSource);
    const std::string compile = "cd " + folder_ + " && " IMPORT_CLANG " --target=x86_64-linux-gnu -O2 ";
    ASSERT_EQ(std::system((compile + "-S k.c -o k.s").c_str()), 0);
    ASSERT_EQ(std::system((compile + "-ffunction-sections k.c -o k").c_str()), 0);
    ASSERT_EQ(std::system(("cd " + folder_ + " && qemu-x86_64 -d exec,nochain -D log ./k > out").c_str()), 0)
        << "the package qemu-user has qemu-x86_64";
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  static ImportRequest request() {
    return {.kind = "qemu",
            .recording = folder_ + "log",
            .program = folder_ + "k",
            .assembly = folder_ + "k.s",
            .output = folder_ + "out.mcatrace"};
  }
  /// The error, or an empty text.
  std::string import(const ImportRequest &request) {
    notes_.clear();
    const auto made =
        importTrace(request, [&](const std::string &note) { notes_ += note + "\n"; }, [](const auto &) {});
    return made ? "" : made.message();
  }
  /// The error of importing another recording.
  std::string importOf(const std::string &recording) {
    write(folder_ + "other", recording);
    ImportRequest other = request();
    other.recording = folder_ + "other";
    return replaced(import(other), folder_, "");
  }

  static inline std::string folder_;
  std::string notes_;
};

/// A trace with the text that it belongs to.
struct ReadTrace {
  explicit ReadTrace(const ImportRequest &request)
      : target(std::move(*mca::Target::create({.triple = "x86_64-linux-gnu", .cpu = "skylake"}))),
        program(mca::Program::parse(contentsOf(request.assembly), *target, {})), branches(*target, *program),
        text(std::get<mca::TraceText>(mca::readTrace(contentsOf(request.output)))),
        targets(branches, text, [](uint32_t) { return 1; }) {}

  std::unique_ptr<mca::Target> target;
  std::unique_ptr<mca::Program> program;
  mca::ProgramBranches branches;
  mca::TraceText text;
  mca::TokenTargets targets;
};

/// The outcomes of each conditional branch along the traces, as `+` for a taken one.
std::map<uint32_t, std::string> outcomesOf(const ReadTrace &read) {
  std::map<uint32_t, std::string> outcomes;
  for (const mca::TraceStatement &statement : read.text.traces) {
    mca::TraceWalk walk(read.targets, statement);
    for (mca::TraceStep step; walk.next(step);)
      if (step.kind == mca::BranchKind::ConditionalJump)
        outcomes[step.instruction] += step.taken ? '+' : '-';
    EXPECT_FALSE(walk.error());
  }
  return outcomes;
}

/// How many tokens the first trace has with its repeats expanded.
uint64_t tokensOfFirst(const mca::TraceText &text) {
  uint64_t count = 0;
  for (mca::TokenCursor cursor(text, text.traces.front().sequence); !cursor.isAtEnd(); cursor.advance())
    ++count;
  return count;
}

/// The macro is called before the alignment, and its first instruction is after it.
TEST_F(ImportTrace, AFunctionMayBeginInAMacroBehindItsAlignment) {
  std::string text = contentsOf(folder_ + "k.s");
  const size_t begin = text.find("\nkern:") + 1;
  size_t end = begin;
  do
    end = text.find('\n', end) + 1;
  while (text[end] != '\t' || text[end + 1] == '.');
  end = text.find('\n', end) + 1;
  const std::string head = text.substr(begin, end - begin);
  text.replace(begin, end - begin, ".macro head\n\t.p2align 8\n" + head + ".endm\n\thead\n");
  write(folder_ + "macro.s", text);
  ImportRequest other = request();
  other.assembly = folder_ + "macro.s";
  other.functions = {"kern"};
  EXPECT_EQ(import(other), "");
}

TEST_F(ImportTrace, HasTheBranchesInTheirOrder) {
  ImportRequest one = request();
  one.functions = {"kern"};
  ASSERT_EQ(import(one), "");
  const ReadTrace read(one);
  const std::string signs = contentsOf(folder_ + "out");
  ASSERT_EQ(signs.size(), 300u);
  std::string opposite = signs;
  for (char &sign : opposite)
    sign = sign == '+' ? '-' : '+';
  const auto outcomes = outcomesOf(read);
  EXPECT_TRUE(std::any_of(outcomes.begin(), outcomes.end(),
                          [&](const auto &one) { return one.second == signs || one.second == opposite; }));
}

TEST_F(ImportTrace, CountsEdges) {
  ASSERT_EQ(import(request()), "");
  const ReadTrace read(request());
  const std::string signs = contentsOf(folder_ + "out");
  const auto positive = static_cast<uint64_t>(std::count(signs.begin(), signs.end(), '+'));
  std::map<std::string, uint64_t> counts;
  for (const mca::TraceEdge &edge : read.text.edges)
    counts[edge.function + " " + mca::textOf(read.text.tokens[edge.to])] += edge.count;
  EXPECT_EQ(counts["kern helper"], positive);
  EXPECT_EQ(counts["helper RET"], positive);
  EXPECT_EQ(counts["main kern"], 3u);
  EXPECT_EQ(counts["main RET"], 1u);
}

TEST_F(ImportTrace, OfTheWholeProgramBeginsWithWhatIsCalledFromOutside) {
  ASSERT_EQ(import(request()), "");
  const ReadTrace read(request());
  ASSERT_EQ(read.text.traces.size(), 1u);
  EXPECT_EQ(read.text.traces.front().function, "main");
  EXPECT_FALSE(read.text.buildId.empty() && contentsOf(folder_ + "k").find("GNU") == std::string::npos);
}

TEST_F(ImportTrace, RefusesAFunctionThatDiffers) {
  ImportRequest other = request();
  other.assembly = folder_ + "other.s";
  other.functions = {"kern"};
  write(other.assembly, replaced(contentsOf(folder_ + "k.s"), "testl\t%esi, %esi", "cmpl\t$0, %esi"));
  EXPECT_NE(import(other).find("the program's differs from the text's at instruction "), std::string::npos);
  EXPECT_NE(import(other).find("`testl` against `cmpl`"), std::string::npos) << import(other);
  other.functions = {"nothing"};
  EXPECT_NE(import(other).find("has no function `nothing`"), std::string::npos);
}

// Its entries begin with another instruction than those of the text, and its code has moved.
TEST_F(ImportTrace, FindsFunctionsThatDifferByTheirBlocks) {
  const std::string compile =
      "cd " + folder_ + " && " IMPORT_CLANG " --target=x86_64-linux-gnu -O2 -fbasic-block-address-map k.c ";
  ASSERT_EQ(std::system((compile + "-S -o blocks.s && " + compile + "-fcf-protection -o blocks").c_str()), 0);
  ImportRequest one = request();
  one.program = folder_ + "blocks";
  one.assembly = folder_ + "blocks.s";
  one.command = {one.program};
  const auto made = recordTrace(one, [](const auto &) {}, [](const auto &) {});
  ASSERT_TRUE(made) << made.message();
  const std::string differing = contentsOf(one.output);
  ASSERT_EQ(std::system((compile + "-o blocks").c_str()), 0);
  ASSERT_TRUE(recordTrace(one, [](const auto &) {}, [](const auto &) {}));
  const auto edges = [](const std::string &trace) { return trace.substr(trace.find("\nedge")); };
  EXPECT_EQ(edges(differing), edges(contentsOf(one.output)));

  ASSERT_EQ(std::system((compile + "-fcf-protection -o blocks").c_str()), 0);
  one.functions = {"kern"};
  write(folder_ + "other.s", replaced(contentsOf(one.assembly), "\tcallq\thelper", "\tcallq\thelper\n\tcallq\thelper"));
  one.assembly = folder_ + "other.s";
  EXPECT_NE(import(one).find("; the branches of block "), std::string::npos) << import(one);
  one.assembly = folder_ + "k.s";
  EXPECT_NE(import(one).find("; the text has no block address map"), std::string::npos) << import(one);
}

// The linker makes one instruction of a call's two, so that all that follows has moved.
TEST_F(ImportTrace, FindsFunctionsThatTheLinkerHasShortened) {
  const std::string compile = "cd " + folder_ + " && " IMPORT_CLANG " --target=riscv64-linux-gnu -O2 ";
  ASSERT_EQ(std::system((compile + "-S k.c -o riscv.s && " IMPORT_CLANG
                                   " --target=riscv64-linux-gnu -c riscv.s -o riscv.o && "
                                   "riscv64-linux-gnu-gcc -static riscv.o -o riscv")
                            .c_str()),
            0);
  ImportRequest one = request();
  one.program = folder_ + "riscv";
  one.assembly = folder_ + "riscv.s";
  one.functions = {"kern"};
  one.command = {one.program};
  const auto made = recordTrace(one, [](const auto &) {}, [](const auto &) {});
  ASSERT_TRUE(made) << made.message();
  const std::string signs = contentsOf(folder_ + "out"), trace = contentsOf(one.output);
  EXPECT_NE(trace.find(" -> helper " + std::to_string(std::count(signs.begin(), signs.end(), '+')) + "\n"),
            std::string::npos);
  write(folder_ + "other.s", replaced(contentsOf(one.assembly), "blez\t", "bgez\t"));
  one.assembly = folder_ + "other.s";
  EXPECT_NE(import(one).find("differs"), std::string::npos) << import(one);
}

// Where a branch is not taken, the padding before an aligned loop may come first.
TEST_F(ImportTrace, GoesOnInPaddingAfterABranch) {
  ImportRequest one = request();
  one.assembly = folder_ + "padded.s";
  one.program = folder_ + "padded";
  one.command = {one.program};
  write(one.assembly, "\t.globl main\n\t.type main, @function\nmain:\n\tmovl $5, %ecx\n\ttestl %ecx, %ecx\n\tje .Lend\n"
                      "\t.p2align 6\n.Lloop:\n\tdecl %ecx\n\tjne .Lloop\n.Lend:\n\txorl %eax, %eax\n\tret\n"
                      "\t.size main, .-main\n");
  ASSERT_EQ(std::system((IMPORT_CLANG " --target=x86_64-linux-gnu " + one.assembly + " -o " + one.program).c_str()), 0);
  const auto made = recordTrace(one, [](const auto &) {}, [](const auto &) {});
  ASSERT_TRUE(made) << made.message();
  EXPECT_NE(contentsOf(one.output).find("trace main: ENTRY . .Lloop x4 . RET\n"), std::string::npos)
      << contentsOf(one.output);
}

/// A program of 400 random branches around jumps, of which each taken one is written with a name of this length.
std::string randomBranches(size_t length) {
  const std::string label = ".L" + std::string(length - 2, 'x');
  return "\t.globl main\n\t.type main, @function\nmain:\n\tmovl $400, %ecx\n\tmovl $1, %edx\n.Lloop:\n"
         "\timull $1664525, %edx, %edx\n\taddl $1013904223, %edx\n\tjs " +
         label + "\n\tnop\n" + label + ":\n\tdecl %ecx\n\tjne .Lloop\n\txorl %eax, %eax\n\tret\n\t.size main, .-main\n";
}

// The text of 200 taken branches with a name of 1 MiB is longer than the editor reads.
TEST_F(ImportTrace, EndsTracesThatAreLongerThanTheEditorReads) {
  ImportRequest one = request();
  one.assembly = folder_ + "long.s";
  one.program = folder_ + "long";
  one.command = {one.program};
  const auto record = [&](size_t length) {
    write(one.assembly, randomBranches(length));
    EXPECT_EQ(std::system((IMPORT_CLANG " --target=x86_64-linux-gnu " + one.assembly + " -o " + one.program).c_str()),
              0);
    notes_.clear();
    const auto made = recordTrace(one, [&](const std::string &note) { notes_ += note; }, [](const auto &) {});
    EXPECT_TRUE(made) << made.message();
    return outcomesOf(ReadTrace(one));
  };
  const auto whole = record(10);
  EXPECT_EQ(notes_, "");
  const auto cut = record(1 << 20);
  EXPECT_EQ(notes_, "the traces end where they reached their limit; the edges count what was recorded");
  EXPECT_LE(std::filesystem::file_size(one.output), mca::kMaxTraceBytes);
  EXPECT_GT(std::filesystem::file_size(one.output), mca::kMaxTraceBytes / 2);
  ASSERT_EQ(whole.size(), 2u);
  ASSERT_EQ(cut.size(), 2u);
  for (const auto &[branch, outcomes] : whole) {
    ASSERT_TRUE(cut.contains(branch));
    EXPECT_LT(cut.at(branch).size(), outcomes.size());
    EXPECT_EQ(cut.at(branch), outcomes.substr(0, cut.at(branch).size()));
  }
}

TEST_F(ImportTrace, AddsUpCountsOfAnySize) {
  ImportRequest one = request();
  one.assembly = folder_ + "counted.s";
  one.program = folder_ + "counted";
  one.kind = "bolt";
  one.recording = folder_ + "profile";
  write(one.assembly, "\t.globl _start\n\t.type _start, @function\n_start:\n.Lloop:\n\tdecl %ecx\n\tjne .Lloop\n\tud2\n"
                      "\t.size _start, .-_start\n");
  ASSERT_EQ(std::system((IMPORT_CLANG " --target=x86_64-linux-gnu -nostdlib -static -Wl,-Ttext=0x401000 " +
                         one.assembly + " -o " + one.program)
                            .c_str()),
            0);
  write(one.recording, "B 401002 401000 18446744073709551615 9\nB 401002 401000 5 7\n"
                       "F 401000 401004 18446744073709551615\nF 401000 401004 2\n");
  ASSERT_EQ(import(one), "");
  const std::string trace = contentsOf(one.output);
  EXPECT_EQ(trace.substr(trace.find("edge")), "edge _start _start -> _start 1099511627776 m 14\n"
                                              "edge _start _start -> . 1099511627776\n");
}

TEST_F(ImportTrace, RefusesBrokenRecordings) {
  EXPECT_EQ(importOf("").substr(0, 15), "other: the file");
  EXPECT_EQ(importOf(std::string("\0\1\2\n\377", 5)).substr(0, 15), "other: the file");
  EXPECT_EQ(importOf("Trace 0: 0x1 [0/10/0/0] \nTrace 0: ?\nTrace 0: 0x1 [0/10/0/0] \n").substr(0, 10), "other:2:7:");
  EXPECT_EQ(importOf(std::string((64u << 20) + 1, 'x')), "other:1: this line is longer than 64 MiB");
  EXPECT_NE(importOf("Trace 0: 0x1 [0/10/0/0] \n").find("does not reach the text's functions"), std::string::npos);
}

TEST_F(ImportTrace, OfARecordingThatWasCutOffEndsThere) {
  const std::string log = contentsOf(folder_ + "log");
  const size_t middle = log.rfind("] kern");
  ASSERT_NE(middle, std::string::npos);
  EXPECT_EQ(import(request()), "");
  const uint64_t whole = tokensOfFirst(ReadTrace(request()).text);
  write(folder_ + "other", log.substr(0, middle - 20));
  ImportRequest other = request();
  other.recording = folder_ + "other";
  EXPECT_EQ(import(other), "");
  EXPECT_LT(tokensOfFirst(ReadTrace(other).text), whole);
}

TEST_F(ImportTrace, OverwritesOnlyTraces) {
  ImportRequest other = request();
  other.output = folder_ + "k.c";
  EXPECT_NE(import(other).find("it is not overwritten"), std::string::npos);
  EXPECT_EQ(contentsOf(folder_ + "k.c"), kSource);
}

/// What a function writes to a descriptor.
template <typename Function>
std::string writtenTo(int descriptor, const std::string &path, const Function &function) {
  std::fflush(nullptr);
  const int before = dup(descriptor), file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  dup2(file, descriptor);
  function();
  std::fflush(nullptr);
  dup2(before, descriptor);
  close(before);
  close(file);
  return contentsOf(path);
}

TEST_F(ImportTrace, GoesToStandardOutputAlone) {
  ImportRequest one = request();
  one.command = {folder_ + "k"};
  ASSERT_EQ(import(one), "");
  const std::string trace = contentsOf(one.output);
  for (const char *output : {"-", "/dev/stdout"}) {
    one.output = output;
    std::string errors;
    EXPECT_EQ(writtenTo(STDOUT_FILENO, folder_ + "1", [&] { EXPECT_EQ(import(one), ""); }), trace);
    const auto record = [&] {
      errors = writtenTo(STDERR_FILENO, folder_ + "2",
                         [&] { EXPECT_TRUE(recordTrace(one, [](const auto &) {}, [](const auto &) {})); });
    };
    EXPECT_EQ(writtenTo(STDOUT_FILENO, folder_ + "1", record), trace);
    EXPECT_EQ(errors, contentsOf(folder_ + "out"));
  }
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stdout"));
}

TEST_F(ImportTrace, RecordsACommand) {
  ImportRequest record = request();
  record.program.clear();
  record.command = {folder_ + "k"};
  ASSERT_EQ(import(request()), "");
  const std::string imported = contentsOf(record.output);
  const auto made = recordTrace(record, [](const auto &) {}, [](const auto &) {});
  ASSERT_TRUE(made) << made.message();
  EXPECT_EQ(contentsOf(record.output), imported);
  record.command = {folder_ + "missing"};
  EXPECT_FALSE(recordTrace(record, [](const auto &) {}, [](const auto &) {}));
}

void put(std::string &bytes, size_t at, uint64_t value, size_t size) {
  std::memcpy(bytes.data() + at, &value, size);
}
uint64_t numberAt(const std::string &bytes, size_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

/// LLVM would read symbol after symbol, of which each is outside of the file.
TEST_F(ImportTrace, ASymbolTableLargerThanTheProgramIsRefused) {
  const std::string program = contentsOf(folder_ + "k");
  const uint64_t sections = numberAt(program, 40, 8), count = numberAt(program, 60, 2);
  ImportRequest broken = request();
  broken.program = folder_ + "broken";
  for (const uint64_t size : {~uint64_t{0}, uint64_t{1} << 40, uint64_t{24} << 32}) {
    std::string bytes = program;
    for (uint64_t i = 0; i < count; ++i)
      if (numberAt(bytes, sections + 64 * i + 4, 4) == 2) // SHT_SYMTAB
        put(bytes, sections + 64 * i + 32, size, 8);
    write(broken.program, bytes);
    EXPECT_EQ(import(broken), broken.program + ": its symbol tables do not lie within the file") << size;
  }
}

/// Each number of the headers of sections and segments, and of the file.
TEST_F(ImportTrace, NoNumberOfAnElfFileTakesLong) {
  const std::string program = contentsOf(folder_ + "k"), path = folder_ + "broken";
  std::vector<std::pair<size_t, size_t>> fields; // offset and bytes
  const auto addFields = [&](uint64_t begin, std::initializer_list<size_t> sizes) {
    for (const size_t size : sizes) {
      fields.emplace_back(begin, size);
      begin += size;
    }
  };
  addFields(16, {2, 2, 4, 8, 8, 8, 4, 2, 2, 2, 2, 2, 2}); // Elf64_Ehdr after e_ident, Elf64_Shdr, Elf64_Phdr
  for (uint64_t i = 0; i < numberAt(program, 60, 2); ++i)
    addFields(numberAt(program, 40, 8) + 64 * i, {4, 4, 8, 8, 8, 8, 4, 4, 8, 8});
  for (uint64_t i = 0; i < numberAt(program, 56, 2); ++i)
    addFields(numberAt(program, 32, 8) + 56 * i, {4, 4, 8, 8, 8, 8, 8, 8});
  for (const auto &[at, size] : fields)
    for (const uint64_t value : {uint64_t{1} << 31, ~uint64_t{0}}) {
      std::string bytes = program;
      put(bytes, at, value, size);
      write(path, bytes);
      const auto begin = std::chrono::steady_clock::now();
      if (const auto image = ProgramImage::open(path)) {
        std::ignore = (*image)->functionsNamed("kern");
        std::ignore = (*image)->addressOf(0);
        std::ignore = (*image)->blockMap();
      }
      ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "offset " << at << ": " << value;
    }
}

TEST_F(ImportTrace, WhatIsNoRegularFileIsNotWaitedFor) {
  const std::string fifo = folder_ + "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string &file : {fifo, std::string("/dev/zero")}) {
    ImportRequest program = request(), assembly = request(), recording = request();
    program.program = assembly.assembly = recording.recording = file;
    for (const ImportRequest &one : {program, assembly, recording})
      EXPECT_EQ(import(one), file + ": it is no regular file");
  }
}

} // namespace
} // namespace analysis
