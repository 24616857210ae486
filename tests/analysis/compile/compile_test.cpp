// The compiler's answers as the rest of the analysis sees them.
#include "analysis/compile/compile.h"
#include "tests/analysis/compile/temp_folder.h"

#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <utility>

namespace analysis {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

CompileResult compileFile(const std::string &file, wire::Language language = wire::Language::Cxx,
                          const wire::Settings &settings = {}) {
  return compile(findCompileCommand(file, language, settings), {});
}

/// Keeps the compiler busy for minutes without using memory.
const char *const kSlowSource = "constexpr unsigned long spin() {\n"
                                "  unsigned long sum = 0;\n"
                                "  for (unsigned long i = 0; i < 4000000000; ++i) sum += i;\n"
                                "  return sum;\n"
                                "}\n"
                                "static_assert(spin() != 1);\n";

TEST(Compile, GivesAssemblyWithLinesAndInlineStacks) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "#include <vector>\n"
                                                 "static int square(int x) { return x * x; }\n"
                                                 "int sum(const std::vector<int> &v) {\n"
                                                 "  int s = 0;\n"
                                                 "  for (int x : v) s += square(x);\n"
                                                 "  return s;\n"
                                                 "}\n");
  const CompileResult result = compileFile(file);
  ASSERT_TRUE(result.succeeded) << result.failure;
  EXPECT_NE(result.assembly.find(".loc"), std::string::npos);
  EXPECT_NE(result.assembly.find("a.cpp:2:37 @[ "), std::string::npos);
  EXPECT_EQ(result.assembly.find(".section\t.debug_info"), std::string::npos);
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_GT(result.micros, 0u);
  EXPECT_EQ(folder.contents().size(), 1u);
}

const char *const kLoops = "void add(float *a, const float *b, int n) {\n"
                           "  for (int i = 0; i < n; ++i)\n"
                           "    a[i] += b[i];\n"
                           "}\n"
                           "int collatz(unsigned n) {\n"
                           "  int s = 0;\n"
                           "  while (n != 1)\n"
                           "    n = n & 1 ? 3 * n + 1 : n / 2, ++s;\n"
                           "  return s;\n"
                           "}\n";

TEST(Compile, TellsWhatBecameOfLoops) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-O3\n--target=x86_64-linux-gnu\n");
  const std::string file = folder.write("a.cpp", kLoops);
  const CompileResult result = compile(findCompileCommand(file, wire::Language::Cxx, {}, {.reasons = true}), {});
  ASSERT_TRUE(result.succeeded) << result.failure;
  EXPECT_TRUE(result.hasReasons);
  ASSERT_FALSE(result.remarks.empty());
  EXPECT_EQ(result.remarks[0].kind, LoopRemark::Kind::Vectorized);
  EXPECT_EQ(result.remarks[0].path, file);
  EXPECT_EQ(result.remarks[0].line, 2u);
  EXPECT_EQ(result.remarks[0].width, 4u);

  const auto refusal = std::ranges::find(result.decisions, false, &VectorizerDecision::vectorized);
  ASSERT_NE(refusal, result.decisions.end());
  EXPECT_EQ(refusal->head.path, file);
  EXPECT_EQ(refusal->head.line, 7u);
  ASSERT_FALSE(refusal->reasons.empty());
  EXPECT_EQ(refusal->reasons[0].pass, "loop-vectorize");
  EXPECT_NE(refusal->reasons[0].name, "");
  EXPECT_TRUE(refusal->reasons[0].text.starts_with("loop not vectorized: "));
}

using Remark =
    std::tuple<std::string, uint32_t, uint32_t, LoopRemark::Kind, uint32_t, bool, uint32_t, uint32_t, std::string>;

std::multiset<Remark> remarksOf(const CompileResult &result) {
  std::multiset<Remark> remarks;
  for (const LoopRemark &one : result.remarks)
    remarks.emplace(one.path, one.line, one.column, one.kind, one.width, one.scalable, one.interleave, one.unroll,
                    one.callee);
  return remarks;
}

