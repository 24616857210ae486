// C++20 modules: importers are compiled with the files that the build made, and what is missing or refused is one error
// at the import.
#include "analysis/compile/compile.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/flags.h"
#include "analysis/compile/includes.h"
#include "analysis/compile/modules.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace analysis {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using wire::Language;

const char *const kVecmath = "export module vecmath;\n"
                             "export template <class T> T total(const T *a, unsigned long n) {\n"
                             "  T s{};\n"
                             "  for (unsigned long i = 0; i < n; ++i)\n"
                             "    s += a[i];\n"
                             "  return s;\n"
                             "}\n";
const char *const kUse = "int before;\n"
                         "import vecmath;\n"
                         "int run(const int *a, unsigned long n) { return total(a, n); }\n";

/// A project as CMake builds it: the command names a response file that the build writes.
class Modules : public testing::Test {
protected:
  Modules() {
    folder.write("src/vecmath.cppm", kVecmath);
    folder.write("src/use.cpp", kUse);
    writeDatabase("-std=c++20 -O2 @use.modmap");
    writeMap("-fmodule-file=vecmath=vecmath.pcm\n");
  }

  void writeDatabase(const std::string &flags) const {
    folder.write("build/compile_commands.json", R"([{"directory": ")" + path("build") +
                                                    R"(", "file": "../src/use.cpp", "command": "clang++ )" + flags +
                                                    R"( -c ../src/use.cpp"}])");
  }
  void writeMap(const std::string &flags) const { folder.write("build/use.modmap", flags); }

  /// What the build does. The module's file is made in the build's folder.
  void build(const std::string &flags = "-std=c++20 -O2", const std::string &source = "../src/vecmath.cppm",
             const std::string &file = "vecmath.pcm") const {
    const std::string command = "cd '" + path("build") + "' && '" + defaultCompiler("") + "' " + flags +
                                " --precompile -x c++-module " + source + " -o " + file;
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  CompileCommand command(const std::string &file = "src/use.cpp") const {
    return findCompileCommand(path(file), Language::Cxx, {}, {});
  }

  /// The one error in place of the compiler's; "" if there is none.
  std::string errorOf(const std::string &file = "src/use.cpp") const {
    const CompileCommand of = command(file);
    const CompileResult result = compile(of, {});
    std::ifstream stream(path(file));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto error = moduleErrorOf(result.diagnostics, of, path(file), text);
    EXPECT_EQ(error.has_value(), !result.succeeded)
        << (result.diagnostics.empty() ? result.failure : result.diagnostics[0].message);
    return error ? std::to_string(error->line) + ": " + error->message : "";
  }

  std::string path(const std::string &name) const { return folder.path() + "/" + name; }

  TempFolder folder;
};

TEST_F(Modules, AnImporterIsCompiledWithTheBuildsFile) {
  build();
  EXPECT_EQ(errorOf(), "");
  EXPECT_THAT(command().notes, IsEmpty());
  const CompileResult result = compile(command(), {});
  EXPECT_THAT(result.assembly, HasSubstr("vecmath.cppm:4")) << "the template's loop, at its own lines";
  writeMap("-fprebuilt-module-path=" + path("build") + "\n");
  EXPECT_EQ(errorOf(), "");
}

TEST_F(Modules, InterfaceUnitsNeedNoFile) {
  for (const char *name : {"src/one.cppm", "src/two.ixx", "src/three.ccm", "src/four.cxxm", "src/five.c++m"}) {
    folder.write(name, "module;\nexport module other;\nexport int next(int x) { return x + 1; }\n");
    const CompileCommand own = command(name);
    EXPECT_EQ(own.compiledFile, path(name));
    EXPECT_THAT(compile(own, {}).assembly, HasSubstr("next")) << name;
  }
}

TEST_F(Modules, WhatTheBuildWritesIsNotWritten) {
  build();
  writeMap("-x c++-module\n-fmodule-output=out.pcm\n-fmodule-file=vecmath=vecmath.pcm\n");
  folder.write("src/use.cpp", "export module use;\nimport vecmath;\nint run(int *a) { return total(a, 4); }\n");
  EXPECT_EQ(errorOf(), "");
  EXPECT_THAT(command().notes, IsEmpty()) << "nobody misses it";
  EXPECT_FALSE(fs::exists(path("build/out.pcm")));
}

TEST_F(Modules, AMissingFileIsSaidAtTheImport) {
  EXPECT_THAT(errorOf(),
              AllOf(HasSubstr("2: the file of module 'vecmath' is not there"), HasSubstr("build the project")));
  writeMap("");
  EXPECT_THAT(errorOf(), AllOf(HasSubstr("2: module 'vecmath' is not found"), HasSubstr("-fmodule-file=vecmath=FILE")));
  fs::remove(path("build/use.modmap"));
  EXPECT_THAT(errorOf(), HasSubstr("2: module 'vecmath' is not found"));
}

TEST_F(Modules, WhatClangRefusesIsSaidAtTheImport) {
  build("-std=c++20 -O2 -fno-exceptions");
  EXPECT_THAT(errorOf(),
              AllOf(HasSubstr("2: the file of module 'vecmath' is not loaded"), HasSubstr("exception handling")));
  folder.write("build/vecmath.pcm", "no such file");
  EXPECT_THAT(errorOf(), HasSubstr("2: the file of module 'vecmath' is not loaded"));
}

