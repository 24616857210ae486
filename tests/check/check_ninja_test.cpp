// `mca-lsp --check --ninja` as a build sees it: the real Ninja runs the real programs, and what it analyses after an
// edit is what depends on it.
#include "tests/check/programs.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace check {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

/// The time that the file system gives a file which is written now.
fs::file_time_type now() {
  std::ofstream("clock") << "now";
  return fs::last_write_time("clock");
}

void write(const fs::path &file, const std::string &text) {
  fs::create_directories(fs::absolute(file).parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// A project of sources that are compiled in a folder beside them. The tests run in its folder.
class CheckNinja : public testing::Test {
protected:
  CheckNinja() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "mca-ninja-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    fs::create_directories(root_ / "project" / "build");
    fs::current_path(root_ / "project");
    write("src/step.h", "static inline int step(int x) { return x * x + 1; }\n");
    add("src/sum.c", "#include \"step.h\"\n" + loop("sum", "t += step(v[i])"));
    add("src/twice.c", "#include \"step.h\"\n" + loop("twice", "t += 2 * step(v[i])"));
    add("src/plain.c", loop("plain", "t ^= v[i]"));
  }
  ~CheckNinja() override {
    fs::current_path(before_);
    fs::remove_all(root_);
  }

  static std::string loop(const std::string &name, const std::string &statement) {
    return "int " + name + "(const int *v, int n) {\n  int t = 0;\n  for (int i = 0; i < n; ++i)\n    " + statement +
           ";\n  return t;\n}\n";
  }

  void add(const std::string &file, const std::string &text, const Words &flags = {}) {
    write(file, text);
    Words arguments = {"cc", "-O2", "-march=znver3"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.insert(arguments.end(), {"-c", "../" + file});
    database_.push_back(
        {{"directory", (root_ / "project/build").string()}, {"file", "../" + file}, {"arguments", arguments}});
    writeDatabase();
  }
  void writeDatabase() const { write("build/compile_commands.json", database_.dump(1)); }

  /// The numbers are LLVM's, whatever was measured of this machine.
  static ProcessResult check(Words options) {
    options.insert(options.begin(), {MCA_LSP_PROGRAM, "--check", "--compile-commands", "build", "--calibration=off"});
    return differential::runProcess(options);
  }
  static void makeNinja(Words options = {}) {
    options.insert(options.end(), {"--ninja", kNinja});
    const ProcessResult made = check(options);
    EXPECT_EQ(made.status, 0) << made.errors;
  }
  /// The sources that Ninja had analysed. Files that are written before are older than what it writes, those that are
  /// written afterwards newer: file systems count time in steps of some milliseconds.
  static Names runNinja(int status = 0) {
    for (const fs::file_time_type before = now(); now() == before;)
      ;
    const ProcessResult run = differential::runProcess({"ninja", "-f", kNinja});
    EXPECT_EQ(run.status, status) << run.output << run.errors;
    for (const fs::file_time_type after = now(); now() == after;)
      ;
    output_ = run.output;
    Names analysed;
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);)
      if (const size_t at = line.find("] analysing "); at != std::string::npos)
        analysed.insert(line.substr(at + 12));
    return analysed;
  }
  static bool hadNothingToDo() { return output_.find("no work to do") != std::string::npos; }
  /// The result is that of a run without Ninja.
  static void expectSameAs(const Words &options, const fs::path &result) {
    Words plain = options;
    plain.insert(plain.end(), {"--fail-on=never", "-o", "plain"});
    EXPECT_EQ(check(plain).status, 0);
    const std::string expected = readFile("plain"), text = readFile(result);
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(text, expected);
  }

  static constexpr const char *kNinja = "build/mca.ninja";
  static inline std::string output_;
  fs::path root_, before_;
  json database_ = json::array();
};

