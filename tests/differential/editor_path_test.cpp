// The path to the editor against the installed llvm-mca: for every region that llvm-mca reports, the totals of the
// analysis, of its hover and of `mca-lsp --check` are llvm-mca's; the rate is that of llvm-mca's later iterations, and
// the same in the hint, the hover and the check. rate_test.cpp proves rates exactly.
//
// Where a load waits for the store to the same operand, which llvm-mca does not know, the numbers are those of mca on
// the region's listing, whose comment says so. mca without that comment is llvm-mca (program_test.cpp).
#include "analysis/job/analyzer.h"
#include "tests/differential/check_output.h"
#include "tests/differential/corpus.h"
#include "tests/differential/llvm_report.h"
#include "tests/differential/process.h"
#include "tests/differential/summary_differences.h"
#include "tests/shown.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sstream>

namespace differential {
namespace {

using analysis::Shown;
using lsp::wording::Block;
using Hover = analysis::ShownHover;
using analysis::ShownRegion;
using analysis::wire::RegionKind;

constexpr size_t kHoverRows = 8; // units that a hover lists

Shown analyse(const std::string &path) {
  analysis::Analyzer analyzer;
  const analysis::wire::AnalyzeRequest request{
      .id = 1, .path = path, .text = readFile(path), .settings = {.listings = true}};
  return analysis::shown(analyzer.run(request, {}, [](const analysis::wire::Progress &) {}), request.text, path);
}

/// `iterations` 0: as many as the file asks for.
std::vector<LlvmRegion> askLlvm(const Case &testCase, uint32_t iterations = 0) {
  std::vector<std::string> options{"-call-latency=1"};
  if (!iterations)
    iterations = settingsOf(readFile(testCase.reference)).iterations;
  if (iterations)
    options.push_back("-iterations=" + std::to_string(iterations));
  const ProcessResult result = runProcess(commandFor(LLVM_MCA, testCase.reference, options));
  EXPECT_EQ(result.status, 0) << result.errors;
  return parseLlvmReport(result.output);
}

/// Replaces the reports of regions of which llvm-mca does not know all.
void askMcaForSameOperands(const Case &testCase, const Shown &ours, const std::vector<size_t> &regions,
                           std::vector<LlvmRegion> &reports, uint32_t iterations = 0) {
  if (!iterations)
    iterations = settingsOf(readFile(testCase.reference)).iterations;
  for (size_t i = 0; i < std::min(regions.size(), reports.size()); ++i) {
    const ShownRegion &region = ours.regions[regions[i]];
    if (region.listing.find("mca: same-operands") == std::string::npos)
      continue;
    const std::string path = testing::TempDir() + "editor_path_" +
                             identifier(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".s";
    std::ofstream(path, std::ios::binary) << region.listing;
    std::vector<std::string> command{MCA_PROGRAM, "-call-latency=1", path};
    for (const std::string &option : targetOptions(settingsOf(readFile(testCase.reference))))
      command.push_back(option);
    if (iterations)
      command.push_back("-iterations=" + std::to_string(iterations));
    const ProcessResult result = runProcess(command);
    std::filesystem::remove(path);
    EXPECT_EQ(result.status, 0) << result.errors;
    std::vector<LlvmRegion> known = parseLlvmReport(result.output);
    ASSERT_EQ(known.size(), 1u) << result.output;
    known[0].name = reports[i].name;
    reports[i] = std::move(known[0]);
  }
}

double number(const std::string &text) {
  return text.empty() ? 0 : std::stod(text);
}

std::string labelOf(const ShownRegion &region) {
  return "IPC " + rounded(region.ipc, 2) + " · " + rounded(region.cyclesPerIteration, 1) + " cyc";
}

/// Over the later iterations of llvm-mca's, which may end at another point of a period than they begin.
void expectRates(const Case &testCase, const Shown &ours, const std::vector<size_t> &regions) {
  constexpr uint32_t kIterations = 1260; // a multiple of most periods
  constexpr double kCyclesOff = 24;
  std::vector<LlvmRegion> once = askLlvm(testCase, kIterations), twice = askLlvm(testCase, 2 * kIterations);
  askMcaForSameOperands(testCase, ours, regions, once, kIterations);
  askMcaForSameOperands(testCase, ours, regions, twice, 2 * kIterations);
  ASSERT_EQ(once.size(), regions.size());
  for (size_t i = 0; i < regions.size(); ++i) {
    const ShownRegion &region = ours.regions[regions[i]];
    const double later = number(twice[i].field("Total Cycles")) - number(once[i].field("Total Cycles"));
    EXPECT_NEAR(region.cyclesPerIteration * kIterations, later, kCyclesOff) << region.name;
    EXPECT_DOUBLE_EQ(region.ipc * region.cyclesPerIteration, region.instructions) << region.name;
  }
}

/// Behind the marks of a bound and of a doubt, IPC and cycles, or the cycles alone where the IPC has no room or no
/// meaning.
bool showsNumbers(std::string label, const ShownRegion &region) {
  for (const std::string mark : {"≥ ", "≈ "})
    if (label.starts_with(mark))
      label.erase(0, mark.size());
  const std::string both = labelOf(region);
  return label.starts_with(both) || label.starts_with(both.substr(both.find("· ") + std::string("· ").size()));
}

using Pressure = std::vector<std::pair<std::string, std::string>>;

/// A line of a preformatted block as its words.
std::vector<std::string> words(const std::string &line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;)
    result.push_back(word);
  return result;
}

/// The table below "Resource pressure": unit and cycles, as the hover shows them.
Pressure pressureIn(const Hover &hover) {
  Pressure shown;
  const auto title = std::find_if(hover.contents.begin(), hover.contents.end(),
                                  [](const Block &block) { return block.text.starts_with("Resource pressure"); });
  if (title == hover.contents.end())
    return shown;
  std::istringstream table((title + 1)->text);
  for (std::string line; std::getline(table, line);)
    if (const std::vector<std::string> row = words(line); row.at(0) != "and")
      shown.emplace_back(row.at(0), row.at(1));
  return shown;
}

void expectHover(const Hover &hover, const ShownRegion &region, const LlvmRegion &llvm) {
  ASSERT_FALSE(hover.contents.empty());
  const std::string &title = hover.contents[0].text;
  EXPECT_TRUE(showsNumbers(title.substr(title.rfind(": ") + 2), region)) << title << " is not " << labelOf(region);
  std::string numbers;
  for (const Block &block : hover.contents)
    if (block.text.starts_with("Cycles per iteration"))
      numbers = block.text;
  const auto expectRow = [&](std::string name, const std::string &value) {
    name.resize(27, ' ');
    EXPECT_NE(numbers.find(name + value + "\n"), std::string::npos) << name << value << " is not in\n" << numbers;
  };
  expectRow("Cycles per iteration", rounded(region.cyclesPerIteration, 2));
  expectRow("IPC", rounded(region.ipc, 2));
  expectRow("Block RThroughput", llvm.field("Block RThroughput"));
  expectRow("Dispatch width", llvm.field("Dispatch Width"));
  EXPECT_NE(numbers.find(" iterations, " + llvm.field("Total Cycles") + " cycles, IPC " + llvm.field("IPC")),
            std::string::npos)
      << numbers;

  const Pressure shown = pressureIn(hover);
  EXPECT_EQ(shown.size(), std::min(kHoverRows, llvm.pressure.size()));
  for (const auto &row : shown)
    EXPECT_EQ(std::count(llvm.pressure.begin(), llvm.pressure.end(), row), 1) << row.first << " " << row.second;
}

void expectChecked(const CheckedRegion &ours, const ShownRegion &region, const LlvmRegion &llvm) {
  EXPECT_EQ(ours.name, llvm.name.empty() ? ours.kind == "snippet" ? "whole text" : "(unnamed)" : llvm.name);
  const auto field = [&](const std::string &name) {
    const auto found = ours.fields.find(name);
    return found == ours.fields.end() ? std::string() : found->second;
  };
  EXPECT_EQ(field("iterations"), llvm.field("Iterations"));
  EXPECT_EQ(field("cycles"), llvm.field("Total Cycles"));
  EXPECT_EQ(field("uops"), llvm.field("Total uOps"));
  EXPECT_EQ(field("dispatch width"), llvm.field("Dispatch Width"));
  EXPECT_EQ(field("cycles per iteration"), (region.isLowerBound ? "≥ " : "") + rounded(region.cyclesPerIteration, 2));
  EXPECT_EQ(field("IPC"), region.isLowerBound ? "" : rounded(region.ipc, 2));
  EXPECT_EQ(field("average IPC"), llvm.field("IPC"));
  EXPECT_EQ(field("average uops/cycle"), llvm.field("uOps Per Cycle"));
  EXPECT_EQ(field("block rthroughput"), llvm.field("Block RThroughput"));
  std::string pressure;
  for (const auto &[unit, cycles] : llvm.pressure)
    pressure += (pressure.empty() ? "" : " ") + unit + "=" + cycles;
  EXPECT_EQ(field("pressure"), pressure);
}

/// llvm-mca reports the marker regions, or the whole text when there are none.
template <class List, class IsMarker, class IsSnippet>
auto comparable(const List &all, IsMarker isMarker, IsSnippet isSnippet) {
  std::vector<size_t> indices;
  const bool marked = std::any_of(all.begin(), all.end(), isMarker);
  for (size_t i = 0; i < all.size(); ++i)
    if (marked ? isMarker(all[i]) : isSnippet(all[i]))
      indices.push_back(i);
  return indices;
}

/// The hint stands on the region's first line or, when the region has no begin marker, on its first instruction's.
void compareHint(const Shown &result, const ShownRegion &region) {
  const auto hint = std::find_if(result.hints.begin(), result.hints.end(), [&](const auto &candidate) {
    return candidate.offset >= region.at.begin && candidate.offset <= region.at.end;
  });
  ASSERT_NE(hint, result.hints.end()) << "no hint for " << region.name;
  EXPECT_TRUE(showsNumbers(hint->label(), region)) << hint->label() << " is not " << labelOf(region);
}

std::vector<size_t> comparableRegions(const Shown &result) {
  return comparable(
      result.regions, [](const ShownRegion &region) { return region.kind == RegionKind::Marker; },
      [](const ShownRegion &region) { return region.kind == RegionKind::Snippet; });
}

void compareLibrary(const Shown &result, const std::vector<LlvmRegion> &llvm) {
  const std::vector<size_t> regions = comparableRegions(result);
  ASSERT_EQ(regions.size(), llvm.size());
  ASSERT_EQ(result.hovers.size(), result.regions.size());
  for (size_t i = 0; i < llvm.size(); ++i) {
    SCOPED_TRACE("region " + std::to_string(i) + " " + llvm[i].name);
    const ShownRegion &region = result.regions[regions[i]];
    EXPECT_EQ(region.name, llvm[i].name.empty() && region.kind == RegionKind::Snippet ? "whole text" : llvm[i].name);
    EXPECT_EQ(summaryDifferences(region, llvm[i]), "");
    compareHint(result, region);
    const auto hover = std::find_if(result.hovers.begin(), result.hovers.end(),
                                    [&](const Hover &candidate) { return candidate.at == region.at; });
    ASSERT_NE(hover, result.hovers.end()) << "no hover over " << region.name;
    expectHover(*hover, region, llvm[i]);
  }
}

void compareCheck(const std::string &path, const Shown &result, const std::vector<LlvmRegion> &llvm) {
  const std::vector<size_t> ours = comparableRegions(result);
  const ProcessResult run = runProcess({MCA_LSP_PROGRAM, "--check", "--log=error", "--calibration=off", path});
  EXPECT_EQ(run.status, 0) << run.output << run.errors;
  const CheckOutput check = parseCheckOutput(run.output);
  const std::vector<size_t> regions = comparable(
      check.regions, [](const CheckedRegion &region) { return region.kind == "marker"; },
      [](const CheckedRegion &region) { return region.kind == "snippet"; });
  ASSERT_EQ(regions.size(), llvm.size()) << run.output;
  ASSERT_EQ(regions.size(), ours.size());
  for (size_t i = 0; i < llvm.size(); ++i) {
    SCOPED_TRACE("region " + std::to_string(i) + " " + llvm[i].name + " of --check");
    const CheckedRegion &region = check.regions[regions[i]];
    const ShownRegion &numbers = result.regions[ours[i]];
    expectChecked(region, numbers, llvm[i]);
    const auto hint = check.hints.lower_bound(region.firstLine);
    ASSERT_NE(hint, check.hints.end());
    EXPECT_TRUE(showsNumbers(hint->second, numbers)) << hint->second << " is not " << labelOf(numbers);
  }
}

void compareBoth(const Case &testCase, std::vector<LlvmRegion> llvm) {
  const Shown result = analyse(testCase.path);
  askMcaForSameOperands(testCase, result, comparableRegions(result), llvm);
  compareLibrary(result, llvm);
  compareCheck(testCase.path, result, llvm);
}

/// How many failures the comparison finds, without failing for them.
int failuresOf(const Case &testCase, const std::vector<LlvmRegion> &llvm) {
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(&failures);
    compareBoth(testCase, llvm);
  }
  return failures.size();
}

class EditorPath : public testing::TestWithParam<Case> {};

TEST_P(EditorPath, ShowsLlvmMcasNumbers) {
  const std::vector<LlvmRegion> llvm = askLlvm(GetParam());
  ASSERT_FALSE(llvm.empty());
  if (const char *why = knownDifference(Path::Editor, GetParam().name))
    EXPECT_GT(failuresOf(GetParam(), llvm), 0)
        << "does not differ any more (" << why << "): take it off the list of known differences";
  else
    compareBoth(GetParam(), llvm);
}

TEST_P(EditorPath, ShowsTheRateOfLlvmMcasLaterIterations) {
  if (knownDifference(Path::Editor, GetParam().name))
    return;
  const Shown result = analyse(GetParam().path);
  expectRates(GetParam(), result, comparableRegions(result));
}

INSTANTIATE_TEST_SUITE_P(Corpus, EditorPath, testing::ValuesIn(comparedCases()),
                         [](const testing::TestParamInfo<Case> &info) { return identifier(info.param.name); });

/// The comparison itself must see any wrong number and any missing region, or the tests above prove nothing.
TEST(Comparison, SeesWrongNumbers) {
  const std::string path = std::string(DIFFERENTIAL_FILES) + "/corpus/x86/dot_product.s";
  const Case testCase{"", path, path};
  const std::vector<LlvmRegion> llvm = askLlvm(testCase);
  ASSERT_EQ(llvm.size(), 2u);
  EXPECT_EQ(llvm[0].name, "one accumulator");
  EXPECT_EQ(llvm[0].field("Instructions"), "500");
  EXPECT_EQ(failuresOf(testCase, llvm), 0);
  for (const char *field : {"Iterations", "Instructions", "Total Cycles", "Total uOps", "Dispatch Width",
                            "uOps Per Cycle", "IPC", "Block RThroughput"}) {
    std::vector<LlvmRegion> wrong = llvm;
    wrong[1].fields.at(field) += "1";
    EXPECT_GT(failuresOf(testCase, wrong), 0) << field;
  }
  std::vector<LlvmRegion> wrong = llvm;
  wrong[0].pressure.at(0).second += "1";
  EXPECT_GT(failuresOf(testCase, wrong), 0);
  wrong = llvm;
  wrong.push_back(llvm[0]);
  EXPECT_GT(failuresOf(testCase, wrong), 0);
}

} // namespace
} // namespace differential
