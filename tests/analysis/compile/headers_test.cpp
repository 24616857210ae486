// Files without an entry of their own: headers, and sources that the database lacks.
#include "analysis/compile/compile.h"
#include "analysis/compile/includes.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using wire::Language;

/// A database of the files, each with a macro of its own.
std::string databaseOf(const std::string &directory, const std::vector<std::string> &files) {
  std::string text;
  for (const std::string &file : files)
    text += std::string(text.empty() ? "[" : ",") + R"({"directory": ")" + directory + R"(", "file": ")" + file +
            R"(", "command": "c++ -Iinclude -DFOR_)" + std::filesystem::path(file).stem().string() + " -O3 -c " + file +
            R"("})";
  return text + "]";
}

CompileCommand commandOf(const std::string &file, const std::vector<std::string> &openFiles = {},
                         Language language = Language::Cxx) {
  return findCompileCommand(file, language, {}, {.openFiles = openFiles});
}

TEST(Headers, AnOpenSourceThatIncludesTheHeaderIsCompiled) {
  const TempFolder folder;
  const std::string header = folder.write("include/sub/sum.h", "inline int sum() { return MISSING_ALONE; }\n");
  folder.write("include/outer.h",
               "#define MISSING_ALONE 1\n#include <no/such/header>\n#include \"sub/../sub/sum.h\"\n");
  const std::string other = folder.write("other.cpp", "int other;\n");
  const std::string user = folder.write("a user.cpp", "#include \"outer.h\"\n");
  folder.write("compile_commands.json", databaseOf(folder.path(), {"other.cpp", "a user.cpp"}));

  const CompileCommand command = commandOf(header, {other, header, folder.path() + "/gone.cpp", user});
  EXPECT_EQ(command.compiledFile, user);
  EXPECT_EQ(command.inferredFrom, user);
  EXPECT_EQ(command.arguments.back(), user);
  EXPECT_EQ(command.origin, "inferred from " + user + " (compile_commands.json)");
  EXPECT_THAT(command.arguments, Contains("-O3"));
  EXPECT_THAT(command.notes, IsEmpty());
}

TEST(Headers, TheClosestFileOfTheDatabaseLendsItsFlags) {
  const TempFolder folder;
  const std::string header = folder.write("src/sum.h", "inline int sum() { return 1; }\n");
  const std::string source = folder.write("src/sum.cpp", "#include \"sum.h\"\n");
  folder.write("lib/x.cpp", "");
  folder.write("build/compile_commands.json", databaseOf(folder.path(), {"lib/x.cpp", "src/sum.cpp"}));
  const CompileCommand included = commandOf(header);
  EXPECT_EQ(included.inferredFrom, source);
  EXPECT_EQ(included.compiledFile, source);
  EXPECT_THAT(included.arguments, Contains("FOR_sum"));
  EXPECT_TRUE(compile(included, {}).succeeded);

  folder.write("src/sum.cpp", "\n");
  const CompileCommand alone = commandOf(header, {}, Language::C);
  EXPECT_EQ(alone.inferredFrom, source);
  EXPECT_EQ(alone.compiledFile, header);
  EXPECT_EQ(alone.arguments.back(), header);
  EXPECT_THAT(alone.arguments, Contains("c++"));
  EXPECT_TRUE(compile(alone, {}).succeeded);
}

TEST(Headers, TheOpenSourceOfItsNameComesBeforeOthersThatIncludeIt) {
  const TempFolder folder;
  const std::string header = folder.write("inc/sum.h", "");
  const std::string closer = folder.write("inc/all.cpp", "#include \"sum.h\"\n");
  const std::string named = folder.write("sum.cpp", "#include \"inc/sum.h\"\n");
  EXPECT_EQ(commandOf(header, {closer, named}).compiledFile, named);
  EXPECT_EQ(commandOf(header, {closer}).compiledFile, closer);
}

TEST(Headers, AnEntryOfItsOwnComesFirst) {
  const TempFolder folder;
  const std::string header = folder.write("sum.h", "");
  const std::string user = folder.write("user.cpp", "#include \"sum.h\"\n");
  folder.write("compile_commands.json", databaseOf(folder.path(), {"user.cpp", "sum.h"}));
  const CompileCommand command = commandOf(header, {user});
  EXPECT_EQ(command.compiledFile, header);
  EXPECT_EQ(command.inferredFrom, "");
  EXPECT_EQ(command.origin, "compile_commands.json");
}

TEST(Headers, WithoutADatabaseTheOpenSourceHasItsFallback) {
  const TempFolder folder;
  const std::string header = folder.write("sum.inc", "");
  const std::string user = folder.write("user.c", "#include \"sum.inc\"\n");
  const CompileCommand command = commandOf(header, {user}, Language::C);
  EXPECT_EQ(command.compiledFile, user);
  EXPECT_EQ(command.origin, "inferred from " + user + " (fallback: -O2 -std=c17)");
  EXPECT_TRUE(command.fallback);
  EXPECT_EQ(commandOf(header, {}, Language::C).origin, "fallback: -O2 -std=c17");
}

TEST(Headers, ACancelledSearchEnds) {
  const TempFolder folder;
  const std::string header = folder.write("sum.h", "");
  const std::string user = folder.write("user.cpp", "#include \"sum.h\"\n");
  std::stop_source stop;
  stop.request_stop();
  const CompileCommand command =
      findCompileCommand(header, Language::Cxx, {}, {.openFiles = {user}, .stop = stop.get_token()});
  EXPECT_EQ(command.compiledFile, header);
}

TEST(Headers, ASourceThatTheDatabaseLacksBorrowsFlags) {
  const TempFolder folder;
  const std::string file = folder.write("src/new.cpp", "#ifndef FOR_old\n#error\n#endif\n");
  const std::string old = folder.write("src/old.cpp", "");
  folder.write("compile_commands.json", databaseOf(folder.path(), {"src/old.cpp"}));
  const CompileCommand command = commandOf(file);
  EXPECT_EQ(command.compiledFile, file);
  EXPECT_EQ(command.inferredFrom, old);
  EXPECT_FALSE(command.fallback);
  EXPECT_EQ(command.origin, "inferred from " + old + " (compile_commands.json)");
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST(Headers, TheStandardOfAnotherLanguageIsNotBorrowed) {
  const TempFolder folder;
  folder.write("old.cpp", "");
  folder.write("compile_commands.json", R"([{"directory": ")" + folder.path() +
                                            R"(", "file": "old.cpp", "command": "g++ -std=c++17 -O1 -c old.cpp"}])");
  const CompileCommand command =
      commandOf(folder.write("new.c", "int *f(void) { return (void *)0; }\n"), {}, Language::C);
  EXPECT_THAT(command.arguments, Contains("-O1"));
  EXPECT_THAT(command.arguments, Not(Contains(HasSubstr("-std="))));
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST(Headers, ReadsARuleOfMake) {
  EXPECT_THAT(prerequisitesOf("a.o: a.c b\\ c.h \\\n  d$$\\#.h\\\n e.h\n"),
              ElementsAre("a.c", "b c.h", "d$#.h", "e.h"));
  EXPECT_THAT(prerequisitesOf(""), IsEmpty());
  EXPECT_THAT(prerequisitesOf("no rule"), IsEmpty());
  EXPECT_THAT(prerequisitesOf("a.o: \\"), ElementsAre("\\"));
}

} // namespace
} // namespace analysis