TEST_F(CheckNinja, GivesTheBytesOfARunWithoutNinja) {
  add("src/odd name, $1 #2 ü.c", loop("odd", "t -= v[i]"));
  add("src/sum.c", readFile("src/sum.c"), {"-mavx2", "-DNAME=\"a b\"", "-I", "$HOME"}); // a second command
  write("src/unity.h", "#pragma once\n__attribute__((noinline)) static " + loop("shared", "t |= v[i]"));
  for (const char *name : {"one", "two"})
    add(std::string("src/") + name + ".c",
        "#include \"unity.h\"\nint " + std::string(name) + "(int *v, int n) { return shared(v, n); }\n");
  for (const char *format : {"text", "json", "sarif", "markdown"}) {
    const Words options = {"--format", format, "--top=3", "--exclude", "src/tw*", "--other-cpu=skylake", "--listing"};
    Words withOutput = options;
    withOutput.insert(withOutput.end(), {"-o", std::string("result.") + format});
    makeNinja(withOutput);
    EXPECT_EQ(runNinja().empty(), std::string(format) != "text") << "the form concerns the merge alone";
    expectSameAs(options, std::string("result.") + format);
  }
}

TEST_F(CheckNinja, AFlagKeepsItsValue) {
  makeNinja({"--advise=measured", "--listing"});
  const std::string text = readFile(kNinja);
  EXPECT_NE(text.find(" --advise=measured "), std::string::npos) << text;
  EXPECT_NE(text.find(" --listing "), std::string::npos) << text;
}

TEST_F(CheckNinja, AnalysesWhatAnEditChanges) {
  makeNinja();
  EXPECT_EQ(runNinja(), (Names{"src/plain.c", "src/sum.c", "src/twice.c"}));
  EXPECT_EQ(runNinja(), Names{});
  EXPECT_TRUE(hadNothingToDo()) << output_;
  write("src/step.h", "static inline int step(int x) { return x * 3; }\n");
  EXPECT_EQ(runNinja(), (Names{"src/sum.c", "src/twice.c"}));
  expectSameAs({}, "build/mca.txt");
  write("src/plain.c", loop("plain", "t += v[i] / 3"));
  EXPECT_EQ(runNinja(), Names{"src/plain.c"});
  expectSameAs({}, "build/mca.txt");
  runNinja();
  EXPECT_TRUE(hadNothingToDo()) << output_;
}

TEST_F(CheckNinja, AnalysesWhatTheDatabaseChanges) {
  makeNinja();
  runNinja();
  writeDatabase(); // as a build system does that runs again
  EXPECT_EQ(runNinja(), Names{});
  database_[2]["arguments"][1] = "-O1";
  writeDatabase();
  EXPECT_EQ(runNinja(), Names{"src/plain.c"});
  expectSameAs({}, "build/mca.txt");
  add("src/further.c", loop("further", "t += v[i] * v[n - i]"));
  EXPECT_EQ(runNinja(), Names{"src/further.c"});
  expectSameAs({}, "build/mca.txt");
  database_.erase(0);
  writeDatabase();
  EXPECT_EQ(runNinja(), Names{}) << "merged without it";
  expectSameAs({}, "build/mca.txt");
}

TEST_F(CheckNinja, KnowsWhatElseIsRead) {
  write("build/flags.rsp", "-funroll-loops -DFACTOR=3\n");
  add("src/response.c", loop("response", "t += v[i] * FACTOR"), {"@flags.rsp"});
  write(".mca-lsp.json", R"({"iterations": 50})");
  write("src/plain.c.mcatrace", "no trace\n");
  makeNinja();
  EXPECT_EQ(runNinja().size(), 4u);
  write("src/plain.c.mcatrace", "no trace either\n");
  EXPECT_EQ(runNinja(), Names{"src/plain.c"});
  write("build/flags.rsp", "-funroll-loops -DFACTOR=5\n");
  EXPECT_EQ(runNinja(), Names{"src/response.c"});
  expectSameAs({}, "build/mca.txt");
  write(".mca-lsp.json", R"({"iterations": 60})");
  EXPECT_EQ(runNinja().size(), 4u);
  expectSameAs({}, "build/mca.txt");
  runNinja();
  EXPECT_TRUE(hadNothingToDo()) << output_;
}

