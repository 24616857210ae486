// Virtual documents, the cache of compiler outputs and the version in git HEAD, through the whole Analyzer.
#include "analysis/job/analyzer.h"
#include "analysis/job/compile_cache.h"
#include "analysis/text/counts.h"
#include "analysis/wire/view_progress.h"
#include "lsp/wording/words.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/shown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace analysis {
namespace {

using wire::DocumentKind;

const char *const kTwoLoops = "\t.type\tfirst,@function\n"
                              "first:\n"
                              "\tmovl\t$0, %eax\n"
                              ".Ltmp0:\n"
                              ".LBB0_1:\n"
                              "\taddss\t(%rdi), %xmm0\n"
                              "\taddq\t$4, %rdi\n"
                              "\tcmpq\t%rsi, %rdi\n"
                              "\tjne\t.LBB0_1\n"
                              "\tretq\n"
                              "\t.type\tsecond,@function\n"
                              "second:\n"
                              ".LBB1_1:\n"
                              "\timulq\t%rax, %rax\n"
                              "\tdecq\t%rcx\n"
                              "\tjne\t.LBB1_1\n"
                              "\tretq\n";

const char *const kSum = "int sum(const int *p, int n) {\n"
                         "  int s = 0;\n"
                         "  for (int i = 0; i < n; ++i)\n"
                         "    s = s * p[i] + 1;\n"
                         "  return s;\n"
                         "}\n";

class AnalyzerTest : public testing::Test {
protected:
  wire::AnalysisResult run(const wire::AnalyzeRequest &request) {
    stages.clear();
    return analyzer.run(request, {}, [this](const wire::Progress &progress) { stages.push_back(progress.stage); });
  }
  bool compiled() const { return std::find(stages.begin(), stages.end(), wire::Stage::Compiling) != stages.end(); }
  static wire::AnalyzeRequest assembly(const std::string &text) {
    wire::AnalyzeRequest request{.path = "/nowhere/a.s", .text = text};
    request.settings.cpu = "skylake";
    request.settings.triple = "x86_64-unknown-linux-gnu";
    return request;
  }
  wire::AnalyzeRequest source(const std::string &text) const {
    wire::AnalyzeRequest request{.path = folder.write("sum.cpp", text), .language = wire::Language::Cxx, .text = text};
    request.settings.cpu = "skylake";
    return request;
  }
  Shown show(const wire::AnalyzeRequest &request) { return shown(run(request), request.text, request.path); }
  lsp::VirtualText documentOf(wire::AnalyzeRequest request, DocumentKind kind, const std::string &at) {
    request.documents = {{kind, static_cast<uint32_t>(request.text.find(at))}};
    const Shown result = show(request);
    EXPECT_EQ(result.documents.size(), 1u);
    return result.documents.empty() ? lsp::VirtualText() : result.documents.front();
  }
  /// In the folder. Only what the test needs of git is there.
  void git(const std::string &arguments) const {
    const std::string command = "cd '" + folder.path() +
                                "' && HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 git -c user.name=t -c user.email=t " +
                                arguments + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
  void commitEverything() const {
    git("init -q");
    git("add .");
    git("commit -q -m one");
  }

  TempFolder folder;
  Analyzer analyzer;
  std::vector<wire::Stage> stages;
};

std::string lineOf(const std::string &text, const std::string &what) {
  const size_t at = text.find(what);
  if (at == std::string::npos)
    return "";
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

// ---- documents -----------------------------------------------------------------------------------------------------

/// The server blames the last one for a worker's death.
/// Not even the file of its name in the folder that the worker runs in.
TEST_F(AnalyzerTest, ADocumentThatIsNoFileIsNotCompiled) {
  const std::filesystem::path present = std::filesystem::current_path();
  wire::AnalyzeRequest request = source("int sum(const int *p) { int s = 0; while (*p) s += *p++; return s; }\n");
  std::filesystem::current_path(folder.path());
  request.path = "sum.cpp";
  const wire::AnalysisResult result = run(request);
  std::filesystem::current_path(present);
  EXPECT_FALSE(compiled());
  EXPECT_TRUE(result.regions.empty());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings.front().code, "not-saved");
}

TEST_F(AnalyzerTest, EachDocumentIsAnnounced) {
  wire::AnalyzeRequest request = assembly(kTwoLoops);
  const auto offset = static_cast<uint32_t>(request.text.find("imulq"));
  request.documents = {{DocumentKind::Report, offset}, {DocumentKind::Assembly, offset}, {DocumentKind::Report, 0}};
  std::vector<const wire::DocumentRequest *> announced;
  analyzer.run(request, {}, [&](const wire::Progress &progress) {
    for (const wire::DocumentRequest &document : request.documents)
      if (wire::isAbout(progress, document))
        announced.push_back(&document);
  });
  const auto &asked = request.documents;
  EXPECT_EQ(announced, (std::vector{&asked[0], &asked[1], &asked[2]}));
}

TEST_F(AnalyzerTest, TheReportHasEveryViewOfTheRegionAtTheOffset) {
  const lsp::VirtualText report = documentOf(assembly(kTwoLoops), DocumentKind::Report, "addq");
  for (const char *part :
       {"a.s, line ", "CPU: skylake (set in the configuration)", "==== loop in first ====", "Iterations:        100",
        "Instruction Info:", "Resource pressure per iteration:", "Timeline view:", "Average Wait times",
        "Dynamic Dispatch Stall Cycles:", "Schedulers - ", "Retire Control Unit",
        "Register File statistics:", "Critical sequence"})
    EXPECT_NE(report.text.find(part), std::string::npos) << part << "\n" << report.text;
  EXPECT_EQ(report.text.find("imulq"), std::string::npos) << "the other loop";
}

TEST_F(AnalyzerTest, AReportOfALineWithoutARegionSaysSo) {
  const lsp::VirtualText report = documentOf(assembly(kTwoLoops), DocumentKind::Report, "movl");
  EXPECT_NE(report.text.find("No region"), std::string::npos) << report.text;
  EXPECT_EQ(report.text.find("Timeline"), std::string::npos);
}

TEST_F(AnalyzerTest, TheAssemblyIsTheFunctionAroundTheOffset) {
  const lsp::VirtualText document = documentOf(assembly(kTwoLoops), DocumentKind::Assembly, "movl");
  EXPECT_NE(document.text.find("first:\n"), std::string::npos) << document.text;
  EXPECT_NE(document.text.find(".LBB0_1:\n"), std::string::npos);
  EXPECT_EQ(document.text.find(".Ltmp0"), std::string::npos) << "nothing refers to it";
  EXPECT_EQ(document.text.find("imulq"), std::string::npos) << "another function";
  EXPECT_NE(document.text.find("# loop in first: IPC "), std::string::npos);
  const std::string add = lineOf(document.text, "addss");
  EXPECT_NE(add.find("#   9  0.50 "), std::string::npos) << "skylake: a load of 5 and an addition of 4 cycles: " << add;
}

TEST_F(AnalyzerTest, LinksLeadToTheLinesOfTheBuffer) {
  const lsp::VirtualText document = documentOf(assembly(kTwoLoops), DocumentKind::Assembly, "addss");
  const auto jump = static_cast<uint32_t>(std::count(
      document.text.begin(), document.text.begin() + static_cast<ptrdiff_t>(document.text.find("\tjne")), '\n'));
  const auto link = std::find_if(document.links.begin(), document.links.end(),
                                 [&](const lsp::LineLink &one) { return one.line == jump; });
  ASSERT_NE(link, document.links.end()) << document.text;
  EXPECT_EQ(link->bufferLine, 8u);
}

TEST_F(AnalyzerTest, TheAssemblyOfASourceShowsItsLines) {
  const lsp::VirtualText document = documentOf(source(kSum), DocumentKind::Assembly, "s = s *");
  EXPECT_NE(document.text.find("# 4: s = s * p[i] + 1;\n"), std::string::npos) << document.text;
  EXPECT_NE(document.text.find("imul"), std::string::npos);
  EXPECT_TRUE(std::any_of(document.links.begin(), document.links.end(),
                          [](const lsp::LineLink &link) { return link.bufferLine == 3; }));
}

// ---- timelines -----------------------------------------------------------------------------------------------------

TEST_F(AnalyzerTest, ATimelineTellsEachCycleOfAnInstance) {
  const lsp::VirtualText document = documentOf(assembly(kTwoLoops), DocumentKind::Timeline, "addq");
  const wire::Timeline &timeline = document.picture.timeline;
  EXPECT_EQ(document.text, "");
  EXPECT_EQ(document.picture.title, "loop in first");
  EXPECT_EQ(document.picture.cpu, "skylake");
  EXPECT_NEAR(document.picture.cyclesPerIteration, 4, 0.2) << "an addition of 4 cycles carries the loop";
  ASSERT_EQ(timeline.instructions.size(), 4u);
  EXPECT_EQ(timeline.instructions[0], "addss (%rdi), %xmm0");
  ASSERT_EQ(timeline.rows.size(), 40u) << "ten iterations";
  const wire::TimelineRow &second = timeline.rows[4];
  EXPECT_EQ(second.iteration, 1u);
  EXPECT_EQ(second.instruction, 0u);
  EXPECT_EQ(second.issued, timeline.rows[0].issued + 4);
  EXPECT_EQ(second.executed, second.issued + 9) << "a load of 5 and an addition of 4 cycles";
  EXPECT_GT(second.retired, second.executed);
}

TEST_F(AnalyzerTest, EveryCycleInWhichAnInstanceWaitsHasAReason) {
  const wire::Timeline timeline = documentOf(assembly(kTwoLoops), DocumentKind::Timeline, "addq").picture.timeline;
  for (const wire::TimelineRow &one : timeline.rows) {
    const auto explained = [&](uint32_t cycle) {
      return std::any_of(one.waits.begin(), one.waits.end(),
                         [&](const wire::TimelineWait &wait) { return wait.from <= cycle && cycle < wait.to; });
    };
    for (uint32_t cycle = one.dispatched + 1; cycle < one.issued; ++cycle)
      EXPECT_TRUE(explained(cycle)) << one.iteration << "," << one.instruction << " at " << cycle;
    for (uint32_t cycle = one.executed + 1; cycle < one.retired; ++cycle)
      EXPECT_TRUE(explained(cycle)) << one.iteration << "," << one.instruction << " at " << cycle;
  }
  const auto &waits = timeline.rows[4].waits;
  const auto chain = std::find_if(waits.begin(), waits.end(),
                                  [](const auto &wait) { return lsp::wording::phraseOf(wait.wait) == "for xmm0"; });
  ASSERT_NE(chain, waits.end());
  EXPECT_EQ(chain->wait.by, std::vector<uint32_t>{0});
}

TEST_F(AnalyzerTest, ATimelinesInstructionsAreLinkedToTheirLines) {
  const lsp::VirtualText assembled = documentOf(assembly(kTwoLoops), DocumentKind::Timeline, "addss");
  ASSERT_EQ(assembled.links.size(), 4u);
  EXPECT_EQ(assembled.links[3].line, 3u);
  EXPECT_EQ(assembled.links[3].bufferLine, 8u);
  const lsp::VirtualText compiled = documentOf(source(kSum), DocumentKind::Timeline, "s = s *");
  EXPECT_FALSE(compiled.picture.timeline.rows.empty());
  EXPECT_TRUE(std::any_of(compiled.links.begin(), compiled.links.end(),
                          [](const lsp::LineLink &link) { return link.bufferLine == 3; }));
}

TEST_F(AnalyzerTest, ATimelineIsBounded) {
  std::string text = "# LLVM-MCA-BEGIN\n";
  for (int i = 0; i < 300; ++i)
    text += "\tdivl\t%ecx\n";
  const wire::Timeline slow = documentOf(assembly(text), DocumentKind::Timeline, "divl").picture.timeline;
  EXPECT_EQ(slow.instructions.size(), 300u);
  ASSERT_FALSE(slow.rows.empty());
  EXPECT_LT(slow.rows.size(), 300u) << "300 divisions need more than 2,000 cycles";
  EXPECT_LT(slow.rows.back().retired, 2000u);
  text = "# LLVM-MCA-BEGIN\n";
  for (int i = 0; i < 700; ++i)
    text += "\tnop\n";
  EXPECT_EQ(documentOf(assembly(text), DocumentKind::Timeline, "nop").picture.timeline.rows.size(), 1400u);
  for (int i = 0; i < 1400; ++i)
    text += "\tnop\n";
  const lsp::VirtualText large = documentOf(assembly(text), DocumentKind::Timeline, "nop");
  EXPECT_TRUE(large.picture.timeline.rows.empty());
  EXPECT_EQ(large.text, "The region has 2100 instructions; a timeline has at most 2000.");
}

TEST_F(AnalyzerTest, ALineWithoutARegionHasNoTimeline) {
  const lsp::VirtualText document = documentOf(assembly(kTwoLoops), DocumentKind::Timeline, "movl");
  EXPECT_TRUE(document.picture.timeline.rows.empty());
  EXPECT_NE(document.text.find("No region"), std::string::npos);
  EXPECT_NE(documentOf(source("int f( {\n"), DocumentKind::Timeline, "f").text.find("nothing to show: expected"),
            std::string::npos);
}

/// Sums the positive ones of an array's elements.
const char *const kPositive = "\t.type\tpositive,@function\n"
                              "positive:\n"
                              ".Lnext:\n"
                              "\tmovl\t(%rdi), %ecx\n"
                              "\ttestl\t%ecx, %ecx\n"
                              "\tjle\t.Lskip\n"
                              "\taddl\t%ecx, %eax\n"
                              ".Lskip:\n"
                              "\taddq\t$4, %rdi\n"
                              "\tcmpq\t%rsi, %rdi\n"
                              "\tjne\t.Lnext\n"
                              "\tretq\n";

class TraceTimelineTest : public AnalyzerTest {
protected:
  /// `taken`: each outcome of `jle`.
  lsp::TimelinePicture pictureOf(const std::vector<bool> &taken, const std::string &predictor) {
    std::string trace = "mcatrace 1\ntrace positive: ENTRY";
    for (size_t i = 0; i < taken.size(); ++i)
      trace += std::string(taken[i] ? " T" : " N") + (i + 1 < taken.size() ? " T" : " N");
    wire::AnalyzeRequest request = assembly(kPositive);
    request.settings.trace = folder.write("positive.mcatrace", trace + " RET\n");
    request.settings.predictor = predictor;
    request.settings.mispredictPenalty = 14;
    lsp::VirtualText document = documentOf(request, DocumentKind::Timeline, "jle");
    links = document.links;
    return document.picture;
  }
  std::vector<lsp::LineLink> links;
};

/// The first row of the next iteration, or the end.
size_t endOfIteration(const wire::TraceTimeline &trace, size_t row) {
  const uint32_t iteration = trace.rows[row].row.iteration;
  while (row < trace.rows.size() && trace.rows[row].row.iteration == iteration)
    ++row;
  return row;
}

TEST_F(TraceTimelineTest, IterationsTakeTheWaysOfTheTrace) {
  std::vector<bool> taken;
  for (int i = 0; i < 400; ++i)
    taken.push_back(i % 5 == 0 || i % 7 == 0);
  // Forward branches are predicted as not taken.
  const lsp::TimelinePicture picture = pictureOf(taken, "static");
  const wire::TraceTimeline &trace = picture.trace;
  EXPECT_EQ(picture.traceName, "along the trace positive.mcatrace");
  EXPECT_GT(picture.traceCycles, picture.cyclesPerIteration);
  ASSERT_EQ(trace.instructions.size(), 7u);
  EXPECT_EQ(trace.instructions[3], "addl %ecx, %eax");
  EXPECT_EQ(trace.lines, (std::vector<uint32_t>{4, 5, 6, 7, 9, 10, 11}));
  ASSERT_EQ(trace.paths.size(), 2u);
  ASSERT_FALSE(trace.rows.empty());
  EXPECT_EQ(trace.rows.back().row.iteration, 9u) << "ten iterations";
  size_t iterations = 0;
  for (size_t begin = 0; begin < trace.rows.size(); begin = endOfIteration(trace, begin), ++iterations) {
    const wire::TraceRow &jump = trace.rows.at(begin + 2);
    EXPECT_EQ(trace.rows[begin].row.instruction, 0u);
    ASSERT_EQ(jump.row.instruction, 2u);
    const bool isTaken = taken[iterations]; // the counted part of an untrained predictor is the whole trace
    EXPECT_EQ(endOfIteration(trace, begin) - begin, isTaken ? 6u : 7u) << iterations;
    EXPECT_EQ(jump.isMispredicted, isTaken) << iterations;
    ASSERT_NE(jump.path, 0u);
    EXPECT_EQ(jump.path == trace.rows[0].path, isTaken == taken[0]) << iterations;
    EXPECT_LE(jump.path, 2u);
  }
}

TEST_F(TraceTimelineTest, NothingEntersAfterAMispredictedBranchUntilFetchingContinues) {
  const lsp::TimelinePicture picture = pictureOf(std::vector<bool>(300, true), "static");
  const wire::TraceTimeline &trace = picture.trace;
  ASSERT_FALSE(trace.rows.empty());
  EXPECT_EQ(trace.rows.front().row.dispatched, 0u);
  size_t gaps = 0;
  for (size_t i = 0; i + 1 < trace.rows.size(); ++i) {
    const wire::TraceRow &branch = trace.rows[i];
    EXPECT_GE(trace.rows[i + 1].row.dispatched, branch.row.dispatched);
    if (!branch.isMispredicted) {
      EXPECT_EQ(branch.resumed, 0u);
      continue;
    }
    ++gaps;
    EXPECT_EQ(branch.resumed, branch.row.executed + 14);
    EXPECT_GE(trace.rows[i + 1].row.dispatched, branch.resumed);
  }
  EXPECT_EQ(gaps, 10u);
  const size_t instructions = picture.timeline.instructions.size();
  ASSERT_EQ(links.size(), instructions + 6);
  EXPECT_EQ(links.back().line, instructions + 5) << "after those of the loop's timeline";
  EXPECT_EQ(links.back().bufferLine, 10u);
}

TEST_F(TraceTimelineTest, ItBeginsWithTheFirstMisprediction) {
  std::vector<bool> taken(300, false);
  taken[100] = true;
  const wire::TraceTimeline trace = pictureOf(taken, "static").trace;
  ASSERT_GT(trace.rows.size(), 3u);
  EXPECT_TRUE(trace.rows[2].isMispredicted);
  EXPECT_EQ(trace.rows[0].row.dispatched, 0u);
  EXPECT_EQ(trace.rows.back().row.iteration, 9u);
}

TEST_F(TraceTimelineTest, OnlyALoopWithAFlowHasOne) {
  const lsp::VirtualText none = documentOf(assembly(kTwoLoops), DocumentKind::Timeline, "addq");
  EXPECT_TRUE(none.picture.trace.rows.empty());
  EXPECT_EQ(none.picture.traceName, "");
  const lsp::VirtualText odds = documentOf(assembly(kPositive), DocumentKind::Timeline, "jle");
  EXPECT_EQ(odds.picture.traceName, "with random branches");
  EXPECT_FALSE(odds.picture.trace.rows.empty());
}

// ---- what every document keeps to ----------------------------------------------------------------------------------

TEST_F(AnalyzerTest, ADocumentIsBounded) {
  std::string text = "f:\n";
  for (int i = 0; i < 12000; ++i)
    text += "\taddl\t%eax, %ebx\n";
  const lsp::VirtualText document = documentOf(assembly(text), DocumentKind::Assembly, "addl");
  EXPECT_EQ(std::count(document.text.begin(), document.text.end(), '\n'), 5000);
  EXPECT_TRUE(document.text.ends_with("at most 5000 lines\n"));
}

TEST_F(AnalyzerTest, WhatCannotBeAnalysedSaysWhy) {
  const lsp::VirtualText document = documentOf(source("int f( {\n"), DocumentKind::Report, "f");
  EXPECT_NE(document.text.find("there is nothing to show: expected"), std::string::npos) << document.text;
}

// ---- the cache of compiler outputs ---------------------------------------------------------------------------------

TEST_F(AnalyzerTest, TheCompilersOutputIsUsedAgainWhereTheRequestAllowsIt) {
  wire::AnalyzeRequest request = source(kSum);
  const Shown first = show(request);
  ASSERT_EQ(first.hints.size(), 1u);
  EXPECT_TRUE(compiled());
  run(request);
  EXPECT_TRUE(compiled()) << "not allowed";
  request.reuseCompiled = true;
  request.settings.cpu = "znver4";
  const wire::AnalysisResult again = run(request);
  EXPECT_FALSE(compiled());
  EXPECT_EQ(again.target.cpu, "znver4");
  EXPECT_EQ(again.target.commandOrigin, first.target.commandOrigin);
  EXPECT_EQ(again.compileMicros, 0u);
  EXPECT_EQ(shown(again, request.text, request.path).hints.size(), 1u);
}

TEST_F(AnalyzerTest, AnotherTextOrFlagIsCompiled) {
  wire::AnalyzeRequest request = source(kSum);
  run(request);
  request.reuseCompiled = true;
  request.settings.extraFlags = {"-O1"};
  run(request);
  EXPECT_TRUE(compiled());
  request = source(std::string(kSum) + "// other\n");
  request.reuseCompiled = true;
  run(request);
  EXPECT_TRUE(compiled());
}

TEST(CompileCache, KeepsTheNewestFour) {
  CompileCache cache;
  const auto key = [](uint64_t number) { return CompileCache::Key{number, 0}; };
  for (uint64_t i = 0; i < 4; ++i)
    cache.insert(key(i), std::make_shared<CompileCache::Output>());
  EXPECT_NE(cache.find(key(0)), nullptr);
  cache.insert(key(4), std::make_shared<CompileCache::Output>());
  EXPECT_EQ(cache.find(key(1)), nullptr) << "unused for longest";
  EXPECT_NE(cache.find(key(0)), nullptr);
}

TEST(CompileCache, KeepsNothingHuge) {
  CompileCache cache;
  auto output = std::make_shared<CompileCache::Output>();
  output->result.assembly.resize((64u << 20) + 1);
  cache.insert({1, 1}, output);
  EXPECT_EQ(cache.find({1, 1}), nullptr);
}

// ---- what to compare with ------------------------------------------------------------------------------------------

TEST_F(AnalyzerTest, TheVersionInGitHeadIsAnalysedInPlaceOfTheBuffer) {
  source(kSum);
  commitEverything();
  wire::AnalyzeRequest request = source("int nothing;\n");
  request.version = wire::Version::Head;
  const wire::AnalysisResult head = run(request);
  EXPECT_FALSE(head.regions.empty());
  EXPECT_NE(head.head, 0u);
  request.knownHead = head.head;
  const wire::AnalysisResult again = run(request);
  EXPECT_EQ(again.head, head.head);
  EXPECT_TRUE(again.regions.empty());
  EXPECT_TRUE(stages.empty()) << "nothing was analysed";
}

TEST_F(AnalyzerTest, AHeadThatIsTheBufferCostsNothing) {
  wire::AnalyzeRequest request = source(kSum);
  commitEverything();
  request.version = wire::Version::Head;
  EXPECT_EQ(run(request).head, 0u);
  EXPECT_TRUE(stages.empty());
  request.path = folder.path() + "/unknown.cpp";
  EXPECT_EQ(run(request).head, 0u) << "not in HEAD";
}

// ---- the CPUs ------------------------------------------------------------------------------------------------------

TEST_F(AnalyzerTest, CpusAreListedWithTheirModels) {
  const wire::CpusResult result = analyzer.run(wire::CpusRequest{7, "aarch64-unknown-linux-gnu"});
  EXPECT_EQ(result.id, 7u);
  const auto model = [&](const std::string &name) {
    const auto cpu =
        std::find_if(result.cpus.begin(), result.cpus.end(), [&](const auto &one) { return one.name == name; });
    return cpu == result.cpus.end() ? -1 : static_cast<int>(cpu->model);
  };
  EXPECT_EQ(model("cortex-a57"), static_cast<int>(wire::CpuModel::Own));
  EXPECT_EQ(model("cortex-a72"), static_cast<int>(wire::CpuModel::Borrowed));
  EXPECT_EQ(model("skylake"), -1);
  EXPECT_TRUE(analyzer.run(wire::CpusRequest{8, "nonsense"}).cpus.empty());
  EXPECT_FALSE(analyzer.run(wire::CpusRequest{9, ""}).cpus.empty()) << "this machine's";
  EXPECT_FALSE(analyzer.run(wire::CpusRequest{9, "riscv64-unknown-linux-gnu"}).cpus.empty());
}

TEST_F(AnalyzerTest, OtherCpusCountTheIterationsThatTheHintCounts) {
  wire::AnalyzeRequest request = source("void add(float *a, const float *b, int n) {\n"
                                        "  for (int i = 0; i < n; ++i)\n"
                                        "    a[i] += b[i];\n"
                                        "}\n");
  request.settings.cpu = "haswell";
  request.settings.cpus = {"core-avx2"}; // another name of it
  const Shown result = show(request);
  const auto vectors = std::find_if(result.regions.begin(), result.regions.end(),
                                    [](const auto &one) { return one.sourceIterations > 1 && !one.otherCpus.empty(); });
  ASSERT_NE(vectors, result.regions.end());
  EXPECT_DOUBLE_EQ(vectors->otherCpus.front().cycles, vectors->cyclesPerIteration) << "of the machine code";
  EXPECT_DOUBLE_EQ(vectors->otherCpus.front().ipc, vectors->ipc);
  ASSERT_EQ(result.hovers.size(), 1u);
  const lsp::wording::RichText &hover = result.hovers.front().contents;
  const auto table = std::find_if(hover.begin(), hover.end(),
                                  [](const auto &block) { return block.text.find("core-avx2") != std::string::npos; });
  ASSERT_NE(table, hover.end());
  const std::string cycles = decimals(vectors->cyclesPerIteration / vectors->sourceIterations, 2) + " cyc ";
  EXPECT_NE(lineOf(table->text, "haswell").find(" " + cycles), std::string::npos) << table->text;
  EXPECT_NE(lineOf(table->text, "core-avx2").find(" " + cycles), std::string::npos) << table->text;
  EXPECT_NE(result.hints.at(0).label().find(cycles.substr(0, cycles.size() - 1) + "/iter"), std::string::npos)
      << result.hints.at(0).label();
}

} // namespace
} // namespace analysis