TEST(Compile, SaysTheSameOfLoopsWithoutReasons) {
  const TempFolder folder;
  folder.write("lib/loops.h", "#define FILL(to) for (int i = 0; i < n; ++i) to[i] = 0\n"
                              "static inline void fill(int *restrict to, int n) { FILL(to); }\n"
                              "static inline void copy(int *restrict to, int *restrict from, int n) {\n"
                              "  for (int i = 0; i < n; ++i) to[i] = from[i];\n"
                              "}\n");
  const std::string text =
      "#include \"lib/loops.h\"\n"
      "void both(int *restrict a, int *restrict b, int n) { fill(a, n); copy(a + n, b, n); }\n"
      "void move(int *a, int n) { for (int i = 0; i < n; ++i) a[i] = a[i + 1]; }\n"
      "void none(int n) { for (int i = 0; i < n; ++i) ; }\n"
      "float eight(float *a) { float t = 0; for (int i = 0; i < 8; ++i) t += a[i]; return t; }\n"
      "float sum(float *a, int n) { float t = 0; for (int i = 0; i < n; ++i) t += a[i]; return t; }\n"
      "int add(int *a, int n) {\n"
      "  int t = 0;\n"
      "#pragma clang loop vectorize(disable) interleave_count(4)\n"
      "  for (int i = 0; i < n; ++i) t += a[i];\n"
      "#line 70 \"named.c\"\n"
      "  for (int i = 0; i < n; ++i) t ^= a[i];\n"
      "  return t;\n"
      "}\n";
  const std::string file = folder.write("a.c", text);
  for (const char *flags : {"-O2\n--target=x86_64-linux-gnu\n", "-O2\n--target=aarch64-linux-gnu\n-march=armv9-a\n"}) {
    folder.write("compile_flags.txt", flags);
    const CompileCommand command = findCompileCommand(file, wire::Language::C, {});
    const CompileResult without = compile(command, {});
    const CompileResult with = compile(findCompileCommand(file, wire::Language::C, {}, {.reasons = true}), {});
    ASSERT_TRUE(with.succeeded && without.succeeded);
    EXPECT_TRUE(with.hasReasons);
    EXPECT_FALSE(without.hasReasons);
    EXPECT_TRUE(without.decisions.empty());
    EXPECT_GE(with.remarks.size(), 8u);
    EXPECT_EQ(remarksOf(with), remarksOf(without));
    EXPECT_EQ(with.assembly, without.assembly);
  }
}

TEST(Compile, TellsBlockFrequenciesWhereTheTargetHasThem) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", kLoops);
  const std::vector<std::pair<const char *, bool>> targets = {
      {"x86_64-linux-gnu", true},    {"i686-linux-gnu", true},     {"aarch64-linux-gnu", true},
      {"x86_64-apple-macos", false}, {"riscv64-linux-gnu", false}, {"x86_64-windows-msvc", false}};
  for (const auto &[target, expected] : targets) {
    folder.write("compile_flags.txt", std::string("--target=") + target + "\n");
    const CompileResult result = compileFile(file);
    EXPECT_TRUE(result.succeeded) << target << ": " << result.failure;
    EXPECT_EQ(result.assembly.find(".llvm_bb_addr_map") != std::string::npos, expected) << target;
  }
}

/// The assembly without places and what is only there for them.
std::string instructionsOf(const std::string &assembly) {
  std::string text;
  for (std::string_view rest = assembly; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    line = line.substr(0, line.find('#'));
    if (!line.starts_with("\t.loc") && !line.starts_with(".Ltmp"))
      text += std::string(line) + "\n";
  }
  return text;
}

TEST(Compile, CountingCopiesChangesNoInstruction) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "#include <deque>\n"
                                                 "int drain(std::deque<int> &queue) {\n"
                                                 "  int sum = 0;\n"
                                                 "  for (; !queue.empty(); queue.pop_front()) sum += queue.front();\n"
                                                 "  return sum;\n"
                                                 "}\n");
  wire::Settings settings;
  settings.extraFlags = {"-Os"};
  const CompileCommand counting = findCompileCommand(file, wire::Language::Cxx, settings);
  ASSERT_TRUE(tellsDuplication(counting));
  CompileCommand plain = counting;
  std::vector<std::string> &arguments = plain.arguments;
  const auto deferral = std::find(arguments.begin(), arguments.end(), "-enable-npm-pgo-inline-deferral=false");
  ASSERT_NE(deferral, arguments.end());
  arguments.erase(deferral - 1, deferral + 1);
  std::erase(arguments, "-fdebug-info-for-profiling");
  EXPECT_FALSE(tellsDuplication(plain));
  const std::string with = compile(counting, {}).assembly, without = compile(plain, {}).assembly;
  EXPECT_NE(with.find("discriminator"), std::string::npos);
  EXPECT_EQ(without.find("discriminator"), std::string::npos);
  EXPECT_EQ(instructionsOf(with), instructionsOf(without));
}