TEST_F(CheckNinja, ReportsAnErrorUntilItIsGone) {
  write("src/broken.h", "int broken(\n");
  add("src/broken.c", "#include \"broken.h\"\n" + loop("after", "t += v[i]"));
  add("src/missing.c", "#include \"later.h\"\n" + loop("missing", "t += v[i] * LATER"));
  makeNinja({"--format=json"});
  EXPECT_EQ(runNinja(1).size(), 5u) << "the merge fails, as the run would";
  expectSameAs({"--format=json"}, "build/mca.json");
  EXPECT_EQ(check({"--format=json", "-o", "plain"}).status, kFailed);
  write("src/broken.h", "int broken(void);\n");
  write("src/later.h", "#define LATER 7\n");
  const Names again = runNinja();
  EXPECT_TRUE(again.contains("src/broken.c") && again.contains("src/missing.c")) << output_;
  EXPECT_FALSE(again.contains("src/sum.c"));
  expectSameAs({"--format=json"}, "build/mca.json");
  EXPECT_EQ(runNinja(), Names{});
  EXPECT_TRUE(hadNothingToDo()) << output_;
}

TEST_F(CheckNinja, ComparesWithABaseline) {
  EXPECT_EQ(check({"--format=json", "-o", "main.json"}).status, 0);
  const Words options = {"--baseline", "main.json"};
  Words judged = options;
  judged.push_back("--fail-on=regression");
  makeNinja(judged);
  runNinja();
  expectSameAs(options, "build/mca.txt");
  write("src/plain.c", loop("plain", "t = t / 3 ^ v[i]"));
  EXPECT_EQ(runNinja(1), Names{"src/plain.c"});
  expectSameAs(options, "build/mca.txt");
  EXPECT_EQ(check({"--format=json", "-o", "main.json"}).status, 0);
  EXPECT_EQ(runNinja(), Names{}) << "the new baseline concerns the merge alone";
}

TEST_F(CheckNinja, SourcesThatAreNotThere) {
  add("src/gone.c", "");
  fs::remove("src/gone.c");
  makeNinja();
  runNinja(1);
  expectSameAs({}, "build/mca.txt");
  EXPECT_NE(readFile("build/mca.txt").find("the file cannot be read"), std::string::npos);
  write("src/gone.c", loop("gone", "t += v[i]"));
  EXPECT_EQ(runNinja(), Names{"src/gone.c"});
  expectSameAs({}, "build/mca.txt");
  // Gone after it was there, while the database still has it.
  fs::remove("src/sum.c");
  EXPECT_EQ(runNinja(1), Names{"src/sum.c"});
  expectSameAs({}, "build/mca.txt");
  EXPECT_EQ(runNinja(1), Names{"src/sum.c"}) << "until it is there again";
  write("src/sum.c", loop("sum", "t += v[i] * 5"));
  EXPECT_EQ(runNinja(), Names{"src/sum.c"});
  expectSameAs({}, "build/mca.txt");
  EXPECT_EQ(runNinja(), Names{});
  EXPECT_TRUE(hadNothingToDo()) << output_;
}

TEST_F(CheckNinja, ItsOwnFilesMayHaveAnyName) {
  write("od|d $ dir/x", "");
  EXPECT_EQ(check({"--ninja", "od|d $ dir/m:|.ninja", "-o", "od|d $ dir/re|sult.json", "--format=json"}).status, 0);
  EXPECT_EQ(differential::runProcess({"ninja", "-f", "od|d $ dir/m:|.ninja"}).status, 0);
  expectSameAs({"--format=json"}, "od|d $ dir/re|sult.json");
}

