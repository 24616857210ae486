// What the server shows of the branches of a loop: lenses that step through its paths and predictors, faded lines, the
// numbers in hints, hovers and JSON, and how all of it follows edits.
#include "tests/lsp/server_fixture.h"

#include <cmath>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::ControlFlow;
using protocol::Json;
using Strings = std::vector<std::string>;

/// The hint stands on the first line; the paths differ in the lines 3 and 4.
const std::string kText = "head:\n  load\n  add\n  sub\n  jle head\nrest:\n";

analysis::wire::ByteRange placeOf(const std::string &what) {
  const auto begin = static_cast<uint32_t>(kText.find(what));
  return {begin, begin + static_cast<uint32_t>(what.size())};
}

/// Along a trace, half of the executions of the branch are mispredicted.
ControlFlow flowOf(ControlFlow::Source source = ControlFlow::Source::File) {
  return {.source = source,
          .loop = 3,
          .file = "/dir/a.mcatrace",
          .statement = "f",
          .predictor = source == ControlFlow::Source::Odds ? "odds" : "tage",
          .mispredictPenalty = 14,
          .iterations = 1000,
          .instructions = 4000,
          .cycles = 16,
          .perfectCycles = 4,
          .missesPerThousand = 125,
          .branches = {{.instruction = 3,
                        .text = "jle head",
                        .at = placeOf("jle head"),
                        .executions = 1,
                        .taken = 0.75,
                        .missed = 0.5,
                        .wait = 8,
                        .cost = 24,
                        .cyclesPerIteration = 12,
                        .load = "load",
                        .loadAt = placeOf("load")}}};
}

/// A loop of two paths, of 3 and 5 cycles.
AnalysisResult resultWith(std::vector<ControlFlow> flows) {
  AnalysisResult result;
  for (const uint64_t cycles : {3u, 5u}) {
    result.regions.push_back({.name = "loop in f",
                              .path = cycles == 3 ? "through line 3" : "through line 4",
                              .kind = analysis::wire::RegionKind::Path,
                              .at = {0, placeOf("jle head").end},
                              .anchor = 0,
                              .loop = 3,
                              .share = cycles == 3 ? 0.75 : 0.25,
                              .simulation = cycles,
                              .places = {placeOf("load"), placeOf(cycles == 3 ? "add" : "sub"), placeOf("jle head")}});
    result.simulations.push_back({.id = cycles, .cyclesPerIteration = double(cycles), .ipc = 1});
    for (const char *text : {"load", cycles == 3 ? "add" : "sub", "jle head"})
      result.simulations.back().body.push_back({.text = text, .microOps = 1});
  }
  result.flows = std::move(flows);
  return result;
}

class ServerFlowTest : public ServerTest {
protected:
  static constexpr const char *kTags =
      R"({"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1]}, "relatedInformation": true}}})";

  void openWith(const std::vector<ControlFlow> &flows, const Json &capabilities = Json::parse(kTags)) {
    initialize(capabilities, Json{{"codeLens", {{"enabled", true}}}});
    open(kText);
    runner.finish(resultWith(flows));
  }
  Strings hintTexts() {
    Strings all;
    for (const Json &hint : result(requestHints()))
      all.push_back(labelOf(hint));
    return all;
  }
  Json lenses() { return result(request("textDocument/codeLens", {{"textDocument", {{"uri", kUri}}}})); }
  /// "title > command" of each.
  Strings lensTexts() {
    Strings all;
    for (const Json &lens : lenses())
      all.push_back(lens["command"]["title"].get<std::string>() + " > " +
                    lens["command"]["command"].get<std::string>());
    return all;
  }
  int command(const std::string &name, const Json &argument) {
    return request("workspace/executeCommand", {{"command", name}, {"arguments", {argument}}});
  }
  Json nextPath(int line = 0) {
    return result(command("mca.nextPath", {{"uri", kUri}, {"position", {{"line", line}, {"character", 0}}}}));
  }
  Json nextPredictor() { return result(command("mca.nextPredictor", {{"uri", kUri}})); }
  /// Zero-based lines of the diagnostics that fade their text out.
  std::vector<int> fadedLines() const {
    std::vector<int> lines;
    const Json shown = diagnostics();
    for (const Json &one : shown["diagnostics"])
      if (one.contains("tags"))
        lines.push_back(one["range"]["start"]["line"].get<int>());
    return lines;
  }
  std::string hoverText(int line, int character) {
    const Json found = result(requestHover(line, character));
    return found.is_object() ? found["contents"]["value"].get<std::string>() : "";
  }
};

