// What each code action makes of the text.
#include "lsp/features/features.h"

#include "lsp/protocol/conversions.h"
#include "tests/lsp/analysed_document.h"

#include <gtest/gtest.h>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::Severity;
using protocol::CodeAction;
using protocol::Range;

struct Asked {
  Range range;
  std::vector<std::string> only = {};
  std::vector<std::string> cpus = {};
  std::string configUri = "";
  std::vector<protocol::ContextDiagnostic> diagnostics = {};
};

std::vector<CodeAction> actionsOf(const Document &document, const Asked &asked,
                                  const protocol::ClientCapabilities &client = fullClient()) {
  return codeActions(document, {document.uri(), asked.range, asked.only, asked.diagnostics},
                     {asked.cpus, asked.configUri}, client);
}

Range lines(uint32_t first, uint32_t last) {
  return {{first, 0}, {last, 0}};
}

std::vector<std::string> titles(const std::vector<CodeAction> &actions) {
  std::vector<std::string> all;
  for (const CodeAction &action : actions)
    all.push_back(action.title);
  return all;
}

/// The text after the action whose title begins so; empty when there is none.
std::string after(const Document &document, const std::vector<CodeAction> &actions, const std::string &title) {
  for (const CodeAction &action : actions)
    if (action.title.starts_with(title))
      return edited(document, action.edit.edits);
  return "";
}

Analysis withTriple(const std::string &triple) {
  Analysis analysis;
  analysis.target.triple = triple;
  analysis.target.cpu = "skylake";
  return analysis;
}

Analysis withFinding(const std::string &text, const std::string &where, const std::string &code) {
  Analysis analysis = withTriple("x86_64-linux");
  analysis.findings.push_back({placeOf(text, where), Severity::Error, code, "words", {}});
  return analysis;
}

// ---- markers -------------------------------------------------------------------------------------------------------

TEST(CodeActions, MarkTheSelectionInTheLanguagesComments) {
  const auto marked = [](const std::string &triple, const std::string &language) {
    const Document document = makeDocument("a\n  b\n  c\nd", withTriple(triple), language);
    return after(document, actionsOf(document, {lines(1, 3)}), "Mark the selected lines");
  };
  EXPECT_EQ(marked("x86_64-linux", "asm"), "a\n  # LLVM-MCA-BEGIN region-1\n  b\n  c\n  # LLVM-MCA-END region-1\nd");
  EXPECT_NE(marked("aarch64-linux", "asm").find("  // LLVM-MCA-BEGIN region-1\n"), std::string::npos);
  EXPECT_NE(marked("armv7-linux", "asm").find("  @ LLVM-MCA-BEGIN region-1\n"), std::string::npos);
  EXPECT_NE(marked("", "cpp").find("  // LLVM-MCA-END region-1\n"), std::string::npos);
}

TEST(CodeActions, MarkTheLastLineAndKeepTheLineEnds) {
  const Document document =
      makeDocument("# LLVM-MCA-BEGIN region-1\r\n# LLVM-MCA-END region-1\r\nb", withTriple("x86"));
  EXPECT_EQ(after(document, actionsOf(document, {{{2, 0}, {2, 1}}}), "Mark"),
            "# LLVM-MCA-BEGIN region-1\r\n# LLVM-MCA-END region-1\r\n"
            "# LLVM-MCA-BEGIN region-2\r\nb\r\n# LLVM-MCA-END region-2");
}

TEST(CodeActions, WithoutASelectionNothingIsMarked) {
  const Document document = makeDocument("a\nb\n", withTriple("x86"));
  EXPECT_TRUE(actionsOf(document, {lines(1, 1)}).empty());
}

TEST(CodeActions, AnEndMarkerEndsAnOpenRegion) {
  const std::string text = "# LLVM-MCA-BEGIN one\na\n# LLVM-MCA-END two\n";
  const Document document = makeDocument(text, withFinding(text, "LLVM-MCA-END two", "marker-error"));
  const auto actions = actionsOf(document, {lines(2, 2)});
  EXPECT_EQ(titles(actions), (std::vector<std::string>{"End region one here", "Remove this marker"}));
  EXPECT_EQ(after(document, actions, "End region"), "# LLVM-MCA-BEGIN one\na\n# LLVM-MCA-END one\n");
  EXPECT_EQ(after(document, actions, "Remove"), "# LLVM-MCA-BEGIN one\na\n");
  EXPECT_TRUE(actionsOf(document, {lines(1, 1)}).empty()) << "another line";
}

