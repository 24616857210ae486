// The server's lifecycle, documents, features and settings, message by message.
#include "tests/lsp/server_fixture.h"

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Severity;
using protocol::Json;
using std::chrono::milliseconds;

const Json kRefreshing = Json::parse(R"({"workspace": {"inlayHint": {"refreshSupport": true}}})");

// ---- lifecycle -----------------------------------------------------------------------------------------------------

TEST_F(ServerTest, RequestsBeforeInitializeAreRefused) {
  EXPECT_EQ(errorOf("textDocument/hover"), -32002);
  EXPECT_EQ(errorOf("shutdown"), -32002);
  EXPECT_EQ(errorOf("nonsense"), -32002);
  open("dropped\n");
  EXPECT_TRUE(runner.started.empty());
  initialize();
  EXPECT_EQ(errorOf("initialize", {{"capabilities", Json::object()}}), -32600);
}

TEST_F(ServerTest, InitializeSaysWhatTheServerCan) {
  const int id = request("initialize", {{"processId", 77}, {"capabilities", Json::object()}});
  EXPECT_EQ(result(id)["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(result(id)["serverInfo"]["name"], "mca-lsp");
  EXPECT_EQ(watched, 77);
}

TEST_F(ServerTest, ABadInitializeCanBeRepeated) {
  receive({{"id", 90}, {"method", "initialize"}, {"params", Json::array()}});
  EXPECT_EQ(error(90), -32602);
  initialize();
  EXPECT_TRUE(answer(lastId).contains("result"));
}

TEST_F(ServerTest, ExitStatusTellsWhetherShutdownCameFirst) {
  initialize();
  const int id = request("shutdown", nullptr);
  EXPECT_TRUE(answer(id).contains("result"));
  EXPECT_TRUE(result(id).is_null());
  EXPECT_EQ(errorOf("textDocument/hover"), -32600);
  EXPECT_EQ(errorOf("initialize"), -32600);
  notify("exit");
  EXPECT_EQ(exitStatus, 0);
}

TEST_F(ServerTest, ExitWithoutShutdownIsAFailure) {
  notify("exit");
  EXPECT_EQ(exitStatus, 1);
}

TEST_F(ServerTest, UnknownMethods) {
  initialize();
  EXPECT_EQ(errorOf("no/such/method"), -32601);
  EXPECT_EQ(errorOf("$/request"), -32601);
  const size_t before = sent.size();
  notify("no/such/notification");
  notify("$/setTrace", {{"value", "verbose"}});
  EXPECT_EQ(sent.size(), before);
}

TEST_F(ServerTest, WrongParametersAreNamed) {
  initialize();
  EXPECT_EQ(errorOf("textDocument/hover", {{"textDocument", 5}}), -32602);
  EXPECT_EQ(errorOf("textDocument/inlayHint"), -32602);
  receive({{"id", 91}, {"method", "textDocument/hover"}});
  EXPECT_EQ(error(91), -32602);
}

TEST_F(ServerTest, MalformedMessagesAreAnswered) {
  server.receive("{");
  EXPECT_EQ(sent.back()["error"]["code"], -32700);
  EXPECT_TRUE(sent.back()["id"].is_null());
  server.receive("[{\"id\":1,\"method\":\"initialize\"}]");
  EXPECT_EQ(sent.back()["error"]["code"], -32600);
  server.receivedBadFrame("a header without Content-Length");
  EXPECT_EQ(sent.back()["error"]["code"], -32700);
  receive({{"id", 5}, {"result", 1}});
  initialize();
  EXPECT_TRUE(answer(lastId).contains("result"));
}

// ---- documents and jobs --------------------------------------------------------------------------------------------

TEST_F(ServerTest, AnAssemblyDocumentIsAnalysedOnOpenAndChange) {
  initialize(kRefreshing);
  open("add\n");
  ASSERT_EQ(runner.started.size(), 1u);
  EXPECT_EQ(runner.started[0].path, "/dir/a.s");
  EXPECT_EQ(runner.started[0].text, "add\n");
  runner.finish(oneHint());
  insert(0, 0, "x");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "xadd\n");
}

TEST_F(ServerTest, AnEditCancelsTheRunningJob) {
  initialize(kRefreshing);
  open("add\n");
  insert(0, 0, "x");
  EXPECT_EQ(runner.cancels, 1);
  runner.finish(oneHint());
  EXPECT_TRUE(calls("textDocument/publishDiagnostics").empty()) << "the old version's result is not shown";
  awaitJobs(2);
}

TEST_F(ServerTest, ASimulationThatIsKnownNeedNotComeAgain) {
  initialize(kRefreshing);
  open("add\n");
  EXPECT_TRUE(runner.started[0].knownSimulations.empty());
  runner.finish(oneHint());
  insert(0, 0, "sub\n");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].knownSimulations, std::vector<uint64_t>{7});
  AnalysisResult moved = oneHint(4);
  moved.simulations.clear();
  runner.finish(moved);
  const Json hints = result(requestHints());
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints[0]["position"]["line"], 1);
  EXPECT_EQ(labelOf(hints[0]), "IPC 1.00 · 4.0 cyc");
  insert(1, 0, "x", 3);
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].knownSimulations, std::vector<uint64_t>{7}) << "an edit takes no numbers away";
}