TEST_F(ServerFlowTest, TheHintIsAlongTheTrace) {
  openWith({flowOf()});
  EXPECT_EQ(hintTexts(), Strings{"16.0 cyc · 50 % missed · 24 each"});
  EXPECT_NE(hoverText(0, 1).find("Branches along the trace a.mcatrace: 1,000 iterations"), std::string::npos)
      << hoverText(0, 1);
  const Json finding = diagnostics()["diagnostics"].at(0);
  EXPECT_EQ(finding["code"], "mispredicted-branch");
  EXPECT_EQ(finding["severity"], 3);
  EXPECT_EQ(finding["range"]["start"]["line"], 4);
  EXPECT_EQ(finding["relatedInformation"][0]["location"]["range"]["start"]["line"], 1);
}

TEST_F(ServerFlowTest, WithoutATraceItIsARange) {
  openWith({flowOf(ControlFlow::Source::Odds)});
  EXPECT_EQ(hintTexts(), Strings{"IPC 0.25–1.00 · 3.0–16 cyc"});
  EXPECT_EQ(lensTexts(), Strings{"all 2 paths · 3.0–16 cyc > mca.nextPath"});
}

TEST_F(ServerFlowTest, LensesAreAboveLoopsWithPathsOrATrace) {
  openWith({flowOf()});
  EXPECT_EQ(lensTexts(), (Strings{"all 2 paths · 16.0 cyc > mca.nextPath", "predictor: tage > mca.nextPredictor"}));
  EXPECT_EQ(lenses()[1]["command"]["arguments"][0],
            (Json{{"uri", kUri}, {"position", {{"line", 0}, {"character", 0}}}}));
  notify("workspace/didChangeConfiguration", Json::parse(R"({"settings": {"mca": {"inlayHints.enabled": false}}})"));
  EXPECT_EQ(lensTexts().size(), 3u) << "and the numbers";
  EXPECT_EQ(lensTexts()[0], "16.0 cyc · 50 % missed · 24 each > mca.showReport");
}

TEST_F(ServerFlowTest, ALensStepsThroughThePaths) {
  openWith({flowOf()});
  EXPECT_EQ(fadedLines(), std::vector<int>{});
  EXPECT_EQ(nextPath(), (Json{{"path", 1}, {"paths", 2}}));
  EXPECT_EQ(hintTexts(), Strings{"IPC 1.00 · 3.0 cyc"});
  EXPECT_EQ(lensTexts()[0], "path 1 of 2 · 75 % · 3.0 cyc > mca.nextPath");
  EXPECT_EQ(fadedLines(), std::vector<int>{3});
  EXPECT_EQ(nextPath(), (Json{{"path", 2}, {"paths", 2}}));
  EXPECT_EQ(hintTexts(), Strings{"IPC 1.00 · 5.0 cyc"});
  EXPECT_EQ(fadedLines(), std::vector<int>{2});
  EXPECT_EQ(nextPath(), (Json{{"path", 0}, {"paths", 2}}));
  EXPECT_EQ(hintTexts(), Strings{"16.0 cyc · 50 % missed · 24 each"});
  EXPECT_EQ(fadedLines(), std::vector<int>{});
  EXPECT_EQ(runner.started.size(), 1u) << "nothing is analysed for it";
  EXPECT_EQ(error(command("mca.nextPath", {{"uri", kUri}, {"position", {{"line", 5}, {"character", 0}}}})), -32803);
}

