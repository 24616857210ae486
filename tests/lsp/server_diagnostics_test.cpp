// Diagnostics of clients that pull, traces, and capabilities that no editor should send.
#include "tests/lsp/server_fixture.h"

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using protocol::Json;
using std::chrono::milliseconds;

const Json kPulling = Json::parse(R"({"textDocument": {"diagnostic": {}},
                                      "workspace": {"diagnostics": {"refreshSupport": true}}})");
const Json kPullingOnly = Json::parse(R"({"textDocument": {"diagnostic": {"dynamicRegistration": true}}})");

class ServerDiagnosticsTest : public ServerTest {
protected:
  int pull(const std::string &previous = "", const std::string &uri = kUri) {
    Json params{{"textDocument", {{"uri", uri}}}};
    if (!previous.empty())
      params["previousResultId"] = previous;
    return request("textDocument/diagnostic", params);
  }
};

TEST_F(ServerDiagnosticsTest, OnlyAClientThatPullsIsOfferedThem) {
  initialize(kPulling);
  EXPECT_EQ(result(1)["capabilities"]["diagnosticProvider"],
            Json::parse(R"({"identifier": "mca", "interFileDependencies": false, "workspaceDiagnostics": false})"));
}

TEST_F(ServerDiagnosticsTest, AClientThatDoesNotPullIsPublishedThem) {
  initialize();
  EXPECT_FALSE(result(1)["capabilities"].contains("diagnosticProvider"));
  open("add\n");
  runner.finish(oneFinding());
  EXPECT_EQ(diagnostics()["diagnostics"].size(), 1u);
  EXPECT_TRUE(calls("workspace/diagnostic/refresh").empty());
}

TEST_F(ServerDiagnosticsTest, ThereAreNotMoreThanAnEditorShows) {
  initialize();
  open("add\n");
  AnalysisResult many;
  many.findings.resize(1200, {{0, 3}, analysis::wire::Severity::Information, "call", "text", {}});
  many.budgets.emplace_back(); // what the server says itself counts, too
  runner.finish(many);
  EXPECT_EQ(diagnostics()["diagnostics"].size(), 1000u);
}

TEST_F(ServerDiagnosticsTest, NothingIsPublishedToAClientThatPulls) {
  initialize(kPulling);
  open("add\n");
  runner.finish(oneFinding());
  EXPECT_EQ(calls("workspace/diagnostic/refresh").size(), 1u);
  const Json report = result(pull());
  EXPECT_EQ(report["kind"], "full");
  EXPECT_EQ(report["items"].size(), 1u);
  EXPECT_EQ(report["items"][0]["source"], "mca");
  notify("workspace/didChangeConfiguration", Json::parse(R"({"settings": {"mca": {"diagnostics.enabled": false}}})"));
  EXPECT_EQ(calls("workspace/diagnostic/refresh").size(), 2u);
  EXPECT_TRUE(result(pull())["items"].empty());
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_TRUE(calls("textDocument/publishDiagnostics").empty());
}

TEST_F(ServerDiagnosticsTest, WhatTheClientHasIsNotSentAgain) {
  initialize(kPulling);
  open("add\nsub\n");
  AnalysisResult below;
  below.findings.push_back({{4, 7}, analysis::wire::Severity::Information, "call", "text", {}});
  runner.finish(below);
  const std::string id = result(pull())["resultId"];
  EXPECT_EQ(result(pull(id)), (Json{{"kind", "unchanged"}, {"resultId", id}}));
  insert(0, 0, "\n");
  const Json moved = result(pull(id));
  EXPECT_EQ(moved["kind"], "full");
  EXPECT_EQ(moved["items"][0]["range"]["start"]["line"], 2);
  EXPECT_NE(moved["resultId"], id);
}

