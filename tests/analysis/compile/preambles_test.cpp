// A compile with a preamble gives what one without gives, and whatever changes makes it one without.
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/preamble_bounds.h"
#include "analysis/compile/preambles.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using Templates = Preamble::Templates;

/// Large enough to be worth a preamble.
const std::string kIncludes = "#include \"own.h\"\n#include <map>\n#include <string>\n#include <vector>\n";
const std::string kCode = "int total(const std::vector<int> &all) {\n"
                          "  int sum = 0;\n"
                          "  for (int one : all)\n"
                          "    sum += OWN(one);\n"
                          "  return sum;\n"
                          "}\n";

std::string readFile(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class PreamblesTest : public testing::Test {
protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  PreamblesTest() {
    temporary_.write("keep", "");
    setenv("TMPDIR", temporary_.path().c_str(), 1);
    folder_.write("own.h", "#define OWN(x) ((x) + 1)\n");
    write(kIncludes + kCode);
    settle();
  }
  ~PreamblesTest() override { unsetenv("TMPDIR"); }

  void write(const std::string &text) { text_ = text, source_ = folder_.write("a.cpp", text); }
  /// A file that is as new as the preamble might have changed while that was made.
  static void settle() { std::this_thread::sleep_for(200ms); }

  CompileCommand command(const CommandQuery &query = {}) const {
    return findCompileCommand(source_, wire::Language::Cxx, {}, query);
  }
  CompileResult compilePlainly(const CommandQuery &query = {}) const { return analysis::compile(command(query), {}); }
  CompileResult compileWith(Preambles &preambles, const CompileCommand &command, bool isEdited = true) const {
    const auto result = std::make_shared<const CompileResult>(preambles.compile(command, {text_}, {}, nullptr, {}));
    if (isEdited)
      preambles.want(command, text_, result);
    return *result;
  }
  CompileResult compile(const CommandQuery &query = {}, bool isEdited = true) {
    return compileWith(preambles_, command(query), isEdited);
  }
  void make() { preambles_.make({}, {}); }
  Preamble::Made make(Templates templates) const {
    return Preamble::make(command(), text_, preambleBytes(text_, source_), templates, {}, {});
  }
  /// Compiles and makes the preamble.
  void prepare(size_t expected = 1) {
    ASSERT_TRUE(compile().succeeded);
    make();
    ASSERT_EQ(preambles_.count(), expected);
  }
  /// The precompiled headers on disk.
  std::vector<fs::path> precompiled() const {
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(temporary_.path()))
      if (entry.path().filename() == "pch")
        files.push_back(entry.path());
    return files;
  }

  TempFolder folder_, temporary_;
  std::string text_, source_;
  Preambles preambles_;
};

TEST_F(PreamblesTest, GiveTheSameAssemblyAndRecord) {
  prepare();
  const CompileResult plain = compilePlainly(), result = compile();
  ASSERT_TRUE(result.succeeded) << result.failure;
  EXPECT_EQ(result.assembly, plain.assembly);
  EXPECT_EQ(result.decisions.size(), plain.decisions.size());
  EXPECT_EQ(result.remarks.size(), plain.remarks.size());
  EXPECT_EQ(preambles_.count(), 1u);
}

TEST_F(PreamblesTest, AreFaster) {
  prepare();
  const CompileResult plain = compilePlainly(), result = compile();
  EXPECT_LT(result.micros, plain.micros);
}

TEST_F(PreamblesTest, ServeTheEditedRest) {
  prepare();
  write(kIncludes + "\n\nint more(int x) { return __LINE__ * x; }\n" + kCode);
  const CompileResult result = compile();
  EXPECT_EQ(result.assembly, compilePlainly().assembly);
  EXPECT_THAT(result.assembly, HasSubstr("a.cpp:7:"));
  EXPECT_EQ(preambles_.count(), 1u);
}

TEST_F(PreamblesTest, ServeUnsavedText) {
  prepare();
  const std::string unsaved = kIncludes + "\nint x = __LINE__;\n" + kCode;
  const UnsavedText text{source_, unsaved};
  const CompileResult plain = analysis::compile(command(), {}, &text);
  const CompileResult result = preambles_.compile(command(), {unsaved, false}, {}, nullptr, {});
  EXPECT_EQ(result.assembly, plain.assembly);
  EXPECT_EQ(preambles_.count(), 1u);
}

