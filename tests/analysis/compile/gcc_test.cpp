// A file lowered by gcc: its flags, its messages, its target.
#include "analysis/compile/compile.h"
#include "analysis/compile/flags.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CompileCommand commandOfGcc(const std::string &file, wire::Language language = wire::Language::Cxx) {
  wire::Settings settings;
  settings.compiler = "gcc";
  return findCompileCommand(file, language, settings);
}

const char *const kLoop = "void add(float *a, const float *b, int n) {\n"
                          "  for (int i = 0; i < n; ++i)\n"
                          "    a[i] += b[i];\n"
                          "}\n";

TEST(Gcc, GivesAssemblyWithLinesDebugInformationAndFrequencies) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-O3\n-g1\n-flto\n");
  const std::string file = folder.write("a.cpp", kLoop);
  const CompileCommand command = commandOfGcc(file);
  EXPECT_EQ(command.kind, CompilerKind::Gcc);
  const CompileResult result = compile(command, {});
  ASSERT_TRUE(result.succeeded) << result.failure;
  for (const char *text : {"\t.loc ", ".debug_info", "# BLOCK ", "add"})
    EXPECT_THAT(result.assembly, HasSubstr(text));
  EXPECT_EQ(folder.contents().size(), 2u);
  ASSERT_FALSE(result.remarks.empty());
  EXPECT_EQ(result.remarks[0].kind, LoopRemark::Kind::Vectorized);
  EXPECT_EQ(result.remarks[0].path, file);
  EXPECT_EQ(result.remarks[0].line, 2u);
  EXPECT_EQ(result.remarks[0].vectorBytes, 16u);
}

TEST(Gcc, ErrorsAreAtItsPositions) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-Wall\n-Werror\n");
  const std::string file = folder.write("a.c", "int f(int unused) {\n\treturn nope;\n}\n#include <no/such/header>\n");
  const CompileResult result = compile(commandOfGcc(file, wire::Language::C), {});
  EXPECT_FALSE(result.succeeded);
  EXPECT_EQ(result.failure, "");
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].path, file);
  EXPECT_EQ(result.diagnostics[0].message.find("\n"), std::string::npos);
  for (const CompilerDiagnostic &diagnostic : result.diagnostics) {
    if (diagnostic.line == 2)
      EXPECT_EQ(diagnostic.column, 9u);
    else
      EXPECT_THAT(diagnostic.message, HasSubstr("no/such/header"));
  }
}

TEST(Gcc, ADriversErrorHasNoPosition) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-march=pdp11\n");
  const CompileResult result = compile(commandOfGcc(folder.write("a.cpp", "int x;\n")), {});
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 0u);
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("pdp11"));
}

TEST(Gcc, TheProjectsGccRunsWhereItIsTrusted) {
  const TempFolder folder;
  folder.write("compile_commands.json",
               R"([{"directory": ")" + folder.path() + R"(", "file": "a.c", "command": "ccache gcc -O2 -c a.c"}])");
  const std::string file = folder.write("a.c", kLoop);
  wire::Settings settings{.compiler = "project", .trustedFolders = {folder.path()}};
  const CompileCommand trusted = findCompileCommand(file, wire::Language::C, settings);
  EXPECT_EQ(trusted.kind, CompilerKind::Gcc);
  EXPECT_EQ(trusted.origin, "compile_commands.json");
  EXPECT_THAT(compile(trusted, {}).assembly, HasSubstr("GNU C17"));

  settings.trustedFolders = {};
  const CompileCommand untrusted = findCompileCommand(file, wire::Language::C, settings);
  EXPECT_EQ(untrusted.kind, CompilerKind::Clang);
  EXPECT_THAT(untrusted.notes, Contains(HasSubstr("mca.allowedCompilers")));
  EXPECT_TRUE(compile(untrusted, {}).succeeded);
}

