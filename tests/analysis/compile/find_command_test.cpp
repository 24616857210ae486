// Where compile commands are found, and what becomes of their flags.
#include "analysis/compile/compile.h"
#include "analysis/compile/wrappers.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace analysis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using wire::Language;

/// A database of one entry.
std::string database(const std::string &directory, const std::string &file, const std::string &command) {
  std::string text = R"([{"directory": ")";
  text += directory;
  text += R"(", "file": ")";
  text += file;
  text += R"(", "command": ")";
  text += command;
  return text += R"("}])";
}

CompileCommand find(const std::string &file, Language language = Language::Cxx, const wire::Settings &settings = {}) {
  return findCompileCommand(file, language, settings);
}

/// The value after `-x`.
std::string languageOf(const CompileCommand &command) {
  const auto found = std::find(command.arguments.begin(), command.arguments.end(), "-x");
  return found == command.arguments.end() ? "" : *(found + 1);
}

bool has(const CompileCommand &command, const std::vector<std::string> &sequence) {
  return std::search(command.arguments.begin(), command.arguments.end(), sequence.begin(), sequence.end()) !=
         command.arguments.end();
}

TEST(FindCommand, FallsBackInPlainSight) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  const CompileCommand cxx = find(file);
  EXPECT_TRUE(cxx.fallback);
  EXPECT_EQ(cxx.origin, "fallback: -O2 -std=c++20");
  EXPECT_EQ(cxx.directory, folder.path());
  EXPECT_TRUE(has(cxx, {"-O2", "-std=c++20"}));
  EXPECT_EQ(cxx.arguments.back(), file);
  EXPECT_THAT(cxx.notes, IsEmpty());

  wire::Settings settings;
  settings.extraFlags = {"-march=haswell"};
  const CompileCommand c = find(folder.write("a.c", ""), Language::C, settings);
  EXPECT_EQ(c.origin, "fallback: -O2 -std=c17 -march=haswell");
  EXPECT_EQ(languageOf(c), "c");
  EXPECT_THAT(c.arguments, Contains("-march=haswell"));
}

TEST(FindCommand, LooksUpwardAndInBuild) {
  const TempFolder folder;
  const std::string file = folder.write("src/deep/a.cpp", "");
  folder.write("build/compile_commands.json", database(folder.path(), file, "c++ -O3 -DFROM_BUILD -c a.cpp"));
  const CompileCommand inBuild = find(file);
  EXPECT_EQ(inBuild.origin, "build/compile_commands.json");
  EXPECT_FALSE(inBuild.fallback);
  EXPECT_TRUE(has(inBuild, {"-D", "FROM_BUILD"}));

  folder.write("src/compile_commands.json", database(folder.path(), file, "c++ -O3 -DNEARER -c a.cpp"));
  const CompileCommand nearer = find(file);
  EXPECT_EQ(nearer.origin, "compile_commands.json");
  EXPECT_TRUE(has(nearer, {"-D", "NEARER"}));
}

TEST(FindCommand, AConfiguredFolderIsTheOnlyOne) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  folder.write("compile_commands.json", database(folder.path(), file, "c++ -DHERE -c a.cpp"));
  folder.write("out/x64/compile_commands.json", database(folder.path(), file, "c++ -DTHERE -c a.cpp"));
  wire::Settings settings;
  settings.compileCommandsDir = folder.path() + "/out/x64";
  const CompileCommand command = find(file, Language::Cxx, settings);
  EXPECT_TRUE(has(command, {"-D", "THERE"}));
  EXPECT_EQ(command.origin, folder.path() + "/out/x64/compile_commands.json");
  settings.compileCommandsDir = folder.path() + "/nowhere";
  EXPECT_TRUE(find(file, Language::Cxx, settings).fallback);
}

TEST(FindCommand, ADatabaseWithoutTheFileIsPassedOver) {
  const TempFolder folder;
  const std::string file = folder.write("src/a.cpp", "");
  folder.write("src/compile_commands.json", database(folder.path(), "other.cpp", "c++ -c other.cpp"));
  folder.write("compile_commands.json", database(folder.path(), "src/a.cpp", "c++ -DTOP -c src/a.cpp"));
  const CompileCommand command = find(file);
  EXPECT_TRUE(has(command, {"-D", "TOP"}));
  EXPECT_THAT(command.notes, Contains(HasSubstr("has no entry for this file")));
}