TEST_F(PreamblesTest, AreMadeForWhatIsEditedAlone) {
  ASSERT_TRUE(compile({}, false).succeeded);
  make();
  EXPECT_EQ(preambles_.count(), 0u);
  EXPECT_THAT(precompiled(), IsEmpty());
}

TEST_F(PreamblesTest, OtherFlagsHaveTheirOwn) {
  prepare();
  EXPECT_EQ(compile({.addedFlags = {"-O3"}}).assembly, compilePlainly({.addedFlags = {"-O3"}}).assembly);
  make();
  EXPECT_EQ(preambles_.count(), 2u);
}

TEST_F(PreamblesTest, TheLeastRecentlyUsedGo) {
  Preambles few(10 << 20); // one of these takes 5 MB
  const std::vector<CompileCommand> commands{command({.addedFlags = {"-DA=1"}}), command({.addedFlags = {"-DA=2"}}),
                                             command({.addedFlags = {"-DA=3"}}), command({.addedFlags = {"-DA=4"}})};
  for (const CompileCommand &one : commands) {
    ASSERT_TRUE(compileWith(few, one).succeeded);
    few.make({}, {});
    EXPECT_GE(few.count(), 1u);
    EXPECT_LE(few.count(), 2u);
  }
  EXPECT_EQ(precompiled().size(), few.count());
}

TEST_F(PreamblesTest, HeadersThatTakeNoTimeNeedNone) {
  write(
      "#include \"own.h\"\nconstexpr int spin() {\n  int s = 0;\n  for (int i = 0; i < 1000000; ++i)\n    s += i % 7;\n"
      "  return s;\n}\nstatic_assert(spin() != OWN(3));\n");
  folder_.write("compile_flags.txt", "-std=c++20\n-fconstexpr-steps=100000000\n");
  settle();
  prepare(0);
}

TEST_F(PreamblesTest, AnotherPreambleNeedsAnother) {
  prepare();
  write("#include <set>\n" + kIncludes + kCode);
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  settle();
  make();
  EXPECT_EQ(preambles_.count(), 2u);
}

TEST_F(PreamblesTest, ErrorsAreThoseOfTheWholeText) {
  prepare();
  write(kIncludes + kCode + "int y = nope;\n");
  const CompileResult result = compile();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].path, source_);
  EXPECT_EQ(result.diagnostics[0].line, 11u);
  EXPECT_EQ(preambles_.count(), 1u) << "the text was wrong, not the preamble";
}

// ---- what changes --------------------------------------------------------------------------------------------------

TEST_F(PreamblesTest, AChangedHeaderIsReadAgain) {
  prepare();
  folder_.write("own.h", "#define OWN(x) ((x) * 3)\n");
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  EXPECT_EQ(preambles_.count(), 0u);
  settle();
  make();
  EXPECT_EQ(preambles_.count(), 1u);
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
}

TEST_F(PreamblesTest, AHeaderOfTheSameSizeAndTimeIsReadAgain) {
  for (const TempFolder::Replacement how : TempFolder::kReplacements) {
    prepare();
    const std::string other =
        how == TempFolder::Replacement::Renamed ? "#define OWN(x) ((x) * 5)\n" : "#define OWN(x) ((x) * 7)\n";
    folder_.replaceAlike("own.h", other, how);
    EXPECT_EQ(compile().assembly, compilePlainly().assembly);
    EXPECT_EQ(preambles_.count(), 0u);
    settle();
  }
}

TEST_F(PreamblesTest, AHeaderThatIsFoundFirstCounts) {
  folder_.write("second/place.h", "#define PLACE 2\n");
  fs::create_directory(folder_.path() + "/first");
  folder_.write("compile_flags.txt", "-O2\n-Ifirst\n-Isecond\n");
  write("#include <place.h>\n" + kIncludes + kCode + "int place = PLACE;\n");
  settle();
  prepare();
  folder_.write("first/place.h", "#define PLACE 1\n");
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  EXPECT_EQ(preambles_.count(), 0u);
}

TEST_F(PreamblesTest, AHeaderThatIsAskedForCounts) {
  write(kIncludes + "#if __has_include(\"option.h\")\n#define OPTION 1\n#else\n#define OPTION 0\n#endif\n" + kCode +
        "int option = OPTION;\n");
  settle();
  prepare();
  folder_.write("option.h", "");
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  EXPECT_EQ(preambles_.count(), 0u);
}

TEST_F(PreamblesTest, OtherFilesInTheFolderDoNot) {
  prepare();
  folder_.write("notes.txt", "");
  folder_.write(".a.cpp.swp", "");
  (void)compile();
  EXPECT_EQ(preambles_.count(), 1u);
}

