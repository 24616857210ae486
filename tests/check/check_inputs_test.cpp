// What a run cannot read or write makes its status 2, and nothing that it reads is lost.
#include "tests/check/programs.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace check {
namespace {

using nlohmann::json;

class CheckInputs : public InEmptyFolder {
protected:
  CheckInputs() {
    writeFile("k.c", "#include \"k.h\"\nint f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * K; "
                     "return s; }\n");
    writeFile("k.h", "#define K 3\n");
    writeFile("b.s", ".L1:\n addq $1, %rax\n jne .L1\n");
    writeFile("compile_commands.json", "[" + entry() + "]");
  }
  std::string entry() const {
    return json{{"directory", folder_.string()}, {"file", "k.c"}, {"arguments", {"cc", "-O1", "-c", "k.c"}}}.dump();
  }
  static ProcessResult runDatabase(Words options = {}) {
    options.insert(options.begin(), {"--compile-commands", ".", "--cpu=znver3"});
    return runCheck(options);
  }
  /// By a shell, which redirects.
  static int statusOfShell(const std::string &command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

TEST_F(CheckInputs, ADatabaseThatCannotBeReadIsNoRun) {
  ASSERT_EQ(runDatabase().status, 0);
  const json good = json::parse(entry());
  const auto without = [&](const char *member) {
    json bad = good;
    bad.erase(member);
    return bad.dump();
  };
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"), "[" + entry() + "]" + std::string(1, '\0'),
        "[" + entry() + "," + without("directory") + "]", "[" + entry() + "," + without("arguments") + "]",
        "[" + entry() + "," + without("file") + "]",
        "[" + entry() + R"(,{"directory":"/","file":"x.c","arguments":["cc",5]}])", "[" + entry() + ",7]",
        "[" + entry()}) {
    writeFile("compile_commands.json", text);
    for (const Words &options : {Words{}, Words{"--shard=1/2"}, Words{"--ninja=m.ninja"}}) {
      const ProcessResult run = runDatabase(options);
      EXPECT_EQ(run.status, kUnusable) << text;
      EXPECT_NE(run.errors.find("] compile_commands.json: "), std::string::npos) << text << run.errors;
      EXPECT_EQ(run.output, "");
    }
  }
  fs::remove("compile_commands.json");
  ASSERT_EQ(mkfifo("compile_commands.json", 0600), 0);
  EXPECT_EQ(runDatabase().status, kUnusable);
  fs::remove("compile_commands.json");
  writeFile("compile_commands.json", "");
  fs::resize_file("compile_commands.json", (256u << 20) + 1);
  const ProcessResult large = runDatabase();
  EXPECT_EQ(large.status, kUnusable);
  EXPECT_NE(large.errors.find("it is larger than 256 MiB"), std::string::npos) << large.errors;
}

TEST_F(CheckInputs, ACommandThatCannotBeUsedIsNotReplacedByAGuess) {
  json bad = json::parse(entry());
  bad["arguments"].push_back("-DX=" + std::string(3u << 20, 'x'));
  writeFile("compile_commands.json", "[" + bad.dump() + "]");
  for (const char *flags : {"", "compile_flags.txt"}) {
    if (*flags)
      writeFile(flags, "-O3\n");
    const ProcessResult run = runDatabase();
    EXPECT_EQ(run.status, kFailed) << run.output;
    EXPECT_NE(run.output.find("k.c:1:1: error: its command in the database cannot be used: "), std::string::npos)
        << run.output;
    EXPECT_EQ(run.output.find("region"), std::string::npos) << run.output;
  }
}

TEST_F(CheckInputs, NamesOfAnyScript) {
  const std::string name = "\U0001F600 \U00020000.c", escaped = R"(\ud83d\ude00 \ud840\udc00.c)";
  writeFile(name, readFile("k.c"));
  writeFile("compile_commands.json", R"([{"directory":")" + folder_.string() + R"(","file":")" + escaped +
                                         R"(","arguments":["cc","-O1","-c",")" + escaped + "\"]}]");
  const ProcessResult run = runDatabase({"--format=json"});
  EXPECT_EQ(run.status, 0) << run.output;
  const json file = json::parse(run.output)["files"][0];
  EXPECT_EQ(file["file"], name);
  EXPECT_EQ(file["target"]["commandOrigin"], "compile_commands.json");
  EXPECT_EQ(file["regions"].size(), 1u) << file.dump(1);
  EXPECT_EQ(file["hints"].size(), 1u);
  const ProcessResult sarif = runDatabase({"--format=sarif"});
  EXPECT_NE(sarif.output.find("%F0%9F%98%80%20%F0%A0%80%80.c"), std::string::npos) << sarif.output;
}

TEST_F(CheckInputs, WhatCannotBeWrittenFails) {
  const std::string program = std::string(MCA_LSP_PROGRAM) + " --check --calibration=off --cpu=znver3 b.s ";
  for (const char *format : {"text", "json", "sarif", "markdown"}) {
    const std::string command = program + "--format=" + format;
    EXPECT_EQ(statusOfShell(command + " >/dev/full 2>errors"), kUnusable) << format;
    EXPECT_NE(readFile("errors").find("standard output: the result cannot be written"), std::string::npos) << format;
    EXPECT_EQ(statusOfShell(command + " >&- 2>/dev/null"), kUnusable) << format;
    EXPECT_EQ(statusOfShell(command + " >&- 2>&-"), kUnusable) << format;
    EXPECT_EQ(statusOfShell(command + " <&- >out"), 0) << format;
    EXPECT_EQ(statusOfShell(command + " -o /dev/full 2>/dev/null"), kUnusable) << format;
    EXPECT_EQ(statusOfShell(command + " -o - >dash"), 0) << format;
    EXPECT_EQ(readFile("dash"), readFile("out")) << format;
    EXPECT_FALSE(fs::exists("-"));
  }
  EXPECT_EQ(statusOfShell(program + "-o out.txt --depfile /dev/full 2>/dev/null"), kUnusable);
  EXPECT_EQ(statusOfShell(program + "-o - --depfile d 2>/dev/null"), kUnusable);
  for (const char *option : {"--print-schema", "--print-settings", "--help", "--version"})
    EXPECT_NE(statusOfShell(std::string(MCA_LSP_PROGRAM) + " " + option + " >/dev/full 2>/dev/null"), 0) << option;
}

TEST_F(CheckInputs, NoOutputReplacesAnInput) {
  const json assembly = {{"directory", folder_.string()}, {"file", "b.s"}, {"arguments", {"cc", "-c", "b.s"}}};
  writeFile("compile_commands.json", "[" + entry() + "," + assembly.dump() + "]");
  fs::create_symlink("b.s", "soft.txt");
  fs::create_hard_link("b.s", "hard.txt");
  ASSERT_EQ(runCheck({"b.s", "--cpu=znver3", "--format=json", "-o", "r.json"}).status, 0);
  writeFile(".mca-lsp.json", "{}");
  writeFile("list", "r.json\n");
  const Words kept = {"b.s", "k.c", "k.h", "compile_commands.json", "r.json", ".mca-lsp.json", "list"};
  const auto all = [&] {
    std::string texts;
    for (const std::string &name : kept)
      texts += readFile(name) + "\n----\n";
    return texts;
  };
  const std::string before = all();
  const auto expectRefused = [&](Words options) {
    const ProcessResult run = runCheck(options);
    EXPECT_EQ(run.status, kUnusable) << ::testing::PrintToString(options) << run.output;
    EXPECT_NE(run.errors, "");
    EXPECT_EQ(all(), before) << ::testing::PrintToString(options);
  };
  for (const char *output : {"b.s", "./b.s", "soft.txt", "hard.txt", "k.h", ".mca-lsp.json", "compile_commands.json"}) {
    expectRefused({"b.s", "-o", output});
    expectRefused({"b.s", "-o", "new.txt", "--depfile", output});
    expectRefused({"--compile-commands", ".", "--ninja", output});
    expectRefused({"--compile-commands", ".", "--ninja", "m.ninja", "-o", output});
    EXPECT_FALSE(fs::exists("new.txt"));
    EXPECT_FALSE(fs::exists("m.ninja"));
  }
  expectRefused({"b.s", "--baseline", "r.json", "-o", "r.json"});
  expectRefused({"--merge", "r.json", "-o", "./r.json", "--format=json"});
  expectRefused({"--merge", "@list", "-o", "r.json", "--format=json"});
  expectRefused({"--merge", "@list", "-o", "list", "--format=json"});
  expectRefused({"b.s", "-o", "new.json", "--depfile", "./new.json"});
  expectRefused({"--compile-commands", ".", "--ninja", "m.ninja", "-o", "./m.ninja"});
}

/// What the compiler reads is known only afterwards.
TEST_F(CheckInputs, AFileThatASourceIncludesIsNotReplacedEither) {
  writeFile("table.inc", "1, 2, 3\n");
  writeFile("k.c", "static const int t[] = {\n#include \"table.inc\"\n};\nint f(int *p, int n) { int s = 0; "
                   "for (int i = 0; i < n; i++) s += p[i] * t[i % 3]; return s; }\n");
  for (const char *format : {"text", "json"}) {
    const ProcessResult run = runDatabase({"-o", "table.inc", "--format", format});
    EXPECT_EQ(run.status, kUnusable) << run.errors;
    EXPECT_EQ(readFile("table.inc"), "1, 2, 3\n");
    writeFile("other.inc", "1, 2, 3\n");
    EXPECT_EQ(runDatabase({"-o", "other.inc", "--format", format}).status, 0);
    EXPECT_NE(readFile("other.inc"), "1, 2, 3\n");
  }
}

TEST_F(CheckInputs, APercentageIsANumber) {
  ASSERT_EQ(runCheck({"b.s", "--cpu=znver3", "--format=json", "-o", "r.json"}).status, 0);
  for (const char *percent : {"nan", "-nan", "inf", "-1", "1e999", "five", "", "5x"})
    EXPECT_GT(
        runCheck({"b.s", "--cpu=znver3", "--baseline=r.json", std::string("--regression-percent=") + percent}).status,
        100)
        << percent;
  for (const char *percent : {"0", "5", "2.5", "1e3"})
    EXPECT_EQ(runCheck({"b.s", "--cpu=znver3", "--baseline=r.json", "--regression-percent", percent}).status, 0)
        << percent;
}

TEST_F(CheckInputs, ADamagedShardIsNoEmptyOne) {
  ASSERT_EQ(runCheck({"b.s", "--cpu=znver3", "--format=json", "-o", "r.json"}).status, 0);
  ASSERT_EQ(runCheck({"--merge", "r.json"}).status, 0);
  const auto expectRefused = [&](const std::function<void(json &)> &damage, const std::string &member) {
    json document = json::parse(readFile("r.json"));
    damage(document);
    writeFile("bad.json", document.dump());
    for (const Words &options :
         {Words{"--merge", "bad.json"}, Words{"b.s", "--cpu=znver3", "--baseline", "bad.json"}}) {
      const ProcessResult run = runCheck(options);
      EXPECT_EQ(run.status, kUnusable) << member;
      EXPECT_NE(run.errors.find("bad.json: " + member + " "), std::string::npos) << run.errors;
    }
  };
  expectRefused([](json &d) { d["files"] = json::object(); }, "files");
  expectRefused([](json &d) { d["files"] = {nullptr, 5}; }, "files[0]");
  expectRefused([](json &d) { d["files"][0]["findings"] = 7; }, "files[0].findings");
  expectRefused([](json &d) { d["files"][0].erase("regions"); }, "files[0].regions");
  expectRefused([](json &d) { d["shard"] = {{"index", 1}, {"count", (uint64_t{1} << 32) + 1}}; }, "shard.count");
}

} // namespace
} // namespace check