TEST(FindCommand, AHalfWrittenDatabaseIsPassedOver) {
  const TempFolder folder;
  const std::string file = folder.write("src/a.cpp", "");
  const std::string whole = database(folder.path(), file, "c++ -DTOP -c src/a.cpp");
  folder.write("compile_commands.json", whole);
  for (const size_t length : {size_t{0}, size_t{1}, whole.size() / 2}) {
    folder.write("src/compile_commands.json", whole.substr(0, length));
    const CompileCommand command = find(file);
    EXPECT_TRUE(has(command, {"-D", "TOP"})) << length;
    EXPECT_THAT(command.notes, Contains(HasSubstr("src/compile_commands.json"))) << length;
  }
}

TEST(FindCommand, ADatabaseThatIsBeingWrittenKeepsItsLastState) {
  const TempFolder folder;
  const std::string file = folder.write("src/a.cpp", "");
  const std::string whole = database(folder.path(), file, "c++ -DONE -c a.cpp");
  folder.write("compile_commands.json", whole);
  EXPECT_TRUE(has(find(file), {"-D", "ONE"}));
  for (const size_t length : {whole.size() / 2, whole.size() / 3}) {
    folder.write("compile_commands.json", whole.substr(0, length));
    const CompileCommand command = find(file);
    EXPECT_TRUE(has(command, {"-D", "ONE"}));
    EXPECT_EQ(command.origin, "compile_commands.json");
    EXPECT_THAT(command.notes, Contains(HasSubstr("what it held before is used")));
  }
  folder.write("compile_commands.json", database(folder.path(), file, "c++ -DTHREE -c a.cpp"));
  EXPECT_TRUE(has(find(file), {"-D", "THREE"}));
  EXPECT_THAT(find(file).notes, IsEmpty());
}

TEST(FindCommand, OddDatabasesAreProblemsAndNoMore) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  const std::vector<std::string> texts = {"{}",
                                          "null",
                                          "[[]]",
                                          "[{}]",
                                          "[1]",
                                          std::string(100'000, '['),
                                          R"([{"file": "a.cpp", "command": "c++ a.cpp"}])",
                                          R"([{"directory": "/", "file": "a.cpp", "arguments": []}])",
                                          std::string("\0\0\xff\xfe", 4),
                                          database(folder.path(), "a.cpp", "")};
  for (const std::string &text : texts) {
    folder.write("compile_commands.json", text);
    EXPECT_FALSE(find(file).arguments.empty()) << text.substr(0, 40);
  }
  std::filesystem::remove(folder.path() + "/compile_commands.json");
  std::filesystem::create_symlink("/dev/zero", folder.path() + "/compile_commands.json");
  EXPECT_THAT(find(file).notes, Contains(HasSubstr("no regular file")));
}

TEST(FindCommand, AChangedDatabaseIsReadAgain) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  for (const char *macro : {"ONE", "THREE", "FIFTEEN"}) {
    folder.write("compile_commands.json", database(folder.path(), "a.cpp", std::string("c++ -c a.cpp -D") + macro));
    EXPECT_TRUE(has(find(file), {"-D", macro}));
    EXPECT_TRUE(has(find(file), {"-D", macro}));
  }
}

TEST(FindCommand, ReadsBothFormsOfAnEntry) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  folder.write("compile_commands.json", database(folder.path(), "./a.cpp", R"(c++ -DS=\"a b\" '-DT=c d' -c ./a.cpp)"));
  EXPECT_TRUE(has(find(file), {"-D", "T=c d"}));
  folder.write("compile_commands.json",
               R"([{"directory": ")" + folder.path() +
                   R"(", "file": "a.cpp", "arguments": ["c++", "-DS=\"a b\"", "-c", "a.cpp"]}])");
  EXPECT_TRUE(has(find(file), {"-D", "S=\"a b\""}));
}

TEST(FindCommand, ARelativeDirectoryIsTheDatabases) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  folder.write("build/compile_commands.json", database("sub", file, "c++ -I../include -c ../../a.cpp"));
  EXPECT_EQ(find(file).directory, folder.path() + "/build/sub");
}

TEST(FindCommand, CompileFlagsApplyToTheirFolder) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-DONE\n\n  -Iinclude  \n-O1\n");
  const CompileCommand command = find(folder.write("src/a.cpp", ""));
  EXPECT_EQ(command.origin, "compile_flags.txt");
  EXPECT_EQ(command.directory, folder.path());
  EXPECT_TRUE(has(command, {"-D", "ONE", "-I", "include", "-O1"}));
  EXPECT_FALSE(command.fallback);
}

