// `mca-lsp --check` as a build sees it: a compile database, its output in each form, and the status.
#include "tests/check/programs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace check {
namespace {

using nlohmann::json;

const char *const kSum = R"(int sum(const int *values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i)
    result += values[i] * values[i];
  return result;
}
)";

const char *const kDot = R"(#include "step.h"
float dot(const float *a, const float *b, int n) {
  float result = 0;
  for (int i = 0; i < n; ++i)
    result += a[i] * step(b[i]);
  return result;
}
)";

/// A project that is built in a folder beside its sources. The tests run in its folder.
class CheckProgram : public testing::Test {
protected:
  CheckProgram() : before_(fs::current_path()) { enter("project"); }
  ~CheckProgram() override {
    fs::current_path(before_);
    fs::remove_all(root_);
  }

  /// Makes the project in a folder of this name.
  void enter(const std::string &name) {
    if (root_.empty()) {
      std::string pattern = (fs::temp_directory_path() / "mca-program-XXXXXX").string();
      root_ = mkdtemp(pattern.data());
    }
    fs::create_directories(root_ / name);
    fs::current_path(root_ / name);
    write("src/sum.c", kSum);
    write("src/dot.cpp", kDot);
    write("src/step.h", "static inline float step(float x) { return x * x + 1; }\n");
    write("src/top.c", "int top(int *v, int n) { int m = *v; while (--n) m = v[n] > m ? v[n] : m; return m; }\n");
    json database = json::array();
    for (const char *file : {"../src/top.c", "../src/dot.cpp", "../src/sum.c", "../src/dot.cpp"})
      database.push_back({{"directory", (root_ / name / "build").string()},
                          {"file", file},
                          {"arguments", {"cc", "-O2", "-march=znver3", "-c", file}}});
    write("build/compile_commands.json", database.dump());
  }

