// Which program would run, and where the user's word is asked for.
#include "analysis/compile/compiler_choice.h"
#include "tests/analysis/compile/temp_folder.h"

#include "llvm/Config/llvm-config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace analysis {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(CompilerChoice, KnowsACompilerByItsName) {
  using enum CompilerKind;
  const std::vector<std::pair<const char *, std::optional<CompilerKind>>> cases = {
      {"clang", Clang},
      {"/usr/bin/clang++", Clang},
      {"clang++-18", Clang},
      {"aarch64-linux-gnu-clang", Clang},
      {"gcc", Gcc},
      {"g++-12", Gcc},
      {"gcc-4.9", Gcc},
      {"/opt/x/bin/riscv64-unknown-elf-g++-13.2.0", Gcc},
      {"clang-cl", std::nullopt},
      {"clang-format", std::nullopt},
      {"clang-tidy-18", std::nullopt},
      {"gcc-ar", std::nullopt},
      {"nvcc", std::nullopt},
      {"icpx", std::nullopt},
      {"sh", std::nullopt},
      {"", std::nullopt},
      {"/", std::nullopt},
      {"no/such/cc", std::nullopt},
  };
  for (const auto &[program, kind] : cases)
    EXPECT_EQ(kindOfCompiler(program), kind) << program;
}

TEST(CompilerChoice, CcIsWhatItIsALinkTo) {
  const TempFolder folder;
  std::filesystem::create_symlink(folder.write("x86_64-linux-gnu-gcc-12", ""), folder.path() + "/cc");
  std::filesystem::create_symlink(folder.write("clang-18", ""), folder.path() + "/c++");
  EXPECT_EQ(kindOfCompiler(folder.path() + "/cc"), CompilerKind::Gcc);
  EXPECT_EQ(kindOfCompiler(folder.path() + "/c++"), CompilerKind::Clang);
}

TEST(CompilerChoice, TheVersionIsThatOfTheInstallation) {
  EXPECT_EQ(clangVersionOf("/usr/bin/clang-22"), 22u);
  const TempFolder folder;
  EXPECT_EQ(clangVersionOf(folder.write("clang", "")), 0u);
  EXPECT_EQ(clangVersionOf(folder.write("llvm-18.1/bin/clang", "")), 18u);
  EXPECT_EQ(clangVersionOf("no-such-clang"), 0u);
}

/// Our parser reads what it writes: docs/llvm-upgrade.md says what else changes with the version.
TEST(CompilerChoice, TheDefaultCompilerIsOfTheLlvmThatIsLinked) {
  EXPECT_EQ(clangVersionOf(defaultCompiler("")), unsigned{LLVM_VERSION_MAJOR});
}

/// A project whose database names a compiler of its own.
class Project : public TempFolder {
public:
  std::string database = write("project/compile_commands.json", "");
  std::string program = write("project/bin/gcc", "");

  Compiler choose(const std::string &name) {
    notes.clear();
    return chooseCompiler({name, path() + "/project/build", database, "", launcher}, settings, notes);
  }

  wire::Settings settings{.compiler = "project"};
  std::vector<std::string> launcher;
  std::vector<std::string> notes;
};

TEST(CompilerChoice, WithoutTrustTheProjectsProgramIsNotChosen) {
  Project project;
  for (const std::string &name : {project.program, std::string("../bin/gcc"), std::string("gcc")}) {
    const Compiler compiler = project.choose(name);
    EXPECT_THAT(compiler.program, EndsWith("/clang-22")) << name;
    EXPECT_EQ(compiler.kind, CompilerKind::Clang);
    EXPECT_THAT(project.notes, Contains(HasSubstr("mca.trustedFolders"))) << name;
  }
}

TEST(CompilerChoice, ATrustedFolderChoosesItsProgram) {
  Project project;
  project.settings.trustedFolders = {"/nowhere", project.path() + "/project/"};
  EXPECT_EQ(project.choose("../bin/gcc").program, project.program);
  EXPECT_EQ(project.choose("../bin/gcc").kind, CompilerKind::Gcc);
  EXPECT_THAT(project.choose("gcc").program, EndsWith("/gcc"));
  EXPECT_THAT(project.notes, IsEmpty());
}

