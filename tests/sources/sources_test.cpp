// The hints of the programs' loops, as compilers at several levels lower them for several targets: one test each.
//
// A program's hints are held against the marks in it and the golden of the configuration, the numbers of its regions
// against the installed llvm-mca.
//
// MCA_UPDATE_GOLDENS=1 rewrites the goldens.
#include "analysis/job/analyzer.h"
#include "analysis/source_map/text_lines.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/differential/corpus.h"
#include "tests/sources/configuration.h"
#include "tests/sources/functions.h"
#include "tests/sources/marks.h"
#include "tests/sources/reference.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sources {
namespace {

namespace fs = std::filesystem;
using analysis::Shown;
using analysis::TextLines;
using analysis::wire::Finding;
using Hint = analysis::ShownHint;
using analysis::wire::Language;
using analysis::wire::Severity;
using differential::readFile;

const fs::path kPrograms = fs::path(SOURCES_FILES) / "programs";
const fs::path kGoldens = fs::path(SOURCES_FILES) / "goldens";

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry &entry : fs::directory_iterator(kPrograms))
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void writeDatabase(const fs::path &folder, const Configuration &configuration) {
  nlohmann::json entries = nlohmann::json::array();
  for (const fs::path &program : programs())
    entries.push_back({{"directory", kPrograms.string()},
                       {"file", program.filename().string()},
                       {"command", configuration.commandFor(program, readFile(program.string()))}});
  std::ofstream(folder / "compile_commands.json") << entries;
}

/// A line each: "array_sum.c:4: IPC 2.50 · 2.0 cyc".
using Hints = std::vector<std::string>;