  static void write(const fs::path &file, const std::string &text) {
    fs::create_directories(fs::absolute(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  /// The source of a golden: without what is spliced into it, which would stand between a marker and its budget.
  static void writeGolden(const fs::path &file, const std::string &golden) {
    std::istringstream lines(readFile(fs::path(MCA_GOLDENS) / golden));
    std::string source;
    for (std::string line; std::getline(lines, line);) {
      const std::string_view rest = std::string_view(line).substr(std::min(line.find_first_not_of("#/"), line.size()));
      if (!rest.starts_with("  ^ ") && !rest.starts_with("  | "))
        source += line + "\n";
    }
    write(file, source);
  }

  static ProcessResult run(const Words &options) {
    Words command = {MCA_LSP_PROGRAM, "--check"};
    // The numbers are LLVM's, whatever was measured of this machine.
    if (std::ranges::none_of(options, [](const std::string &one) { return one.starts_with("--calibration"); }))
      command.push_back("--calibration=off");
    command.insert(command.end(), options.begin(), options.end());
    return differential::runProcess(command);
  }
  static ProcessResult runDatabase(Words options) {
    options.insert(options.begin(), {"--compile-commands", "build"});
    return run(options);
  }
  static json runJson(Words options) {
    options.insert(options.end(), {"--format", "json"});
    const ProcessResult result = run(options);
    EXPECT_TRUE(json::accept(result.output)) << result.output << result.errors;
    return json::parse(result.output, nullptr, false);
  }

  /// A unity build, with a header that another source includes, too, and a file that is compiled with and without AVX2.
  static void enterUnity() {
    write("src/unity.c",
          "#include \"part.c\"\n#include \"ways.h\"\nint unity(int *v, int n) { return total(v, n); }\n");
    write("src/part.c",
          "#include \"ways.h\"\nvoid fill(int *v, int n) {\n  for (int i = 0; i < n; ++i)\n    v[i] = i * i;\n}\n");
    write("src/ways.h",
          "#ifndef WAYS_H\n#define WAYS_H\n__attribute__((noinline)) static int total(const int *v, int n) {\n"
          "  int t = 0;\n  for (int i = 0; i < n; ++i)\n    t += v[i] * 3;\n  return t;\n}\n#endif\n");
    write("src/user.c",
          "#include \"ways.h\"\nint user(int *v, int n) {\n  int t = total(v, n);\n  while (--n)\n    t ^= v[n];\n"
          "  return t;\n}\n");
    json database = json::array();
    const auto add = [&](const char *file, const Words &flags) {
      Words command = {"cc", "-O2", "-march=znver3", "-c", file};
      command.insert(command.begin() + 2, flags.begin(), flags.end());
      database.push_back(
          {{"directory", fs::absolute("build").string()}, {"file", file}, {"arguments", std::move(command)}});
    };
    add("../src/user.c", {"-mno-avx2"});
    add("../src/user.c", {"-o", "again.o", "-MD", "-mno-avx2"});
    add("../src/user.c", {});
    add("../src/unity.c", {});
    write("build/compile_commands.json", database.dump());
  }

private:
  fs::path before_, root_;
};

const Words kForms = {"text", "json", "sarif", "markdown"};

TEST_F(CheckProgram, GoesThroughADatabase) {
  const json document = runJson({"--compile-commands", "build"});
  Words files;
  for (const json &file : document["files"]) {
    files.push_back(file["file"]);
    EXPECT_EQ(file["target"]["cpu"], "znver3");
    EXPECT_EQ(file["target"]["commandOrigin"], "build/compile_commands.json");
    EXPECT_EQ(file["coverage"]["hinted"], file["coverage"]["loops"]) << file.dump(1);
    EXPECT_FALSE(file["regions"].empty()) << "no region of " << file["file"];
  }
  EXPECT_EQ(files, (Words{"src/dot.cpp", "src/sum.c", "src/top.c"})) << "each once, sorted";
  EXPECT_EQ(document["summary"]["files"], 3);
  EXPECT_EQ(document["summary"]["errors"], 0);
}

TEST_F(CheckProgram, PreprocessesAssemblyOfADatabase) {
  write("inc/macros.h", "#define STEP(reg) imulq %rdx, reg; addq $N, reg\n");
  write("src/loop.S", "#include \"macros.h\"\n"
                      "# /* it isn't \"compiled\" */\n"
                      ".Lloop:\n"
                      "\tSTEP(%rax)\n"
                      "\tdecq\t%rdi\n"
                      "\tjne\t.Lloop\n");
  write("src/loop.sx", readFile("src/loop.S"));
  json database = json::array();
  for (const char *file : {"../src/loop.S", "../src/loop.sx"})
    database.push_back({{"directory", (fs::current_path() / "build").string()},
                        {"file", file},
                        {"command", std::string("gcc -march=znver3 -DN=7 -I../inc -c ") + file}});
  write("build/compile_commands.json", database.dump());
  const ProcessResult text = runDatabase({});
  EXPECT_EQ(text.status, 0) << text.output;
  EXPECT_EQ(text.errors, "");
  const json document = runJson({"--compile-commands", "build", "--listing"});
  ASSERT_EQ(document["files"].size(), 2u);
  for (const json &file : document["files"]) {
    EXPECT_EQ(file["target"]["cpu"], "znver3");
    ASSERT_EQ(file["regions"].size(), 1u) << file.dump(1);
    EXPECT_EQ(file["regions"][0]["firstLine"], 3) << file.dump(1);
    EXPECT_EQ(file["regions"][0]["instructions"], 4);
  }
}

TEST_F(CheckProgram, ALimitOfTheCompilerIsNamedAndTheFileNotTriedAgain) {
  write("build/compile_commands.json", "[]");
  write("compile_flags.txt", "-std=c++20\n-fconstexpr-steps=4294967295\n");
  write("src/slow.cpp", "constexpr unsigned long spin() {\n"
                        "  unsigned long sum = 0;\n"
                        "  for (unsigned long i = 0; i < 4000000000; ++i) sum += i;\n"
                        "  return sum;\n"
                        "}\n"
                        "static_assert(spin() != 1);\n");
  // A job may take less time than the compiler without being ended for it.
  const ProcessResult result = run({"src/slow.cpp", "--compile-timeout-ms", "1500", "--job-timeout-ms", "200"});
  EXPECT_EQ(result.status, kFailed);
  EXPECT_NE(
      result.output.find("src/slow.cpp:1:1: error: clang-22 did not finish: it used 1500 ms of processor time, the "
                         "limit of --compile-timeout-ms [compile-error]"),
      std::string::npos)
      << result.output;
  EXPECT_EQ(result.errors, "");
}

TEST_F(CheckProgram, TheFeaturesOfTheHostAreNotListed) {
  write("build/compile_commands.json", "[]");
  write("compile_flags.txt", "-O2\n-march=native\n");
  const ProcessResult result = run({"src/sum.c"});
  const size_t begin = result.output.find("target: "), end = result.output.find('\n', begin);
  ASSERT_NE(begin, std::string::npos) << result.output;
  const std::string line = result.output.substr(begin, end - begin);
  EXPECT_LT(line.size(), 160u) << line;
  EXPECT_NE(line.find("(from -march=native in the compile command)"), std::string::npos) << line;
}

TEST_F(CheckProgram, SaysTheSameForAnyNumberOfJobs) {
  for (const std::string &form : kForms) {
    const ProcessResult one = runDatabase({"--format", form, "--jobs", "1"});
    EXPECT_EQ(one.status, 0) << one.errors;
    EXPECT_FALSE(one.output.empty());
    EXPECT_EQ(runDatabase({"--format", form, "--jobs", "3"}).output, one.output);
  }
}

TEST_F(CheckProgram, SaysTheSameInAnotherFolder) {
  Words here;
  for (const std::string &form : kForms)
    here.push_back(runDatabase({"--format", form}).output);
  enter("elsewhere");
  for (size_t i = 0; i < kForms.size(); ++i)
    EXPECT_EQ(runDatabase({"--format", kForms[i]}).output, here[i]);
}

TEST_F(CheckProgram, MergesShardsToTheWhole) {
  Words shards;
  for (const std::string index : {"1", "2"}) {
    shards.push_back("shard" + index + ".json");
    EXPECT_EQ(runDatabase({"--shard", index + "/2", "--format", "json", "-o", shards.back()}).status, 0);
  }
  for (const std::string &form : kForms)
    EXPECT_EQ(run({"--format", form, "--merge", shards[1], shards[0]}).output, runDatabase({"--format", form}).output);
  EXPECT_EQ(run({"--merge", shards[0]}).status, kUnusable) << "one is missing";
}

TEST_F(CheckProgram, ExcludesAndAddsFiles) {
  write("more.s", "# mca: triple=x86_64 cpu=znver3\nnop\n");
  const json document = runJson({"more.s", "--compile-commands", "build", "--exclude", "*/[st]*.c"});
  ASSERT_EQ(document["files"].size(), 2u);
  EXPECT_EQ(document["files"][0]["file"], "more.s");
  EXPECT_EQ(document["files"][1]["file"], "src/dot.cpp");
}

TEST_F(CheckProgram, ComparesWithABaseline) {
  ASSERT_EQ(runDatabase({"--format", "json", "-o", "base.json"}).status, 0);
  const Words compare = {"--baseline", "base.json", "--fail-on", "regression"};
  const ProcessResult same = runDatabase(compare);
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_NE(same.output.find("(±0 %)\n"), std::string::npos) << same.output;

  write("src/sum.c", "/* a line more */\n" +
                         std::string(kSum).replace(std::string(kSum).find("values[i] *"), 11, "values[i] / (i + 3) /"));
  const ProcessResult slower = runDatabase(compare);
  EXPECT_EQ(slower.status, kFailed) << slower.output;
  EXPECT_NE(slower.output.find(" [slower-than-baseline]\n"), std::string::npos) << slower.output;
  EXPECT_NE(slower.output.find("src/sum.c:4:1: warning: "), std::string::npos) << slower.output;
  EXPECT_EQ(runDatabase({"--baseline", "base.json"}).status, 0) << "only told by default";
  EXPECT_EQ(
      runDatabase({"--baseline", "base.json", "--regression-percent", "1000000", "--fail-on", "regression"}).status, 0);
  EXPECT_EQ(runDatabase({"--baseline", "none.json"}).status, kUnusable);
}

TEST_F(CheckProgram, ABaselineThatComparesNothingIsAnError) {
  ASSERT_EQ(runDatabase({"--format", "json", "-o", "base.json"}).status, 0);
  const ProcessResult otherCpu = runDatabase({"--baseline", "base.json", "--cpu", "znver4"});
  EXPECT_EQ(otherCpu.status, kUnusable) << otherCpu.output;
  EXPECT_NE(
      otherCpu.errors.find("base.json: nothing is compared with the baseline: src/dot.cpp was analysed for znver3"),
      std::string::npos)
      << otherCpu.errors;
  EXPECT_NE(otherCpu.output.find("3 files"), std::string::npos) << "the numbers themselves are printed";
  write("more.s", "# mca: triple=x86_64 cpu=znver3\nnop\n");
  EXPECT_EQ(run({"more.s", "--baseline", "base.json"}).status, kUnusable);
  EXPECT_EQ(runDatabase({"--baseline", "base.json", "--shard", "1/2"}).status, 0);
}

TEST_F(CheckProgram, EndsWithTheWorstLoops) {
  write("build/compile_commands.json",
        std::regex_replace(readFile("build/compile_commands.json"), std::regex(R"("-march=znver3",)"), ""));
  const ProcessResult text = runDatabase({"--top", "1"});
  EXPECT_NE(
      text.output.find("most cycles in one call of the function, as the compiler expects its loops to run (1 of "),
      std::string::npos)
      << text.output;
  EXPECT_NE(text.output.find(" (3 files) [assumed-cpu]\n"), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("[assumed-cpu]"), text.output.rfind("[assumed-cpu]")) << text.output;
  const ProcessResult markdown = runDatabase({"--format", "markdown"});
  EXPECT_EQ(markdown.output.find("## mca-lsp\n\n3 files, "), 0u) << markdown.output;
  EXPECT_NE(markdown.output.find("| `src/sum.c:3` | `loop in sum"), std::string::npos) << markdown.output;
  EXPECT_EQ(runDatabase({"--top", "0"}).output.find("most cycles"), std::string::npos);
}

TEST_F(CheckProgram, FailsOnBudgetsOfEachTarget) {
  for (const char *name : {"x86_budgets.s", "aarch64_budgets.s", "riscv_budgets.s"}) {
    writeGolden(name, std::string("assembly/") + name);
    EXPECT_EQ(run({name}).status, kFailed) << name;
    EXPECT_EQ(run({name, "--fail-on", "budget-exceeded"}).status, kFailed) << name;
    EXPECT_EQ(run({name, "--fail-on", "error"}).status, 0) << name;
    const json document = runJson({name});
    const json &regions = document["files"][0]["regions"];
    const bool missed = std::any_of(regions.begin(), regions.end(), [](const json &region) {
      return std::any_of(region["budgets"].begin(), region["budgets"].end(),
                         [](const json &budget) { return budget["met"] == false; });
    });
    EXPECT_TRUE(missed) << name;
  }
  const std::string text = run({"riscv_budgets.s"}).output;
  EXPECT_NE(text.find("warning: ipc 0.17 < 0.5 on spacemit-x60: multiply; limited by "), std::string::npos) << text;
}

TEST_F(CheckProgram, ChecksBudgetsInSources) {
  write("src/sum.c", "int f(int a, int b) {\n  // LLVM-MCA-BEGIN division\n  // mca: cycles<=1000 ipc>=0.001\n"
                     "  // mca: cycles<=1 cpu=znver4\n  return a / b;\n  // LLVM-MCA-END\n}\n");
  const json document = runJson({"--compile-commands", "build", "--exclude", "*[tp].*"});
  const json &budgets = document["files"][0]["regions"][0]["budgets"];
  ASSERT_EQ(budgets.size(), 3u) << document.dump(1);
  EXPECT_EQ(budgets[0]["met"], true);
  EXPECT_EQ(budgets[0]["cpu"], "znver3");
  EXPECT_EQ(budgets[1]["met"], true);
  EXPECT_EQ(budgets[2]["met"], false);
  EXPECT_EQ(budgets[2]["cpu"], "znver4");
  EXPECT_EQ(runDatabase({}).status, kFailed);
}

/// The loops of three functions: unrolled, vectorized with a remainder, and of a function that is inlined everywhere.
constexpr const char *kMarkedLoops = "static void scale(float *v, int n) {\n"
                                     "  // LLVM-MCA-BEGIN scale\n"
                                     "  // mca: cycles<=100\n"
                                     "  for (int i = 0; i < n; i++)\n"
                                     "    v[i] *= 3;\n"
                                     "  // LLVM-MCA-END scale\n"
                                     "}\n"
                                     "float around(const float *a, const float *b, int n) {\n"
                                     "  float s = 0;\n"
                                     "  // LLVM-MCA-BEGIN around\n"
                                     "  // mca: cycles<=4.5\n"
                                     "  for (int i = 0; i < n; ++i)\n"
                                     "    s += a[i] * b[i];\n"
                                     "  // LLVM-MCA-END around\n"
                                     "  return s;\n"
                                     "}\n"
                                     "unsigned inside(unsigned *v, unsigned n) {\n"
                                     "  unsigned total = 0;\n"
                                     "  for (unsigned i = 0; i < n; i++) {\n"
                                     "    // LLVM-MCA-BEGIN inside\n"
                                     "    // mca: cycles<=1.2\n"
                                     "    unsigned x = v[i];\n"
                                     "    v[i] = total;\n"
                                     "    total += x;\n"
                                     "    // LLVM-MCA-END inside\n"
                                     "  }\n"
                                     "  return total;\n"
                                     "}\n"
                                     "void user(float *v, int n) { scale(v, n); }\n"
                                     "void other(float *v, int n) { scale(v, 2 * n); }\n";

TEST_F(CheckProgram, MarkedLoopsHaveTheNumbersOfTheirHints) {
  write("marked.c", std::string("// mca: cpu=znver4\n") + kMarkedLoops);
  const json document = runJson({"marked.c"});
  EXPECT_EQ(run({"marked.c"}).status, 0) << "the budgets are met";
  const json &regions = document["files"][0]["regions"];
  const auto shown = [&](int line) -> const json & { // the first region of a line is the one of its hint
    return *std::find_if(regions.begin(), regions.end(), [&](const json &one) { return one["line"] == line; });
  };
  int scales = 0;
  for (const json &region : regions) {
    if (region["kind"] != "marker")
      continue;
    const std::string instance = region["instance"];
    scales += instance.starts_with("scale inlined into ");
    const int loop = instance.starts_with("scale") ? 5 : instance == "around" ? 13 : 20;
    EXPECT_EQ(region["budgets"].at(0)["met"], true) << region.dump(1);
    EXPECT_EQ(region["budgets"][0]["checked"], true) << region.dump(1);
    if (!instance.starts_with("scale"))
      for (const char *number : {"cyclesPerIteration", "sourceIterations", "ipc", "pressure", "instructions"})
        EXPECT_EQ(region[number], shown(loop)[number]) << number << " of " << instance;
    EXPECT_TRUE(region["caveats"].empty()) << region.dump(1);
  }
  EXPECT_EQ(scales, 2) << regions.dump(1);
}

TEST_F(CheckProgram, NamesLoopsThatLeftNoMachineLoop) {
  write("gone.c",
        "// mca: cpu=znver4\n"
        "int four(const int *v) {\n  int s = 0;\n  for (int i = 0; i < 4; i++)\n    s += v[i];\n  return s;\n}\n"
        "void clear(char *v, unsigned long n) {\n  for (unsigned long i = 0; i < n; i++)\n    v[i] = 0;\n}\n"
        "unsigned gauss(unsigned n) {\n  unsigned s = 0;\n  while (n)\n    s += n--;\n  return s;\n}\n"
        "int sum(const int *v, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s ^= v[i];\n  return s;\n}\n"
        "static inline int unused(int n) {\n  int s = 1;\n  while (n--)\n    s *= 3;\n  return s;\n}\n");
  const json document = runJson({"gone.c"});
  EXPECT_EQ(document["files"][0]["coverage"]["vanished"], (json{4, 9, 14}));
  EXPECT_EQ(document["files"][0]["coverage"]["fates"].at(1),
            (json{{"line", 9}, {"words", "became a call of `memset`"}}));
  EXPECT_NE(run({"gone.c"})
                .output.find("3 loops left no machine loop (line 4 unrolled completely, 4 iterations; line "
                             "9 became a call of `memset`; line 14 removed, as"),
            std::string::npos);
}

TEST_F(CheckProgram, FailsOnWhatItIsToldTo) {
  write("bad.s", "# mca: triple=x86_64 cpu=znver3\n\tbogus %rax\n\tnop\n");
  write("odd.s", "# mca: triple=x86_64 cpu=znver3 odd=1\n\tnop\n");
  EXPECT_EQ(run({"bad.s"}).status, kFailed);
  EXPECT_EQ(run({"bad.s", "--fail-on", "never"}).status, 0);
  EXPECT_EQ(run({"bad.s", "--fail-on", "regression"}).status, 0);
  EXPECT_EQ(run({"bad.s", "--fail-on", "parse-error"}).status, kFailed);
  EXPECT_EQ(run({"odd.s"}).status, 0);
  EXPECT_EQ(run({"odd.s", "--fail-on=error,warning"}).status, kFailed);
  EXPECT_EQ(run({"odd.s", "--fail-on", "error", "--fail-on", "buffer-settings"}).status, kFailed);
  EXPECT_EQ(run({"missing.s"}).status, kFailed);
  EXPECT_EQ(run({"missing.s", "--fail-on", "never"}).status, 0);
  EXPECT_EQ(run({"odd.s", "--fail-on", "nonsense"}).status, kUnusable);
  EXPECT_EQ(run({}).status, kUnusable);
  EXPECT_GT(run({"odd.s", "--shard", "3/2"}).status, 100);
  EXPECT_GT(run({"odd.s", "--merge", "x.json"}).status, 100);
}

TEST_F(CheckProgram, WritesSarifThatNamesItsFiles) {
  writeGolden("src/budgets.s", "assembly/x86_budgets.s");
  const ProcessResult result = run({"src/budgets.s", "--format", "sarif"});
  EXPECT_EQ(result.status, kFailed);
  const json sarif = json::parse(result.output);
  EXPECT_EQ(sarif["version"], "2.1.0");
  const json &results = sarif["runs"][0]["results"];
  const auto exceeded =
      std::find_if(results.begin(), results.end(), [](const json &one) { return one["ruleId"] == "budget-exceeded"; });
  ASSERT_NE(exceeded, results.end());
  const json &place = (*exceeded)["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "src/budgets.s");
  EXPECT_EQ(place["region"]["startLine"], 11);
  EXPECT_EQ(place["region"]["startColumn"], 2);
}

TEST_F(CheckProgram, RunsTheLauncherOfATrustedFolder) {
  write("bin/ccache", "#!/bin/sh\necho \"$1\" >> \"$0.calls\"\nexec \"$@\"\n");
  fs::permissions("bin/ccache", fs::perms::owner_all);
  write("build/compile_commands.json",
        json::array({{{"directory", fs::absolute("build").string()},
                      {"file", "../src/sum.c"},
                      {"arguments", {fs::absolute("bin/ccache").string(), "clang-22", "-O2", "-c", "../src/sum.c"}}}})
            .dump());
  EXPECT_EQ(runDatabase({"--compiler", "project"}).status, 0);
  EXPECT_FALSE(fs::exists("bin/ccache.calls"));
  EXPECT_EQ(runDatabase({"--compiler", "project", "--trusted-folder", "."}).status, 0);
  EXPECT_NE(readFile("bin/ccache.calls").find("/clang-22\n"), std::string::npos);
}

TEST_F(CheckProgram, ShowsNoProgressWithoutATerminal) {
  EXPECT_EQ(runDatabase({}).errors, "");
}

/// "file: command: region line through alike/different" of each region.
Words regionsOf(const json &document) {
  Words all;
  for (const json &file : document["files"])
    for (const json &region : file["regions"])
      all.push_back(file["file"].get<std::string>() + ": " + file["target"].value("command", "-") + ": " +
                    region.value("instance", "-") + " " + std::to_string(region["line"].get<int>()) + " " +
                    region.value("through", "-") + " " + std::to_string(region.value("alike", 0)) + "/" +
                    std::to_string(region.value("different", 0)));
  all.erase(std::unique(all.begin(), all.end()), all.end()); // vector body and remainder
  return all;
}

TEST_F(CheckProgram, HeadersAndPartsTellTheirOwnLoops) {
  enterUnity();
  const json document = runJson({"--compile-commands", "build"});
  EXPECT_EQ(
      regionsOf(document),
      (Words{"src/user.c: with -mno-avx2: loop in user 4 - 0/0", "src/user.c: without -mno-avx2: loop in user 4 - 0/0",
             "src/part.c: -: loop in fill 3 src/unity.c 0/0", "src/ways.h: -: loop in total 5 src/unity.c 1/1"}));
  const json &summary = document["summary"];
  EXPECT_EQ(summary["files"], 4);
  EXPECT_EQ(summary["loops"], summary["hinted"]);
  EXPECT_EQ(summary["loops"], summary["regions"]) << "each loop once";
  for (const json &file : document["files"])
    EXPECT_EQ(file["coverage"]["elsewhere"], 0) << file["file"];
  const std::string text = runDatabase({}).output;
  EXPECT_NE(text.find("src/ways.h: compile command: as a part of src/unity.c and of 1 other\n"), std::string::npos);
  EXPECT_NE(
      text.find("  seen through: src/unity.c; further commands: 1 makes the same of it, 1 makes something else of "
                "it\n"),
      std::string::npos)
      << text;
  const std::string excluded = runDatabase({"--exclude", "*/ways.h"}).output;
  EXPECT_EQ(excluded.find("src/ways.h:"), std::string::npos) << excluded;
  const std::string pages = runDatabase({"--annotate"}).output;
  EXPECT_NE(pages.find("src/ways.h\n"), std::string::npos) << pages;
}

TEST_F(CheckProgram, PartsAreTheSameHoweverTheyAreDealtOut) {
  enterUnity();
  Words shards;
  for (const std::string index : {"1", "2"}) {
    shards.push_back("shard" + index + ".json");
    EXPECT_EQ(runDatabase({"--shard", index + "/2", "--format", "json", "-o", shards.back()}).status, 0);
  }
  for (const std::string &form : kForms) {
    const std::string whole = runDatabase({"--format", form, "--jobs", "1"}).output;
    EXPECT_EQ(runDatabase({"--format", form, "--jobs", "3"}).output, whole);
    EXPECT_EQ(run({"--format", form, "--merge", shards[1], shards[0]}).output, whole);
  }
  const std::string json = runDatabase({"--format", "json", "-o", "whole.json"}).output;
  EXPECT_EQ(run({"--merge", "whole.json"}).output, runDatabase({}).output);
  const std::string compared = runDatabase({"--baseline", "whole.json"}).output;
  EXPECT_NE(compared.find("; 12 regions compared with the baseline\n"), std::string::npos) << compared;
}

TEST_F(CheckProgram, BudgetsOfHeadersHoldForEachCommand) {
  enterUnity();
  write("src/ways.h", "#pragma once\n__attribute__((noinline)) static int total(const int *v, int n) {\n  int t = 0;\n"
                      "  // LLVM-MCA-BEGIN total\n  // mca: cycles<=0.1\n  for (int i = 0; i < n; ++i)\n"
                      "    t += v[i] * 3;\n  // LLVM-MCA-END\n  return t;\n}\n");
  const ProcessResult result = runDatabase({});
  EXPECT_EQ(result.status, kFailed);
  for (const char *command : {"src/unity.c", "src/user.c, the command with -mno-avx2"}) {
    const std::string end = std::string(" (seen through ") + command + ") [budget-exceeded]\n";
    EXPECT_NE(result.output.find(end), std::string::npos) << result.output;
  }
  const size_t first = result.output.find("src/ways.h:5:3: warning: cycles ");
  EXPECT_NE(first, std::string::npos) << result.output;
}

TEST_F(CheckProgram, AFileAloneSaysWhereItsLoopsAre) {
  enterUnity();
  const json document = runJson({"src/unity.c"});
  ASSERT_EQ(document["files"].size(), 1u);
  const json &file = document["files"][0];
  EXPECT_EQ(file["coverage"]["loops"], 6);
  EXPECT_EQ(file["coverage"]["hinted"], 3) << "at the call of total";
  EXPECT_EQ(file["coverage"]["elsewhere"], 3);
  const auto elsewhere = std::find_if(file["findings"].begin(), file["findings"].end(),
                                      [](const json &finding) { return finding["code"] == "loops-elsewhere"; });
  ASSERT_NE(elsewhere, file["findings"].end()) << file.dump(1);
  EXPECT_EQ((*elsewhere)["message"],
            "3 loops of the code are in functions of other files that were not inlined; no line "
            "here calls them by name, or too many do: 3 in part.c");
}

bool hasHint(const std::string &output, const std::string &file) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(file) && line.find(": hint: ") != std::string::npos)
      return true;
  return false;
}

/// In each form, and for each way in which a folder names a file outside of it.
TEST_F(CheckProgram, NoLinkOfAFolderIsQuoted) {
  const std::string secret = "hvs.tok_12345";
  write("../home/.vault-token", secret + "\n");
  write("../home/.netrc", "machine example.com\nlogin me\n" + secret + "\n");
  write("../home/.env", "TOKEN = 1\n# " + secret + "\n");
  write("dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  write("traced/dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  write("named/dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  write("named/.mca-lsp.json", R"({"trace": "../../home/.vault-token"})");
  fs::create_symlink("../../home/.vault-token", "traced/dot.s.mcatrace");
  const Words links = {"leak.s", "leak.S", "leak.c", "env.s"};
  for (const std::string &link : links)
    fs::create_symlink(link == "env.s" ? "../home/.env" : "../home/.netrc", link);
  json database = json::array();
  for (const std::string &link : links)
    database.push_back({{"directory", fs::current_path().string()}, {"file", link}, {"arguments", {"cc", "-c", link}}});
  write("links/compile_commands.json", database.dump());

  const auto expectNoSecret = [&](const Words &files) {
    for (const std::string &form : kForms) {
      Words options = files;
      options.insert(options.end(), {"--cpu=znver3", "--listing", "--format", form});
      const ProcessResult result = run(options);
      EXPECT_EQ((result.output + result.errors).find("tok_"), std::string::npos) << result.output << result.errors;
    }
    Words annotated = files;
    annotated.insert(annotated.end(), {"--cpu=znver3", "--annotate"});
    const ProcessResult result = run(annotated);
    EXPECT_EQ((result.output + result.errors).find("tok_"), std::string::npos) << result.output << result.errors;
  };
  expectNoSecret({"--compile-commands", "links"});
  expectNoSecret(links); // as `--check $(git ls-files)` names them
  expectNoSecret({"traced/dot.s", "named/dot.s"});
  const ProcessResult result = run({"--compile-commands", "links", "--cpu=znver3"});
  EXPECT_EQ(result.status, kFailed);
  EXPECT_NE(result.output.find("leak.s:1:1: error: this link leads outside of the project"), std::string::npos)
      << result.output;
  EXPECT_NE(run({"traced/dot.s", "--cpu=znver3"}).output.find("it lies outside of the project that names it"),
            std::string::npos);
}

TEST_F(CheckProgram, LinksInsideOfTheProjectAndToAssemblyOfTheUsersAreAnalysed) {
  write("kernels/dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  write("../elsewhere/dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  fs::create_symlink("kernels/dot.s", "inside.s");
  fs::create_symlink("../elsewhere/dot.s", "outside.s");
  fs::create_directory_symlink("../elsewhere", "tree");
  json database = json::array();
  for (const char *file : {"inside.s", "tree/dot.s"})
    database.push_back({{"directory", fs::current_path().string()}, {"file", file}, {"arguments", {"cc", "-c", file}}});
  write("links/compile_commands.json", database.dump());
  const ProcessResult all = run({"--compile-commands", "links", "outside.s", "--cpu=znver3"});
  EXPECT_EQ(all.status, 0) << all.output;
  for (const char *file : {"kernels/dot.s:", "../elsewhere/dot.s:", "outside.s:"})
    EXPECT_TRUE(hasHint(all.output, file)) << file << all.output;
}

/// The compiler makes two loops of one that may overlap: a vector body, and the loop as it is for arrays that do
/// overlap, which comes first in the file.
TEST_F(CheckProgram, AdviceIsThatOfTheLoopWhoseNumbersItComparesWith) {
  write("add.c", "void add(float *a, const float *b, float f, int n) {\n  for (int i = 0; i < n; ++i)\n    a[i] += f * "
                 "b[i];\n}\n");
  const ProcessResult result = run({"--advise", "--format=json", "--fail-on=never", "add.c", "--cpu=znver3"});
  ASSERT_EQ(result.status, 0) << result.errors;
  size_t advised = 0;
  const json report = json::parse(result.output);
  for (const json &region : report["files"][0]["regions"]) {
    if (!region.contains("advised"))
      continue;
    ++advised;
    EXPECT_NE(region["name"].get<std::string>().find("vector body"), std::string::npos) << region["name"];
  }
  EXPECT_EQ(advised, 1u) << result.output;
}

TEST_F(CheckProgram, AServerWithoutItsStreamsSaysSo) {
  const auto runClosed = [](const std::string &closed) {
    return differential::runProcess({"sh", "-c", std::string(MCA_LSP_PROGRAM) + " " + closed});
  };
  for (const auto &[closed, stream] : {std::pair{"<&-", "input"}, {">&-", "output"}, {"<&- >&-", "input"}}) {
    const ProcessResult result = runClosed(closed);
    EXPECT_EQ(result.status, 1) << closed << result.errors;
    EXPECT_NE(result.errors.find(std::string("cannot connect to the client: standard ") + stream + " is closed"),
              std::string::npos)
        << result.errors;
  }
  write("dot.s", ".L1:\n addq $1, %rax\n jne .L1\n");
  const ProcessResult check = runClosed("--check dot.s --cpu=znver3 <&-");
  EXPECT_EQ(check.status, 0) << check.errors;
  EXPECT_TRUE(hasHint(check.output, "dot.s:")) << check.output;
}

} // namespace
} // namespace check
