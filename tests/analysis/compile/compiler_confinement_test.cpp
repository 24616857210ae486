// What a source and its compile command can make a compiler read. Each file that is refused is compiled without the
// confinement, too: nothing else is wrong with it.
#include "analysis/compile/compile.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace analysis {
namespace {

constexpr const char *kWhy =
    ", as it lies outside of what a compile may read: the opened folders, the system's, what "
    "the compile command names (but nothing hidden in your home folder), and mca.readableFolders";

/// A project and a file outside of it. The temporary folder is readable (worker's overlays lie there), so it is
/// another.
class CompilerConfinement : public testing::Test {
protected:
  void SetUp() override {
    if (confinementSupport().landlock == 0)
      GTEST_SKIP() << "this kernel has no Landlock";
    if (const char *old = std::getenv("TMPDIR"))
      oldTemporary_ = old;
    std::filesystem::create_directory(folder_.path() + "/temporary");
    setenv("TMPDIR", (folder_.path() + "/temporary").c_str(), 1);
    outside_ = folder_.write("outside/secret.h", "#define SECRET 1\n");
  }
  void TearDown() override { oldTemporary_ ? setenv("TMPDIR", oldTemporary_->c_str(), 1) : unsetenv("TMPDIR"); }

  /// The error that compiling `text` gives as a file of the project; empty if it compiles.
  std::string errorOf(const std::string &text, bool confined = true, const wire::Settings &settings = {},
                      const std::string &name = "a.c") {
    const std::string file = folder_.write("project/" + name, text + "\nint f(void) { return SECRET; }\n");
    const CompileCommand command = findCompileCommand(file, wire::Language::C, settings, {.confined = confined});
    const CompileResult result = compile(command, {});
    if (result.succeeded)
      return "";
    return result.diagnostics.empty() ? result.failure : result.diagnostics.front().message;
  }
  void expectRefused(const std::string &text, const wire::Settings &settings = {}) {
    EXPECT_EQ(errorOf(text, false, settings), "");
    EXPECT_NE(errorOf(text, true, settings), "");
  }
  std::string including(const std::string &file) const { return "#include \"" + file + "\""; }

  TempFolder folder_;
  std::string outside_;
  std::optional<std::string> oldTemporary_;
};

TEST_F(CompilerConfinement, AFileOutsideOfTheProjectCannotBeRead) {
  EXPECT_EQ(errorOf(including(outside_), false), "");
  EXPECT_EQ(errorOf(including(outside_)), "cannot open file '" + outside_ + "': Permission denied" + kWhy);
  expectRefused(including("../outside/secret.h"));
  std::filesystem::create_symlink(outside_, folder_.path() + "/project/link.h");
  expectRefused(including("link.h"));
}

TEST_F(CompilerConfinement, NeitherCanItBeEmbedded) {
  expectRefused("enum { SECRET };\nconst char data[] = {\n#embed \"" + outside_ + "\"\n};");
  expectRefused("enum { SECRET };\nconst char data[] = {\n#embed \"/proc/self/environ\"\n};");
}

TEST_F(CompilerConfinement, GccIsConfinedToo) {
  expectRefused(including(outside_), {.compiler = "gcc"});
  EXPECT_EQ(errorOf("#include <stddef.h>\nenum { SECRET };", true, {.compiler = "gcc"}), "");
}

TEST_F(CompilerConfinement, ThePreprocessorOfAssemblyIsConfined) {
  const std::string file = folder_.write("project/a.S", including(outside_) + "\n.long SECRET\n");
  const CompileResult result = compile(findCompileCommand(file, wire::Language::Assembly, {}), {});
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_NE(result.diagnostics[0].message.find("Permission denied"), std::string::npos);
}

TEST_F(CompilerConfinement, OpenedAndReadableFoldersCanBeRead) {
  EXPECT_EQ(errorOf(including(outside_), true, {.projectFolders = {folder_.path()}}), "");
  EXPECT_EQ(errorOf(including(outside_), true, {.readableFolders = {folder_.path() + "/outside"}}), "");
}

TEST_F(CompilerConfinement, WhatTheCommandNamesCanBeRead) {
  for (const std::string &flags : {"-I" + folder_.path() + "/outside", std::string("-isystem\n../outside"),
                                   "-include\n" + outside_, std::string("-iquote../outside")}) {
    folder_.write("project/compile_flags.txt", flags + "\n");
    EXPECT_EQ(errorOf(flags.starts_with("-include") ? "" : "#include \"secret.h\""), "") << flags;
  }
}

TEST_F(CompilerConfinement, ACommandCannotNameEverything) {
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("HOME", folder_.path().c_str(), 1);
  for (const std::string &flags : {std::string("-I/"), "-I" + folder_.path(), std::string("-I.."),
                                   std::string("-I/proc"), std::string("-I/dev"), std::string("-I/tmp/..")}) {
    folder_.write("project/compile_flags.txt", flags + "\n");
    expectRefused(including(outside_));
  }
  setenv("HOME", home.c_str(), 1);
}

/// A home folder with the project in it, whose HOME the test's process has for a while.
class HiddenAtHome : public CompilerConfinement {
protected:
  void SetUp() override {
    CompilerConfinement::SetUp();
    if (const char *old = std::getenv("HOME"))
      oldHome_ = old;
    setenv("HOME", folder_.path().c_str(), 1);
    key_ = folder_.write(".keys/deep/id.h", "#define SECRET 1\n");
  }
  void TearDown() override {
    oldHome_ ? setenv("HOME", oldHome_->c_str(), 1) : unsetenv("HOME");
    CompilerConfinement::TearDown();
  }
  void expectFlagRefused(const std::string &flags, const std::string &text, const wire::Settings &settings = {}) {
    folder_.write("project/compile_flags.txt", flags + "\n");
    SCOPED_TRACE(flags);
    expectRefused(text, settings);
  }

