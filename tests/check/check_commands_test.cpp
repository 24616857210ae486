// A file that a database compiles by several commands: each of them has its result, in any kind of run.
#include "tests/check/programs.h"

#include <nlohmann/json.hpp>
#include <set>

namespace check {
namespace {

using nlohmann::json;

/// A database of one file with `count` commands that make different code, between two files of one command.
class CheckCommands : public InEmptyFolder {
protected:
  static void enter(size_t count) {
    json database = json::array();
    const auto add = [&](const std::string &file, size_t number) {
      Words arguments = {"cc", "-O2", "-march=znver3"};
      for (size_t i = 0; i < number; ++i)
        arguments.push_back("-DK" + std::to_string(i) + "=v[i]*");
      arguments.insert(arguments.end(), {"-c", file});
      database.push_back({{"directory", fs::current_path().string()}, {"file", file}, {"arguments", arguments}});
    };
    std::string defaults;
    std::string factors;
    for (size_t i = 0; i < count; ++i) {
      defaults += "#ifndef K" + std::to_string(i) + "\n#define K" + std::to_string(i) + "\n#endif\n";
      factors += "K" + std::to_string(i) + " ";
    }
    const std::string loop = "(const int *v, int n) {\n  int t = 0;\n  for (int i = 0; i < n; ++i)\n    t += ";
    writeFile("shared.h", "static inline int shared" + loop + "v[i] / 3;\n  return t;\n}\n");
    writeFile("a.c", "int a" + loop + "v[i];\n  return t;\n}\n");
    writeFile("k.c",
              "#include \"shared.h\"\n" + defaults + "int k" + loop + factors + "3;\n  return t + shared(v, n);\n}\n");
    writeFile("z.c", "#include \"shared.h\"\nint z" + loop + "v[i] * 7;\n  return t + shared(v, n);\n}\n");
    add("a.c", 0);
    for (size_t i = 0; i < count; ++i)
      add("k.c", i);
    add("z.c", 0);
    writeFile("compile_commands.json", database.dump());
  }
  static ProcessResult runAll(Words options) {
    options.insert(options.begin(), {"--compile-commands", "."});
    return runCheck(options);
  }
};

TEST_F(CheckCommands, EachHasItsResult) {
  for (size_t count = 1; count <= 8; ++count) {
    enter(count);
    const ProcessResult run = runAll({"--format=json", "--jobs=1"});
    EXPECT_EQ(run.status, 0) << run.output;
    std::multiset<std::string> names;
    std::set<std::string> commands;
    const json document = json::parse(run.output);
    for (const json &file : document["files"]) {
      names.insert(file["file"]);
      EXPECT_FALSE(file["regions"].empty()) << file["file"];
      if (file["file"] == "k.c")
        commands.insert(file["target"].value("command", ""));
    }
    EXPECT_EQ(names.count("k.c"), count);
    EXPECT_EQ(commands.size(), count) << count << " commands";
    EXPECT_EQ(names.count("a.c") + names.count("z.c"), 2u);
    EXPECT_EQ(names.count(""), 0u);
    EXPECT_EQ(names.size(), count + 2);
  }
}

TEST_F(CheckCommands, AreTheSameHoweverTheyAreDealtOut) {
  for (const size_t count : {3u, 5u}) {
    enter(count);
    const std::string whole = runAll({"--format=json", "--jobs=1"}).output;
    EXPECT_EQ(runAll({"--format=json", "--jobs=3"}).output, whole);
    for (const char *index : {"1", "2"})
      EXPECT_EQ(
          runAll({"--shard", index + std::string("/2"), "--format=json", "-o", index + std::string(".json")}).status,
          0);
    EXPECT_EQ(runCheck({"--merge", "2.json", "1.json", "--format=json"}).output, whole);
    fs::remove_all("m.parts");
    EXPECT_EQ(runAll({"--format=json", "--ninja", "m.ninja"}).status, 0);
    EXPECT_EQ(differential::runProcess({"ninja", "-f", "m.ninja"}).status, 0);
    EXPECT_EQ(readFile("m.json"), whole);
  }
}

} // namespace
} // namespace check