TEST(Compile, ErrorsAreAtClangsPositions) {
  const TempFolder folder;
  folder.write("inc/b.h", "int y = \"text\";\n");
  folder.write("compile_flags.txt", "-Iinc\n-Werror\n-Wall\n");
  const std::string file = folder.write("a.cpp", "#include \"b.h\"\n"
                                                 "int f(int unused) {\n"
                                                 "\treturn nope; // é\n"
                                                 "}\n"
                                                 "#error stop: error: here\n");
  const CompileResult result = compileFile(file);
  EXPECT_FALSE(result.succeeded);
  EXPECT_EQ(result.failure, "");
  ASSERT_EQ(result.diagnostics.size(), 3u);
  EXPECT_EQ(result.diagnostics[0].path, folder.path() + "/inc/b.h");
  EXPECT_EQ(result.diagnostics[0].line, 1u);
  EXPECT_EQ(result.diagnostics[0].column, 5u);
  EXPECT_EQ(result.diagnostics[1].path, file);
  EXPECT_EQ(result.diagnostics[1].line, 3u);
  EXPECT_EQ(result.diagnostics[1].column, 9u);
  EXPECT_EQ(result.diagnostics[1].message, "use of undeclared identifier 'nope'");
  EXPECT_EQ(result.diagnostics[2].line, 5u);
  EXPECT_EQ(result.diagnostics[2].message, "stop: error: here");
}

TEST(Compile, AFatalErrorHasItsPosition) {
  const TempFolder folder;
  const CompileResult result = compileFile(folder.write("a b:1:2.cpp", "\n#include <no/such/header>\n"));
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].path, folder.path() + "/a b:1:2.cpp");
  EXPECT_EQ(result.diagnostics[0].line, 2u);
  EXPECT_EQ(result.diagnostics[0].column, 10u);
  EXPECT_EQ(result.diagnostics[0].message, "'no/such/header' file not found");
}

TEST(Compile, ADriversErrorHasNoPosition) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "--target=pdp11\n");
  const CompileResult result = compileFile(folder.write("a.cpp", "int x;\n"));
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 0u);
  EXPECT_NE(result.diagnostics[0].message.find("pdp11"), std::string::npos);
}

TEST(Compile, WarningsAreNoFailure) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-Wall\n-Werror\n-pedantic-errors\n");
  const CompileResult result = compileFile(folder.write("a.cpp", "void f() { int unused; }\n#warning hm\n"));
  EXPECT_TRUE(result.succeeded);
  EXPECT_TRUE(result.diagnostics.empty());
}

TEST(Compile, AnErrorThatTheBuildSwitchedOffStaysOff) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-Wno-implicit-function-declaration\n");
  EXPECT_TRUE(compileFile(folder.write("a.c", "int f(void) { return g(); }\n"), wire::Language::C).succeeded);
}

TEST(Compile, AnImportOfAModuleIsAnErrorOnItsLine) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-std=c++20\n-fmodules\n");
  const CompileCommand command = findCompileCommand(folder.write("a.cpp", "\nimport M;\n"), wire::Language::Cxx, {});
  ASSERT_EQ(command.notes.size(), 1u);
  EXPECT_NE(command.notes[0].find("modules are not used here: -fmodules"), std::string::npos) << command.notes[0];
  const CompileResult result = compile(command, {});
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].line, 2u);
  EXPECT_EQ(result.diagnostics[0].message, "module 'M' not found");
}

TEST(Compile, ABackendErrorIsTold) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "int f(int x) { asm(\"\" : \"+{nowhere}\"(x)); return x; }\n");
  const CompileResult result = compileFile(file);
  EXPECT_FALSE(result.succeeded);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 1u);
}