  std::string key_;
  std::optional<std::string> oldHome_;
};

TEST_F(HiddenAtHome, IsNotReadableByItsNameInACommand) {
  expectFlagRefused("-include\n" + key_, "");
  expectFlagRefused("-I" + folder_.path() + "/.keys/deep", "#include \"id.h\"");
  expectFlagRefused("-isystem\n../.keys", "#include <deep/id.h>");
  std::filesystem::create_symlink(folder_.path() + "/.keys", folder_.path() + "/project/link");
  expectFlagRefused("-Ilink/deep", "#include \"id.h\"");
  EXPECT_EQ(errorOf(including(outside_), true, {.readableFolders = {folder_.path() + "/outside"}}), "");
  const std::string file = folder_.write("project/compile_flags.txt", "-I../outside\n");
  EXPECT_EQ(errorOf("#include \"secret.h\""), "") << "what is not hidden stays readable";
}

TEST_F(HiddenAtHome, IsReadableIfTheUserOpenedOrAllowedIt) {
  folder_.write("project/compile_flags.txt", "-include\n" + key_ + "\n");
  EXPECT_NE(errorOf("", true, {.projectFolders = {folder_.path() + "/.keys/other"}}), "");
  EXPECT_EQ(errorOf("", true, {.projectFolders = {folder_.path() + "/.keys"}}), "");
  EXPECT_EQ(errorOf("", true, {.readableFolders = {folder_.path() + "/.keys/deep"}}), "");
}

/// Which words an error in a file has, confined or not.
class QuotedFiles : public CompilerConfinement {
protected:
  void SetUp() override {
    CompilerConfinement::SetUp();
    outside_ = folder_.write("outside/secret.h", "int x = HUSH;\n");
  }
  void expectHidden(const std::string &flags, const std::string &text, const wire::Settings &settings = {}) {
    folder_.write("project/compile_flags.txt", flags + "\n");
    for (const bool confined : {true, false}) {
      const std::string error = errorOf("enum { SECRET };\n" + text, confined, settings);
      EXPECT_NE(error.find("its text is not shown"), std::string::npos) << flags << ": " << error;
      EXPECT_EQ(error.find("HUSH"), std::string::npos) << flags << ": " << error;
    }
  }
};

TEST_F(QuotedFiles, AFileThatTheCommandNamesIsNotQuoted) {
  expectHidden("-include\n" + outside_, "");
  expectHidden("-I../outside", "#include \"secret.h\"");
  expectHidden("-isystem\n" + folder_.path() + "/outside", "#include <secret.h>");
  expectHidden("-include\n" + outside_, "", {.compiler = "gcc"});
  expectHidden("-fsanitize=address\n-fsanitize-ignorelist=" + folder_.write("outside/list.txt", "HUSH\n"), "");
}

TEST_F(QuotedFiles, TheProjectsAreQuoted) {
  folder_.write("project/b.h", "int x = HUSH;\n");
  EXPECT_NE(errorOf("#include \"b.h\"").find("HUSH"), std::string::npos);
  EXPECT_NE(errorOf("int x = HUSH;").find("HUSH"), std::string::npos);
  EXPECT_NE(errorOf(including(outside_), true, {.projectFolders = {folder_.path()}}).find("HUSH"), std::string::npos);
  EXPECT_NE(errorOf(including(outside_), true, {.readableFolders = {folder_.path()}}).find("HUSH"), std::string::npos);
}

TEST_F(QuotedFiles, NoNameOfALinkIsTakenForAPlaceInTheProject) {
  const std::string target = folder_.path() + "/outside";
  std::filesystem::create_directory(folder_.path() + "/project");
  for (const std::string name : {"a.c:1:1: error: z", "x\ny", "<built-in>", "error: "}) {
    std::filesystem::create_directory_symlink(target, folder_.path() + "/project/" + name);
    folder_.write("project/compile_commands.json", R"([{"directory": ")" + folder_.path() + R"(/project", "file": "a.c",
      "arguments": ["cc", "-I)" + target + R"(", "-I)" +
                                                       (name == "x\ny" ? "x\\ny" : ".") + R"(", "-c", "a.c"]}])");
    const std::string error =
        errorOf("enum { SECRET };\n#include \"" + (name == "x\ny" ? "" : name + "/") + "secret.h\"", false);
    EXPECT_EQ(error.find("HUSH"), std::string::npos) << name << ": " << error;
    EXPECT_NE(error, "") << name;
  }
}

TEST_F(CompilerConfinement, TheRepositoryAroundTheFileCanBeRead) {
  const std::string shared = folder_.write("project/shared/b.h", "#define SECRET 2\n");
  std::filesystem::create_directories(folder_.path() + "/project/source");
  EXPECT_NE(errorOf(including("../shared/b.h"), true, {}, "source/a.c"), "");
  std::filesystem::create_directory(folder_.path() + "/project/.git");
  EXPECT_EQ(errorOf(including("../shared/b.h"), true, {}, "source/a.c"), "");
}

TEST_F(CompilerConfinement, TheFolderOfTheDatabaseCanBeRead) {
  folder_.write("project/generated/b.h", "#define SECRET 2\n");
  const std::string file = folder_.path() + "/project/source/a.c";
  folder_.write("project/build/compile_commands.json", R"([{"directory": ")" + folder_.path() +
                                                           R"(/project/build", "file": ")" + file +
                                                           R"(", "arguments": ["cc", "-c", "../source/a.c"]}])");
  EXPECT_EQ(errorOf(including("../generated/b.h"), true, {}, "source/a.c"), "");
}

} // namespace
} // namespace analysis