TEST(CompilerChoice, TrustEndsAtTheFolder) {
  Project project;
  for (const char *folder : {"/proj", "/project/build", "/project2", "/project/compile_commands.json/x", "/../x"}) {
    project.settings.trustedFolders = {project.path() + folder, "project", "", "."};
    EXPECT_THAT(project.choose(project.program).program, EndsWith("/clang-22")) << folder;
  }
  // A link in a trusted folder to a database outside of it.
  std::filesystem::create_directory(project.path() + "/mine");
  std::filesystem::create_symlink(project.path() + "/project", project.path() + "/mine/link");
  project.settings.trustedFolders = {project.path() + "/mine"};
  project.database = project.path() + "/mine/link/compile_commands.json";
  EXPECT_THAT(project.choose(project.program).program, EndsWith("/clang-22"));
}

TEST(CompilerChoice, AnAllowedProgramRunsWhereverItIsNamed) {
  Project project;
  project.settings.allowedCompilers = {"[", project.path() + "/project/b?n/g*"};
  EXPECT_EQ(project.choose("../bin/gcc").program, project.program);
  EXPECT_EQ(project.choose("../build/.././bin/gcc").program, project.program);
  project.settings.allowedCompilers = {"/usr/bin/*"};
  EXPECT_THAT(project.choose("gcc").program, EndsWith("bin/gcc"));
  EXPECT_THAT(project.choose("/usr/bin/../.." + project.program).program, EndsWith("/clang-22"));
}

TEST(CompilerChoice, WhatIsNoCompilerIsNotRunEvenWhenTrusted) {
  Project project;
  project.settings.trustedFolders = {"/"};
  for (const char *name : {"/bin/sh", "nvcc", "no-such-gcc", "/usr/bin/env"}) {
    EXPECT_THAT(project.choose(name).program, EndsWith("/clang-22")) << name;
    EXPECT_EQ(project.notes.size(), 1u) << name;
  }
}

TEST(CompilerChoice, ALauncherRunsWhereTheFolderIsTrusted) {
  Project project;
  const std::string ccache = project.write("project/bin/ccache", "");
  project.launcher = {"../bin/ccache", "compiler_check=content"};
  project.settings.allowedCompilers = {"*"};
  EXPECT_EQ(project.choose("../bin/gcc").program, project.program);
  EXPECT_THAT(project.choose("../bin/gcc").launcher, IsEmpty()) << "its arguments may name a program";
  project.settings.trustedFolders = {project.path() + "/project"};
  EXPECT_EQ(project.choose("../bin/gcc").launcher, (std::vector<std::string>{ccache, "compiler_check=content"}));
  EXPECT_THAT(project.choose("nvcc").launcher, IsEmpty()) << "clang-22 is not the launcher's";
  project.launcher = {"no-such-ccache"};
  EXPECT_THAT(project.choose("../bin/gcc").launcher, IsEmpty());
}

TEST(CompilerChoice, FlagsAloneNameNoProgram) {
  Project project;
  EXPECT_THAT(project.choose("").program, EndsWith("/clang-22"));
  EXPECT_THAT(project.notes, IsEmpty());
}

TEST(CompilerChoice, TheCompilerBesideOurOwnProgramComesBeforeThatOfThePath) {
  const TempFolder folder;
  EXPECT_THAT(defaultCompiler(folder.path()), AllOf(EndsWith("/clang-22"), Not(HasSubstr(folder.path()))));
  const std::string beside = folder.write("clang-22", "#!/bin/sh\n");
  EXPECT_NE(defaultCompiler(folder.path()), beside) << "nobody may run it";
  std::filesystem::permissions(beside, std::filesystem::perms::owner_all);
  EXPECT_EQ(defaultCompiler(folder.path()), beside);
}

TEST(CompilerChoice, TheUsersOwnChoiceIsTaken) {
  Project project;
  project.settings.compiler = "gcc";
  EXPECT_THAT(project.choose("clang").program, EndsWith("/gcc"));
  EXPECT_EQ(project.choose("clang").kind, CompilerKind::Gcc);
  project.settings.compiler = "";
  EXPECT_EQ(project.choose("gcc").kind, CompilerKind::Clang);
  EXPECT_THAT(project.notes, IsEmpty());
}

} // namespace
} // namespace analysis