Hints linesOf(const std::string &text) {
  std::istringstream stream(text);
  Hints lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// What only the golden says, with a minus, and what only the result does, with a plus.
std::string difference(Hints golden, Hints said) {
  std::sort(golden.begin(), golden.end());
  std::sort(said.begin(), said.end());
  Hints gone, come;
  std::set_difference(golden.begin(), golden.end(), said.begin(), said.end(), std::back_inserter(gone));
  std::set_difference(said.begin(), said.end(), golden.begin(), golden.end(), std::back_inserter(come));
  std::vector<std::pair<std::string, const char *>> lines;
  for (const std::string &line : gone)
    lines.emplace_back(line, "- ");
  for (const std::string &line : come)
    lines.emplace_back(line, "+ ");
  std::stable_sort(lines.begin(), lines.end(), [](const auto &a, const auto &b) {
    return a.first.substr(0, a.first.find(' ')) < b.first.substr(0, b.first.find(' '));
  });
  std::string text;
  for (const auto &[line, sign] : lines)
    text += sign + line + "\n";
  return text;
}

/// A warning that is right: LLVM's model or parser lacks something, and says so.
struct KnownWarning {
  const char *compiler; ///< empty for both; may name the level, too: "gcc-O3"
  const char *architecture;
  const char *program;
  const char *finding;
};

constexpr KnownWarning kKnownWarnings[] = {
    // fence r, rw
    {"", "riscv64", "atomic_loops.cpp", "line 12: no-scheduling-data"},
};

std::set<std::string> knownWarnings(const Configuration &configuration, const std::string &program) {
  const std::string name = configuration.name();
  std::set<std::string> findings;
  for (const KnownWarning &known : kKnownWarnings)
    if (name.starts_with(known.compiler) && name.ends_with(known.architecture) && program == known.program)
      findings.insert(known.finding);
  return findings;
}

/// Neither an error nor a warning but the known ones, which must be there as long as they are listed, and no note.
void expectComplaints(const std::set<std::string> &known, const Shown &result, const TextLines &lines) {
  std::set<std::string> missing = known;
  for (const Finding &finding : result.findings) {
    if (finding.severity > Severity::Warning)
      continue;
    const std::string text = "line " + std::to_string(lines.lineOf(finding.at.begin) + 1) + ": " + finding.code;
    missing.erase(text);
    EXPECT_TRUE(known.contains(text)) << text << ": " << finding.message;
  }
  for (const std::string &warning : missing)
    ADD_FAILURE() << "not said any more, take it off the list of known warnings: " << warning;
  for (const std::string &note : result.notes)
    ADD_FAILURE() << "note: " << note;
}

/// One program's lines of the golden, which are held against its marks on the way.
Hints hintsOf(const std::string &program, const Shown &result, const TextLines &lines) {
  const Marks marks = readMarks(lines.text());
  std::set<uint32_t> missing = marks.required;
  std::map<uint32_t, std::string> byLine;
  for (const Hint &hint : result.hints) {
    const uint32_t line = lines.lineOf(hint.offset) + 1;
    missing.erase(line);
    EXPECT_TRUE(marks.allowed.contains(line)) << "line " << line << " is not marked: " << hint.label();
    EXPECT_TRUE(byLine.emplace(line, hint.label()).second) << "line " << line << " has two hints";
  }
  for (const uint32_t line : missing)
    ADD_FAILURE() << "line " << line << " has no hint";
  Hints said;
  for (const auto &[line, label] : byLine)
    said.push_back(program + ":" + std::to_string(line) + ": " + label);
  return said;
}

void compareWithGolden(const Configuration &configuration, const Hints &said) {
  const std::string name = configuration.name() + ".txt";
  if (std::getenv("MCA_UPDATE_GOLDENS")) {
    std::ofstream golden(kGoldens / name, std::ios::binary);
    for (const std::string &line : said)
      golden << line << "\n";
    return;
  }
  const Hints golden = linesOf(readFile((kGoldens / name).string()));
  EXPECT_TRUE(golden == said) << "MCA_UPDATE_GOLDENS=1 rewrites tests/sources/goldens/" << name << "\n"
                              << difference(golden, said);
}

class Programs : public testing::TestWithParam<Configuration> {};

TEST_P(Programs, HaveTheirHints) {
  const analysis::TempFolder folder;
  writeDatabase(folder.path(), GetParam());
  analysis::Analyzer analyzer;
  Reference reference(folder.path());
  Hints said;
  for (const fs::path &path : programs()) {
    const std::string program = path.filename().string();
    SCOPED_TRACE(program);
    const analysis::wire::AnalyzeRequest request{.id = 1,
                                                 .path = path.string(),
                                                 .language = path.extension() == ".c" ? Language::C : Language::Cxx,
                                                 .text = readFile(path.string()),
                                                 .settings = GetParam().settings(folder.path())};
    const Shown result =
        analysis::shown(analyzer.run(request, {}, [](const analysis::wire::Progress &) {}), request.text, request.path);
    const TextLines lines(request.text);
    expectComplaints(knownWarnings(GetParam(), program), result, lines);
    std::ranges::move(hintsOf(program, result, lines), std::back_inserter(said));
    for (const analysis::ShownRegion &region : result.regions)
      if (!region.isLowerBound)
        EXPECT_NE(region.bottleneck, "") << "line " << region.line << ": " << region.name << " names no limit";
    reference.add(program, result);
  }
  compareWithGolden(GetParam(), said);
  EXPECT_EQ(reference.differences(), "");
}

INSTANTIATE_TEST_SUITE_P(Configurations, Programs, testing::ValuesIn(configurations()),
                         [](const testing::TestParamInfo<Configuration> &info) {
                           return differential::identifier(info.param.name());
                         });

// ---- functions -----------------------------------------------------------------------------------------------------

/// Of a compile command.
std::vector<std::string> flagsOf(const std::string &command) {
  std::vector<std::string> flags;
  std::istringstream stream(command);
  for (std::string word; stream >> word;)
    if (word.starts_with("-") && word != "-c")
      flags.push_back(word);
  return flags;
}

class FunctionsOfPrograms : public testing::TestWithParam<Configuration> {};

TEST_P(FunctionsOfPrograms, HoldTheirHintsAndHovers) {
  const analysis::TempFolder folder;
  writeDatabase(folder.path(), GetParam());
  analysis::Analyzer analyzer;
  for (const fs::path &path : programs()) {
    const analysis::wire::AnalyzeRequest request{.id = 1,
                                                 .path = path.string(),
                                                 .language = path.extension() == ".c" ? Language::C : Language::Cxx,
                                                 .text = readFile(path.string()),
                                                 .settings = GetParam().settings(folder.path())};
    const Shown result =
        analysis::shown(analyzer.run(request, {}, [](const analysis::wire::Progress &) {}), request.text, request.path);
    const std::vector<Function> functions =
        functionsOf(path.string(), flagsOf(GetParam().commandFor(path, request.text)));
    EXPECT_FALSE(functions.empty()) << path;
    for (const std::string &stray : strays(result, request.text, functions))
      ADD_FAILURE() << path.filename().string() << " " << stray;
  }
}

std::vector<Configuration> someConfigurations() {
  std::vector<Configuration> some = configurations();
  std::erase_if(
      some, [](const Configuration &one) { return one.name() != "clang-O2-x86_64" && one.name() != "gcc-O3-aarch64"; });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Configurations, FunctionsOfPrograms, testing::ValuesIn(someConfigurations()),
                         [](const testing::TestParamInfo<Configuration> &info) {
                           return differential::identifier(info.param.name());
                         });

// ---- the harness itself --------------------------------------------------------------------------------------------

TEST(Marks, AreReadFromTheEndsOfLines) {
  const Marks marks = readMarks("for (;;) // hint\r\n"
                                "  ; // hint? \n"
                                "// hint below\n"
                                "while (a) \\\n"
                                "// hint? below\n"
                                "// a hint in words\n");
  EXPECT_EQ(marks.required, (std::set<uint32_t>{1, 4}));
  EXPECT_EQ(marks.allowed, (std::set<uint32_t>{1, 2, 4, 6}));
}

TEST(Strays, AreLoopsAndHoversOutsideOfTheirFunction) {
  const analysis::TempFolder folder;
  const std::string text = "int f(void) { return 1; }\n"
                           "int g(int a) {\n"
                           "  return a;\n"
                           "}\n"
                           "MAKE(h)\n";
  const std::vector<Function> functions =
      functionsOf(folder.write("a.c", "#define MAKE(f) int f(void) { return 2; }\n" + text), {"-std=c17"});
  const std::string source = "// MAKE\n" + text;
  const TextLines lines(source);
  const auto straysOf = [&](const std::string &name, uint32_t line, uint32_t first, uint32_t last, bool hover = false) {
    const analysis::wire::ByteRange at{lines.range(first - 1).begin, lines.range(last - 1).end};
    Shown result;
    if (hover)
      result.hovers.push_back({.at = at});
    else
      result.regions.push_back({.name = name, .kind = analysis::wire::RegionKind::Loop, .at = at, .line = line});
    return strays(result, source, functions).size();
  };
  EXPECT_EQ(straysOf("loop in g", 4, 3, 5), 0u);
  EXPECT_EQ(straysOf("loop in g.part.0, vector body ×8, through line 4", 4, 4, 4), 0u);
  EXPECT_EQ(straysOf("loop in g", 2, 3, 5), 1u) << "the hint is f's";
  EXPECT_EQ(straysOf("loop in g", 4, 2, 5), 1u) << "its lines begin in f";
  EXPECT_EQ(straysOf("loop in f", 4, 3, 5), 1u) << "another function's";
  EXPECT_EQ(straysOf("loop in h", 6, 6, 6), 0u) << "a macro's function";
  EXPECT_EQ(straysOf("loop inlined into f at line 2", 4, 3, 5), 0u);
  EXPECT_EQ(straysOf("loop inlined into f at line 4", 4, 3, 5), 1u);
  EXPECT_EQ(straysOf("loop of x, called here", 4, 4, 4), 0u);
  EXPECT_EQ(straysOf("loop of x, called here", 4, 3, 4), 1u);
  EXPECT_EQ(straysOf("", 0, 3, 5, true), 0u);
  EXPECT_EQ(straysOf("", 0, 2, 3, true), 1u);
}

TEST(Difference, ShowsTheLinesThatDiffer) {
  EXPECT_EQ(difference({"a.c:1: x", "a.c:2: y", "b.c:1: z"}, {"a.c:1: x", "a.c:2: Y", "c.c:1: z"}),
            "- a.c:2: y\n+ a.c:2: Y\n- b.c:1: z\n+ c.c:1: z\n");
  EXPECT_EQ(difference({"a.c:1: x"}, {"a.c:1: x"}), "");
}

} // namespace
} // namespace sources