TEST_F(ServerTest, CxxIsAnalysedOnOpenAndSaveOnly) {
  initialize(kRefreshing);
  open("int a;\n", "cpp");
  runner.finish(oneHint());
  insert(0, 0, "//\n");
  io.run_for(milliseconds(80));
  EXPECT_EQ(runner.started.size(), 1u);
  notify("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}});
  ASSERT_EQ(runner.started.size(), 2u);
  EXPECT_EQ(runner.started[1].text, "//\nint a;\n");
}

TEST_F(ServerTest, WithCompileOnChangeAnEditedSourceIsAnalysed) {
  initialize(Json::object(), {{"compileOn", "change"}});
  open("int x;\n", "cpp");
  awaitJobs(1);
  runner.finish(AnalysisResult{});
  insert(0, 0, "// ");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "// int x;\n");
  EXPECT_TRUE(runner.started[1].settings.compileOnChange);
}

TEST_F(ServerTest, AJobKnowsTheOtherOpenSources) {
  initialize();
  open("int x;\n", "cpp", "file:///dir/b.cpp");
  awaitJobs(1);
  runner.finish(AnalysisResult{});
  open("nop\n", "asm", "file:///dir/c.s");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].openFiles, std::vector<std::string>()) << "assembly includes no C++";
  runner.finish(AnalysisResult{});
  open("int y;\n", "cpp", "file:///dir/a.h");
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].openFiles, std::vector<std::string>{"/dir/b.cpp"});
  runner.finish(AnalysisResult{});
  open("nop\n", "asm", "file:///dir/d.S");
  awaitJobs(4);
  runner.finish(AnalysisResult{});
  open("nop\n", "asm", "file:///dir/e.S");
  awaitJobs(5);
  EXPECT_EQ(runner.started[4].openFiles, std::vector<std::string>{"/dir/d.S"}) << "what the preprocessor reads";
}

TEST_F(ServerTest, ForeignDocumentsAreLeftAlone) {
  initialize();
  open("x", "rust", "file:///x.rs");
  EXPECT_TRUE(runner.started.empty());
  notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///x.rs"}}}});
}

// ---- texts that are not known any more -----------------------------------------------------------------------------

class LostTextTest : public ServerTest {
protected:
  LostTextTest() {
    initialize(kRefreshing);
    open("abc\n");
    AnalysisResult result = oneHint();
    result.findings = oneFinding().findings;
    runner.finish(std::move(result));
    EXPECT_EQ(result_(requestHints()).size(), 1u);
  }
  Json result_(int id) const { return ServerTest::result(id); }

  void change(const Json &changes, int version) {
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", kUri}, {"version", version}}}, {"contentChanges", changes}});
  }
  /// By a range that ends before it begins.
  void lose(int version = 2) {
    change(Json::parse(R"([{"text": "lost"}, {"text": "x", "range":
        {"start": {"line": 1, "character": 0}, "end": {"line": 0, "character": 0}}}])"),
           version);
  }
  void save(const Json &text) { notify("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}, {"text", text}}); }
  void close() { notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}}); }
  std::vector<std::string> messages() const {
    std::vector<std::string> all;
    for (const Json &call : calls("window/showMessage"))
      all.push_back(call["params"]["message"]);
    return all;
  }
  static std::string lost(const std::string &why) {
    return "mca-lsp has lost track of the text of /dir/a.s (" + why +
           "). It shows nothing there until you close the file and open it again.";
  }
};