TEST(Compile, TheDirectorysOwnPathsAreMadeAbsolute) {
  const TempFolder folder;
  folder.write("build/compile_commands.json",
               R"([{"directory": ")" + folder.path() +
                   R"(/build", "file": "../a.cpp", "command": "c++ -include ./gen.h -c ../a.cpp"}])");
  folder.write("build/gen.h", "int = 1;\n");
  const CompileResult result = compileFile(folder.write("a.cpp", "int x;\n"));
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].path, folder.path() + "/build/gen.h");
}

TEST(Compile, ACompilerThatCrashesWithRemarksDoesWithout) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-O2\n");
  const std::string file = folder.write("a.c", "long f(const unsigned char *c, long v) {\n"
                                               "  static const void *const k[] = {&&a, &&h};\n"
                                               "  goto *k[*c++ % 2];\n"
                                               "a:\n"
                                               "  v += *c++;\n"
                                               "  goto *k[*c++ % 2];\n"
                                               "h:\n"
                                               "  while (*c) v = v * 7 + *c++;\n"
                                               "  return v;\n"
                                               "}\n");
  const CompileResult result = compileFile(file, wire::Language::C);
  EXPECT_TRUE(result.succeeded) << result.failure;
  EXPECT_TRUE(result.remarks.empty());
  EXPECT_NE(result.assembly.find("f:"), std::string::npos);
  EXPECT_FALSE(compileFile(folder.write("b.c", "int x;\n"), wire::Language::C).remarksMissing);
}

TEST(Compile, TheCrashOfTheCompilerIsAFailure) {
  const TempFolder folder;
  const CompileResult result = compileFile(folder.write("a.cpp", "#pragma clang __debug crash\n"));
  EXPECT_FALSE(result.succeeded);
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_NE(result.failure.find("crashed"), std::string::npos) << result.failure;
  EXPECT_NE(result.failure.find("a.cpp:1:"), std::string::npos) << result.failure;
  EXPECT_EQ(folder.contents().size(), 1u);
}

TEST(Compile, TheReasonOfABackendsEndIsTold) {
  const TempFolder folder;
  const CompileResult result = compileFile(folder.write("a.cpp", "#pragma clang __debug llvm_fatal_error\n"));
  EXPECT_FALSE(result.succeeded);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].message, "error in backend: #pragma clang __debug llvm_fatal_error");
}

TEST(Compile, DeepNestingEndsOnlyTheCompiler) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-fbracket-depth=100000000\n");
  const std::string text = "int x = " + std::string(3'000'000, '(') + "1" + std::string(3'000'000, ')') + ";\n";
  const CompileResult result = compileFile(folder.write("a.cpp", text));
  EXPECT_FALSE(result.succeeded);
  EXPECT_FALSE(result.failure.empty() && result.diagnostics.empty());
}

TEST(Compile, ACancelledCompilerIsGoneWithinASecond) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-std=c++20\n-fconstexpr-steps=4294967295\n");
  const std::string file = folder.write("a.cpp", kSlowSource);
  std::stop_source stop;
  Clock::time_point asked;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(300ms);
    asked = Clock::now();
    stop.request_stop();
  });
  const CompileResult result = compile(findCompileCommand(file, wire::Language::Cxx, {}), stop.get_token());
  stopper.join();
  EXPECT_LT(Clock::now() - asked, 1s);
  EXPECT_TRUE(result.cancelled);
  EXPECT_FALSE(result.succeeded);
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_EQ(result.failure, "");
  int children = 0;
  std::ifstream("/proc/thread-self/children") >> children;
  EXPECT_EQ(children, 0);
}

TEST(Compile, AssemblyIsWhatThePreprocessorLeaves) {
  const TempFolder folder;
  folder.write("step.h", "#define STEP(n) addq $n, %rax; incq %rcx\n");
  const std::string file =
      folder.write("a.S", "#include \"step.h\"\n STEP(4) // LLVM-MCA-BEGIN\n#if 0\n nop\n#endif\n");
  for (const char *compiler : {"", "gcc"}) {
    wire::Settings settings;
    settings.compiler = compiler;
    const CompileResult result = compileFile(file, wire::Language::Assembly, settings);
    ASSERT_TRUE(result.succeeded) << result.failure;
    EXPECT_NE(result.assembly.find(" addq $4, %rax; incq %rcx // LLVM-MCA-BEGIN\n"), std::string::npos)
        << result.assembly;
    EXPECT_EQ(result.assembly.find("nop"), std::string::npos);
  }
  EXPECT_EQ(folder.contents().size(), 2u);
  const CompileResult failed = compileFile(folder.write("b.S", "\n#include \"none.h\"\n"), wire::Language::Assembly);
  ASSERT_EQ(failed.diagnostics.size(), 1u);
  EXPECT_EQ(failed.diagnostics[0].line, 2u);
}

