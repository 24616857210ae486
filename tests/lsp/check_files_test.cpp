// Which files a run is about.
#include "lsp/check/check_files.h"

#include "lsp/system/log.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace lsp {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A folder with a database of four entries in `build`.
class Project {
public:
  Project() {
    std::string pattern = (fs::temp_directory_path() / "mca-files-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setLogLevel(LogLevel::Error);
    fs::create_directory(folder_ / "build");
    write("build/compile_commands.json", R"([
      {"directory": ")" + folder_.string() + R"(/build", "file": "../src/b.cpp", "command": "c++ -c ../src/b.cpp"},
      {"directory": "..", "file": "src/a.c", "command": "cc -c a.c"},
      {"directory": ")" + folder_.string() + R"(", "file": "./src/b.cpp", "arguments": ["c++", "-O3"]},
      {"directory": "/elsewhere", "file": "gen.S", "command": "cc"},
      {"directory": "/elsewhere", "file": "kernel.cu", "command": "nvcc"}])");
  }
  ~Project() { fs::remove_all(folder_); }

  void write(const std::string &name, const std::string &text) const { std::ofstream(folder_ / name) << text; }
  std::string folder() const { return folder_.string(); }
  CheckFiles list(const CheckSelection &selection) const { return listCheckFiles(selection, folder()); }

private:
  fs::path folder_;
};

TEST(CheckFiles, OfADatabaseAreSortedAndOnce) {
  const Project project;
  const std::string elsewhere = fs::path("/elsewhere/gen.S").lexically_proximate(project.folder()).string();
  for (const std::string &given :
       {std::string("build"), std::string("build/compile_commands.json"), project.folder() + "/build"}) {
    const CheckFiles files = project.list({.compileCommands = given});
    EXPECT_EQ(files.error, "");
    EXPECT_EQ(files.names, (Names{elsewhere, "src/a.c", "src/b.cpp"})) << given;
    EXPECT_EQ(files.databaseFolder, project.folder() + "/build");
  }
}

TEST(CheckFiles, TheProjectsFolderDoesNotDependOnWhereItIsRun) {
  const Project project;
  const auto folderSeenFrom = [&](const std::string &current, const CheckSelection &selection) {
    return listCheckFiles(selection, current).projectFolder;
  };
  const CheckSelection build{.compileCommands = project.folder() + "/build"};
  EXPECT_EQ(folderSeenFrom(project.folder(), build), project.folder()) << "whatever is generated elsewhere";
  EXPECT_EQ(folderSeenFrom(project.folder() + "/src", build), project.folder() + "/src");
  EXPECT_EQ(folderSeenFrom("/", build), "") << "its files have nothing in common";
  project.write("build/compile_commands.json", R"([
      {"directory": ")" + project.folder() + R"(/build", "file": "../src/b.cpp", "command": "c++ -c ../src/b.cpp"},
      {"directory": ")" + project.folder() + R"(", "file": "src/core/a.c", "command": "cc -c src/core/a.c"}])");
  for (const char *current : {"/", "/usr"})
    EXPECT_EQ(folderSeenFrom(current, build), project.folder()) << current;
  EXPECT_EQ(folderSeenFrom(project.folder() + "/build", build), project.folder());
  EXPECT_EQ(folderSeenFrom(project.folder(), {.files = {"src/b.cpp"}}), "") << "no database";
  EXPECT_EQ(folderSeenFrom("/", {.compileCommands = build.compileCommands, .shard = {2, 2}}), project.folder());
}

TEST(CheckFiles, ThatAreGivenComeFirst) {
  const Project project;
  const CheckFiles files =
      project.list({.files = {"z.s", "./src/b.cpp", "z.s"}, .compileCommands = "build", .excludes = {"*gen.S"}});
  EXPECT_EQ(files.names, (Names{"z.s", "./src/b.cpp", "src/a.c"})) << "as they were written, and once";
  EXPECT_EQ(project.list({.files = {"z.s"}}).databaseFolder, "");
}