const std::string kUnreadable = "a change of it cannot be read: contentChanges.range ends before it starts";

TEST_F(LostTextTest, AnUnreadableChangeIsFollowedByNone) {
  const size_t refreshes = calls("workspace/inlayHint/refresh").size();
  lose();
  EXPECT_EQ(calls("workspace/inlayHint/refresh").size(), refreshes + 1);
  EXPECT_EQ(result_(requestHints()), Json::array());
  EXPECT_TRUE(diagnostics()["diagnostics"].empty());
  insert(0, 3, "d", 3);
  lose(4);
  io.poll();
  EXPECT_EQ(runner.started.size(), 1u) << "nothing is analysed";
  EXPECT_TRUE(result_(requestHover(0, 0)).is_null());
  EXPECT_EQ(messages(), (std::vector<std::string>{lost(kUnreadable)})) << "once";
}

TEST_F(LostTextTest, ALostOneComesBackWithAWholeText) {
  lose();
  const Json atStart{{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 0}}}};
  change({{{"text", "dropped"}, {"range", atStart}}, {{"text", "\xC3\xA9t\n"}}, {{"text", "y"}, {"range", atStart}}},
         3);
  runner.finish(AnalysisResult());
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].text, "y\xC3\xA9t\n");
  runner.finish(oneHint());
  EXPECT_EQ(result_(requestHints()).size(), 1u);
  insert(0, 2, "z", 4);
  awaitJobs(4);
  EXPECT_EQ(runner.started[3].text, "y\xC3\xA9zt\n");
  lose(5);
  EXPECT_EQ(messages().size(), 2u) << "it is lost once more";
}

TEST_F(LostTextTest, ALostOneComesBackWhenItIsOpenedAgain) {
  lose();
  close();
  insert(0, 0, "x", 3);
  open("new\n");
  insert(0, 0, "x", 2);
  awaitJobs(2);
  runner.finish(AnalysisResult());
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].text, "xnew\n");
}

TEST_F(LostTextTest, ALostOneComesBackWithTheTextOfASave) {
  lose();
  save(nullptr);
  EXPECT_EQ(runner.started.size(), 1u);
  save("saved\n");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "saved\n");
}

TEST_F(LostTextTest, TheTextOfASaveIsTheEditors) {
  save("abc\n");
  EXPECT_EQ(runner.started.size(), 1u) << "it was known";
  save("other\n");
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "other\n");
}

TEST_F(LostTextTest, AfterALostMessageTheNextVersionShowsWhatItWas) {
  server.receivedBadFrame("a message longer than 256 MiB");
  insert(0, 3, "d", 2); // none of its changes was lost
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "abcd\n");
  server.receive("{no JSON");
  insert(0, 3, "e", 4);
  EXPECT_EQ(messages(), (std::vector<std::string>{lost("a message of the editor was lost")}));
}

TEST_F(LostTextTest, AfterALostMessageAWholeTextIsGood) {
  server.receivedBadFrame("a message longer than 256 MiB");
  change({{{"text", "whole\n"}}}, 9);
  insert(0, 0, "x", 11);
  EXPECT_TRUE(messages().empty());
  runner.finish(AnalysisResult());
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].text, "xwhole\n");
}

TEST_F(LostTextTest, OtherDocumentsStay) {
  const std::string other = "file:///dir/b.s";
  open("sub\n", "asm", other);
  lose();
  EXPECT_EQ(messages().size(), 1u);
  EXPECT_EQ(runner.started.back().path, "/dir/b.s");
}

TEST_F(ServerTest, AChangeOfAnUnknownDocumentIsIgnored) {
  initialize();
  insert(0, 0, "x");
  EXPECT_EQ(result(requestHints()), Json::array());
  EXPECT_TRUE(answer(requestHover(0, 0)).contains("result"));
}

TEST_F(ServerTest, ClosingClearsTheDiagnostics) {
  initialize();
  open("add\n");
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_EQ(runner.cancels, 1);
  EXPECT_TRUE(diagnostics()["diagnostics"].empty());
  runner.finish(oneHint());
  EXPECT_EQ(calls("textDocument/publishDiagnostics").size(), 1u);
}