TEST(Compile, AReachedLimitIsNamedWithItsOption) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-fconstexpr-steps=4294967295\n");
  const std::string busy = folder.write("a.cpp", kSlowSource);
  const auto within = [](const std::string &file, const wire::CompileLimits &limits) {
    const bool isC = llvm::StringRef(file).ends_with(".c");
    const CompileCommand command = findCompileCommand(file, isC ? wire::Language::C : wire::Language::Cxx, {});
    return compile(command, {}, nullptr, nullptr, limits);
  };
  const CompileResult late = within(busy, {.time = 400ms});
  EXPECT_TRUE(late.reachedLimit);
  EXPECT_EQ(late.failure, "clang-22 did not finish: it used 400 ms of processor time, the limit of "
                          "--compile-timeout-ms");
  const CompileResult large =
      within(folder.write("b.c", "char text[1ul << 33] = {[0] = 1, [(1ul << 33) - 1] = 2};\n"), {});
  EXPECT_TRUE(large.reachedLimit);
  EXPECT_EQ(large.failure, "clang-22 used more than 1536 MiB of memory, the limit of --compiler-memory-limit-mb");
}

// As they are or through a link, to read a header or an array.
TEST(Compile, WhatIsNoRegularFileIsNotWaitedFor) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder.path() + "/fifo.h").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder.path() + "/fifo.h", folder.path() + "/link.h");
  for (const char *line : {"#include \"fifo.h\"\n", "#include \"link.h\"\n", "char a[] = {\n#embed \"fifo.h\"\n};\n"}) {
    const CompileResult result = compileFile(folder.write("a.cpp", line), wire::Language::Cxx);
    EXPECT_TRUE(result.reachedLimit) << line;
    EXPECT_TRUE(llvm::StringRef(result.failure).starts_with("clang-22 was ended: it waited for ")) << result.failure;
    EXPECT_TRUE(llvm::StringRef(result.failure).ends_with(".h, which is no regular file")) << result.failure;
  }
}

TEST(Compile, AMissingCompilerIsNamed) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "int x;\n");
  wire::Settings settings;
  for (const char *compiler : {"no-such-clang", "/nowhere/no-such-clang", "./no-such-clang"}) {
    settings.compiler = compiler;
    const CompileResult result = compileFile(file, wire::Language::Cxx, settings);
    EXPECT_FALSE(result.succeeded);
    EXPECT_NE(result.failure.find("was not found"), std::string::npos) << result.failure;
    EXPECT_NE(result.failure.find("mca.compiler"), std::string::npos);
  }
  CompileCommand command = findCompileCommand(file, wire::Language::Cxx, {});
  command.arguments[0] = "clang-22";
  EXPECT_EQ(compile(command, {}).failure, "clang-22 was not found; install the package clang-22 or set mca.compiler");
}

TEST(Compile, ACompilerThatIsNoProgramIsNamed) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "int x;\n");
  wire::Settings settings;
  settings.compiler = file;
  EXPECT_NE(compileFile(file, wire::Language::Cxx, settings).failure.find("cannot be run"), std::string::npos);
}

TEST(Compile, AFolderThatVanishedIsNamed) {
  CompileCommand command;
  {
    const TempFolder folder;
    command = findCompileCommand(folder.write("a.cpp", "int x;\n"), wire::Language::Cxx, {});
  }
  const CompileResult result = compile(command, {});
  EXPECT_FALSE(result.succeeded);
  EXPECT_NE(result.failure.find(command.directory), std::string::npos) << result.failure;
}

TEST(Compile, AFileThatVanishedIsNamed) {
  const TempFolder folder;
  const CompileResult result = compileFile(folder.path() + "/gone.cpp");
  EXPECT_FALSE(result.succeeded);
  EXPECT_FALSE(result.diagnostics.empty());
}

} // namespace
} // namespace analysis
