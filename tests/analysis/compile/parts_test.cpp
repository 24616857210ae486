// Sources that others include: they are compiled as a part of one that does.
#include "analysis/compile/compile.h"
#include "analysis/compile/database_files.h"
#include "analysis/compile/includers.h"
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

class Parts : public testing::Test {
protected:
  /// A database in `name`, of files in the folder.
  void writeDatabase(const std::string &name, const std::vector<std::string> &files, const std::string &flags = "") {
    std::string text;
    for (const std::string &file : files)
      text += std::string(text.empty() ? "[" : ",") + R"({"directory": ")" + folder.path() + R"(", "file": ")" + file +
              R"(", "command": "cc -O3 )" + flags + " -c " + file + R"("})";
    folder.write(name, text + "]");
  }
  CompileCommand commandOf(const std::string &file, const std::vector<std::string> &openFiles = {},
                           Language language = Language::C) const {
    return findCompileCommand(folder.path() + "/" + file, language, {}, {.openFiles = openFiles});
  }
  std::string path(const std::string &file) const { return folder.path() + "/" + file; }

  TempFolder folder;
};

const char *const kTemplate = "T NAME(T x) { return x; }\n";
const char *const kUser = "#define T int\n#define NAME f\n#include \"scale_template.c\"\n";

TEST_F(Parts, ASourceIsCompiledThroughAnOpenOneThatIncludesIt) {
  folder.write("scale_template.c", kTemplate);
  const std::string user = folder.write("scale.c", kUser), other = folder.write("other.c", "int other;\n");
  for (const bool withDatabase : {false, true}) {
    if (withDatabase)
      writeDatabase("compile_commands.json", {"scale.c", "other.c"});
    const CompileCommand command = commandOf("scale_template.c", {other, path("scale_template.c"), user});
    EXPECT_EQ(command.compiledFile, user);
    EXPECT_EQ(command.inferredFrom, user);
    EXPECT_TRUE(compile(command, {}).succeeded);
  }
  EXPECT_EQ(commandOf("other.c", {user}).compiledFile, other) << "which nothing includes";
}

