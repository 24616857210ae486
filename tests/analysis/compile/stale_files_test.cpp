// Files that are replaced by others of the same size and time of modification: what is kept of a file must not outlive
// its content.
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/database.h"
#include "analysis/compile/prewarmed_compiler.h"
#include "analysis/compile/wrappers.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StaleFiles : public testing::TestWithParam<TempFolder::Replacement> {
protected:
  std::vector<std::string> arguments() const {
    return findCompileCommand(source_, wire::Language::C, {}, {}).arguments;
  }
  std::string databaseWith(const std::string &flag, const std::string &launcher = "") const {
    return R"([{"directory": ")" + folder_.path() + R"(", "file": "a.c", "command": ")" + launcher + "cc " + flag +
           R"( -c a.c"}])";
  }

  TempFolder folder_;
  std::string source_ = folder_.write("a.c", "int a;\n");
};

TEST_P(StaleFiles, ADatabaseIsReadAgain) {
  folder_.write("compile_commands.json", databaseWith("-DONE"));
  EXPECT_THAT(arguments(), Contains("ONE"));
  folder_.replaceAlike("compile_commands.json", databaseWith("-DTWO"), GetParam());
  EXPECT_THAT(arguments(), Contains("TWO"));
}

TEST_P(StaleFiles, ALargeDatabaseIsReadAgain) {
  const std::string filler(100'000, ' '); // large enough that LLVM would map it
  folder_.write("compile_commands.json", filler + databaseWith("-DONE"));
  EXPECT_THAT(arguments(), Contains("ONE"));
  folder_.replaceAlike("compile_commands.json", filler + databaseWith("-DTWO"), GetParam());
  EXPECT_THAT(arguments(), Contains("TWO"));
}

TEST_P(StaleFiles, AFlagsFileIsReadAgain) {
  folder_.write("compile_flags.txt", "-DONE\n");
  EXPECT_THAT(arguments(), Contains("ONE"));
  folder_.replaceAlike("compile_flags.txt", "-DTWO\n", GetParam());
  EXPECT_THAT(arguments(), Contains("TWO"));
}

TEST_P(StaleFiles, AResponseFileIsReadAgain) {
  folder_.write("compile_commands.json", databaseWith("@flags.rsp"));
  folder_.write("flags.rsp", "-DONE\n");
  EXPECT_THAT(arguments(), Contains("ONE"));
  folder_.replaceAlike("flags.rsp", "-DTWO\n", GetParam());
  EXPECT_THAT(arguments(), Contains("TWO"));
}

TEST_P(StaleFiles, ALauncherIsReadAgain) {
  const std::string database = folder_.write("compile_commands.json", databaseWith("-O1", "ccache "));
  EXPECT_THAT(launcherInDatabase(database, source_), ElementsAre("ccache"));
  folder_.replaceAlike("compile_commands.json", databaseWith("-O1", "icecc  "), GetParam());
  EXPECT_THAT(launcherInDatabase(database, source_), ElementsAre("icecc"));
}

TEST_P(StaleFiles, ASourceIsCompiledAsItIs) {
  folder_.write("a.h", "#define NAME one\n");
  folder_.write("a.c", "#include \"a.h\"\nint NAME;\n");
  PrewarmedCompiler ready;
  const auto compiled = [&] {
    const CompileResult result = compile(findCompileCommand(source_, wire::Language::C, {}, {}), {}, nullptr, &ready);
    ready.prepare();
    return result.assembly;
  };
  EXPECT_THAT(compiled(), HasSubstr("one:"));
  folder_.replaceAlike("a.h", "#define NAME two\n", GetParam());
  EXPECT_THAT(compiled(), HasSubstr("two:"));
}

INSTANTIATE_TEST_SUITE_P(Replaced, StaleFiles, testing::ValuesIn(TempFolder::kReplacements), [](const auto &how) {
  return how.param == TempFolder::Replacement::Renamed ? "Renamed" : "Rewritten";
});

/// A build that writes its database in place: what LLVM's library was given must not change under it.
TEST(RewrittenDatabase, ItsCommandsStayUntilItCanBeRead) {
  const TempFolder folder;
  const std::string source = folder.write("a.c", "int a;\n"), filler(100'000, ' ');
  const std::string database =
      folder.write("compile_commands.json", filler + R"([{"directory": ")" + folder.path() +
                                                R"(", "file": "a.c", "command": "cc -DONE -c a.c"}])");
  EXPECT_THAT(findCompileCommand(source, wire::Language::C, {}, {}).arguments, Contains("ONE"));
  folder.write("compile_commands.json", "");
  const CompileCommand command = findCompileCommand(source, wire::Language::C, {}, {});
  EXPECT_THAT(command.arguments, Contains("ONE"));
  EXPECT_THAT(command.notes, Contains(HasSubstr("what it held before is used")));
  forgetDatabases();
  EXPECT_THAT(findCompileCommand(source, wire::Language::C, {}, {}).arguments, Contains("ONE"));
}

} // namespace
} // namespace analysis
