// One run of the front end for several sets of flags: what it serves is what the whole compile gives for the functions
// of the part, but for the numbers of labels, and what could differ is compiled as a whole.
#include "analysis/compile/compile.h"
#include "analysis/compile/front_end_runs.h"
#include "analysis/compile/result_fingerprint.h"
#include "tests/analysis/compile/temp_folder.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

namespace analysis {
namespace {

namespace fs = std::filesystem;
using Flags = std::vector<std::string>;

const std::string kCode = "float total(const float *all, long n) {\n"
                          "  float sum = 0;\n"
                          "  for (long i = 0; i < n; ++i)\n"
                          "    sum += OWN(all[i]) > 0 ? all[i] : 1;\n"
                          "  return sum;\n"
                          "}\n";
const std::vector<std::string> kFunctions = {"_Z5totalPKfl"};
const std::string kIncludes = "#include \"own.h\"\n#include <vector>\n";

std::string readFile(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The symbols of what the compiler made.
std::vector<std::string> functionsOf(const CompileResult &result) {
  const std::string begin = "-- Begin function ";
  std::vector<std::string> functions;
  for (size_t at = result.assembly.find(begin); at != std::string::npos; at = result.assembly.find(begin, at + 1))
    functions.push_back(result.assembly.substr(at + begin.size(), result.assembly.find('\n', at) - at - begin.size()));
  return functions;
}

void expectSame(const CompileResult &part, const CompileResult &whole, const std::vector<std::string> &functions) {
  ASSERT_TRUE(whole.succeeded) << whole.failure;
  ASSERT_THAT(functionsOf(whole), testing::IsSupersetOf(functions));
  EXPECT_TRUE(fingerprintOf(part, functions) == fingerprintOf(whole, functions));
}

class FrontEndRunsTest : public testing::Test {
protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  FrontEndRunsTest() {
    folder_.write("own.h", "#define OWN(x) ((x) + 1)\n");
    write(kIncludes + kCode);
  }

  /// Writes the source, and makes its module.
  void write(const std::string &text) {
    text_ = text;
    source_ = folder_.write("a.cpp", text);
    module_ = {module_.search + 1, kFunctions, moduleOf(text)};
  }
  CompileCommand commandWith(const Flags &flags) const {
    return findCompileCommand(source_, wire::Language::Cxx, {}, {.reasons = true, .addedFlags = flags});
  }
  CompileResult wholeWith(const Flags &flags, const std::string &text) const {
    const UnsavedText unsaved{source_, text};
    return compile(commandWith(flags), {}, &unsaved);
  }
  std::string moduleOf(const std::string &text) {
    const auto made = runs_.compileInSteps(commandWith({}), text, {kFunctions}, tools());
    EXPECT_TRUE(made);
    if (made)
      expectSame(made->result, wholeWith({}, text), kFunctions);
    return made ? made->part : "";
  }
  std::optional<CompileResult> compileWith(const Flags &flags, const std::string &text,
                                           const wire::FrontEndModule &module) {
    return runs_.compile({commandWith({}), commandWith(flags), text, module}, tools());
  }
  void expectServed(const Flags &flags) {
    const auto result = compileWith(flags, text_, module_);
    ASSERT_TRUE(result) << "it has to be compiled as a whole";
    expectSame(*result, wholeWith(flags, text_), kFunctions);
  }
  FrontEndRuns::Tools tools() { return {preambles_, stop_, nullptr, limits_}; }
  bool isServed(const Flags &flags) { return compileWith(flags, text_, module_).has_value(); }

  TempFolder folder_;
  std::string text_, source_;
  std::stop_token stop_;
  wire::CompileLimits limits_;
  Preambles preambles_;
  FrontEndRuns runs_;
  wire::FrontEndModule module_;
};

TEST_F(FrontEndRunsTest, ServeOtherLevelsAndCpus) {
  for (const Flags &flags : std::vector<Flags>{{"-O3"},
                                               {"-march=x86-64-v2"},
                                               {"-march=x86-64-v3"},
                                               {"-march=x86-64-v4", "-mprefer-vector-width=512"},
                                               {"-mtune=skylake"},
                                               {"-O3", "-march=x86-64-v3"},
                                               {"-fno-vectorize"}})
    expectServed(flags);
}

TEST_F(FrontEndRunsTest, ServeAnotherTextFromItsModule) {
  std::string other = text_;
  other.insert(other.find("  for"), "  _Pragma(\"clang loop interleave_count(4)\")");
  for (const Flags &flags : std::vector<Flags>{{"-O3"}, {"-march=x86-64-v3"}}) {
    const auto result = compileWith(flags, other, {module_.search, kFunctions, moduleOf(other)});
    ASSERT_TRUE(result);
    expectSame(*result, wholeWith(flags, other), kFunctions);
  }
}

TEST_F(FrontEndRunsTest, UseTheHeadersThatWereCompiledInAdvance) {
  write("#include \"own.h\"\n#include <map>\n#include <string>\n#include <vector>\n" + kCode);
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // a newer header might have changed meanwhile
  const CompileCommand command = commandWith({});
  preambles_.want(command, text_,
                  std::make_shared<const CompileResult>(preambles_.compile(command, {text_}, {}, nullptr, limits_)));
  preambles_.make({}, limits_);
  ASSERT_EQ(preambles_.count(), 1u);
  const auto made = runs_.compileInSteps(command, text_, {kFunctions}, tools());
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->result.usedPreamble);
  expectSame(made->result, wholeWith({}, text_), kFunctions);
  module_.text = made->part;
  expectServed({"-O3"});
  expectServed({"-march=x86-64-v3"});
}

TEST_F(FrontEndRunsTest, FlagsThatTheFrontEndReadsDoNotFit) {
  for (const char *flag : {"-fno-math-errno", "-DX=1", "-O1", "-ffast-math"})
    EXPECT_FALSE(isServed({flag})) << flag;
}

TEST_F(FrontEndRunsTest, AHeaderThatAsksForTheCpuDoesNotFit) {
  folder_.write("own.h", "#ifdef __AVX2__\n#define OWN(x) ((x) + 2)\n#else\n#define OWN(x) ((x) + 1)\n#endif\n");
  write(kIncludes + kCode);
  expectServed({"-march=x86-64-v2"});
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, HeadersAreReadAgainInTheNextSearch) {
  expectServed({"-march=x86-64-v3"});
  folder_.write("own.h", "#ifdef __AVX2__\nint wide = 1;\n#endif\n#define OWN(x) ((x) + 1)\n");
  write(text_);
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
}

TEST_F(FrontEndRunsTest, AreWorthwhileForLongCompilesAlone) {
  const CompileResult whole{.succeeded = true, .assembly = "f:\n", .micros = 2'000'000};
  EXPECT_TRUE(FrontEndRuns::isWorthwhile(whole));
  CompileResult other = whole;
  other.micros = 100'000;
  EXPECT_FALSE(FrontEndRuns::isWorthwhile(other));
  other.usedPreamble = true;
  EXPECT_FALSE(FrontEndRuns::isWorthwhile(other));
  other.plainMicros = 2'000'000;
  EXPECT_TRUE(FrontEndRuns::isWorthwhile(other));
  other = whole;
  other.succeeded = false;
  EXPECT_FALSE(FrontEndRuns::isWorthwhile(other));
}

TEST_F(FrontEndRunsTest, ATextThatAsksForTheCpuDoesNotFit) {
  write(kIncludes + "#ifdef __AVX2__\nint wide = 1;\n#endif\n" + kCode);
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, ATextThatIncludesBelowItsTopIsComparedWhole) {
  write("int before;\n" + kIncludes + kCode);
  expectServed({"-march=x86-64-v3"});
  folder_.write("own.h", "#ifdef __AVX2__\nint wide = 1;\n#endif\n#define OWN(x) ((x) + 1)\n");
  write("int before;\n" + kIncludes + kCode);
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
}

TEST_F(FrontEndRunsTest, WideVectorsDoNotFit) {
  write(kIncludes +
        "typedef float Wide __attribute__((vector_size(32)));\n"
        "extern Wide wide;\n"
        "void twice() { wide += wide; }\n" +
        kCode);
  expectServed({"-march=x86-64-v3"});
  write(std::regex_replace(text_, std::regex("  float sum = 0;"), "  float sum = 0;\n  twice();"));
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, AFunctionWithATargetOfItsOwnDoesNotFit) {
  write(kIncludes + "__attribute__((target(\"avx2\"))) int one(int x) { return x + 1; }\n" + kCode);
  expectServed({"-march=x86-64-v3"});
  write(std::regex_replace(text_, std::regex("  float sum = 0;"), "  float sum = one(1);"));
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  EXPECT_FALSE(isServed({"-mtune=skylake"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, ErrorsAreThoseOfTheWholeText) {
  EXPECT_FALSE(runs_.compileInSteps(commandWith({}), text_ + "int broken = ;\n", {kFunctions}, tools()));
  EXPECT_FALSE(compileWith({"-O3"}, text_, {module_.search, kFunctions, "no module"}));
}

TEST_F(FrontEndRunsTest, AreNotForGccAndOtherVersionsOfClang) {
  CompileCommand command = commandWith({});
  command.kind = CompilerKind::Gcc;
  EXPECT_FALSE(runs_.compileInSteps(command, text_, {kFunctions}, tools()));
  command = commandWith({});
  command.arguments.front() = "/usr/bin/clang-15";
  EXPECT_FALSE(runs_.compileInSteps(command, text_, {kFunctions}, tools()));
}

// ---- many programs -------------------------------------------------------------------------------------------------

struct Program {
  std::string path;
  Flags flags;   ///< one of several sets in turn
  size_t choice; ///< of its functions: 0: all, otherwise another one from program to program
};

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const auto &entry : fs::directory_iterator(SOURCES_PROGRAMS))
    if (entry.is_regular_file() && (entry.path().extension() == ".cpp" || entry.path().extension() == ".c"))
      all.push_back({entry.path().string(), {}, 0});
  std::ranges::sort(all, {}, &Program::path);
  const std::vector<Flags> sets = {{"-O3", "-mtune=skylake"},
                                   {"-march=x86-64-v3"},
                                   {"-march=x86-64-v4", "-mprefer-vector-width=512"},
                                   {"-O3", "-march=x86-64-v2"}};
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].flags = sets[i % sets.size()];
    all[i].choice = i % 3;
  }
  return all;
}

class ProgramsWithOtherFlags : public testing::TestWithParam<Program> {};

TEST_P(ProgramsWithOtherFlags, AreServedOrCompiledAsAWhole) {
  const auto &[path, flags, choice] = GetParam();
  const std::string text = readFile(path);
  const auto commandWith = [&](const Flags &added) {
    const bool isCxx = path.ends_with(".cpp");
    return findCompileCommand(path, isCxx ? wire::Language::Cxx : wire::Language::C, {},
                              {.reasons = true, .addedFlags = added});
  };
  const CompileResult present = compile(commandWith({}), {});
  ASSERT_TRUE(present.succeeded) << present.failure;
  std::vector<std::string> functions = functionsOf(present);
  ASSERT_FALSE(functions.empty());
  if (choice != 0)
    functions = {functions[choice * functions.size() / 3]};
  FrontEndRuns runs;
  Preambles preambles;
  const wire::CompileLimits limits;
  const FrontEndRuns::Tools tools{preambles, {}, nullptr, limits};
  const auto made = runs.compileInSteps(commandWith({}), text, {functions}, tools);
  if (!made) {
    EXPECT_THAT(text, testing::ContainsRegex("goto \\*|co_yield"))
        << "clang does not read every module that it prints of computed goto; coroutines become more functions later";
    return;
  }
  expectSame(made->result, present, functions);
  const auto result = runs.compile({commandWith({}), commandWith(flags), text, {1, functions, made->part}}, tools);
  if (result)
    expectSame(*result, compile(commandWith(flags), {}), functions);
  else
    EXPECT_THAT(text, testing::ContainsRegex("immintrin|__AVX|target|vector_size|_Float16|atomic"))
        << "a plain program has to be served";
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsWithOtherFlags, testing::ValuesIn(programs()), [](const auto &info) {
  std::string name = fs::path(info.param.path).filename().string();
  std::ranges::replace(name, '.', '_');
  return name;
});

} // namespace
} // namespace analysis