TEST(CodeActions, AClashingRegionIsEndedOrRenamedWithItsEnd) {
  const std::string text = "/* LLVM-MCA-BEGIN r */ a\nb // LLVM-MCA-BEGIN r\n// LLVM-MCA-END r\n// LLVM-MCA-END r\n";
  const Document document = makeDocument(text, withFinding(text, "LLVM-MCA-BEGIN r\n", "marker-error"), "cpp");
  const auto actions = actionsOf(document, {lines(1, 1)});
  EXPECT_EQ(
      after(document, actions, "End region r before"),
      "/* LLVM-MCA-BEGIN r */ a\n// LLVM-MCA-END r\nb // LLVM-MCA-BEGIN r\n// LLVM-MCA-END r\n// LLVM-MCA-END r\n");
  EXPECT_EQ(after(document, actions, "Rename"),
            "/* LLVM-MCA-BEGIN r */ a\nb // LLVM-MCA-BEGIN r-2\n// LLVM-MCA-END r-2\n// LLVM-MCA-END r\n");
  EXPECT_EQ(after(document, actions, "Remove"), "/* LLVM-MCA-BEGIN r */ a\nb \n// LLVM-MCA-END r\n// LLVM-MCA-END r\n");
}

TEST(CodeActions, AMissingEndGoesBehindTheLoop) {
  const std::string text = "# LLVM-MCA-BEGIN r\n" + kLoop;
  const Document document = makeDocument(text, loopAnalysis(text));
  EXPECT_EQ(after(document, actionsOf(document, {lines(0, 0)}), "Add the missing LLVM-MCA-END r"),
            "# LLVM-MCA-BEGIN r\nloop:\n  load a\n  mul b\n  add c\n  jump loop\n  # LLVM-MCA-END r\n  other\n");
  const std::string plain = "# LLVM-MCA-BEGIN\na\n# LLVM-MCA-BEGIN two\nb\n# LLVM-MCA-END two\n";
  const Document two = makeDocument(plain, withTriple("x86"));
  EXPECT_EQ(after(two, actionsOf(two, {lines(0, 0)}), "Add the missing LLVM-MCA-END"),
            "# LLVM-MCA-BEGIN\na\n# LLVM-MCA-END\n# LLVM-MCA-BEGIN two\nb\n# LLVM-MCA-END two\n");
}

// ---- instruments ---------------------------------------------------------------------------------------------------

TEST(CodeActions, AVectorTypeIsReadOffTheInstruction) {
  const Document document = makeDocument("  vsetvli t0, a0, e32, mf2, ta, ma # e8, m1\n", withTriple("riscv64"));
  EXPECT_EQ(after(document, actionsOf(document, {lines(0, 0)}), "Insert"),
            "  vsetvli t0, a0, e32, mf2, ta, ma # e8, m1\n  # LLVM-MCA-RISCV-LMUL MF2\n  # LLVM-MCA-RISCV-SEW E32\n");
  const Document registers = makeDocument("vsetvl t0, a0, a1\n", withTriple("riscv64"));
  EXPECT_EQ(actionsOf(registers, {lines(0, 0)}).size(), 11u);
  const Document other = makeDocument("vsetvl t0, a0, a1\n", withTriple("x86_64"));
  EXPECT_TRUE(actionsOf(other, {lines(0, 0)}).empty());
}

TEST(CodeActions, AnAssumedVectorTypeCanBeTold) {
  const auto told = [](const std::string &where) {
    Analysis analysis = loopAnalysis();
    analysis.target.triple = "riscv64";
    analysis.findings.push_back({placeOf(kLoop, where), Severity::Warning, "assumed-vector-type", "words", {}});
    const Document document = makeDocument(kLoop, analysis);
    const uint32_t line = document.text().lineOf(placeOf(kLoop, where).begin);
    return after(document, actionsOf(document, {lines(line, line)}), "Insert # LLVM-MCA-RISCV-LMUL M2");
  };
  EXPECT_EQ(told("loop:"), "loop:\n# LLVM-MCA-RISCV-LMUL M2\n  load a\n  mul b\n  add c\n  jump loop\n  other\n");
  EXPECT_EQ(told("mul b"), "loop:\n  load a\n  # LLVM-MCA-RISCV-LMUL M2\n  mul b\n  add c\n  jump loop\n  other\n");
}