TEST(FindCommand, ExpandsResponseFiles) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  folder.write("flags.rsp", "-DFROM_FILE -O3 @more.rsp");
  folder.write("more.rsp", "-DNESTED");
  folder.write("compile_commands.json",
               database(folder.path(), "a.cpp", "c++ @flags.rsp @gone.rsp @/dev/zero -c a.cpp"));
  const CompileCommand command = find(file);
  EXPECT_TRUE(has(command, {"-D", "FROM_FILE"}));
  EXPECT_TRUE(has(command, {"-D", "NESTED"}));
  EXPECT_THAT(command.arguments, Not(Contains(HasSubstr("@"))));
}

/// A project, and the user's file outside of it, whose flags must not be shown.
class FilesOutside : public testing::Test {
protected:
  FilesOutside() {
    folder_.write("outside/flags.rsp", "-DHUSH -HUSH\n");
    file_ = folder_.write("project/src/a.cpp", "");
  }
  void useCommand(const std::string &command) {
    folder_.write("project/compile_commands.json", database(folder_.path() + "/project", file_, command));
  }
  void link(const std::string &name) {
    std::filesystem::create_symlink(folder_.path() + "/outside/flags.rsp", folder_.path() + "/project/" + name);
  }
  void expectNothingRead(const std::string &note, const wire::Settings &settings = {}) {
    const CompileCommand command = find(file_, Language::Cxx, settings);
    EXPECT_THAT(command.arguments, Not(Contains(HasSubstr("HUSH"))));
    EXPECT_THAT(command.notes, Contains(HasSubstr(note)));
    EXPECT_THAT(command.notes, Not(Contains(HasSubstr("HUSH"))));
  }
  bool isRead(const wire::Settings &settings) { return has(find(file_, Language::Cxx, settings), {"-D", "HUSH"}); }

  TempFolder folder_;
  std::string file_;
};

TEST_F(FilesOutside, AResponseFileIsNotRead) {
  const std::string note = "is not read: it is outside of the opened folders";
  useCommand("c++ @../outside/flags.rsp -c src/a.cpp");
  expectNothingRead("the response file " + folder_.path() + "/project/../outside/flags.rsp " + note);
  expectNothingRead(note, {.projectFolders = {folder_.path() + "/project"}});
  EXPECT_TRUE(isRead({.projectFolders = {folder_.path()}}));
  EXPECT_TRUE(isRead({.readableFolders = {folder_.path() + "/outside"}}));
  link("flags.rsp");
  folder_.write("project/more.rsp", "@" + folder_.path() + "/outside/flags.rsp");
  for (const char *name : {"flags.rsp", "more.rsp"}) {
    useCommand(std::string("c++ @") + name + " -c src/a.cpp");
    expectNothingRead(note);
    EXPECT_TRUE(isRead({.projectFolders = {folder_.path()}})) << name;
  }
}

TEST_F(FilesOutside, AFlagsFileIsNotRead) {
  link("compile_flags.txt");
  expectNothingRead("/project/compile_flags.txt is not read: it leads to a file outside of the opened folders");
  EXPECT_FALSE(find(file_).notes.empty());
  EXPECT_EQ(find(file_, Language::Cxx, {.projectFolders = {folder_.path()}}).origin, "compile_flags.txt");
}

TEST_F(FilesOutside, AFlagsFilesResponseFileIsNotRead) {
  folder_.write("project/compile_flags.txt", "@../outside/flags.rsp\n");
  expectNothingRead("is not read: it is outside of the opened folders");
}

TEST(FindCommand, ResponseFilesInEachOtherEnd) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  folder.write("compile_commands.json", database(folder.path(), "a.cpp", "c++ @0.rsp -c a.cpp"));
  for (int i = 0; i < 40; ++i) {
    const std::string next = "@" + std::to_string(i + 1) + ".rsp ";
    folder.write(std::to_string(i) + ".rsp", next + next + "-O" + std::to_string(i % 4));
  }
  folder.write("40.rsp", "-DEND");
  EXPECT_THAT(find(file).notes, Contains(HasSubstr("no more than 1000 and 8 MiB are read"))) << "2^40 without a limit";
  folder.write("39.rsp", "@0.rsp");
  EXPECT_FALSE(find(file).arguments.empty()) << "a circle";
}