TEST_F(PreamblesTest, AHeaderThatChangesMeanwhileMakesNone) {
  ASSERT_TRUE(compile().succeeded);
  folder_.write("own.h", "#define OWN(x) ((x) * 3)\n");
  make();
  EXPECT_EQ(preambles_.count(), 0u);
  settle();
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  make();
  EXPECT_EQ(preambles_.count(), 1u) << "the next attempt succeeds";
}

// ---- what fails ----------------------------------------------------------------------------------------------------

TEST_F(PreamblesTest, ADamagedOneIsNotUsed) {
  prepare();
  ASSERT_EQ(precompiled().size(), 1u);
  const std::string whole = readFile(precompiled()[0]);
  for (const size_t size : {size_t{0}, size_t{100}, whole.size() / 2, whole.size() - 8}) {
    std::ofstream(precompiled()[0], std::ios::binary) << whole.substr(0, size);
    EXPECT_EQ(compile().assembly, compilePlainly().assembly) << size;
    EXPECT_EQ(preambles_.count(), 0u) << size;
    make();
    ASSERT_EQ(precompiled().size(), 1u);
  }
}

TEST_F(PreamblesTest, AMissingOneIsNotUsed) {
  prepare();
  fs::remove_all(precompiled()[0].parent_path());
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
  EXPECT_EQ(preambles_.count(), 0u);
}

TEST_F(PreamblesTest, ServesACompileForReasonsToo) {
  prepare();
  const CompileResult result = compile({.reasons = true}, /*isEdited=*/false);
  EXPECT_TRUE(result.usedPreamble);
  EXPECT_TRUE(result.hasReasons);
  EXPECT_EQ(result.assembly, compilePlainly().assembly);
}

TEST_F(PreamblesTest, AFullDiskMakesNone) {
  ASSERT_TRUE(compile().succeeded);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  make();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(preambles_.count(), 0u);
  EXPECT_THAT(precompiled(), IsEmpty());
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
}

TEST_F(PreamblesTest, WhatFailsIsNotTriedAgain) {
  ASSERT_TRUE(compile().succeeded);
  preambles_.make({}, {.memoryBytes = 1 << 20}); // the compiler dies
  EXPECT_EQ(preambles_.count(), 0u);
  ASSERT_TRUE(compile().succeeded);
  make();
  EXPECT_EQ(preambles_.count(), 0u);
}

TEST_F(PreamblesTest, AnotherOrderOfTheCodeIsRefused) {
  folder_.write("own.h", "#include <iostream>\n#define OWN(x) ((x) + 1)\n"
                         "struct Base { virtual ~Base() {} virtual int value() const { return 3; } };\n"
                         "inline const Base base;\nextern int other();\nstatic int first = other();\n");
  settle();
  const Preamble::Made made = make(Templates::InEachCompile);
  ASSERT_TRUE(made.preamble);
  EXPECT_NE(made.preamble->compile(command(), text_, {}, nullptr, {}).assembly, compilePlainly().assembly)
      << "with another clang, this needs another example";
  ASSERT_TRUE(compile().succeeded);
  make();
  EXPECT_EQ(preambles_.count(), 0u);
}

TEST_F(PreamblesTest, AnotherOrderOfTheDataIsNone) {
  folder_.write("own.h", "#include <iostream>\n#define OWN(x) ((x) + 1)\n"
                         "extern int other;\n__attribute__((weak)) int *pointer = &other;\n");
  write(kIncludes + "struct Own {\n  Own();\n  ~Own();\n} own;\n" + kCode);
  settle();
  const Preamble::Made made = make(Templates::InEachCompile);
  ASSERT_TRUE(made.preamble);
  EXPECT_NE(made.preamble->compile(command(), text_, {}, nullptr, {}).assembly, compilePlainly().assembly)
      << "with another clang, this needs another example";
  prepare();
}

TEST_F(PreamblesTest, AStopRequestEndsTheWorkAndItGoesOnLater) {
  ASSERT_TRUE(compile().succeeded);
  std::stop_source stop;
  const auto begin = std::chrono::steady_clock::now();
  {
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(50ms);
      stop.request_stop();
    });
    preambles_.make(stop.get_token(), {});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
  EXPECT_EQ(preambles_.count(), 0u);
  EXPECT_THAT(precompiled(), IsEmpty());
  make();
  EXPECT_EQ(preambles_.count(), 1u);
}