TEST(Gcc, RunsBehindTheTrustedProjectsLauncher) {
  const TempFolder folder;
  const std::string launcher = folder.write("bin/ccache", "#!/bin/sh\necho \"$*\" > calls\nexec \"$@\"\n");
  std::filesystem::permissions(launcher, std::filesystem::perms::owner_all);
  folder.write("compile_commands.json", R"([{"directory": ")" + folder.path() + R"(", "file": "a.c", "command": ")" +
                                            launcher + R"( gcc -O2 -c a.c"}])");
  const std::string file = folder.write("a.c", kLoop);
  wire::Settings settings{.compiler = "project", .trustedFolders = {folder.path()}};
  EXPECT_THAT(compile(findCompileCommand(file, wire::Language::C, settings), {}).assembly, HasSubstr("GNU C17"));
  std::string calls;
  std::getline(std::ifstream(folder.path() + "/calls"), calls);
  EXPECT_THAT(calls, HasSubstr("/gcc ")) << "it may write";
  EXPECT_THAT(calls, HasSubstr(" -S "));

  std::filesystem::remove(folder.path() + "/calls");
  settings.trustedFolders = {};
  EXPECT_TRUE(compile(findCompileCommand(file, wire::Language::C, settings), {}).succeeded);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/calls"));
}

std::vector<std::string> kept(const std::vector<std::string> &flags) {
  return selectSafeFlags(flags, CompilerKind::Gcc).flags;
}

TEST(Gcc, KeepsItsOwnFlags) {
  const std::vector<std::string> flags = {"-O2",
                                          "-Og",
                                          "-std=gnu++17",
                                          "-march=haswell",
                                          "-fipa-pta",
                                          "-fno-tree-vectorize",
                                          "-fgcse-after-reload",
                                          "-fvect-cost-model=unlimited",
                                          "-finline-limit=500",
                                          "-fprefetch-loop-arrays",
                                          "-fpermissive",
                                          "-ffixed-rbx",
                                          "-mpreferred-stack-boundary=4",
                                          "-mno-fancy-math-387",
                                          "-fprofile-use=dir/a.gcda"};
  EXPECT_EQ(kept(flags), flags);
  EXPECT_THAT(kept({"--param", "max-unroll-times=4"}), ElementsAre("--param", "max-unroll-times=4"));
  EXPECT_THAT(kept({"-include", "a.h"}), ElementsAre("-include", "a.h"));
  EXPECT_THAT(
      selectSafeFlags({"-Wall", "-g3", "-MD", "-fdiagnostics-color", "-flinker-output=rel"}, CompilerKind::Gcc).flags,
      IsEmpty());
  for (const char *flag : {"-fipa-pta", "-finline-limit=500", "-fgcse-after-reload"})
    EXPECT_THAT(selectSafeFlags({flag}, CompilerKind::Clang).flags, IsEmpty());
}

TEST(Gcc, ItsTargetIsInItsName) {
  const TempFolder folder;
  std::filesystem::create_symlink(folder.write("riscv64-linux-gnu-gcc-12", ""), folder.path() + "/gcc");
  const auto target = [&](const std::string &program, std::vector<std::string> flags) {
    CompileCommand command{.directory = folder.path(), .kind = CompilerKind::Gcc};
    command.arguments = std::move(flags);
    command.arguments.insert(command.arguments.begin(), program);
    command.arguments.insert(command.arguments.end(), {"-x", "c++", "-S", "-g", "-dA", "-fipa-pta", "/a.cpp"});
    return targetOf(command);
  };
  const CompiledTarget aarch64 = target("/opt/bin/aarch64-linux-gnu-g++-12", {"-mcpu=neoverse-v2"});
  EXPECT_EQ(aarch64.triple, "aarch64-unknown-linux-gnu");
  EXPECT_EQ(aarch64.cpu, "neoverse-v2");
  EXPECT_EQ(aarch64.namedBy, "-mcpu=neoverse-v2");
  EXPECT_EQ(target(folder.path() + "/gcc", {"-march=rv64gcv"}).triple, "riscv64-unknown-linux-gnu");
  EXPECT_EQ(target("x86_64-linux-gnu-gcc", {"-m32"}).triple, "i386-unknown-linux-gnu");
  const CompiledTarget tuned = target("x86_64-linux-gnu-gcc", {"-march=haswell", "-mtune=intel"});
  EXPECT_EQ(tuned.cpu, "haswell");
  EXPECT_EQ(tuned.namedBy, "-march=haswell");
  EXPECT_FALSE(target("x86_64-linux-gnu-gcc", {"-mtune=generic"}).cpuNamed);
  EXPECT_FALSE(target("x86_64-linux-gnu-gcc", {"-mtune=generic"}).optimizes);
  EXPECT_FALSE(target("x86_64-linux-gnu-gcc", {"-O2", "-O0"}).optimizes);
  EXPECT_TRUE(target("x86_64-linux-gnu-gcc", {"-Og"}).optimizes);
}

} // namespace
} // namespace analysis