TEST(CodeActions, ALoadCanBeAssumedToMiss) {
  const Document document = makeDocument(kLoop, loopAnalysis());
  const auto actions = actionsOf(document, {lines(1, 1)});
  EXPECT_EQ(titles(actions), (std::vector<std::string>{"Assume that this load comes from the L2 cache: 14 cycles",
                                                       "Assume that this load comes from the L3 cache: 50 cycles",
                                                       "Assume that this load comes from memory: 200 cycles"}));
  EXPECT_EQ(after(document, actions, "Assume that this load comes from the L3"),
            "loop:\n  # LLVM-MCA-LATENCY 50\n  load a\n  # LLVM-MCA-LATENCY\n  mul b\n  add c\n  jump loop\n  other\n");
  EXPECT_TRUE(actionsOf(document, {lines(2, 2)}).empty()) << "no load";
  EXPECT_EQ(actionsOf(document, {{{1, 2}, {1, 3}}}).size(), actions.size() + 1) << "Helix's cursor, and marking it";
  EXPECT_EQ(actionsOf(document, {{{1, 2}, {1, 4}}}).size(), 1u) << "a selection";
}

TEST(CodeActions, ALatencyBeforeTheLoadStaysInForceBehindIt) {
  const std::string text = "# LLVM-MCA-LATENCY 9\n" + kLoop;
  const Document document = makeDocument(text, loopAnalysis(text));
  EXPECT_NE(after(document, actionsOf(document, {lines(2, 2)}), "Assume that this load comes from memory")
                .find("200\n  load a\n  # LLVM-MCA-LATENCY 9\n"),
            std::string::npos);
}

// ---- CPUs ----------------------------------------------------------------------------------------------------------

TEST(CodeActions, TheCpuIsSetInTheBuffer) {
  const auto with = [](const std::string &text) {
    Analysis analysis = withTriple("x86");
    analysis.regions = analysisOf({markedRegion("r", {0, 1})}).regions;
    const Document document = makeDocument(text, analysis);
    return after(document, actionsOf(document, {lines(0, 0), {}, {"skylake", "znver4"}}),
                 "Analyse this file for znver4");
  };
  EXPECT_EQ(with("nop\n"), "# mca: cpu=znver4\nnop\n");
  EXPECT_EQ(with("nop\n# mca: cpu=a cpu=skylake iterations=5\n"), "nop\n# mca: cpu=a cpu=znver4 iterations=5\n")
      << "the last one is in force";
  EXPECT_EQ(with("nop\n#mca:cpu=a\n"), "nop\n#mca:cpu=znver4\n");
  EXPECT_EQ(with("nop\n# mca: cycles<=4 cpu=a\n"), "# mca: cpu=znver4\nnop\n# mca: cycles<=4 cpu=a\n") << "a budget";
  EXPECT_EQ(with("nop\n# mca: cpu=a\n# mca: cpu=b\n"), "nop\n# mca: cpu=a\n# mca: cpu=znver4\n");
  EXPECT_EQ(with("/* mca: iterations=5 */\nnop\n"), "/* mca: cpu=znver4 iterations=5 */\nnop\n");
  EXPECT_EQ(with("nop # mca: cpu=a\n"), "# mca: cpu=znver4\nnop # mca: cpu=a\n") << "no comment of its own";
}

TEST(CodeActions, OtherCpusAreOfferedWhereTheNumbersAre) {
  Analysis analysis = withTriple("x86");
  analysis.regions = analysisOf({markedRegion("r", {0, 1})}).regions;
  const Document document = makeDocument("nop\nnop\n# mca: iterations=3\n", analysis);
  const std::vector<std::string> cpus{"skylake", "znver4"};
  EXPECT_EQ(titles(actionsOf(document, {lines(0, 0), {}, cpus})).size(), 1u) << "the present one is no choice";
  EXPECT_TRUE(actionsOf(document, {lines(1, 1), {}, cpus}).empty());
  EXPECT_EQ(titles(actionsOf(document, {lines(2, 2), {}, cpus})).size(), 1u);
}

TEST(CodeActions, AnAssumedCpuIsMendedInTheBufferOrInAFile) {
  const std::string text = "nop\n";
  const Document document = makeDocument(text, withFinding(text, "nop", "assumed-cpu"));
  const protocol::Json shown{{"code", "assumed-cpu"}};
  const Asked asked{
      lines(0, 0), {}, {"znver4"}, "file:///dir/.mca-lsp.json", {{{{0, 0}, {0, 3}}, "assumed-cpu", shown}}};
  const auto actions = actionsOf(document, asked);
  ASSERT_EQ(actions.size(), 4u);
  EXPECT_EQ(actions[0].title, "Analyse this file for skylake: a comment `mca: cpu=skylake`");
  EXPECT_EQ(actions[0].diagnostics, std::vector<protocol::Json>{shown});
  EXPECT_EQ(actions[3].edit.file->uri, "file:///dir/.mca-lsp.json");
  EXPECT_EQ(protocol::Json::parse(actions[3].edit.file->text), (protocol::Json{{"cpu", "znver4"}}));
  protocol::ClientCapabilities client = fullClient();
  client.createsFiles = false;
  EXPECT_EQ(actionsOf(document, asked, client).size(), 2u);
}