TEST_F(ServerTest, EditsBehindAByteThatIsNoUtf8HitTheirPlace) {
  initialize({{"general", {{"positionEncodings", {"utf-8"}}}}});
  const std::string opened = R"({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument":
      {"uri": "file:///dir/a.s", "languageId": "asm", "version": 1, "text": "#\xff# b\n"}}})";
  server.receive(opened.substr(0, opened.find("\\xff")) + "\xff" + opened.substr(opened.find("\\xff") + 4));
  insert(0, 4, "a");
  runner.finish(AnalysisResult());
  awaitJobs(2);
  EXPECT_EQ(runner.started[1].text, "#?# ab\n");
}

TEST_F(ServerTest, NulBytesAreText) {
  initialize();
  open(std::string("a\0b\n", 4));
  EXPECT_EQ(runner.started.at(0).text, std::string("a\0b\n", 4));
}

// ---- features ------------------------------------------------------------------------------------------------------

TEST_F(ServerTest, HintsAreAnsweredAtOnceAndRefreshed) {
  initialize(kRefreshing);
  open("add\nsub\n");
  const int first = requestHints();
  EXPECT_TRUE(answer(first).is_null()) << "before the first analysis there are none";
  runner.finish(oneHint(4));
  EXPECT_EQ(result(first)[0]["position"], (Json{{"line", 1}, {"character", 3}}));
  EXPECT_EQ(calls("workspace/inlayHint/refresh").size(), 1u);
  EXPECT_EQ(result(requestHints())[0]["position"], (Json{{"line", 1}, {"character", 3}}));
  insert(0, 0, "new\n");
  EXPECT_EQ(result(requestHints())[0]["position"], (Json{{"line", 2}, {"character", 3}}));
  insert(2, 0, "x", 3);
  EXPECT_EQ(result(requestHints()), Json::array());
}

TEST_F(ServerTest, WithoutRefreshARequestWaitsForTheJob) {
  initialize();
  open("add\n");
  const int held = requestHints();
  EXPECT_TRUE(answer(held).is_null());
  runner.finish(oneHint());
  EXPECT_EQ(labelOf(result(held)[0]), "IPC 1.00 · 4.0 cyc");
  EXPECT_FALSE(answer(requestHints()).is_null()) << "no job runs";
}

TEST_F(ServerTest, AHeldRequestDoesNotWaitForEver) {
  initialize();
  open("add\n");
  const int held = requestHints();
  io.run_for(milliseconds(2000));
  EXPECT_EQ(result(held), Json::array());
  runner.finish(oneHint());
}

TEST_F(ServerTest, AHeldRequestCanBeCancelled) {
  initialize();
  open("add\n");
  const int held = requestHints();
  notify("$/cancelRequest", {{"id", held}});
  EXPECT_EQ(error(held), -32800);
  notify("$/cancelRequest", {{"id", held}});
  notify("$/cancelRequest", {{"id", "other"}});
  runner.finish(oneHint());
  io.run_for(milliseconds(150));
  EXPECT_EQ(
      std::count_if(sent.begin(), sent.end(), [&](const Json &message) { return message.value("id", Json()) == held; }),
      1);
}

TEST_F(ServerTest, ClosingOrShuttingDownAnswersHeldRequests) {
  initialize();
  open("add\n");
  const int first = requestHints();
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_EQ(result(first), Json::array());
  open("add\n");
  const int second = requestHints();
  request("shutdown");
  EXPECT_EQ(result(second), Json::array());
}

TEST_F(ServerTest, HoverInTheClientsFormat) {
  initialize(Json::parse(R"({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})"));
  open("add\nsub\n");
  runner.finish(oneHint(4));
  const Json hover = result(requestHover(1, 1));
  EXPECT_EQ(hover["contents"]["kind"], "markdown");
  EXPECT_TRUE(hover["contents"]["value"].get<std::string>().starts_with("### region r: IPC 1.00 · 4.0 cyc\n\n"))
      << hover;
  EXPECT_EQ(hover["range"],
            Json::parse(R"({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}})"));
  EXPECT_TRUE(result(requestHover(0, 0)).is_null());
}