TEST_F(ServerFlowTest, TheNextAnalysisKeepsThePathUntilTheDocumentIsClosed) {
  openWith({flowOf()});
  nextPath();
  insert(5, 0, "new\n");
  awaitJobs(2);
  AnalysisResult next = resultWith({flowOf()});
  next.regions[0].loop = next.regions[1].loop = next.flows[0].loop = 9; // they are numbered anew
  runner.finish(next);
  EXPECT_EQ(hintTexts(), Strings{"IPC 1.00 · 3.0 cyc"});
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  open(kText);
  runner.finish(resultWith({flowOf()}));
  EXPECT_EQ(hintTexts(), Strings{"16.0 cyc · 50 % missed · 24 each"});
}

TEST_F(ServerFlowTest, NothingIsFadedForAClientThatCannot) {
  openWith({}, Json::object());
  nextPath();
  EXPECT_TRUE(diagnostics()["diagnostics"].empty()) << diagnostics();
}

TEST_F(ServerFlowTest, PredictorsTakeTurns) {
  openWith({flowOf()});
  EXPECT_EQ(runner.started.back().settings.predictor, "");
  const auto expectNext = [&](const char *predictor, const char *used) {
    EXPECT_EQ(nextPredictor(), (Json{{"predictor", predictor}}));
    EXPECT_EQ(runner.started.back().settings.predictor, predictor);
    ControlFlow flow = flowOf();
    flow.predictor = used;
    runner.finish(resultWith({flow}));
  };
  for (const char *predictor : {"perfect", "measured", "tage", "perfect"})
    expectNext(predictor, predictor);
  expectNext("measured", "tage"); // there are no measurements
  expectNext("perfect", "perfect");
  nextPredictor();
  runner.finish(resultWith({flowOf()}));
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  open(kText);
  EXPECT_EQ(runner.started.back().settings.predictor, "") << "closed, the choice is gone";
}

TEST_F(ServerFlowTest, BranchesMoveWithTheText) {
  openWith({flowOf()}, Json::parse(R"({"workspace": {"inlayHint": {"refreshSupport": true}}})"));
  insert(0, 0, "new\n");
  const std::string branch = hoverText(5, 4);
  EXPECT_NE(branch.find("jle head: taken 75 %, mispredicted 50 % along the trace a.mcatrace"), std::string::npos)
      << branch;
  EXPECT_NE(branch.find("waits for the load of line 3"), std::string::npos) << branch;
  insert(2, 0, "x", 3); // the load's line
  EXPECT_NE(hoverText(5, 4).find("waits for the load `load`"), std::string::npos) << hoverText(5, 4);
  EXPECT_EQ(hintTexts(), Strings{"16.0 cyc · 50 % missed · 24 each"}) << "the hint stays until its line is edited";
  insert(5, 2, "x", 4);
  const Json json = result(command("mca.exportJson", {{"uri", kUri}}));
  EXPECT_EQ(json["files"][0]["regions"][0]["flow"]["branches"][0]["line"], 0);
  insert(1, 0, "x", 5);
  EXPECT_EQ(hintTexts(), Strings{});
}

TEST_F(ServerFlowTest, TheExportHasTheBranches) {
  openWith({flowOf()});
  const Json json = result(command("mca.exportJson", {{"uri", kUri}}));
  const Json &flow = json["files"][0]["regions"][1]["flow"];
  EXPECT_EQ(flow["source"], "file");
  EXPECT_EQ(flow["cyclesPerIteration"], 16);
  EXPECT_EQ(flow["branches"][0]["line"], 5);
  EXPECT_EQ(flow["branches"][0]["loadLine"], 2);
  EXPECT_EQ(flow["branches"][0]["cost"], 24);
}

TEST_F(ServerFlowTest, NumbersThatAreNoneAreDropped) {
  ControlFlow nonsense = flowOf();
  nonsense.cycles = std::nan("");
  openWith({nonsense});
  EXPECT_EQ(hintTexts(), Strings{"IPC 1.00 · 3.0–5.0 cyc"});
  nonsense = flowOf();
  nonsense.branches[0].taken = 2;
  insert(5, 0, "new\n");
  awaitJobs(2);
  runner.finish(resultWith({nonsense}));
  EXPECT_EQ(hintTexts(), Strings{"IPC 1.00 · 3.0–5.0 cyc"});
}

} // namespace
} // namespace lsp