// ---- negotiation ---------------------------------------------------------------------------------------------------

TEST(CodeActions, OnlyTheKindsThatAreWanted) {
  const std::string text = "# LLVM-MCA-BEGIN r\na\n";
  const Document document = makeDocument(text, withTriple("x86"));
  const auto with = [&](std::vector<std::string> only) {
    return actionsOf(document, {lines(0, 1), std::move(only)}).size();
  };
  EXPECT_EQ(with({}), 2u);
  EXPECT_EQ(with({"refactor"}), 1u);
  EXPECT_EQ(with({"quickfix"}), 1u);
  EXPECT_EQ(with({""}), 2u);
  EXPECT_EQ(with({"source.organizeImports", "nonsense"}), 0u);
}

TEST(CodeActions, NothingForClientsThatTakeCommandsOnlyAndForForeignDocuments) {
  protocol::ClientCapabilities client = fullClient();
  client.codeActionLiterals = false;
  EXPECT_TRUE(actionsOf(makeDocument("a\n", {}), {lines(0, 1)}, client).empty());
  Document foreign({"file:///a.rs", "rust", 1, ""}, "a\n");
  EXPECT_TRUE(actionsOf(foreign, {lines(0, 1)}).empty());
}

TEST(CodeActions, RangesBeyondTheTextAreItsEnd) {
  const Document document = makeDocument("a", withTriple("x86"));
  EXPECT_EQ(after(document, actionsOf(document, {{{77, 5}, {99, 1}}}), "Mark"),
            "# LLVM-MCA-BEGIN region-1\na\n# LLVM-MCA-END region-1");
}

TEST(CodeActions, ChooseAmongSeveralCommands) {
  Analysis analysis = withTriple("x86_64-linux");
  analysis.target.commands = {"without -mavx2", "with -mavx2", "with -mavx512f"};
  analysis.target.command = "with -mavx2";
  analysis.regions = analysisOf({markedRegion("r", {8, 9})}).regions;
  const Document document = makeDocument("int a;\nfor ;;\nint b;\n", analysis, "c");
  const std::vector<CodeAction> actions = actionsOf(document, {lines(1, 1)});
  EXPECT_EQ(titles(actions),
            (std::vector<std::string>{"Use the command without -mavx2 (now: with -mavx2)",
                                      "Use the command with -mavx512f (now: with -mavx2)", "Measure this region"}));
  EXPECT_EQ(actions[0].kind, "refactor");
  ASSERT_TRUE(actions[0].call);
  EXPECT_EQ(actions[0].call->command, "mca.setCommand");
  EXPECT_EQ(actions[0].call->argument, (protocol::Json{{"uri", document.uri()}, {"command", "without -mavx2"}}));
  const protocol::Json json(actions);
  EXPECT_FALSE(json[0].contains("edit"));
  EXPECT_EQ(json[0]["command"]["arguments"][0]["command"], "without -mavx2");
  EXPECT_EQ(actionsOf(document, {lines(0, 0)}).size(), 2u) << "where there may be no hint";
  EXPECT_TRUE(actionsOf(document, {lines(2, 2)}).empty());
}

TEST(CodeActions, AHintedLoopCanBeMeasuredOnX86) {
  const auto actions = actionsOf(makeDocument(kLoop, loopAnalysis()), {lines(0, 0)});
  ASSERT_EQ(titles(actions), std::vector<std::string>{"Measure this loop"});
  EXPECT_EQ(actions[0].call->command, "mca.measureRegion");
  EXPECT_EQ(actions[0].call->argument,
            (protocol::Json{{"uri", "file:///dir/a.s"}, {"position", {{"line", 0}, {"character", 0}}}}));
  Analysis other = loopAnalysis();
  other.target.triple = "aarch64-linux-gnu";
  EXPECT_TRUE(actionsOf(makeDocument(kLoop, other), {lines(0, 0)}).empty());
}

} // namespace
} // namespace lsp::features