TEST(FindCommand, LongFilesAndCommandsAreNotUsed) {
  const TempFolder folder;
  const std::string file = folder.write("a.cpp", "");
  const auto notes = [&] { return find(file).notes; };
  const auto flags = [](const std::string &flag, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
      text += flag;
    return text;
  };
  folder.write("flags.rsp", "");
  std::filesystem::resize_file(folder.path() + "/flags.rsp", (4u << 20) + 1);
  folder.write("compile_commands.json", database(folder.path(), "a.cpp", "c++ @flags.rsp -c a.cpp"));
  EXPECT_THAT(notes(), Contains(HasSubstr("flags.rsp is no regular file of at most 4 MiB")));
  const std::string why = " has a command of more than 100000 arguments or 2 MiB, which is not used";
  folder.write("flags.rsp", flags("-DX ", 100'000));
  EXPECT_THAT(notes(), Contains(folder.path() + "/compile_commands.json" + why));
  folder.write("compile_commands.json", database(folder.path(), "a.cpp", "c++ -D" + std::string(2u << 20, 'x')));
  EXPECT_THAT(notes(), Contains(folder.path() + "/compile_commands.json" + why));
  folder.write("compile_commands.json", std::string(1'000'000, '['));
  EXPECT_THAT(notes(), Contains(HasSubstr("compile_commands.json cannot be read: it is nested deeper than 16 levels")));
  std::filesystem::resize_file(folder.path() + "/compile_commands.json", (256u << 20) + 1);
  EXPECT_THAT(notes(), Contains(HasSubstr("compile_commands.json is no regular file of at most 256 MiB")));
  std::filesystem::remove(folder.path() + "/compile_commands.json");
  folder.write("compile_flags.txt", flags("-DX\n", 100'000));
  EXPECT_THAT(notes(), Contains(folder.path() + "/compile_flags.txt" + why));
  std::filesystem::resize_file(folder.path() + "/compile_flags.txt", 100u << 20);
  EXPECT_THAT(notes(), Contains(HasSubstr("compile_flags.txt is no regular file of at most 4 MiB")));
}

TEST(FindCommand, SkipsWrappersAndTheEntrysCompiler) {
  const TempFolder folder;
  const std::string file = folder.write("a.c", "");
  struct Case {
    std::string command, language, target;
  };
  const std::vector<Case> cases = {{"gcc -c a.c", "c", ""},
                                   {"ccache gcc -c a.c", "c", ""},
                                   {"/usr/bin/ccache distcc /opt/x/bin/g++-12 -c a.c", "c++", ""},
                                   {"icecc clang++ -c a.c", "c++", ""},
                                   {"sccache clang++-18 -c a.c", "c++", ""},
                                   {"/usr/bin/aarch64-linux-gnu-g++-12 -c a.c", "c++", "--target=aarch64-linux-gnu"},
                                   {"riscv64-unknown-elf-gcc -c a.c", "c", "--target=riscv64-unknown-elf"},
                                   {"ccache compiler_check=content gcc -c a.c", "c", ""},
                                   {"env -i A=b -u C LANG=C g++-12 -c a.c", "c++", ""},
                                   {"/usr/bin/env ccache clang++ -c a.c", "c++", ""},
                                   {"cmake -E env --unset=X A=b -- ccache g++ -c a.c", "c++", ""},
                                   {"cmake -E time clang -c a.c", "c", ""},
                                   {"rewrapper -cfg=x -exec_root=/r ../clang++ -c a.c", "c++", ""},
                                   {"nice -n 5 riscv64-linux-gnu-g++ -c a.c", "c++", "--target=riscv64-linux-gnu"},
                                   {"ccache /opt/weird -c a.c", "c", ""},
                                   {"ccache", "c", ""},
                                   {"cc -x c++ -c a.c", "c++", ""},
                                   {"g++ -xc -c a.c", "c", ""},
                                   {"ccache -c a.c", "c", ""}};
  for (const Case &one : cases) {
    folder.write("compile_commands.json", database(folder.path(), "a.c", one.command));
    const CompileCommand command = find(file, Language::C);
    EXPECT_EQ(languageOf(command), one.language) << one.command;
    EXPECT_THAT(command.arguments[0], HasSubstr("clang-22")) << one.command;
    EXPECT_TRUE(command.launcher.empty()) << one.command;
    if (!one.target.empty()) {
      EXPECT_THAT(command.arguments, Contains(one.target)) << one.command;
    }
  }
}

TEST(FindCommand, KnowsTheLaunchersAmongTheWrappers) {
  using Strings = std::vector<std::string>;
  struct Case {
    Strings arguments, launcher;
    std::string compiler;
  };
  const std::vector<Case> cases = {{{"gcc", "-c"}, {}, "gcc"},
                                   {{"ccache", "gcc", "-c"}, {"ccache"}, "gcc"},
                                   {{"/usr/bin/ccache", "compiler_check=content", "g++-12"},
                                    {"/usr/bin/ccache", "compiler_check=content"},
                                    "g++-12"},
                                   {{"ccache", "icecc", "clang"}, {"ccache", "icecc"}, "clang"},
                                   {{"env", "A=b", "sccache", "clang"}, {"sccache"}, "clang"},
                                   {{"ccache", "distcc", "gcc"}, {"ccache"}, "gcc"},
                                   {{"ccache", "-c"}, {}, "ccache"}};
  for (const Case &one : cases) {
    Strings arguments = one.arguments;
    const TakenCompiler taken = takeCompiler(arguments);
    EXPECT_EQ(taken.name, one.compiler) << one.arguments[0];
    EXPECT_EQ(taken.launcher, one.launcher) << one.arguments[0];
  }
}

TEST(FindCommand, FindsTheLaunchersOfADatabase) {
  using Strings = std::vector<std::string>;
  const TempFolder folder;
  const std::string database = folder.write("build/compile_commands.json", R"([
    {"directory": "x", "file": "../../a.c", "command": "ccache 'gcc' -c \"a.c\""},
    {"directory": "/p", "file": "a.c", "arguments": ["/usr/bin/sccache", "clang", "-c", "a.c"]},
    {"directory": "/p", "file": "./a.c", "command": "icecc gcc"},
    {"directory": "/p", "file": "b.c", "command": "gcc -c b.c"},
    {"directory": "/p", "file": "c.c"}, 7])");
  EXPECT_EQ(launcherInDatabase(database, folder.path() + "/a.c"), (Strings{"ccache"}));
  EXPECT_EQ(launcherInDatabase(database, "/p/a.c"), (Strings{"/usr/bin/sccache"})) << "of the first entry";
  EXPECT_EQ(launcherInDatabase(database, "/p/b.c"), Strings());
  EXPECT_EQ(launcherInDatabase(database, "/p/c.c"), Strings());
  EXPECT_EQ(launcherInDatabase(folder.write("other.json", "{"), "/p/a.c"), Strings());
  EXPECT_EQ(launcherInDatabase(folder.path() + "/none.json", "/p/a.c"), Strings());
}

TEST(FindCommand, AssemblyIsPreprocessedWithItsOwnFlags) {
  const TempFolder folder;
  const std::string file = folder.write("a.S", "nop\n");
  folder.write(
      "compile_commands.json",
      database(folder.path(), file, "gcc -x assembler-with-cpp -std=gnu11 -DN=1 -Iinc -O2 -fplugin=x.so -c a.S"));
  const CompileCommand command = find(file, Language::Assembly);
  EXPECT_TRUE(command.preprocesses);
  EXPECT_EQ(languageOf(command), "assembler-with-cpp");
  EXPECT_EQ(command.arguments.back(), file);
  for (const char *flag : {"-E", "-C", "N=1", "inc"})
    EXPECT_THAT(command.arguments, Contains(flag));
  for (const char *flag : {"-S", "-std=gnu11", "-fplugin=x.so", "-gline-directives-only"})
    EXPECT_THAT(command.arguments, Not(Contains(flag)));
  ASSERT_EQ(command.notes.size(), 1u);
  EXPECT_THAT(command.notes[0], HasSubstr("would load code"));
}

TEST(FindCommand, AssemblyWithoutACommandHasTheFlagsOfTheClosestFileOrAFallback) {
  const TempFolder folder;
  const std::string file = folder.write("asm/a.sx", "nop\n");
  wire::Settings settings;
  settings.triple = "riscv64-linux-gnu";
  const CompileCommand fallback = find(file, Language::Assembly, settings);
  EXPECT_EQ(fallback.origin, "fallback: -x assembler-with-cpp --target=riscv64-linux-gnu");
  EXPECT_EQ(languageOf(fallback), "assembler-with-cpp");
  EXPECT_EQ(targetOf(fallback).triple, "riscv64-unknown-linux-gnu");
  EXPECT_THAT(fallback.notes, IsEmpty());

  folder.write("compile_commands.json",
               database(folder.path(), "a.cpp", "aarch64-linux-gnu-g++ -std=c++20 -DX=1 -c a.cpp"));
  const CompileCommand inferred = find(file, Language::Assembly, settings);
  EXPECT_EQ(inferred.inferredFrom, folder.path() + "/a.cpp");
  EXPECT_EQ(languageOf(inferred), "assembler-with-cpp");
  EXPECT_THAT(inferred.arguments, Contains("X=1"));
  EXPECT_THAT(inferred.arguments, Not(Contains("-std=c++20")));
  EXPECT_EQ(targetOf(inferred).triple, "aarch64-unknown-linux-gnu");
  EXPECT_EQ(targetOf(findCompileCommand(file, Language::Assembly, {}, {.triple = "i686-linux-gnu"})).triple,
            "i686-unknown-linux-gnu");
}

TEST(FindCommand, AFileWithoutACommandIsForTheNamedTarget) {
  const TempFolder folder;
  const std::string file = folder.write("a.c", "int f(void) { return 1; }\n");
  wire::Settings settings;
  settings.triple = "riscv64-linux-gnu";
  EXPECT_EQ(targetOf(find(file, Language::C, settings)).triple, "riscv64-unknown-linux-gnu");
  const CommandQuery query{.fallbackTriple = "aarch64-linux-gnu"};
  EXPECT_EQ(targetOf(findCompileCommand(file, Language::C, {}, query)).triple, "aarch64-unknown-linux-gnu");
  EXPECT_EQ(targetOf(findCompileCommand(file, Language::C, settings, query)).triple, "aarch64-unknown-linux-gnu");
  folder.write("compile_commands.json", database(folder.path(), "a.c", "cc -c a.c --target=i686-linux-gnu"));
  EXPECT_EQ(targetOf(findCompileCommand(file, Language::C, settings, query)).triple, "i686-unknown-linux-gnu");
}

TEST(FindCommand, ACFileIsNeverPreprocessedAssembly) {
  const TempFolder folder;
  folder.write("compile_flags.txt", "-x\nassembler-with-cpp\n");
  const CompileCommand command = find(folder.write("a.c", ""), Language::C);
  EXPECT_FALSE(command.preprocesses);
  EXPECT_EQ(languageOf(command), "c");
}

TEST(FindCommand, AHeadersLanguageIsTheEditors) {
  const TempFolder folder;
  const std::string file = folder.write("a.h", "");
  EXPECT_EQ(languageOf(find(file, Language::Cxx)), "c++");
  EXPECT_EQ(languageOf(find(file, Language::C)), "c");
}

TEST(FindCommand, KeepsWhatShapesTheCode) {
  const TempFolder folder;
  folder.write(
      "compile_flags.txt",
      "-O3\n-std=gnu++17\n-march=haswell\n-mtune=znver4\n-mavx2\n-mprefer-vector-width=256\n-ffast-math\n"
      "-fno-exceptions\n-fno-rtti\n-fopenmp-simd\n-funroll-loops\n-fno-vectorize\n-ffp-contract=fast\n"
      "-fveclib=libmvec\n-pthread\n-isystem\n/inc\n-iquote\nq\n-DX=1\n-UY\n--sysroot=/s\n-fPIC\n-stdlib=libc++\n"
      "-fvisibility=hidden\n-fsanitize=undefined\n-masm=intel\n-nostdinc++\n-fprofile-generate=p\n");
  const CompileCommand command = find(folder.write("a.cpp", ""));
  for (const char *flag : {"-O3",
                           "-std=gnu++17",
                           "-march=haswell",
                           "-mtune=znver4",
                           "-mavx2",
                           "-mprefer-vector-width=256",
                           "-ffast-math",
                           "-fno-exceptions",
                           "-fno-rtti",
                           "-fopenmp-simd",
                           "-funroll-loops",
                           "-fno-vectorize",
                           "-ffp-contract=fast",
                           "-fveclib=libmvec",
                           "-pthread",
                           "-isystem",
                           "/inc",
                           "-iquote",
                           "q",
                           "X=1",
                           "Y",
                           "--sysroot=/s",
                           "-fPIC",
                           "-stdlib=libc++",
                           "-fvisibility=hidden",
                           "-fsanitize=undefined",
                           "-masm=intel",
                           "-nostdinc++",
                           "-fprofile-generate=p"})
    EXPECT_THAT(command.arguments, Contains(flag));
  EXPECT_THAT(command.notes, IsEmpty());
}

TEST(FindCommand, WhatEveryBuildHasGoesWithoutANote) {
  const TempFolder folder;
  folder.write("compile_flags.txt",
               "-Wall\n-Wextra\n-g3\n-ggdb\n-c\n-o\nx.o\n-MD\n-MF\nx.d\n-MT\nx.o\n-pipe\n-Llib\n-lm\n"
               "-Wl,-z,now\n-fdiagnostics-color=always\n-fno-verbose-asm\n-shared\n-pedantic\n");
  const CompileCommand command = find(folder.write("a.cpp", ""));
  EXPECT_THAT(command.notes, IsEmpty());
  for (const char *flag : {"-Wall", "-g3", "-ggdb", "-c", "x.o", "-MD", "-MF", "-fno-verbose-asm", "-shared"})
    EXPECT_THAT(command.arguments, Not(Contains(flag)));
}

TEST(FindCommand, WhatIsLeftOutIsNamed) {
  const TempFolder folder;
  folder.write("compile_flags.txt",
               "-fplugin=evil.so\n-save-temps\n-flto=thin\n-fmodules\n-fipa-pta\n-fgcse\n-x\ncuda\n");
  const CompileCommand command = find(folder.write("a.cpp", ""));
  EXPECT_THAT(command.notes, Contains("flags left out, as they would load code into the compiler or run another "
                                      "program: -fplugin=evil.so"));
  for (const char *flag : {"-save-temps", "-flto=thin", "-fmodules", "-fipa-pta", "-fgcse", "-x cuda"})
    EXPECT_THAT(command.notes, Contains(HasSubstr(flag))) << flag;
}

TEST(FindCommand, NotesOfAHugeCommandAreShort) {
  const TempFolder folder;
  std::string flags;
  for (int i = 0; i < 10'000; ++i)
    flags += "-funknown" + std::string(200, 'x') + "\n";
  folder.write("compile_flags.txt", flags);
  const CompileCommand command = find(folder.write("a.cpp", ""));
  ASSERT_EQ(command.notes.size(), 1u);
  EXPECT_LT(command.notes[0].size(), 2'500u);
}

/// CMake passes a precompiled header this way; the header itself is what makes the file compile.
TEST(FindCommand, APrecompiledHeaderIsReadAsText) {
  const TempFolder folder;
  folder.write("pch.hxx", "#define FROM_HEADER 1\n");
  folder.write("pch.hxx.pch", "CPCH of another compiler");
  folder.write("compile_flags.txt",
               "-Xclang\n-include-pch\n-Xclang\npch.hxx.pch\n-Xclang\n-include\n-Xclang\npch.hxx\n");
  const std::string file = folder.write("a.cpp", "static_assert(FROM_HEADER);\n");
  EXPECT_TRUE(compile(find(file), {}).succeeded);
  folder.write("compile_flags.txt", "-include\npch.hxx\n-Winvalid-pch\n");
  EXPECT_TRUE(compile(find(file), {}).succeeded);
}

TEST(FindCommand, ACommandOfGccCompiles) {
  const TempFolder folder;
  folder.write(
      "compile_flags.txt",
      "-O2\n-fno-tree-vectorize\n-fgcse\n-fipa-pta\n--param\nmax-inline-insns-single=100\n-fno-strict-overflow\n"
      "-mno-fancy-math-387\n-mpreferred-stack-boundary=4\n-Wno-maybe-uninitialized\n-flto=auto\n"
      "-ffat-lto-objects\n-fconcepts\n-fuse-linker-plugin\n-fno-plt\n");
  const CompileResult result = compile(find(folder.write("a.cpp", "int x;\n")), {});
  EXPECT_TRUE(result.succeeded) << result.failure << (result.diagnostics.empty() ? "" : result.diagnostics[0].message);
}

TEST(FindCommand, ThePathNeverLeadsIntoTheFolder) {
  const TempFolder folder;
  folder.write("clang-22", "#!/bin/sh\n");
  std::filesystem::permissions(folder.path() + "/clang-22", std::filesystem::perms::all);
  const std::string file = folder.write("a.cpp", "");
  const std::string oldPath = std::getenv("PATH");
  const auto oldFolder = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char *path : {".", "", ":", "./", "..:."}) {
    setenv("PATH", path, 1);
    const CompileCommand command = find(file);
    EXPECT_EQ(command.arguments[0], "clang-22") << path;
    EXPECT_FALSE(compile(command, {}).succeeded) << path;
  }
  unsetenv("PATH");
  EXPECT_EQ(find(file).arguments[0], "clang-22");
  std::filesystem::current_path(oldFolder);
  setenv("PATH", oldPath.c_str(), 1);
}

/// A database in which the file a.c is compiled by each of these commands.
std::string databaseOfCommands(const std::string &directory, const std::vector<std::string> &commands) {
  std::string text;
  for (const std::string &command : commands)
    text += (text.empty() ? "[" : ", ") + database(directory, "a.c", command).substr(1);
  for (size_t at = text.find("}]"); at != std::string::npos; at = text.find("}]", at))
    text.erase(at + 1, 1);
  return text + "]";
}

/// The names of the commands of a.c.
std::vector<std::string> variantsOf(const std::vector<std::string> &commands) {
  const TempFolder folder;
  folder.write("compile_commands.json", databaseOfCommands(folder.path(), commands));
  return find(folder.write("a.c", ""), Language::C).variants;
}

using Names = std::vector<std::string>;

TEST(FindCommand, AFileThatIsBuiltTwiceHasTwoCommands) {
  const TempFolder folder;
  const std::string file = folder.write("a.c", "");
  folder.write("compile_commands.json",
               databaseOfCommands(folder.path(), {"cc -O2 -c a.c", "cc -O2 -mavx2 -c a.c -o b.o"}));
  const CompileCommand first = find(file, Language::C);
  EXPECT_EQ(first.variants, (Names{"without -mavx2", "with -mavx2"}));
  EXPECT_EQ(first.variant, "without -mavx2");
  EXPECT_EQ(first.origin, "compile_commands.json, the command without -mavx2");
  EXPECT_THAT(first.arguments, Not(Contains("-mavx2")));
  const CompileCommand second = findCompileCommand(file, Language::C, {}, {.command = "with -mavx2"});
  EXPECT_EQ(second.variant, "with -mavx2");
  EXPECT_THAT(second.arguments, Contains("-mavx2"));
  EXPECT_EQ(second.arguments.back(), file);
  EXPECT_EQ(findCompileCommand(file, Language::C, {}, {.command = "no more there"}).variant, "without -mavx2");
  const CompileCommand header = find(folder.write("a.h", ""), Language::C);
  EXPECT_EQ(header.variants, first.variants) << "a header has those of its source";
}

TEST(FindCommand, CommandsThatMakeTheSameAreOne) {
  EXPECT_EQ(variantsOf({"cc -O2 -c a.c -o a.o -MD -MF a.d -Wall -g",
                        "ccache gcc -O2 -Wextra -Wno-unused -fPIE -fno-PIE -fdiagnostics-color -o b.o -c a.c",
                        "cc -O2 -fPIE -fno-PIE -c a.c"}),
            (Names{"without -fPIE -fno-PIE", "with -fPIE -fno-PIE"}))
      << "outputs, warnings, debug information and launchers make no difference";
  EXPECT_EQ(variantsOf({"cc -O2 -c a.c", "cc -O2 -c ./a.c -o x"}), Names{});
}

TEST(FindCommand, OfVeryManyCommandsTheFirstAreUsed) {
  const TempFolder folder;
  std::vector<std::string> commands;
  for (int i = 0; i < 70; ++i)
    commands.push_back("cc -DN=" + std::to_string(i) + " -c a.c");
  folder.write("compile_commands.json", databaseOfCommands(folder.path(), commands));
  const CompileCommand command = find(folder.write("a.c", ""), Language::C);
  EXPECT_EQ(command.variants.size(), 64u);
  EXPECT_EQ(command.notes, Names{folder.path() + "/compile_commands.json compiles a.c 70 times; of these commands the "
                                                 "first 64 are used"});
}

TEST(FindCommand, CommandsAreNamedByWhatTellsThemApart) {
  EXPECT_EQ(variantsOf({"cc -O2 -c a.c", "cc -O3 -c a.c"}), (Names{"with -O2", "with -O3"}));
  EXPECT_EQ(variantsOf({"cc -DA=1 -Iinc -c a.c", "cc -DA=2 -Iinc -isystem x -c a.c", "cc -Iinc -c a.c"}),
            (Names{"with -DA=1", "with -DA=2 -isystem x", "without -DA=1 -DA=2 -isystem x"}));
  EXPECT_EQ(variantsOf({"cc -O3 -O2 -c a.c", "cc -O2 -O3 -c a.c"}), (Names{"number 1 of 2", "number 2 of 2"}));
  EXPECT_EQ(variantsOf({"cc -c a.c", "cc -DA -DB -DC -DD -DE -c a.c"}),
            (Names{"without -DA -DB -DC -DD …", "with -DA -DB -DC -DD …"}));
  EXPECT_EQ(variantsOf({"cc -DA -DB -DC -DD -DE -c a.c", "cc -DA -DB -DC -DD -DF -c a.c", "cc -c a.c"}),
            (Names{"with -DA -DB -DC -DD …", "with -DA -DB -DC -DD …, number 2 of 3", "without -DA -DB -DC -DD …"}));
}

} // namespace
} // namespace analysis
