// What is sent of the regions: each of them always, the numbers of its simulation only where the server lacks them.
#include "analysis/job/results.h"

#include "analysis/job/analyzer.h"
#include "analysis/regions/region_limits.h"
#include "analysis/wire/codec.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"
#include "tests/mca-core/parsed.h"

#include <algorithm>
#include <map>
#include <set>

namespace analysis {
namespace {

using wire::AnalysisResult;
using wire::AnalyzeRequest;

const std::string kText = "# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                          "  .type f,@function\n"
                          "f:\n"
                          ".Lf:\n"
                          "  addl (%rdi), %eax\n"
                          "  call g\n"
                          "  decl %ecx\n"
                          "  jne .Lf\n"
                          "  ret\n"
                          "  .type h,@function\n"
                          "h:\n"
                          ".Lh:\n"
                          "  imull %edx, %edx\n"
                          "  decl %ecx\n"
                          "  jne .Lh\n"
                          "  ret\n";

AnalyzeRequest requestOf(const std::string &text) {
  return {.id = 1, .path = "/a.s", .text = text};
}

/// kText with one part of it replaced.
std::string replaced(const std::string &what, const std::string &with) {
  std::string text = kText;
  return text.replace(text.find(what), what.size(), with);
}

std::vector<uint64_t> idsOf(const AnalysisResult &result) {
  std::vector<uint64_t> ids;
  for (const wire::Simulation &simulation : result.simulations)
    ids.push_back(simulation.id);
  return ids;
}

std::string textAt(const std::string &text, wire::ByteRange at) {
  return text.substr(at.begin, at.end - at.begin);
}

/// `before`, and then a region more than are analysed.
std::string tooMany(const std::string &before) {
  std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n" + before;
  for (size_t i = 0; i <= kMaxRegions; ++i)
    text += "# LLVM-MCA-BEGIN\nnop\n# LLVM-MCA-END\n";
  return text + ".La: decl %eax\njne .La\n";
}

class ResultsTest : public testing::Test {
protected:
  AnalysisResult run(const AnalyzeRequest &request) {
    simulating = 0;
    return analyzer.run(request, {}, [this](const wire::Progress &progress) {
      simulating += progress.stage == wire::Stage::Simulating;
    });
  }
  /// With the simulations of `before` known.
  AnalysisResult runAfter(const AnalyzeRequest &before, AnalyzeRequest request) {
    request.knownSimulations = idsOf(run(before));
    return run(request);
  }
  /// For each region of a request whether its simulation is sent when those of `before` are known.
  std::vector<bool> sentOf(const AnalyzeRequest &request, const AnalyzeRequest &before = requestOf(kText)) {
    const std::vector<uint64_t> known = idsOf(run(before));
    const AnalysisResult result = runAfter(before, request);
    const std::vector<uint64_t> ids = idsOf(result);
    const std::set<uint64_t> sent(ids.begin(), ids.end());
    EXPECT_EQ(sent.size(), ids.size()) << "each once";
    std::vector<bool> isSent;
    for (const wire::Region &region : result.regions) {
      isSent.push_back(sent.contains(region.simulation));
      const bool isKnown = std::find(known.begin(), known.end(), region.simulation) != known.end();
      EXPECT_NE(isSent.back(), isKnown) << region.name;
    }
    return isSent;
  }
  using Sent = std::vector<bool>;