TEST_F(Modules, AFileThatIsOlderThanItsModuleIsNotUsed) {
  build();
  folder.write("src/vecmath.cppm", std::string(kVecmath) + "// longer\n");
  EXPECT_THAT(errorOf(), HasSubstr("2: module 'vecmath' has changed since the build made vecmath.pcm of it"));
  build();
  EXPECT_EQ(errorOf(), "");
  // Of the same size: clang does not see it.
  const std::string source = folder.write("src/vecmath.cppm", std::string(kVecmath) + "// LONGER\n");
  fs::last_write_time(source, fs::last_write_time(path("build/vecmath.pcm")) + std::chrono::seconds(1));
  const auto error = oldModuleErrorOf({path("src/use.cpp"), source}, command(), path("src/use.cpp"), kUse);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line, 2u);
  EXPECT_THAT(error->message, HasSubstr("module 'vecmath' has changed"));
  build();
  fs::last_write_time(source, fs::last_write_time(path("build/vecmath.pcm")) - std::chrono::seconds(1));
  EXPECT_FALSE(oldModuleErrorOf({source}, command(), path("src/use.cpp"), kUse));
}

TEST_F(Modules, WhatIsNotSupportedIsSaidAtTheImport) {
  folder.write("src/x.h", "\n");
  const std::pair<std::string, std::string> cases[] = {
      {"int x;\nimport \"x.h\";\n", "2: header units are not supported"},
      {"import <vector>;\nstd::vector<int> x;\n", "1: header units are not supported"},
      {"import std;\nint x;\n", "1: module 'std' is not found"},
      {"module;\nmodule vecmath;\nint x;\n", "2: module 'vecmath' is not found"},
      {"export module m;\nimport :part;\n", "2: module 'm:part' is not found"}};
  writeMap("");
  for (const auto &[text, message] : cases) {
    folder.write("src/use.cpp", text);
    EXPECT_THAT(errorOf(), HasSubstr(message)) << text;
  }
}

TEST_F(Modules, GccsModulesAreNotSupported) {
  CompileCommand gcc{.arguments = {"/usr/bin/g++"}, .kind = CompilerKind::Gcc};
  const auto error = [&](uint32_t line, const std::string &text) {
    return moduleErrorOf({{.path = "/a.cpp", .line = line, .message = "'import' does not name a type"}}, gcc, "/a.cpp",
                         text);
  };
  ASSERT_TRUE(error(2, kUse));
  EXPECT_EQ(error(2, kUse)->line, 2u);
  EXPECT_THAT(error(2, kUse)->message, HasSubstr("modules of gcc are not supported"));
  EXPECT_FALSE(error(1, "int import = x;\nimportant();\n"));
  EXPECT_FALSE(error(3, kUse)) << "an error that has nothing to do with the import";
}

TEST_F(Modules, OnlyFilesOfTheProjectAreLoaded) {
  build();
  const TempFolder outside;
  fs::copy_file(path("build/vecmath.pcm"), outside.path() + "/vecmath.pcm");
  fs::create_symlink(outside.path() + "/vecmath.pcm", path("build/link.pcm"));
  for (const std::string &flag :
       {"-fmodule-file=vecmath=" + outside.path() + "/vecmath.pcm", std::string("-fmodule-file=vecmath=link.pcm"),
        "-fprebuilt-module-path=" + outside.path(),
        "-fmodule-file=vecmath=../../" + fs::path(outside.path()).filename().string() + "/vecmath.pcm"}) {
    writeMap(flag + "\n");
    EXPECT_THAT(command().arguments, Not(Contains(flag)));
    EXPECT_THAT(command().notes, Contains(HasSubstr("outside of the project: " + flag)));
    EXPECT_THAT(errorOf(), HasSubstr("2: module 'vecmath' is not found"));
  }
  writeMap("-fmodule-file=vecmath=" + outside.path() + "/vecmath.pcm\n");
  const CompileCommand allowed =
      findCompileCommand(path("src/use.cpp"), Language::Cxx, {.readableFolders = {outside.path()}}, {});
  EXPECT_TRUE(compile(allowed, {}).succeeded) << "the user allows it";
}

TEST_F(Modules, TheirFilesAreInputs) {
  build();
  const auto inputs = filesReadBy(command(), {}, {});
  ASSERT_TRUE(inputs);
  EXPECT_THAT(*inputs, Contains(path("build/vecmath.pcm")));
  writeMap("-fprebuilt-module-path=.\n");
  EXPECT_THAT(moduleFilesOf(command()), ElementsAre(path("build/vecmath.pcm")));
}

TEST(ModuleFlags, AreJudgedByWhatTheyName) {
  const auto mayLoad = [](llvm::StringRef name) { return name.starts_with("in/"); };
  const std::vector<std::string> good{"-fmodule-file=m=in/m.pcm", "-fmodule-file=m:p=in/p.pcm",
                                      "-fprebuilt-module-path=in/x"};
  EXPECT_EQ(selectSafeFlags(good, CompilerKind::Clang, mayLoad).flags, good);
  EXPECT_THAT(selectSafeFlags(good, CompilerKind::Clang).flags, IsEmpty());
  EXPECT_THAT(selectSafeFlags(good, CompilerKind::Gcc, mayLoad).flags, IsEmpty());
  for (const char *flag : {"-fmodule-file=in/header.pcm", "-fmodule-file=m=", "-fmodule-file=", "-fmodule-output=in/x",
                           "-fmodule-output", "-fmodules", "-fmodules-cache-path=in/c", "-fmodule-map-file=in/m",
                           "-fmodule-file=m=out/m.pcm", "-fprebuilt-module-path=", "-fprebuilt-implicit-modules"})
    EXPECT_THAT(selectSafeFlags({flag}, CompilerKind::Clang, mayLoad).flags, IsEmpty()) << flag;
  EXPECT_THAT(selectSafeFlags({"-fmodule-output=x", "-fmodules-reduced-bmi"}, CompilerKind::Clang).notes, IsEmpty());
}

} // namespace
} // namespace analysis