TEST_F(Parts, ASourceIsCompiledThroughOneOfTheDatabase) {
  folder.write("src/zz/inner.c", kTemplate);
  folder.write("src/inner.c.h", "");
  folder.write("src/inner2.c", "int inner2;\n");
  folder.write("src/far/uses.c", "#define T long\n#define NAME f\n  #  include \"../zz/inner.c\"\n");
  writeDatabase("compile_commands.json", {"src/inner2.c", "src/far/uses.c"});
  const CompileCommand command = commandOf("src/zz/inner.c");
  EXPECT_EQ(command.compiledFile, path("src/far/uses.c"));
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST_F(Parts, APartOfAPartIsCompiledThroughTheSource) {
  folder.write("inner_template.c", kTemplate);
  folder.write("outer_template.c", "#define NAME f\n#include \"inner_template.c\"\n");
  folder.write("uses.c", "#define T int\n#include \"outer_template.c\"\n");
  folder.write("inner.c", "int closestByName;\n");
  writeDatabase("compile_commands.json", {"inner.c", "uses.c"});
  const CompileCommand command = commandOf("inner_template.c");
  EXPECT_EQ(command.compiledFile, path("uses.c"));
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST_F(Parts, AHeaderWhoseClosestFileDoesNotIncludeItHasOneThatDoes) {
  folder.write("sum.h", "T sum;\n");
  folder.write("sum.c", "int closestByName;\n");
  folder.write("uses.c", "#define T int\n#include \"sum.h\"\n");
  writeDatabase("compile_commands.json", {"sum.c", "uses.c"});
  EXPECT_EQ(commandOf("sum.h").compiledFile, path("uses.c"));
}

TEST_F(Parts, AMentionIsNoInclusion) {
  folder.write("scale_template.c", "int alone;\n");
  folder.write("scale.c", "#ifdef NEVER\n#include \"scale_template.c\"\n#endif\n");
  writeDatabase("compile_commands.json", {"scale.c"});
  const CompileCommand command = commandOf("scale_template.c");
  EXPECT_EQ(command.compiledFile, path("scale_template.c"));
  EXPECT_EQ(command.inferredFrom, path("scale.c")) << "its flags are borrowed";
}

TEST_F(Parts, TheLanguageIsTheIncludingSourcesOwn) {
  folder.write("scale_template.c", kTemplate);
  folder.write("scale.c", std::string(kUser) + "struct S { int x; }; S *make() { return new S; }\n");
  writeDatabase("compile_commands.json", {"scale.c"}, "-x c++");
  const CompileCommand command = commandOf("scale_template.c");
  EXPECT_EQ(command.compiledFile, path("scale.c"));
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST_F(Parts, AssemblyIsPreprocessedThroughAStub) {
  folder.write("kernels/copy.S", "MOV (%rdi), %xmm0\n");
  folder.write("copy.S", "nop\n");
  folder.write("dcopy.S", "#define MOV movsd\n#include \"kernels/copy.S\"\n");
  folder.write("uses.c", "#include \"kernels/copy.S\"\n");
  const CompileCommand open = commandOf("kernels/copy.S", {path("copy.S"), path("dcopy.S")}, Language::Assembly);
  EXPECT_EQ(open.compiledFile, path("dcopy.S"));
  writeDatabase("compile_commands.json", {"uses.c", "copy.S", "dcopy.S"});
  const CompileCommand command = commandOf("kernels/copy.S", {}, Language::Assembly);
  EXPECT_EQ(command.compiledFile, path("dcopy.S")) << "a source in C cannot include it";
  EXPECT_TRUE(command.preprocesses);
  EXPECT_THAT(compile(command, {}).assembly, HasSubstr("movsd (%rdi), %xmm0"));
}

/// The layout of a build outside of its source: `build/src` is a link to the sources.
TEST_F(Parts, LinksOfTheDatabaseAreFollowed) {
  folder.write("real/scale_template.c", kTemplate);
  folder.write("real/scale.c", kUser);
  fs::create_directory(path("build"));
  fs::create_directory_symlink("../real", path("build/src"));
  writeDatabase("build/compile_commands.json", {"build/src/scale.c"});
  EXPECT_EQ(commandOf("real/scale.c").inferredFrom, "") << "its own command";
  const CompileCommand command = commandOf("real/scale_template.c");
  EXPECT_EQ(command.compiledFile, path("build/src/scale.c"));
  EXPECT_TRUE(compile(command, {}).succeeded);
}

TEST_F(Parts, AFileWithSeveralNamesHasTheCommandsOfAll) {
  folder.write("real/a.c", "int a;\n");
  fs::create_directory_symlink("real", path("one"));
  fs::create_directory_symlink("real", path("two"));
  folder.write("compile_commands.json", R"([
      {"directory": ")" + folder.path() + R"(", "file": "two/a.c", "command": "cc -DTWO -c two/a.c"},
      {"directory": ")" + folder.path() + R"(", "file": "one/a.c", "command": "cc -DONE -c one/a.c"}])");
  for (const char *name : {"real/a.c", "one/a.c", "two/a.c"}) {
    const CompileCommand command = commandOf(name);
    EXPECT_EQ(command.inferredFrom, "") << name;
    EXPECT_EQ(command.variants.size(), 2u) << name;
  }
}

/// -include in the flags of an entry makes any file include the opened one, and its text would be quoted.
TEST_F(Parts, AFileOutsideOfTheProjectIncludesNothing) {
  const TempFolder outside;
  const std::string secret = outside.write("secret.c", "password: 1234\n");
  folder.write("project/part.h", "int part;\n");
  folder.write("project/part.c", "int part;\n");
  fs::create_symlink(secret, path("project/link.c"));
  for (const std::string &file : {secret, path("project/link.c")}) {
    folder.write("project/compile_commands.json", R"([{"directory": ")" + path("project") + R"(", "file": ")" + file +
                                                      R"(", "command": "cc -include part.h -include part.c -c )" +
                                                      file + R"("}])");
    for (const char *part : {"project/part.h", "project/part.c"})
      EXPECT_EQ(commandOf(part).compiledFile, path(part)) << file;
  }
}

TEST_F(Parts, TextsTellWhoMayInclude) {
  folder.write("part.c", "");
  folder.write("mid.inc", "#include <x/part.c>\n");
  folder.write("a.c", " int x; // #include \"part.c\"\n#define PART \"sub/part.c\"\n");
  folder.write("b.c", "#include \"mid.inc\"\n");
  folder.write("c.c", "int y; // part.c\n#include \"apart.c\"\n");
  EXPECT_THAT(likelyIncluders(path("part.c"), {path("c.c"), path("b.c"), path("a.c"), path("part.c"), "/none.c"}),
              ElementsAre(path("a.c"), path("b.c")));
  folder.write("loop1.inc", "#include \"loop2.inc\"\n");
  folder.write("loop2.inc", "#include \"loop1.inc\"\n");
  EXPECT_THAT(likelyIncluders(path("loop1.inc"), {path("a.c")}), IsEmpty());
}

TEST(DatabaseFiles, NamesOfOneFileAreFoundThroughLinks) {
  const TempFolder folder;
  const std::string real = folder.write("real/a.c", "");
  fs::create_directory_symlink("real", folder.path() + "/link");
  const std::string linked = folder.path() + "/link/a.c", other = folder.write("other/a.c", "");
  const DatabaseFiles files({other, linked, real});
  EXPECT_THAT(files.namesOf(real), ElementsAre(linked, real));
  EXPECT_THAT(files.namesOf(other), ElementsAre(other));
  EXPECT_THAT(files.namesOf("/none/a.c"), IsEmpty());
  EXPECT_THAT(files.namesOf("/none"), IsEmpty());
}

} // namespace
} // namespace analysis