  Analyzer analyzer;
  size_t simulating = 0; ///< steps of the last job
};

TEST_F(ResultsTest, CodeToMeasureSaysWhereItsPointersBegin) {
  AnalyzeRequest request = requestOf("# mca: triple=x86_64-linux-gnu cpu=skylake\n# mca: measure rdx=7\n"
                                     "leaq 8(%rdi), %rax\n.La: movups (%rax), %xmm0\naddq $16, %rax\n"
                                     "cmpq %rax, %rdx\njne .La\n");
  request.settings.runnable = true;
  const AnalysisResult result = run(request);
  ASSERT_EQ(result.regions.size(), 1u);
  EXPECT_TRUE(result.regions[0].runnable.starts_with("# mca: measure rax=+8\n# mca: measure rdx=7\n"))
      << result.regions[0].runnable;
}

TEST_F(ResultsTest, WhatIsKnownIsNotSent) {
  const AnalysisResult first = run(requestOf(kText));
  EXPECT_EQ(first.regions.size(), 2u);
  EXPECT_EQ(first.simulations.size(), 2u);
  EXPECT_EQ(sentOf(requestOf(kText)), (Sent{false, false}));
  EXPECT_EQ(sentOf(requestOf(kText), requestOf("# mca: triple=x86_64-linux-gnu cpu=skylake\n")), (Sent{true, true}));
}

TEST_F(ResultsTest, AnEditCostsItsOwnLoop) {
  EXPECT_EQ(sentOf(requestOf(replaced("imull %edx, %edx", "imull %edx, %ebx"))), (Sent{false, true}));
  EXPECT_EQ(sentOf(requestOf(replaced("addl (%rdi), %eax", "addl 4(%rdi), %eax"))), (Sent{true, false}));
  EXPECT_EQ(sentOf(requestOf(replaced("  ret\n  .type h", "  retq\n  .type h"))), (Sent{false, false}));
}

TEST_F(ResultsTest, WhatMovesALoopCostsNothing) {
  EXPECT_EQ(sentOf(requestOf("\n" + kText)), (Sent{false, false}));
  EXPECT_EQ(sentOf(requestOf(replaced("  ret\n  .type h", "  ret\n\n  .type h"))), (Sent{false, false}));
}

TEST_F(ResultsTest, ANameCostsNothing) {
  EXPECT_EQ(sentOf(requestOf(replaced("  .type h,@function\nh:", "  .type k,@function\nk:"))), (Sent{false, false}));
}

TEST_F(ResultsTest, OtherCpusCostTheRegionsThatHaveThem) {
  AnalyzeRequest request = requestOf(kText);
  request.settings.cpus = {"znver4"};
  EXPECT_EQ(sentOf(request), (Sent{true, true}));
  EXPECT_EQ(sentOf(request, request), (Sent{false, false}));
  AnalyzeRequest others = request;
  others.settings.cpus = {"haswell"};
  EXPECT_EQ(sentOf(others, request), (Sent{true, true}));

  // Two paths through the first loop; a line with two loops, of which the hint shows the second.
  const std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                           "a:\nje b\nincl %eax\nb:\nincq %rdi\njne a\n"
                           "c: decl %ecx; jne c; d: movl (%rdi), %ebx; decl %edx; jne d\n";
  AnalyzeRequest several = requestOf(text);
  several.settings.cpus = {"znver4"};
  EXPECT_EQ(sentOf(several, requestOf(text)), (Sent{true, false, false, true}));
}

TEST_F(ResultsTest, OtherOptionsAndAnotherCpuCostAll) {
  AnalyzeRequest request = requestOf(kText);
  request.settings.iterations = 7;
  EXPECT_EQ(sentOf(request), (Sent{true, true}));
  EXPECT_EQ(sentOf(requestOf(replaced("cpu=skylake", "cpu=haswell"))), (Sent{true, true}));
}

TEST_F(ResultsTest, ListingsAreTheRegionsOwn) {
  AnalyzeRequest request = requestOf(kText);
  request.settings.listings = true;
  EXPECT_EQ(sentOf(request), (Sent{false, false}));
  EXPECT_NE(runAfter(requestOf(kText), request).regions.at(1).listing.find("imull"), std::string::npos);
  EXPECT_EQ(run(requestOf(kText)).regions.at(1).listing, "");
}

TEST_F(ResultsTest, WhatIsTheSameIsSentOnce) {
  const std::string same = "imull %ecx, %eax\ndecl %edx\n# LLVM-MCA-END\n";
  const AnalysisResult result =
      run(requestOf("# mca: triple=x86_64-linux-gnu cpu=skylake\n# LLVM-MCA-BEGIN a\n" + same + "# LLVM-MCA-BEGIN b\n" +
                    same + "# LLVM-MCA-BEGIN c\nincl %eax\n" + "# LLVM-MCA-END\n"));
  ASSERT_EQ(result.regions.size(), 3u);
  ASSERT_EQ(result.simulations.size(), 2u);
  EXPECT_EQ(result.regions[0].simulation, result.simulations[0].id);
  EXPECT_EQ(result.regions[1].simulation, result.simulations[0].id);
  EXPECT_EQ(result.regions[2].simulation, result.simulations[1].id);
  EXPECT_EQ(result.regions[1].name, "b");
}

TEST_F(ResultsTest, IdsDoNotDependOnWhatStandsBefore) {
  const AnalysisResult alone = run(requestOf(kText));
  const std::string before = "# mca: triple=x86_64-linux-gnu cpu=skylake\n.Lz:\n  shll %eax\n  jne .Lz\n";
  Analyzer fresh;
  const AnalysisResult behind = fresh.run(requestOf(before + kText), {}, [](const wire::Progress &) {});
  ASSERT_EQ(alone.regions.size(), 2u);
  ASSERT_EQ(behind.regions.size(), 3u);
  EXPECT_EQ(behind.regions[1].simulation, alone.regions[0].simulation);
  EXPECT_EQ(behind.regions[2].simulation, alone.regions[1].simulation);
}

TEST_F(ResultsTest, RegionsAreAlwaysSentWithTheirPlaces) {
  const AnalysisResult first = run(requestOf(kText));
  EXPECT_EQ(runAfter(requestOf(kText), requestOf(kText)).regions, first.regions);
  const std::string moved = "\n" + kText;
  const AnalysisResult result = runAfter(requestOf(kText), requestOf(moved));
  ASSERT_EQ(result.regions.size(), 2u);
  const wire::Region &region = result.regions[1];
  EXPECT_EQ(region.name, "loop in h");
  EXPECT_EQ(textAt(moved, region.at), ".Lh:\n  imull %edx, %edx\n  decl %ecx\n  jne .Lh");
  EXPECT_EQ(moved.substr(region.anchor, 4), ".Lh:");
  std::vector<std::string> instructions;
  for (const wire::ByteRange place : region.places)
    instructions.push_back(textAt(moved, place));
  EXPECT_EQ(instructions, (std::vector<std::string>{"imull %edx, %edx", "decl %ecx", "jne .Lh"}));
  ASSERT_EQ(result.regions[0].transfers.size(), 1u);
  EXPECT_EQ(textAt(moved, result.regions[0].transfers[0].at), "call g");
}

TEST_F(ResultsTest, TogetherWithWhatIsKnownTheySayWhatTheWholeSays) {
  AnalyzeRequest request = requestOf(replaced("imull %edx, %edx", "imull %edx, %ebx"));
  request.settings.cpus = {"znver4"};
  AnalyzeRequest before = request;
  before.text = kText;
  const AnalysisResult first = run(before);
  AnalysisResult part = runAfter(before, request);
  EXPECT_EQ(part.simulations.size(), 1u);
  std::map<uint64_t, wire::Simulation> known;
  for (const auto &simulations : {first.simulations, part.simulations})
    for (const wire::Simulation &simulation : simulations)
      known[simulation.id] = simulation;

  Analyzer fresh;
  const AnalysisResult whole = fresh.run(request, {}, [](const wire::Progress &) {});
  part.simulations.clear();
  for (const uint64_t id : idsOf(whole)) {
    ASSERT_TRUE(known.contains(id));
    part.simulations.push_back(known[id]);
  }
  part.analysisMicros = whole.analysisMicros;
  EXPECT_EQ(wire::encode(wire::FromWorker(part)), wire::encode(wire::FromWorker(whole)));
}

/// The server may have them of another worker, or of one that died.
TEST_F(ResultsTest, AWorkerThatNeverHadThemDoesNotMakeThem) {
  AnalyzeRequest request = requestOf(kText);
  request.knownSimulations = idsOf(run(request));
  const size_t whole = simulating;
  Analyzer fresh;
  size_t again = 0;
  const AnalysisResult result = fresh.run(
      request, {}, [&](const wire::Progress &progress) { again += progress.stage == wire::Stage::Simulating; });
  EXPECT_TRUE(result.simulations.empty());
  EXPECT_EQ(result.regions.size(), 2u);
  EXPECT_LT(again, whole) << "why instructions wait";
}

TEST_F(ResultsTest, BudgetsAndViewsDoNotNeedThem) {
  AnalyzeRequest request = requestOf(
      kText + "# LLVM-MCA-BEGIN a\n# mca: cycles<=9\n# mca: ipc>=1 cpu=haswell\n  addl %eax, %eax\n# LLVM-MCA-END a\n");
  for (const wire::DocumentKind kind :
       {wire::DocumentKind::Report, wire::DocumentKind::Assembly, wire::DocumentKind::Timeline})
    request.documents.push_back({kind, static_cast<uint32_t>(kText.find("imull"))});
  const AnalysisResult first = run(request);
  ASSERT_EQ(first.budgets.size(), 2u);
  ASSERT_EQ(first.views.size(), 3u);
  const AnalysisResult again = runAfter(request, request);
  EXPECT_TRUE(again.simulations.empty());
  EXPECT_EQ(again.budgets, first.budgets);
  EXPECT_EQ(again.views, first.views);
}

TEST_F(ResultsTest, RunnableCodeHasTheStatementsAboutMeasuringThatAreForIt) {
  AnalyzeRequest request = requestOf("# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                                     "# mca: measure ecx=7\n"
                                     "a:\n"
                                     "# mca: measure  rdi=buffer:64 \n"
                                     "  movl (%rdi), %eax\n"
                                     "  jne a\n"
                                     "# mca: measure rsi=3\n"
                                     "b: decl %eax\n"
                                     "  jne b\n");
  EXPECT_EQ(run(request).regions.at(0).runnable, "") << "it was not requested";
  request.settings.runnable = true;
  const AnalysisResult result = run(request);
  ASSERT_EQ(result.regions.size(), 2u);
  EXPECT_TRUE(result.findings.empty()) << lsp::wording::messageOf(result.findings[0]);
  EXPECT_EQ(result.regions[0].runnable, "# mca: measure ecx=7\n# mca: measure  rdi=buffer:64\n.Lmca_measured_0_0:\n"
                                        "\tmovl (%rdi), %eax\n\tjne\t.Lmca_measured_0_0\n");
  EXPECT_EQ(result.regions[1].runnable,
            "# mca: measure ecx=7\n.Lmca_measured_1_0:\n\tdecl %eax\n\tjne\t.Lmca_measured_1_0\n");
}

TEST_F(ResultsTest, OfTheLoopsOnALineTheFirstIsToldInDepth) {
  const AnalysisResult result = run(requestOf("# mca: triple=x86_64-linux-gnu cpu=skylake\n"
                                              "c: decl %ecx; jne c; d: movl (%rdi), %ebx; decl %edx; jne d\n"));
  ASSERT_EQ(result.regions.size(), 2u);
  ASSERT_EQ(result.simulations.size(), 2u);
  EXPECT_EQ(result.regions[0].rank, 1u);
  EXPECT_EQ(result.regions[1].rank, 0u) << "it moves most bytes";
  EXPECT_TRUE(result.simulations[0].body.empty());
  EXPECT_EQ(result.simulations[1].body.size(), 3u);
  EXPECT_EQ(result.regions[0].places.size(), 2u);
}

// ---- a region made for it ------------------------------------------------------------------------------------------

TEST(Results, ARegionWhole) {
  const std::string text = "incl %eax\ncall f\ndecl %ebx # b\n";
  const mca::Parsed parsed(mca::kX86, "skylake", text);
  const TextLines lines(text);
  const SourceMap map = SourceMap::ofAssembly(*parsed.program, lines);
  mca::Simulator simulator(*parsed.target);
  const mca::SimulationOptions options;
  const AnalyzeRequest request = requestOf(text);
  const wire::TargetSummary summary;
  const FindTarget findTarget;

  Region region;
  static_cast<wire::Region &>(region) = {.name = "loop in f",
                                         .variant = "unrolled ×2",
                                         .path = "through line 2",
                                         .kind = wire::RegionKind::Path,
                                         .at = {0, 30},
                                         .anchor = 4,
                                         .loop = 5,
                                         .sourceIterations = 2,
                                         .share = 0.25,
                                         .iterationsPerCall = 31.5,
                                         .vectorTypes = {"e32, m2 for 4 instructions"},
                                         .inlined = {"at (vector:12), 3 instructions"},
                                         .caveats = {{.kind = wire::Caveat::Kind::RepeatPrefix}},
                                         .calls = {"f"}};
  region.instructions = {0, 1, 2};
  region.lines = {1, 2, 3};
  auto entry = std::make_shared<ReportCache::CachedSimulation>();
  entry->simulation = simulator.simulate(*parsed.program, region.instructions, options);
  ASSERT_TRUE(entry->simulation);
  const SimulatedRegion simulated{
      .region = &region, .key = {1, 2}, .entry = entry, .caveats = {{.kind = wire::Caveat::Kind::UnreadLine}}};
  const auto told = [&] {
    const Results results({.request = request,
                           .summary = summary,
                           .target = *parsed.target,
                           .simulator = simulator,
                           .program = *parsed.program,
                           .lines = lines,
                           .map = map,
                           .options = options,
                           .findTarget = findTarget,
                           .measures = {}},
                          {&simulated, 1});
    return results.regions().at(0);
  };

  const wire::Region expected{.name = "loop in f",
                              .variant = "unrolled ×2",
                              .path = "through line 2",
                              .kind = wire::RegionKind::Path,
                              .at = {0, 30},
                              .anchor = 4,
                              .rank = 0,
                              .loop = 5,
                              .sourceIterations = 2,
                              .share = 0.25,
                              .iterationsPerCall = 31.5,
                              .vectorTypes = region.vectorTypes,
                              .inlined = region.inlined,
                              .caveats = simulated.caveats,
                              .calls = {"f"},
                              .transfers = {{wire::Transfer::Kind::Call, 1, "call f", {10, 16}}},
                              .listing = "",
                              .simulation = told().simulation,
                              .places = {{0, 9}, {10, 16}, {17, 26}}};
  EXPECT_EQ(told(), expected);
  EXPECT_EQ(fullName(told()), "loop in f, unrolled ×2, through line 2");
}

TEST_F(ResultsTest, SayFromWhereOnRegionsAreNotAnalysed) {
  const std::string text = tooMany("");
  const AnalysisResult result = run(requestOf(text));
  EXPECT_EQ(result.regions.size(), kMaxRegions);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].code, wire::codes::kTooManyRegions);
  EXPECT_EQ(lsp::wording::messageOf(result.findings[0]),
            "regions from here on are not analysed: at most 20,000 regions of a file are, with at most 400,000 "
            "instructions together; split the file");
  EXPECT_EQ(textAt(text, result.findings[0].at), "# LLVM-MCA-BEGIN");
  EXPECT_EQ(std::ranges::count(text.substr(0, result.findings[0].at.begin), '\n'), 1 + 3 * ptrdiff_t{kMaxRegions});
  EXPECT_EQ(result.coverage, (wire::Coverage{.loops = 1, .hinted = 0})) << "the loop counts nevertheless";
}

TEST_F(ResultsTest, SaySoBeforeAThousandOtherFindings) {
  std::string wrong;
  for (size_t i = 0; i < 2 * wire::kMaxFindings; ++i)
    wrong += "wrong\n";
  const AnalysisResult result = run(requestOf(tooMany(wrong)));
  ASSERT_EQ(result.findings.size(), wire::kMaxFindings);
  EXPECT_EQ(result.findings[0].code, wire::codes::kTooManyRegions);
}

} // namespace
} // namespace analysis