TEST_F(ServerDiagnosticsTest, DuringAJobTheLastAnalysisAnswers) {
  initialize(kPulling);
  open("add\n");
  runner.finish(oneFinding());
  notify("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
  insert(0, 3, "x");
  awaitJobs(2);
  EXPECT_EQ(result(pull())["items"].size(), 1u);
}

TEST_F(ServerDiagnosticsTest, ThePullBeforeTheFirstAnalysisWaitsForIt) {
  initialize(kPulling);
  open("add\n");
  const int held = pull();
  EXPECT_TRUE(answer(held).is_null());
  runner.finish(oneFinding());
  EXPECT_EQ(result(held)["items"].size(), 1u);
}

TEST_F(ServerDiagnosticsTest, ButNotForEver) {
  initialize(kPulling);
  open("add\n");
  const int held = pull();
  io.run_for(milliseconds(1000));
  EXPECT_EQ(error(held), -32802);
  EXPECT_EQ(answer(held)["error"]["data"], (Json{{"retriggerRequest", false}})) << "a refresh will come";
}

TEST_F(ServerDiagnosticsTest, AClientThatCannotBeRefreshedWaitsForEachJob) {
  initialize(kPullingOnly);
  open("add\n");
  const int first = pull();
  io.run_for(milliseconds(1000));
  EXPECT_EQ(answer(first)["error"]["data"], (Json{{"retriggerRequest", true}}));
  runner.finish(oneFinding());
  EXPECT_TRUE(calls("workspace/diagnostic/refresh").empty());
  insert(0, 3, "x");
  awaitJobs(2);
  const int second = pull();
  EXPECT_TRUE(answer(second).is_null());
  runner.finish(oneHint());
  EXPECT_TRUE(result(second)["items"].empty());
  insert(0, 3, "y", 3);
  awaitJobs(3);
  const int late = pull();
  io.run_for(milliseconds(1000));
  EXPECT_EQ(result(late)["kind"], "full") << "what the last analysis says";
}

TEST_F(ServerDiagnosticsTest, HeldPullsEndInEveryPath) {
  initialize(kPulling);
  open("add\n");
  const int cancelled = pull();
  notify("$/cancelRequest", {{"id", cancelled}});
  EXPECT_EQ(error(cancelled), -32800);
  const int closed = pull();
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_EQ(result(closed)["items"], Json::array());
  runner.finish(AnalysisResult());
  open("add\n");
  const int unavailable = pull();
  runner.finish(WorkerUnavailable{"no such file"});
  EXPECT_EQ(result(unavailable)["items"], Json::array());
  insert(0, 0, "x");
  awaitJobs(3);
  const int shut = pull();
  request("shutdown");
  EXPECT_EQ(result(shut)["items"], Json::array());
}

TEST_F(ServerDiagnosticsTest, ACrashIsPulled) {
  initialize(kPulling);
  open("add\n");
  runner.crash();
  EXPECT_EQ(calls("workspace/diagnostic/refresh").size(), 1u);
  EXPECT_EQ(result(pull())["items"][0]["code"], "worker-crashed");
}

TEST_F(ServerDiagnosticsTest, ForeignAndUnknownDocumentsHaveNone) {
  initialize(kPulling);
  open("x", "rust", "file:///x.rs");
  EXPECT_EQ(result(pull("", "file:///x.rs"))["items"], Json::array());
  EXPECT_EQ(result(pull("", "file:///nowhere.s"))["items"], Json::array());
  EXPECT_EQ(errorOf("textDocument/diagnostic"), -32602);
}

TEST_F(ServerDiagnosticsTest, AConfigurationFileIsPublishedToAClientThatPulls) {
  initialize(kPulling);
  open("{", "jsonc", "file:///dir/.mca-lsp.json");
  EXPECT_EQ(diagnostics()["uri"], "file:///dir/.mca-lsp.json");
  EXPECT_EQ(diagnostics()["diagnostics"].size(), 1u);
  EXPECT_EQ(result(pull("", "file:///dir/.mca-lsp.json"))["items"], Json::array()) << "never both";
}

// ---- traces ---------------------------------------------------------------------------------------------------------

TEST_F(ServerDiagnosticsTest, ATraceIsAsLongAsTheClientWants) {
  initialize();
  EXPECT_TRUE(calls("$/logTrace").empty());
  notify("$/setTrace", {{"value", "messages"}});
  requestHover(3, 4);
  ASSERT_EQ(calls("$/logTrace").size(), 1u);
  EXPECT_EQ(calls("$/logTrace")[0]["params"], (Json{{"message", "received request textDocument/hover 2"}}));
  notify("$/setTrace", {{"value", "verbose"}});
  requestHover(3, 4);
  EXPECT_EQ(Json::parse(calls("$/logTrace").back()["params"]["verbose"].get<std::string>())["position"]["line"], 3);
  open(std::string(1 << 20, 'x'));
  EXPECT_LT(calls("$/logTrace").back()["params"]["verbose"].get<std::string>().size(), 10000u);
  notify("$/setTrace", {{"value", "loud"}});
  notify("$/setTrace", {{"value", 7}});
  const size_t before = calls("$/logTrace").size();
  requestHover(3, 4);
  EXPECT_EQ(calls("$/logTrace").size(), before + 1) << "an unknown value changes nothing";
  notify("$/setTrace", {{"value", "off"}});
  const size_t last = calls("$/logTrace").size();
  requestHover(3, 4);
  EXPECT_EQ(calls("$/logTrace").size(), last);
}

TEST_F(ServerDiagnosticsTest, ATraceMayBeginWithInitialize) {
  request("initialize", {{"capabilities", Json::object()}, {"trace", "messages"}});
  notify("initialized");
  ASSERT_EQ(calls("$/logTrace").size(), 1u);
  EXPECT_EQ(calls("$/logTrace")[0]["params"]["message"], "received notification initialized");
}

// ---- capabilities that no editor should send ------------------------------------------------------------------------

TEST_F(ServerDiagnosticsTest, OddCapabilitiesAreAbsent) {
  const int id = request("initialize", Json::parse(R"({
    "processId": "x", "trace": {"loud": true}, "rootUri": 5, "workspaceFolders": [{"uri": 7}, 8, {"name": "x"}],
    "capabilities": {
      "general": {"positionEncodings": ["utf-7", 16, null, {"utf-8": 1}]},
      "window": {"workDoneProgress": "yes"},
      "workspace": {"diagnostics": [true], "inlayHint": {"refreshSupport": 1}, "didChangeWatchedFiles": "**"},
      "textDocument": {
        "diagnostic": true,
        "hover": {"contentFormat": ["asciidoc", 3, "markdown"]},
        "publishDiagnostics": {"tagSupport": {"valueSet": ["1", 99, -1, 1.5]}, "codeDescriptionSupport": "true",
                               "relatedInformation": {}}}}})"));
  EXPECT_EQ(result(id)["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_FALSE(result(id)["capabilities"].contains("diagnosticProvider"));
  notify("initialized");
  EXPECT_TRUE(calls("client/registerCapability").empty());
  open("add\n");
  runner.finish(oneFinding("empty-region"));
  const Json shown = diagnostics()["diagnostics"][0];
  EXPECT_FALSE(shown.contains("tags"));
  EXPECT_FALSE(shown.contains("codeDescription"));
}

TEST_F(ServerDiagnosticsTest, TagsAndLinksForThoseWhoTakeThem) {
  initialize(Json::parse(R"({"textDocument": {"publishDiagnostics": {
    "tagSupport": {"valueSet": [77, "new", 2, 1]}, "codeDescriptionSupport": true}}})"));
  open("add\n");
  runner.finish(oneFinding("empty-region"));
  const Json shown = diagnostics()["diagnostics"][0];
  EXPECT_EQ(shown["tags"], Json::array({1}));
  EXPECT_TRUE(shown["codeDescription"]["href"].get<std::string>().ends_with("/docs/diagnostics/empty-region.md"));
}

} // namespace
} // namespace lsp