TEST_F(ServerTest, DiagnosticsCarryTheVersionAndMoveWithEdits) {
  initialize();
  open("int a;\nint b;\n", "cpp");
  insert(0, 0, "//\n", 7);
  AnalysisResult result;
  result.findings.push_back({{7, 10}, Severity::Warning, "code", "text", {}});
  runner.finish(result);
  EXPECT_EQ(diagnostics()["version"], 7);
  EXPECT_EQ(diagnostics()["diagnostics"][0]["range"]["start"], (Json{{"line", 2}, {"character", 0}}));
  EXPECT_EQ(diagnostics()["diagnostics"][0]["source"], "mca");
}

TEST_F(ServerTest, NotesAreShownOnce) {
  initialize();
  open("add\n");
  AnalysisResult result;
  result.notes = {"no CPU is named", "no CPU is named"};
  runner.finish(result);
  ASSERT_EQ(calls("window/showMessage").size(), 1u);
  EXPECT_EQ(calls("window/showMessage")[0]["params"]["type"], 3);
}

// ---- workers that fail ---------------------------------------------------------------------------------------------

TEST_F(ServerTest, ACrashBecomesOneDiagnosticAndIsTriedAgain) {
  initialize(kRefreshing);
  open("add\nsub\n");
  const analysis::wire::Progress last{1, analysis::wire::Stage::Simulating, "region r", {4, 7}, 0, 0};
  runner.finish(WorkerDeath{WorkerDeath::Cause::Crashed, "signal 11", last});
  ASSERT_EQ(diagnostics()["diagnostics"].size(), 1u);
  EXPECT_EQ(diagnostics()["diagnostics"][0]["code"], "worker-crashed");
  EXPECT_EQ(diagnostics()["diagnostics"][0]["range"]["start"]["line"], 1);
  ASSERT_TRUE(runner.busy());
  runner.finish(oneHint());
  EXPECT_TRUE(diagnostics()["diagnostics"].empty());
}

TEST_F(ServerTest, ASecondCrashSetsTheContentAside) {
  initialize();
  open("add\n");
  runner.crash();
  runner.crash();
  EXPECT_NE(diagnostics()["diagnostics"][0]["message"].get<std::string>().find("set aside"), std::string::npos);
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(result(requestHints()), Json::array()) << "nothing to wait for";
  insert(0, 0, "x");
  awaitJobs(3);
  runner.finish(oneHint());
  EXPECT_TRUE(diagnostics()["diagnostics"].empty());
}

TEST_F(ServerTest, AMissingWorkerIsToldOnce) {
  initialize();
  open("add\n");
  const int held = requestHints();
  runner.finish(WorkerUnavailable{"no such file"});
  EXPECT_EQ(result(held), Json::array());
  open("sub\n", "asm", "file:///b.s");
  runner.finish(WorkerUnavailable{"no such file"});
  ASSERT_EQ(calls("window/showMessage").size(), 1u);
  EXPECT_EQ(calls("window/showMessage")[0]["params"]["type"], 1);
}

// ---- progress ------------------------------------------------------------------------------------------------------

const analysis::wire::Progress kCompiling{1, analysis::wire::Stage::Compiling, "a.cpp", {}, 0, 0};
const Json kWithProgress = Json::parse(R"({"window": {"workDoneProgress": true}})");

TEST_F(ServerTest, ProgressBeginsWithTheClientsConsentAndEnds) {
  initialize(kWithProgress);
  open("int a;\n", "cpp");
  runner.progress(kCompiling);
  EXPECT_TRUE(calls("$/progress").empty());
  respond("window/workDoneProgress/create", nullptr);
  runner.progress(kCompiling);
  runner.progress({1, analysis::wire::Stage::Simulating, "r", {}, 0, 0});
  runner.finish(oneHint());
  const auto steps = calls("$/progress");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0]["params"]["value"]["kind"], "begin");
  EXPECT_EQ(steps[1]["params"]["value"]["message"], "simulating");
  EXPECT_EQ(steps[2]["params"]["value"]["kind"], "end");
}

