// The flows of a document's loops: along its traces they have the numbers of runTrace(), without one those of the odds,
// and traces that do not fit are refused.
#include "analysis/job/analyzer.h"
#include "analysis/wire/codec.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/sentences.h"
#include "tests/mca-core/traced.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace analysis {
namespace {

using Source = wire::ControlFlow::Source;

constexpr const char *kHead = "# mca: triple=x86_64-linux-gnu cpu=skylake\n";
/// Sums the positive ones of an array's elements.
constexpr const char *kPositive = "\t.text\n"
                                  "\t.type positive,@function\n"
                                  "positive:\n"
                                  "\txorl %eax, %eax\n"
                                  ".Lnext:\n"
                                  "\tmovl (%rdi), %ecx\n"
                                  "\ttestl %ecx, %ecx\n"
                                  "\tjle .Lskip\n"
                                  "\taddl %ecx, %eax\n"
                                  ".Lskip:\n"
                                  "\taddq $4, %rdi\n"
                                  "\tcmpq %rsi, %rdi\n"
                                  "\tjne .Lnext\n"
                                  "\tret\n";

/// A folder that is removed with this.
class Folder {
public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("flows" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string file(const std::string &name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

/// A trace of 2,000 elements with a pseudorandom sign each.
std::string randomTrace() {
  std::string text = "mcatrace 1\ntrace positive: ENTRY";
  uint32_t state = 1;
  for (int i = 0; i < 2'000; ++i) {
    state = state * 1664525 + 1013904223;
    text += state >> 31 ? " T" : " N";
    text += i + 1 < 2'000 ? " T" : " N";
  }
  return text + " RET\n";
}

wire::AnalysisResult analyse(Analyzer &analyzer, wire::AnalyzeRequest request,
                             const std::function<void(const wire::Progress &)> &progress = {}) {
  return analyzer.run(request, {}, progress ? progress : [](const wire::Progress &) {});
}

wire::AnalysisResult analyse(const std::string &path, const std::string &text, wire::Settings settings = {}) {
  Analyzer analyzer(2);
  return analyse(analyzer, {.id = 1, .path = path, .text = text, .settings = std::move(settings)});
}

std::vector<std::string> codesOf(const wire::AnalysisResult &result) {
  std::vector<std::string> codes;
  for (const wire::Finding &finding : result.findings)
    codes.push_back(finding.code);
  return codes;
}

std::string textAt(const std::string &text, wire::ByteRange at) {
  return text.substr(at.begin, at.end - at.begin);
}

TEST(LoopFlows, WithoutATraceABranchOnDataIsRandom) {
  const std::string text = std::string(kHead) + kPositive;
  const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  const wire::ControlFlow &flow = result.flows.front();
  EXPECT_EQ(flow.source, Source::Odds);
  EXPECT_EQ(flow.loop, result.regions.front().loop);
  EXPECT_EQ(flow.predictor, "odds");
  EXPECT_GT(flow.cycles, 3 * flow.perfectCycles);
  ASSERT_EQ(flow.branches.size(), 2u);
  const wire::BranchCost &skip = flow.branches.front(), &latch = flow.branches.back();
  EXPECT_EQ(skip.text, "jle .Lskip");
  EXPECT_EQ(textAt(text, skip.at), "jle .Lskip");
  EXPECT_EQ(skip.load, "movl (%rdi), %ecx");
  EXPECT_EQ(textAt(text, skip.loadAt), "movl (%rdi), %ecx");
  EXPECT_NEAR(skip.executions, 1, 0.01);
  EXPECT_NEAR(skip.taken, 0.5, 0.05);
  EXPECT_NEAR(skip.missed, 0.5, 0.05);
  EXPECT_GT(skip.cost, 10);
  EXPECT_NEAR(skip.cyclesPerIteration, skip.cost * skip.missed, 0.1);
  EXPECT_EQ(latch.missed, 0);
  EXPECT_EQ(latch.load, "");
  EXPECT_EQ(analyse("/nowhere/positive.s", text, {.predictor = "none"}).flows, result.flows) << "it is for traces";
}

TEST(LoopFlows, OfPredictableLoopsAreNone) {
  const wire::AnalysisResult result =
      analyse("/nowhere/sum.s", std::string(kHead) + "a:\naddl (%rdi), %eax\naddq $4, %rdi\ncmpq %rsi, %rdi\njne a\n"
                                                     "b:\ntestb $1, %cl\nje c\nincl %eax\nc:\ndecl %ecx\njne b\n");
  EXPECT_EQ(result.coverage.loops, 2u);
  EXPECT_TRUE(result.flows.empty());
}

/// The same text around numeric labels that go elsewhere: what is known of the one loop is not true of the other.
TEST(LoopFlows, OfALoopWithTheTextOfAPredictableOne) {
  const std::string load = "1:\nmovl (%rdi,%rax,4), %ecx\ncmpl %eax, %r8d\nje 2f\nmovl $0, %ecx\n";
  const std::string end = "incl %eax\ntestl %ecx, %ecx\nje 1b\n";
  const std::string skips = std::string(kHead) + "g:\n" + load + "2:\n" + end + "ret\n";
  Analyzer analyzer(2);
  const auto flowsOf = [&](const std::string &text) {
    return analyse(analyzer, {.id = 1, .path = "/nowhere/labels.s", .text = text}).flows.size();
  };
  EXPECT_EQ(flowsOf(std::string(kHead) + "f:\n" + load + end + "2:\nret\n"), 0u) << "it leaves the loop";
  EXPECT_EQ(flowsOf(skips), 1u);
}

TEST(LoopFlows, AlongTheFileBesideTheDocumentHaveTheNumbersOfTheTrace) {
  const Folder folder;
  const std::string text = std::string(kHead) + kPositive, trace = randomTrace();
  const std::string file = folder.write("positive.mcatrace", trace);
  const wire::AnalysisResult result = analyse(folder.file("positive.s"), text, {.mispredictPenalty = 17});
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  const wire::ControlFlow &flow = result.flows.front();
  EXPECT_EQ(flow.source, Source::File);
  EXPECT_EQ(flow.file, file);
  EXPECT_EQ(flow.statement, "positive");
  EXPECT_EQ(flow.predictor, "tage");
  EXPECT_EQ(flow.mispredictPenalty, 17u);
  EXPECT_GT(flow.modified, 1'500'000'000u);

  const mca::Parsed parsed(mca::kX86, "skylake", text);
  const mca::ProgramBranches branches(*parsed.target, *parsed.program);
  const auto read = mca::readTrace(trace);
  ASSERT_TRUE(std::holds_alternative<mca::TraceText>(read));
  const mca::TraceText &traces = std::get<mca::TraceText>(read);
  const mca::TokenTargets targets(branches, traces);
  mca::TraceScope scope{.header = 1};
  for (uint32_t i = 1; i + 1 < parsed.count(); ++i)
    scope.instructions.push_back(i);
  const auto made = mca::simulateTrace(parsed, targets, traces.traces.front(), {.callLatency = 1},
                                       {.mispredictPenalty = 17, .scope = &scope});
  ASSERT_TRUE(std::holds_alternative<mca::TraceReport>(made));
  const mca::TraceReport &report = std::get<mca::TraceReport>(made);
  EXPECT_EQ(flow.iterations, report.iterations);
  EXPECT_EQ(flow.instructions, report.run.instructions);
  EXPECT_DOUBLE_EQ(flow.cycles * double(flow.iterations), double(report.run.cycles));
  EXPECT_DOUBLE_EQ(flow.perfectCycles * double(flow.iterations), double(report.perfectCycles));
  EXPECT_DOUBLE_EQ(flow.missesPerThousand, report.mispredictionsPerThousand());
  ASSERT_EQ(flow.branches.size(), report.branches.size());
  for (size_t i = 0; i < flow.branches.size(); ++i) {
    EXPECT_EQ(flow.branches[i].instruction, report.branches[i].instruction);
    EXPECT_DOUBLE_EQ(flow.branches[i].wait, report.branches[i].conditionWait);
    EXPECT_DOUBLE_EQ(flow.branches[i].cost, report.branches[i].cost.value_or(-1));
  }
}

TEST(LoopFlows, FindTheFileOfTheWholeNameFirst) {
  const Folder folder;
  folder.write("positive.mcatrace", "mcatrace 1\ntrace nothing: RET\n");
  const std::string whole = folder.write("positive.s.mcatrace", randomTrace());
  const std::string text = std::string(kHead) + kPositive;
  const wire::AnalysisResult result = analyse(folder.file("positive.s"), text);
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().file, whole);
  const wire::AnalysisResult other =
      analyse(folder.file("positive.s"), text, {.trace = folder.file("positive.mcatrace")});
  EXPECT_EQ(codesOf(other), mca::Strings{}) << "the setting names one for other documents";
  ASSERT_EQ(other.flows.size(), 1u);
  EXPECT_EQ(other.flows.front().source, Source::Odds);
}

TEST(LoopFlows, OfATraceThatDoesNotFitAreThoseWithoutIt) {
  const Folder folder;
  folder.write("positive.mcatrace", "mcatrace 1\ntrace positive: ENTRY (.Lskip .Lnext)x100 .Lother\n");
  const std::string text = std::string(kHead) + kPositive;
  const wire::AnalysisResult result = analyse(folder.file("positive.s"), text);
  ASSERT_EQ(codesOf(result), mca::Strings{"trace-refused"});
  EXPECT_EQ(lsp::wording::messageOf(result.findings.front()),
            "the trace positive.mcatrace does not fit this text: 2:43: `.Lother` is not a label of the assembly text");
  EXPECT_EQ(textAt(text, result.findings.front().at) + "\n", kHead);
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().source, Source::Odds);
}

TEST(LoopFlows, OfAFileThatCannotBeReadSayWhy) {
  const Folder folder;
  const std::string text = std::string(kHead) + kPositive;
  const auto messageOf = [&](const std::string &trace) {
    const wire::AnalysisResult result = analyse(folder.file("positive.s"), text, {.trace = trace});
    EXPECT_EQ(codesOf(result), mca::Strings{"trace-refused"});
    return result.findings.empty() ? "" : lsp::wording::messageOf(result.findings.front());
  };
  EXPECT_EQ(messageOf(folder.file("missing")), "the trace missing cannot be read: No such file or directory");
  EXPECT_EQ(messageOf("/dev/zero"), "the trace zero cannot be read: it is no regular file");
  EXPECT_EQ(messageOf(folder.write("binary", "\x7f"
                                             "ELF")),
            "the trace binary cannot be read: 1:1: " + messageOf(folder.file("binary")).substr(38));
}

TEST(LoopFlows, OfALongTraceAreThoseOfItsBeginning) {
  const Folder folder;
  folder.write("positive.mcatrace", "mcatrace 1\ntrace positive: ENTRY (T T)x1000000000 .Lother\n");
  const std::string text = std::string(kHead) + kPositive;
  Analyzer analyzer(2);
  const wire::AnalyzeRequest request{.id = 1, .path = folder.file("positive.s"), .text = text};
  const wire::AnalysisResult result = analyse(analyzer, request);
  EXPECT_EQ(codesOf(result), mca::Strings{}) << "its end is not reached";
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().source, Source::File);
  EXPECT_EQ(result.flows.front().instructions, 40'000u);
  EXPECT_EQ(analyse(analyzer, request).flows, result.flows) << "from the cache";
}

TEST(LoopFlows, OfManyLongTracesAreThoseOfTheFirst) {
  const Folder folder;
  std::string file = "mcatrace 1\n";
  for (int i = 0; i < 60; ++i)
    file += "trace positive: ENTRY (T T)x1000000000\n";
  folder.write("positive.mcatrace", file + "trace positive: RET\n");
  Analyzer analyzer(2);
  wire::AnalyzeRequest request{
      .id = 1, .path = folder.file("positive.s"), .text = std::string(kHead) + kPositive + "# an end\n"};
  const wire::AnalysisResult result = analyse(analyzer, request);
  EXPECT_EQ(codesOf(result), mca::Strings{}) << "the last one, which does not fit, is not walked";
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().source, Source::File);
  EXPECT_EQ(analyse(analyzer, request).flows, result.flows) << "with the walks from the cache";
}

TEST(LoopFlows, AlongATraceInAComment) {
  const std::string text = std::string(kHead) + "# mca: trace positive: ENTRY (T T N T)x200\n" + kPositive;
  const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  const wire::ControlFlow &flow = result.flows.front();
  EXPECT_EQ(flow.source, Source::Comment);
  EXPECT_EQ(flow.statement, "positive");
  EXPECT_EQ(flow.file, "");
  EXPECT_EQ(flow.iterations, 200u) << "of 400, half train";
  EXPECT_DOUBLE_EQ(flow.branches.front().taken, 0.5);
  EXPECT_LT(flow.branches.front().missed, 0.1) << "the predictor learns to alternate";
}

TEST(LoopFlows, ATraceInACommentBelongsToTheFunctionThatFollows) {
  std::string text = std::string(kHead) + kPositive;
  text.insert(text.find("\tmovl"), "\t# mca: trace (T T N T)x200\n");
  const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().source, Source::Comment);
  EXPECT_EQ(result.flows.front().statement, "positive");
}

TEST(LoopFlows, HaveTheCallsThatTheTraceDoesNotFollow) {
  const auto flowAlong = [](const std::string &tokens) {
    std::string text = std::string(kHead) + kPositive + "\t.type leaf,@function\nleaf:\n\tincl %edx\n\tret\n";
    text.insert(text.find("\ttestl"), "\tcall leaf\n");
    text.insert(text.find("\taddl"), "\tcall outside\n");
    text.insert(text.find("\t.type"), "# mca: trace " + tokens + "\n");
    const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
    EXPECT_EQ(codesOf(result), mca::Strings{});
    return result.flows.empty() ? wire::ControlFlow() : result.flows.front();
  };
  EXPECT_EQ(flowAlong("(leaf RET T T)x400").calls, mca::Strings{});
  const wire::ControlFlow flow = flowAlong("(leaf RET T T leaf RET N outside T)x200");
  EXPECT_EQ(flow.source, Source::Comment);
  EXPECT_EQ(flow.calls, mca::Strings{"outside"});
  EXPECT_EQ(flow.callers, std::vector<uint32_t>{5}) << "the instruction";
}

TEST(LoopFlows, AWrongTokenInACommentIsAFindingOnIt) {
  const auto wrong = [&](const std::string &statement) {
    const std::string text = std::string(kHead) + "# mca: " + statement + "\n" + kPositive;
    const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
    EXPECT_EQ(codesOf(result), mca::Strings{"trace-error"}) << statement;
    return result.findings.empty() ? "" : textAt(text, result.findings.front().at);
  };
  EXPECT_EQ(wrong("trace (T T .Lother T)x9"), ".Lother");
  EXPECT_EQ(wrong("trace (T T"), "(T");
  EXPECT_EQ(wrong("path maybe"), "path maybe");
}

TEST(LoopFlows, AlongAPathThatACommentChooses) {
  const auto cycles = [](const std::string &path) {
    std::string text = std::string(kHead) + kPositive;
    text.insert(text.find(".Lnext"), "# mca: path " + path + "\n");
    const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
    EXPECT_EQ(codesOf(result), mca::Strings{});
    EXPECT_EQ(result.flows.size(), 1u);
    if (result.flows.empty())
      return wire::ControlFlow();
    EXPECT_EQ(result.flows.front().source, Source::Comment);
    EXPECT_EQ(result.flows.front().statement, "path " + path);
    return result.flows.front();
  };
  const wire::ControlFlow taken = cycles("taken"), notTaken = cycles("not-taken");
  EXPECT_DOUBLE_EQ(taken.branches.front().taken, 1);
  EXPECT_DOUBLE_EQ(notTaken.branches.front().taken, 0);
  EXPECT_EQ(taken.missesPerThousand, 0);
  EXPECT_DOUBLE_EQ(taken.cycles, taken.perfectCycles);
  EXPECT_LT(taken.cycles, notTaken.cycles) << "without the addition";
  EXPECT_NEAR(double(taken.instructions) / double(taken.iterations), 6, 0.02);
  EXPECT_NEAR(double(notTaken.instructions) / double(notTaken.iterations), 7, 0.02);
}

TEST(LoopFlows, APathThatDoesNotFitIsAFinding) {
  const auto message = [](const std::string &path, const std::string &before) {
    std::string text = std::string(kHead) + kPositive;
    text.insert(text.find(before), "# mca: path " + path + "\n");
    const wire::AnalysisResult result = analyse("/nowhere/positive.s", text);
    EXPECT_EQ(codesOf(result), mca::Strings{"trace-error"});
    return result.findings.empty() ? "" : lsp::wording::messageOf(result.findings.front());
  };
  EXPECT_EQ(message("taken,taken", ".Lnext"), "an iteration on this path has 1 branch inside the loop, not 2");
  EXPECT_EQ(message("taken", "\t.type"), "there is no loop here: a path belongs inside a loop, or directly above it");
}

TEST(LoopFlows, OfCountsInAFileHaveTheirRates) {
  const Folder folder;
  folder.write("positive.mcatrace", "mcatrace 1\nedge positive .Lnext -> .Lskip 900 m 90\n"
                                    "edge positive .Lnext -> FALLTHROUGH 100 m 60\n");
  const wire::AnalysisResult result = analyse(folder.file("positive.s"), std::string(kHead) + kPositive);
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  const wire::ControlFlow &flow = result.flows.front();
  EXPECT_EQ(flow.source, Source::File);
  EXPECT_EQ(flow.statement, "");
  EXPECT_NEAR(flow.branches.front().taken, 0.9, 0.02);
  EXPECT_NEAR(flow.branches.front().missed, 0.15, 0.01);
}

TEST(LoopFlows, OfLoopsThatDidNotChangeComeFromTheCache) {
  const Folder folder;
  folder.write("positive.mcatrace", randomTrace());
  const std::string other = "\tret\n\t.type other,@function\nother:\n\tcmpl $3, (%rdi)\n\tje .Lo\n\tincl %eax\n.Lo:\n"
                            "\taddq $4, %rdi\n\tdecl %esi\n\tjne other\n\tret\n";
  Analyzer analyzer(2);
  size_t prepared = 0;
  const auto count = [&](const wire::Progress &step) { prepared += step.stage == wire::Stage::Simulating; };
  const auto run = [&](const std::string &text) {
    prepared = 0;
    return analyse(analyzer, {.id = 1, .path = folder.file("positive.s"), .text = text}, count);
  };
  const wire::AnalysisResult first = run(std::string(kHead) + other + kPositive);
  ASSERT_EQ(first.flows.size(), 2u);
  const wire::AnalysisResult again = run(std::string(kHead) + other + kPositive);
  const size_t ofRegions = prepared;
  EXPECT_EQ(again.flows, first.flows);
  // A line above moves everything and changes nothing.
  const wire::AnalysisResult moved = run(std::string(kHead) + "\tnop\n" + other + kPositive);
  EXPECT_EQ(prepared, ofRegions);
  ASSERT_EQ(moved.flows.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(moved.flows[i].cycles, first.flows[i].cycles);
    EXPECT_EQ(moved.flows[i].branches.front().instruction, first.flows[i].branches.front().instruction + 1);
    EXPECT_EQ(moved.flows[i].branches.front().at.begin, first.flows[i].branches.front().at.begin + 5);
  }
  // Another target of a branch changes the numbers although no instruction changes.
  std::string changed = std::string(kHead) + other + kPositive;
  const wire::AnalysisResult fresh =
      run(changed.replace(changed.find(".Lo:\n\taddq $4, %rdi\n"), 19, "\taddq $4, %rdi\n.Lo:"));
  ASSERT_EQ(fresh.flows.size(), 2u);
  EXPECT_NE(fresh.flows[0].cycles, first.flows[0].cycles);
}

TEST(LoopFlows, AreTheSameWithAnyNumberOfThreads) {
  std::string text = kHead;
  for (int i = 0; i < 100; ++i) {
    std::string one = kPositive;
    for (const char *name : {"positive", ".Lnext", ".Lskip"})
      for (size_t at = one.find(name); at != std::string::npos; at = one.find(name, at + std::string(name).size() + 3))
        one.insert(at + std::string(name).size(), std::to_string(100 + i));
    one.insert(one.find("\tmovl"), "\tleal " + std::to_string(i) + "(%rax), %eax\n");
    text += one;
  }
  Analyzer alone(1), together(4);
  const wire::AnalyzeRequest request{.id = 1, .path = "/nowhere/a.s", .text = text};
  const wire::AnalysisResult one = analyse(alone, request);
  EXPECT_EQ(one.flows.size(), 100u);
  EXPECT_EQ(analyse(together, request).flows, one.flows);
}

/// A trace outside of the project, by whatever name the folder has for it.
TEST(LoopFlows, NoFolderLeadsToATraceOutsideOfIt) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("project"));
  const std::string outside = folder.write("token", "hvs.secret_12345\n");
  const std::string text = std::string(kHead) + kPositive;
  const std::string document = folder.file("project/positive.s");
  const auto messageOf = [&](wire::Settings settings) {
    const wire::AnalysisResult result = analyse(document, text, std::move(settings));
    EXPECT_EQ(codesOf(result), mca::Strings{"trace-refused"});
    return result.findings.empty() ? "" : lsp::wording::messageOf(result.findings.front());
  };
  const std::string refused = " cannot be read: it lies outside of the project that names it";
  EXPECT_EQ(messageOf({.trace = outside, .traceFolder = folder.file("project")}), "the trace token" + refused);
  EXPECT_EQ(messageOf({.trace = folder.file("project/../token"), .traceFolder = folder.file("project")}),
            "the trace token" + refused);
  EXPECT_EQ(messageOf({.trace = outside}),
            "the trace token cannot be read: 1:1: this is no branch trace: it does not begin with `mcatrace 1`")
      << "the user names it; it is not quoted all the same";
  for (const char *name : {"project/positive.s.mcatrace", "project/positive.mcatrace"}) {
    std::filesystem::create_symlink(outside, folder.file(name));
    EXPECT_EQ(messageOf({}), "the trace " + std::filesystem::path(name).filename().string() + refused);
    EXPECT_NE(messageOf({.projectFolders = {folder.file("")}}).find("is no branch trace"), std::string::npos)
        << "the opened folder holds it";
    EXPECT_NE(messageOf({.readableFolders = {folder.file("")}}).find("is no branch trace"), std::string::npos);
    std::filesystem::remove(folder.file(name));
  }
}

TEST(LoopFlows, OfADocumentThatIsNoFileAreThoseWithoutATrace) {
  const Folder folder;
  folder.write("positive.s.mcatrace", randomTrace());
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  const wire::AnalysisResult result = analyse("positive.s", std::string(kHead) + kPositive);
  std::filesystem::current_path(before);
  EXPECT_EQ(codesOf(result), mca::Strings{});
  ASSERT_EQ(result.flows.size(), 1u);
  EXPECT_EQ(result.flows.front().source, Source::Odds);
}

} // namespace
} // namespace analysis
