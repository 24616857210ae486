// One run of the front end for several sets of flags: what it serves is what the whole compile gives, byte by byte, and
// what could differ is compiled as a whole.
#include "analysis/compile/compile.h"
#include "analysis/compile/front_end_runs.h"
#include "analysis/compile/result_fingerprint.h"
#include "tests/analysis/compile/temp_folder.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
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
const std::string kIncludes = "#include \"own.h\"\n#include <vector>\n";

std::string readFile(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expectSame(const CompileResult &result, const CompileResult &whole) {
  ASSERT_TRUE(whole.succeeded) << whole.failure;
  EXPECT_TRUE(result.assembly == whole.assembly);
  EXPECT_TRUE(fingerprintOf(result) == fingerprintOf(whole)) << "remarks differ";
}

class FrontEndRunsTest : public testing::Test {
protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  FrontEndRunsTest() {
    folder_.write("own.h", "#define OWN(x) ((x) + 1)\n");
    write(kIncludes + kCode);
  }

  /// Writes the source, whose code is then the present one.
  void write(const std::string &text) {
    text_ = text;
    source_ = folder_.write("a.cpp", text);
    const Fingerprint code = fingerprintOf(wholeWith({}, text));
    presentCode_ = {presentCode_.job + 1, code.low64, code.high64};
  }
  CompileCommand commandWith(const Flags &flags) const {
    return findCompileCommand(source_, wire::Language::Cxx, {}, {.reasons = true, .addedFlags = flags});
  }
  CompileResult wholeWith(const Flags &flags, const std::string &text) const {
    const UnsavedText unsaved{source_, text};
    return compile(commandWith(flags), {}, &unsaved);
  }
  std::optional<CompileResult> compileWith(const Flags &flags, const std::string &text) {
    return runs_.compile({commandWith({}), commandWith(flags), text, text == text_, presentCode_},
                         {preambles_, {}, nullptr, limits_});
  }
  void expectServed(const Flags &flags, const std::string &text) {
    const auto result = compileWith(flags, text);
    ASSERT_TRUE(result) << "it has to be compiled as a whole";
    expectSame(*result, wholeWith(flags, text));
  }
  void expectServed(const Flags &flags) { expectServed(flags, text_); }
  bool isServed(const Flags &flags) { return compileWith(flags, text_).has_value(); }

  TempFolder folder_;
  std::string text_, source_;
  wire::PresentCode presentCode_;
  wire::CompileLimits limits_;
  Preambles preambles_;
  FrontEndRuns runs_;
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

TEST_F(FrontEndRunsTest, ServeAnotherTextOnceTheyAreProven) {
  std::string other = text_;
  other.insert(other.find("  for"), "  _Pragma(\"clang loop interleave_count(4)\")");
  EXPECT_FALSE(compileWith({"-O3"}, other)) << "nothing is known of this text's present code";
  expectServed({"-O3"});
  expectServed({"-O3"}, other);
  expectServed({"-march=x86-64-v3"}, other);
}

TEST_F(FrontEndRunsTest, UseTheHeadersThatWereCompiledInAdvance) {
  write("#include \"own.h\"\n#include <map>\n#include <string>\n#include <vector>\n" + kCode);
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // a newer header might have changed meanwhile
  const CompileCommand command = commandWith({});
  preambles_.want(command, text_,
                  std::make_shared<const CompileResult>(preambles_.compile(command, {text_}, {}, nullptr, limits_)));
  preambles_.make({}, limits_);
  ASSERT_EQ(preambles_.count(), 1u);
  expectServed({"-O3"});
  expectServed({"-march=x86-64-v3"});
  EXPECT_EQ(preambles_.count(), 1u);
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

TEST_F(FrontEndRunsTest, MuchCodeIsCompiledAsAWhole) {
  presentCode_.bytes = 1 << 24;
  EXPECT_FALSE(isServed({"-O3"}));
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
  write(kIncludes + "typedef float Wide __attribute__((vector_size(32)));\n"
                    "Wide twice(Wide x) { return x + x; }\n" + kCode);
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, AFunctionWithATargetOfItsOwnDoesNotFit) {
  write(kIncludes + "__attribute__((target(\"avx2\"))) int one(int x) { return x + 1; }\n" + kCode);
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  EXPECT_FALSE(isServed({"-mtune=skylake"}));
  expectServed({"-O3"});
}

TEST_F(FrontEndRunsTest, OtherPresentCodeIsNoProof) {
  ++presentCode_.low;
  EXPECT_FALSE(isServed({"-O3"}));
  EXPECT_FALSE(isServed({"-march=x86-64-v3"}));
  --presentCode_.low;
  EXPECT_TRUE(isServed({"-O3"}));
}

TEST_F(FrontEndRunsTest, WithoutPresentCodeTheyServeNothing) {
  presentCode_ = {};
  EXPECT_FALSE(isServed({"-O3"}));
}

TEST_F(FrontEndRunsTest, AHeaderThatChangedIsNoticed) {
  folder_.write("own.h", "#define OWN(x) ((x) + 3)\n");
  EXPECT_FALSE(isServed({"-O3"}));
}

TEST_F(FrontEndRunsTest, ErrorsAreThoseOfTheWholeText) {
  expectServed({"-O3"});
  EXPECT_FALSE(compileWith({"-O3"}, text_ + "int broken = ;\n"));
}

// ---- many programs -------------------------------------------------------------------------------------------------

struct Program {
  std::string path;
  Flags flags; ///< one of several sets in turn
};

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const auto &entry : fs::directory_iterator(SOURCES_PROGRAMS))
    if (entry.is_regular_file() && (entry.path().extension() == ".cpp" || entry.path().extension() == ".c"))
      all.push_back({entry.path().string(), {}});
  std::ranges::sort(all, {}, &Program::path);
  const std::vector<Flags> sets = {{"-O3", "-mtune=skylake"},
                                   {"-march=x86-64-v3"},
                                   {"-march=x86-64-v4", "-mprefer-vector-width=512"},
                                   {"-O3", "-march=x86-64-v2"}};
  for (size_t i = 0; i < all.size(); ++i)
    all[i].flags = sets[i % sets.size()];
  return all;
}

class ProgramsWithOtherFlags : public testing::TestWithParam<Program> {};

TEST_P(ProgramsWithOtherFlags, AreServedOrCompiledAsAWhole) {
  const auto &[path, flags] = GetParam();
  const std::string text = readFile(path);
  const auto commandWith = [&](const Flags &added) {
    const bool isCxx = path.ends_with(".cpp");
    return findCompileCommand(path, isCxx ? wire::Language::Cxx : wire::Language::C, {},
                              {.reasons = true, .addedFlags = added});
  };
  const CompileResult present = compile(commandWith({}), {});
  ASSERT_TRUE(present.succeeded) << present.failure;
  const Fingerprint code = fingerprintOf(present);
  FrontEndRuns runs;
  Preambles preambles;
  const wire::CompileLimits limits;
  const auto result = runs.compile({commandWith({}), commandWith(flags), text, true, {1, code.low64, code.high64}},
                                   {preambles, {}, nullptr, limits});
  if (result)
    expectSame(*result, compile(commandWith(flags), {}));
  else
    EXPECT_THAT(text, testing::ContainsRegex("immintrin|__AVX|target|vector_size|_Float16|atomic|goto \\*"))
        << "a plain program has to be served";
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsWithOtherFlags, testing::ValuesIn(programs()), [](const auto &info) {
  std::string name = fs::path(info.param.path).filename().string();
  std::ranges::replace(name, '.', '_');
  return name;
});

} // namespace
} // namespace analysis