TEST_F(ServerTest, ProgressEndsInEveryPath) {
  initialize(kWithProgress);
  const auto begin = [&] {
    runner.progress(kCompiling);
    respond("window/workDoneProgress/create", nullptr);
  };
  const auto ended = [&] { return calls("$/progress").back()["params"]["value"]["kind"] == "end"; };
  open("int a;\n", "cpp");
  begin();
  runner.crash();
  EXPECT_TRUE(ended());
  begin();
  runner.crash();
  EXPECT_TRUE(ended());
  open("int b;\n", "cpp");
  begin();
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  runner.finish(AnalysisResult());
  EXPECT_TRUE(ended());
  open("int c;\n", "cpp");
  begin();
  request("shutdown");
  EXPECT_TRUE(ended());
}

TEST_F(ServerTest, AJobThatIsOverShowsNoProgress) {
  initialize(kWithProgress);
  open("int a;\n", "cpp");
  runner.progress(kCompiling);
  runner.finish(oneHint());
  respond("window/workDoneProgress/create", nullptr);
  EXPECT_TRUE(calls("$/progress").empty());
}

// ---- settings ------------------------------------------------------------------------------------------------------

const Json kPulling = Json::parse(R"({"workspace": {"configuration": true,
                                      "didChangeConfiguration": {"dynamicRegistration": true}}})");

TEST_F(ServerTest, SettingsArePulled) {
  initialize(kPulling, {{"cpu", "from-options"}});
  EXPECT_EQ(calls("client/registerCapability").size(), 1u);
  open("add\n");
  EXPECT_EQ(runner.started.at(0).settings.cpu, "from-options");
  runner.finish(oneHint());
  respond("workspace/configuration", Json::array({{{"cpu", "znver4"}}}));
  ASSERT_EQ(runner.started.size(), 2u) << "open documents are analysed again";
  EXPECT_EQ(runner.started[1].settings.cpu, "znver4");
  notify("workspace/didChangeConfiguration", {{"settings", nullptr}});
  respond("workspace/configuration", Json::array({nullptr}));
  runner.finish(oneHint());
  EXPECT_EQ(runner.started.back().settings.cpu, "from-options");
}

TEST_F(ServerTest, SettingsArePushed) {
  initialize();
  open("add\n");
  runner.finish(oneHint());
  notify("workspace/didChangeConfiguration", {{"settings", {{"mca", {{"cpu", "znver4"}}}}}});
  EXPECT_EQ(runner.started.back().settings.cpu, "znver4");
  runner.finish(oneHint());
  notify("workspace/didChangeConfiguration", {{"settings", {{"mca", {{"cpu", "znver4"}}}}}});
  EXPECT_EQ(runner.started.size(), 2u) << "nothing changed";
}

TEST_F(ServerTest, EachKindCanBeTurnedOff) {
  initialize(kRefreshing);
  open("add\n");
  AnalysisResult result = oneHint();
  result.findings.push_back({{0, 3}, Severity::Warning, "code", "text", {}});
  runner.finish(result);
  EXPECT_FALSE(this->result(requestHover(0, 1)).is_null());
  notify("workspace/didChangeConfiguration",
         Json::parse(R"({"settings": {"mca": {"inlayHints": {"enabled": false}, "diagnostics": {"enabled": false},
                         "hover": {"enabled": false}}}})"));
  EXPECT_EQ(runner.started.size(), 1u) << "no new analysis is needed";
  EXPECT_TRUE(diagnostics()["diagnostics"].empty());
  EXPECT_EQ(this->result(requestHints()), Json::array());
  EXPECT_TRUE(this->result(requestHover(0, 1)).is_null());
  notify("workspace/didChangeConfiguration", {{"settings", {{"mca", nullptr}}}});
  EXPECT_EQ(diagnostics()["diagnostics"].size(), 1u);
  EXPECT_EQ(this->result(requestHints()).size(), 1u);
}

TEST_F(ServerTest, AWrongSettingIsToldOnce) {
  initialize();
  for (int i = 0; i < 2; ++i)
    notify("workspace/didChangeConfiguration", {{"settings", {{"mca", {{"cpu", 5}, {"compiler", "/evil"}}}}}});
  ASSERT_EQ(calls("window/showMessage").size(), 1u);
  EXPECT_EQ(calls("window/showMessage")[0]["params"]["message"],
            "mca-lsp: the setting mca.cpu must be a string; the last good value stays");
}

} // namespace
} // namespace lsp