// ---- confinement ---------------------------------------------------------------------------------------------------

TEST_F(PreamblesTest, NothingIsWrittenToTheProject) {
  const auto before = folder_.contents();
  prepare();
  (void)compile();
  EXPECT_EQ(folder_.contents(), before);
}

TEST_F(PreamblesTest, TheirFoldersArePrivateAndGoAway) {
  const auto before = temporary_.contents();
  {
    Preambles own;
    (void)compileWith(own, command());
    own.make({}, {});
    ASSERT_EQ(precompiled().size(), 1u);
    EXPECT_EQ(fs::status(precompiled()[0].parent_path()).permissions(), fs::perms::owner_all);
  }
  EXPECT_EQ(temporary_.contents(), before);
}

TEST_F(PreamblesTest, AFileOfTheProjectIsNotTakenForOne) {
  prepare();
  for (const char *name : {".mca-lsp-preamble", ".mca-lsp-preamble.pch", "a.cpp.pch", "a.cpp.gch", "pch"})
    folder_.write(name, "#error\n");
  settle();
  EXPECT_EQ(compile().assembly, compilePlainly().assembly);
}

TEST_F(PreamblesTest, AreNotForGccModulesAndLaunchers) {
  const CompileCommand clang = command();
  EXPECT_TRUE(Preamble::isPossible(clang));
  CompileCommand other = clang;
  other.kind = CompilerKind::Gcc;
  EXPECT_FALSE(Preamble::isPossible(other));
  other = clang;
  other.launcher = {"/usr/bin/ccache"};
  EXPECT_FALSE(Preamble::isPossible(other));
  other = clang;
  other.preprocesses = true;
  EXPECT_FALSE(Preamble::isPossible(other));
  other = clang;
  other.arguments.insert(other.arguments.begin() + 1, "-fmodule-file=a=a.pcm");
  EXPECT_FALSE(Preamble::isPossible(other));
  other = clang;
  other.arguments.front() = folder_.write("clang", "#!/bin/sh\n");
  EXPECT_FALSE(Preamble::isPossible(other));
}

// ---- many programs -------------------------------------------------------------------------------------------------

struct Program {
  std::string path, text;
  size_t bytes = 0;
};

std::vector<Program> programs() {
  std::vector<Program> all;
  for (const auto &entry : fs::directory_iterator(SOURCES_PROGRAMS)) {
    if (!entry.is_regular_file())
      continue;
    Program program{.path = entry.path().string(), .text = readFile(entry.path())};
    program.bytes = preambleBytes(program.text, program.path);
    if (program.bytes)
      all.push_back(std::move(program));
  }
  std::ranges::sort(all, {}, &Program::path);
  return all;
}

class ProgramsWithPreambles : public testing::TestWithParam<Program> {};

/// As it is, and with lines and code before the rest: the proof of one text has to hold for the next.
TEST_P(ProgramsWithPreambles, HaveTheSameAssembly) {
  const auto &[path, text, bytes] = GetParam();
  const bool isCxx = path.ends_with(".cpp");
  const CompileCommand command = findCompileCommand(path, isCxx ? wire::Language::Cxx : wire::Language::C, {});
  std::string edited = text;
  edited.insert(bytes, "\nint inserted(int *p, int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n    s += p[i];\n"
                       "  return s;\n}\n");
  const Preamble::Made made = Preamble::make(command, text, bytes, Templates::InPreamble, {}, {});
  const Preamble::Made lazy = Preamble::make(command, text, bytes, Templates::InEachCompile, {}, {});
  ASSERT_TRUE(made.preamble && lazy.preamble);
  for (const std::string &one : {text, edited}) {
    const UnsavedText unsaved{path, one};
    const CompileResult plain = compile(command, {}, &unsaved);
    ASSERT_TRUE(plain.succeeded) << plain.failure;
    for (const Preamble &preamble : {std::cref(*made.preamble), std::cref(*lazy.preamble)}) {
      const CompileResult result = preamble.compile(command, one, {}, nullptr, {});
      ASSERT_TRUE(result.succeeded) << result.failure;
      EXPECT_TRUE(result.assembly == plain.assembly);
      EXPECT_EQ(result.remarks.size(), plain.remarks.size());
      EXPECT_EQ(result.missed.size(), plain.missed.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsWithPreambles, testing::ValuesIn(programs()), [](const auto &info) {
  std::string name = fs::path(info.param.path).filename().string();
  std::ranges::replace(name, '.', '_');
  return name;
});

} // namespace
} // namespace analysis