TEST_F(CheckNinja, ANameThatNoDepfileHoldsIsAnalysedEachTime) {
  add("src/it's.c", loop("its", "t += v[i]"));
  add("src/pi|pe || $| a:b \U0001F600.c", loop("bar", "t |= v[i]"));
  add("src/'qu\"o\\te'\n.c", loop("quote", "t &= v[i]"));
  makeNinja({"--format=json"});
  EXPECT_EQ(runNinja().size(), 6u);
  expectSameAs({"--format=json"}, "build/mca.json");
  EXPECT_EQ(runNinja().size(), 3u) << output_;
  EXPECT_FALSE(output_.find("src/sum.c") != std::string::npos) << output_;
  expectSameAs({"--format=json"}, "build/mca.json");
}

TEST_F(CheckNinja, LeavesTheProjectsOwnNinjaFilesAlone) {
  fs::create_directories("build");
  write("build/.ninja_log", "the project's\n");
  write(".ninja_log", "the project's\n");
  makeNinja();
  runNinja();
  EXPECT_EQ(readFile("build/.ninja_log") + readFile(".ninja_log"), "the project's\nthe project's\n");
  EXPECT_FALSE(fs::exists(".ninja_deps"));
}

TEST_F(CheckNinja, RefusesWhatItCannotDo) {
  for (const Words &options : std::vector<Words>{{"--ninja", "x", "--shard=1/2"},
                                                 {"--ninja", "x", "--annotate"},
                                                 {"--ninja", "x", "--jobs=2"},
                                                 {"--ninja", "x", "src/sum.c"},
                                                 {"--ninja", "x", "--depfile=d", "-o", "y"},
                                                 {"--depfile=d"},
                                                 {"--unit=u"}})
    EXPECT_GT(check(options).status, 100) << options.front();
  EXPECT_EQ(check({"--ninja", "no/such/folder/x"}).status, kUnusable);
  EXPECT_EQ(check({"--ninja", "x.txt"}).status, kUnusable) << "where the result would go";
  const ProcessResult lineEnd = check({"--ninja", "x.ninja", "--exclude=a\nb"});
  EXPECT_EQ(lineEnd.status, kUnusable);
  EXPECT_NE(lineEnd.errors.find("line end"), std::string::npos) << lineEnd.errors;
  write("u", "{}");
  const ProcessResult unit = differential::runProcess({MCA_LSP_PROGRAM, "--check", "--unit", "u", "-o", "out"});
  EXPECT_EQ(unit.status, kUnusable);
  EXPECT_NE(unit.errors.find("u: describes no file of a run"), std::string::npos) << unit.errors;
  fs::remove("build/compile_commands.json");
  EXPECT_EQ(check({"--ninja", "x.ninja"}).status, kUnusable);
}

TEST_F(CheckNinja, ADepfileOfAPlainRun) {
  EXPECT_EQ(check({"-o", "out.txt", "--depfile", "out.d"}).status, 0);
  const std::string rule = readFile("out.d");
  EXPECT_TRUE(rule.starts_with("out.txt:")) << rule;
  for (const char *input : {" src/sum.c", " src/step.h", " build/compile_commands.json", "mca-worker", "libLLVM"})
    EXPECT_NE(rule.find(input), std::string::npos) << input << " in\n" << rule;
  write("own.calibration", "no calibration\n");
  differential::runProcess({MCA_LSP_PROGRAM, "--check", "src/sum.c", "--calibration=own.calibration", "-o", "out.txt",
                            "--depfile", "out.d"});
  EXPECT_NE(readFile("out.d").find(" own.calibration"), std::string::npos);
}

TEST_F(CheckNinja, HasNothingToDoFor300FilesInTwoSeconds) {
  for (int i = 0; i < 297; ++i)
    add("many/f" + std::to_string(i) + ".c",
        "#include \"../src/step.h\"\n" + loop("f" + std::to_string(i), "t += v[i]"));
  makeNinja();
  EXPECT_EQ(runNinja().size(), 300u);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(runNinja(), Names{});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(hadNothingToDo()) << output_;
  EXPECT_LE(taken.count(), 2.0);
  RecordProperty("seconds", std::to_string(taken.count()));
  write("many/f7.c", loop("f7", "t -= v[i]"));
  EXPECT_EQ(runNinja(), Names{"many/f7.c"});
}

} // namespace
} // namespace check