TEST(CheckFiles, AreExcludedByGlobs) {
  const Project project;
  EXPECT_EQ(project.list({.compileCommands = "build", .excludes = {"*gen.S", "src/?.cpp"}}).names, (Names{"src/a.c"}));
  EXPECT_EQ(project.list({.files = {"a/b/c.s"}, .excludes = {"a*"}}).names, Names{});
  EXPECT_EQ(project.list({.files = {"a/b/c.s"}, .excludes = {"b*"}}).names, (Names{"a/b/c.s"}));
}

TEST(CheckFiles, AreDealtOut) {
  const Project project;
  const auto shard = [&](uint32_t index, uint32_t count) {
    return project.list({.files = {"a.s", "b.s", "c.s", "d.s"}, .excludes = {"b.s"}, .shard = {index, count}}).names;
  };
  EXPECT_EQ(shard(1, 1), (Names{"a.s", "c.s", "d.s"}));
  EXPECT_EQ(shard(1, 2), (Names{"a.s", "d.s"}));
  EXPECT_EQ(shard(2, 2), (Names{"c.s"}));
  EXPECT_EQ(shard(4, 4), Names{});
}

TEST(CheckFiles, ThereMustBeOne) {
  const Project project;
  EXPECT_NE(project.list({.files = {"a.c"}, .excludes = {"*"}}).error, "");
  EXPECT_NE(project.list({.compileCommands = "build", .excludes = {"*"}}).error, "");
  EXPECT_EQ(project.list({.compileCommands = "build", .shard = {9, 9}}).error, "") << "others have them";
  project.write("build/compile_commands.json", R"([{"directory":"/e","file":"kernel.cu","command":"nvcc"}])");
  EXPECT_NE(project.list({.compileCommands = "build"}).error, "");
}

TEST(CheckFiles, HaveTheirOwnEntries) {
  const Project project;
  const auto &commands = project.list({.compileCommands = "build", .excludes = {"*gen.S"}}).commands;
  ASSERT_EQ(commands.size(), 2u);
  const std::vector<CompileEntry> &b = commands.at(project.folder() + "/src/b.cpp");
  ASSERT_EQ(b.size(), 2u);
  EXPECT_EQ(b[0].command, "c++ -c ../src/b.cpp") << "in the database's order";
  EXPECT_EQ(b[1].arguments, (Names{"c++", "-O3"}));
  EXPECT_TRUE(
      project.list({.compileCommands = "build", .shard = {2, 3}}).commands.contains(project.folder() + "/src/a.c"));
  EXPECT_EQ(project.list({.compileCommands = "build", .shard = {2, 3}}).commands.size(), 1u);
}

TEST(CheckFiles, OfNoDatabaseAreAnError) {
  const Project project;
  EXPECT_EQ(project.list({.compileCommands = "."}).error,
            "compile_commands.json: cannot be read: No such file or directory");
  project.write("compile_commands.json", "{}");
  EXPECT_EQ(project.list({.compileCommands = "."}).error,
            "compile_commands.json: is no compile database: it is no list");
  fs::create_directory(fs::path(project.folder()) / "device");
  fs::create_symlink("/dev/zero", fs::path(project.folder()) / "device/compile_commands.json");
  EXPECT_EQ(project.list({.compileCommands = "device"}).error,
            "device/compile_commands.json: cannot be read: it is no regular file");
  EXPECT_EQ(project.list({.compileCommands = "a.json"}).error,
            "a.json: is neither a folder nor a compile_commands.json");
}

TEST(Shard, IsOneOfSeveral) {
  EXPECT_EQ(readShard("2/3"), (CheckShard{2, 3}));
  EXPECT_EQ(readShard("1/1"), CheckShard());
  for (const char *text : {"", "1", "1/", "/1", "0/1", "2/1", "1/2x", "x1/2", "-1/2", "1/-2", " 1/2", "1/4294967296"})
    EXPECT_EQ(readShard(text), std::nullopt) << text;
}

} // namespace
} // namespace lsp
