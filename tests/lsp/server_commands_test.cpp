// Commands, virtual documents and comparisons of the server, with its client and its worker in memory.
#include "lsp/protocol/virtual_uri.h"
#include "lsp/server/server.h"
#include "tests/lsp/memory_runner.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;
using analysis::wire::DocumentKind;
using analysis::wire::Version;
using analysis::wire::View;
using protocol::Json;
using std::chrono::milliseconds;

const std::string kUri = "file:///dir/a.s";

class ServerCommandsTest : public testing::Test {
protected:
  void receive(const Json &message) { server.receive(message.dump()); }
  void notify(const std::string &method, const Json &params = Json::object()) {
    receive({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  int request(const std::string &method, const Json &params = Json::object()) {
    receive({{"jsonrpc", "2.0"}, {"id", ++lastId}, {"method", method}, {"params", params}});
    return lastId;
  }
  Json answer(int id) const {
    const auto found = std::find_if(sent.begin(), sent.end(), [id](const Json &message) {
      return !message.contains("method") && message["id"] == id;
    });
    return found == sent.end() ? Json() : *found;
  }
  Json result(int id) const { return answer(id).is_null() ? Json() : answer(id).value("result", Json()); }
  int error(int id) const { return answer(id).contains("error") ? answer(id)["error"]["code"].get<int>() : 0; }
  std::string errorText(int id) const {
    return answer(id).contains("error") ? answer(id)["error"]["message"].get<std::string>() : "";
  }
  std::vector<Json> calls(const std::string &method) const {
    std::vector<Json> found;
    for (const Json &message : sent)
      if (message.value("method", "") == method)
        found.push_back(message.value("params", Json()));
    return found;
  }

  void initialize(const Json &capabilities = Json::object(), const Json &options = nullptr) {
    initializeId = request(
        "initialize", {{"processId", nullptr}, {"capabilities", capabilities}, {"initializationOptions", options}});
    notify("initialized");
  }
  void open(const std::string &text, const std::string &language = "asm", const std::string &uri = kUri) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
  }
  void insert(int line, const std::string &text) {
    const Json at{{"line", line}, {"character", 0}};
    notify("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", ++version}}},
                                      {"contentChanges", {{{"range", {{"start", at}, {"end", at}}}, {"text", text}}}}});
  }
  void save() { notify("textDocument/didSave", {{"textDocument", {{"uri", kUri}}}}); }
  void close(const std::string &uri) { notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}}); }
  int command(const std::string &name, const Json &argument = nullptr) {
    Json params{{"command", name}};
    if (!argument.is_null())
      params["arguments"] = Json::array({argument});
    return request("workspace/executeCommand", params);
  }
  static Json at(uint32_t line, const std::string &uri = kUri) {
    return {{"uri", uri}, {"position", {{"line", line}, {"character", 0}}}};
  }
  /// The URI in the reply.
  std::string show(uint32_t line, const std::string &name = "mca.showReport") {
    return result(command(name, at(line))).value("uri", "");
  }
  int content(const std::string &uri, const std::string &method = "mca/documentContent") {
    return request(method, {{"uri", uri}});
  }
  std::string text(int id) const { return result(id).is_object() ? result(id)["text"].get<std::string>() : "(none)"; }
  std::string lastLine(int id) const {
    const std::string all = text(id);
    const size_t end = all.ends_with('\n') ? all.size() - 1 : all.size();
    const size_t begin = all.rfind('\n', end - 1) + 1;
    return all.substr(begin, end - begin);
  }

  /// The findings that the client has of the document, as "CODE: MESSAGE".
  std::vector<std::string> findings() const {
    std::vector<std::string> all;
    for (const Json &published : calls("textDocument/publishDiagnostics")) {
      if (published["uri"] != kUri)
        continue;
      all.clear();
      for (const Json &one : published["diagnostics"])
        all.push_back(one["code"].get<std::string>() + ": " + one["message"].get<std::string>());
    }
    return all;
  }
  Json hints() {
    const Json start{{"line", 0}, {"character", 0}}, end{{"line", 9}, {"character", 0}};
    return result(request("textDocument/inlayHint",
                          {{"textDocument", {{"uri", kUri}}}, {"range", {{"start", start}, {"end", end}}}}));
  }

  AnalyzeRequest &job() { return runner.started.back(); }
  void awaitJobs(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (runner.started.size() < count && std::chrono::steady_clock::now() < deadline)
      io.run_one_for(milliseconds(50)), io.restart();
    ASSERT_EQ(runner.started.size(), count);
  }
  /// A region of so many cycles, and each document that was asked for, with this as its last line.
  AnalysisResult region(uint64_t cycles, const std::string &document = "text") {
    AnalysisResult result;
    result.target = {"x86_64", "skylake", "", "set in a test", "its own", "by hand"};
    result.regions.push_back({.name = "loop", .at = {0, 3}, .simulation = cycles});
    result.simulations.push_back({.id = cycles, .cyclesPerIteration = double(cycles), .ipc = 2});
    for (const auto &asked : job().documents) {
      View &view = result.views.emplace_back(View{.request = asked});
      if (asked.kind == DocumentKind::Report)
        view.reports = {{.region = 0, .text = document}};
      view.listing = {
          .comment = "#",
          .rows = {{.text = "aaa:", .isLabel = true, .line = 1}, {.text = document, .isLabel = true, .line = 2}}};
    }
    return result;
  }
  static Json timelineAt(uint32_t line, const std::string &uri = kUri) {
    return {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", 0}}}};
  }
  AnalysisResult withTimeline(uint64_t cycles) {
    AnalysisResult result = region(cycles);
    const analysis::wire::Wait wait{analysis::wire::WaitKind::Register, "x", 2, {0}};
    result.views.at(0).timeline = {.instructions = {"nop", "ud2"},
                                   .lines = {2, 0},
                                   .rows = {{0, 1, 2, 5, 6, 7, {{3, 5, wait}}}},
                                   .pressure = {{"port", 0.5}}};
    return result;
  }
  /// Opens a document and goes through its own job and the one on HEAD.
  void openAnalysed(const std::string &language = "asm") {
    open("aaa\nbbb\nccc\n", language);
    runner.finish(region(4));
    ASSERT_EQ(job().version, Version::Head);
    runner.finish(AnalysisResult());
    ASSERT_FALSE(runner.busy());
  }

  boost::asio::io_context io;
  MemoryRunner runner;
  std::vector<Json> sent;
  int lastId = 0;
  int initializeId = 0;
  int version = 1;
  Server server{io,
                {runner},
                {{}, milliseconds(100)},
                {[this](std::string_view text) { sent.push_back(Json::parse(text)); }, [](int) {}, [](int) {}}};
};

const Json kWithContent = Json::parse(R"({"workspace": {"textDocumentContent": {}}})");
const Json kWithShow = Json::parse(R"({"window": {"showDocument": {"support": true}}})");

// ---- commands ------------------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, CapabilitiesNameTheCommandsAndTheScheme) {
  initialize();
  const Json capabilities = result(initializeId)["capabilities"];
  EXPECT_EQ(capabilities["executeCommandProvider"]["commands"].size(), 13u);
  EXPECT_EQ(capabilities["workspace"]["textDocumentContent"]["schemes"], Json::array({"mca"}));
}

TEST_F(ServerCommandsTest, WrongArgumentsAreNamed) {
  initialize();
  open("rust", "rust", "file:///x.rs");
  open("aaa\n");
  const std::vector<std::pair<int, std::string>> wrong = {
      {command("mca.nonsense"), "no command of this server: mca.nonsense"},
      {request("workspace/executeCommand"), "the argument command is missing"},
      {request("workspace/executeCommand", {{"command", "mca.showReport"}, {"arguments", 5}}), "not an array"},
      {command("mca.showReport"), "uri is missing"},
      {command("mca.showReport", "text"), "not an object"},
      {command("mca.showReport", {{"uri", kUri}}), "position is missing"},
      {command("mca.showReport", {{"uri", kUri}, {"position", {{"line", -1}, {"character", 0}}}}), "position.line"},
      {command("mca.showReport", {{"uri", 7}, {"position", {{"line", 1}, {"character", 0}}}}), "uri is not a string"},
      {command("mca.showReport", at(0, "file:///x.rs")), "no open assembly, C or C++ document: file:///x.rs"},
      {command("mca.showAssembly", at(0, "file:///none.s")), "no open"},
      {command("mca.compareCpus", at(0)), "no CPU to compare with"},
      {command("mca.compareCpus", {{"uri", kUri}, {"position", {{"line", 0}, {"character", 0}}}, {"cpus", "x"}}),
       "not an array of strings"},
      {command("mca.compareCpus", {{"uri", kUri}, {"position", {{"line", 0}, {"character", 0}}}, {"cpus", {1}}}),
       "not an array of strings"},
      {command("mca.setCpu"), "cpu is missing"},
      {command("mca.setCpu", {{"cpu", "znver4"}, {"uri", "file:///none.s"}}), "no open"},
      {command("mca.exportJson"), "uri is missing"},
      {command("mca.listCpus", {{"uri", "file:///none.s"}}), "no open"},
      {content("mca:/report/x"), "no virtual document has this URI"},
      {content("file:///dir/a.s"), "no virtual document has this URI"},
      {request("mca/links"), "uri is missing"},
  };
  for (const auto &[id, message] : wrong) {
    EXPECT_EQ(error(id), -32602) << answer(id);
    EXPECT_NE(errorText(id).find(message), std::string::npos) << answer(id);
  }
}

TEST_F(ServerCommandsTest, AChosenCpuWinsOverTheSettings) {
  initialize(Json::object(), {{"cpu", "haswell"}});
  openAnalysed();
  EXPECT_EQ(job().settings.cpu, "haswell");
  insert(0, "x");
  awaitJobs(3);
  runner.finish(region(4));
  EXPECT_EQ(result(command("mca.setCpu", {{"cpu", "znver3"}})), (Json{{"cpu", "znver3"}}));
  EXPECT_EQ(job().settings.cpu, "znver3");
  EXPECT_EQ(job().settings.cpuSource, "chosen for this session");
  runner.finish(region(9));
  EXPECT_EQ(findings(), std::vector<std::string>{}) << "the numbers of the last save were another CPU's";
  command("mca.setCpu", {{"cpu", "znver4"}, {"uri", kUri}});
  EXPECT_EQ(job().settings.cpu, "znver4") << "the document's own choice wins";
  runner.finish(AnalysisResult());
  command("mca.setCpu", {{"cpu", ""}, {"uri", kUri}});
  EXPECT_EQ(job().settings.cpu, "znver3");
  runner.finish(AnalysisResult());
  command("mca.setCpu", {{"cpu", ""}});
  EXPECT_EQ(job().settings.cpu, "haswell");
  EXPECT_EQ(job().settings.cpuSource, "");
}

TEST_F(ServerCommandsTest, OneOfSeveralCompileCommandsIsChosen) {
  initialize(Json::object(), {{"comparison", {{"head", false}}}});
  open("aaa\n");
  EXPECT_EQ(job().command, "");
  AnalysisResult one = region(4);
  one.target.commands = {"without -mavx2", "with -mavx2"};
  one.target.command = "without -mavx2";
  runner.finish(one);
  EXPECT_EQ(calls("mca/status").back()["commands"], (Json{"without -mavx2", "with -mavx2"}));
  EXPECT_EQ(calls("mca/status").back()["command"], "without -mavx2");
  insert(0, "x");
  awaitJobs(2);
  runner.finish(one);
  EXPECT_EQ(error(command("mca.setCommand", {{"uri", kUri}, {"command", "with -O9"}})), -32602);
  EXPECT_EQ(error(command("mca.setCommand", {{"uri", kUri}})), -32602);
  EXPECT_EQ(result(command("mca.setCommand", {{"uri", kUri}, {"command", "with -mavx2"}})),
            (Json{{"command", "with -mavx2"}}));
  EXPECT_EQ(job().command, "with -mavx2");
  AnalysisResult other = region(9);
  other.target = one.target;
  one.target.command = other.target.command = "with -mavx2";
  runner.finish(other);
  EXPECT_EQ(findings(), std::vector<std::string>{}) << "the numbers of the last save were another command's";
  command("mca.setCommand", {{"uri", kUri}, {"command", ""}});
  EXPECT_EQ(job().command, "");
  runner.finish(one);
  command("mca.setCommand", {{"uri", kUri}, {"command", "with -mavx2"}});
  runner.finish(one);
  close(kUri);
  open("aaa\n");
  EXPECT_EQ(job().command, "") << "closed, the choice is gone";
}

TEST_F(ServerCommandsTest, HintsCanBeHidden) {
  initialize(Json::parse(R"({"workspace": {"inlayHint": {"refreshSupport": true}}})"));
  open("aaa\n");
  runner.finish(region(4));
  EXPECT_EQ(hints().size(), 1u);
  const size_t refreshes = calls("workspace/inlayHint/refresh").size();
  EXPECT_EQ(result(command("mca.toggleHints")), (Json{{"enabled", false}}));
  EXPECT_EQ(calls("workspace/inlayHint/refresh").size(), refreshes + 1);
  EXPECT_EQ(hints().size(), 0u);
  EXPECT_EQ(result(command("mca.toggleHints")), (Json{{"enabled", true}}));
  EXPECT_EQ(hints().size(), 1u);
}

TEST_F(ServerCommandsTest, AnAnalysisAsJson) {
  initialize();
  open("aaa\nbbb\n");
  EXPECT_EQ(error(command("mca.exportJson", {{"uri", kUri}})), -32803) << "not analysed yet";
  AnalysisResult analysis = region(4);
  analysis.simulations[0].pressure = {{"SKLPort0", 0.5}};
  analysis.simulations[0].otherCpus = {{"znver4", 7, 1.5, "borrowed"}};
  analysis.regions[0].sourceIterations = 2;
  analysis.findings.push_back({{4, 7}, analysis::wire::Severity::Warning, "code", "message", {}});
  analysis.coverage = {3, 2, 1};
  runner.finish(analysis);
  const Json json = result(command("mca.exportJson", {{"uri", kUri}}));
  EXPECT_EQ(json["path"], "/dir/a.s");
  EXPECT_EQ(json["target"]["cpu"], "skylake");
  EXPECT_EQ(json["regions"][0]["cyclesPerIteration"], 4);
  EXPECT_EQ(json["regions"][0]["pressure"], (Json{{"SKLPort0", 0.5}}));
  EXPECT_EQ(json["regions"][0]["otherCpus"][0],
            (Json{{"cpu", "znver4"}, {"cycles", 3.5}, {"ipc", 1.5}, {"remark", "borrowed"}}));
  EXPECT_EQ(json["findings"][0]["line"], 2);
  EXPECT_EQ(json["findings"][0]["severity"], "warning");
  EXPECT_EQ(json["coverage"]["hinted"], 2);
}

TEST_F(ServerCommandsTest, CpusAreComparedByAJobOfTheirOwn) {
  initialize(Json::object(), {{"cpus", {"znver4"}}});
  openAnalysed("cpp");
  const int id = command("mca.compareCpus", at(0));
  EXPECT_EQ(job().settings.cpus, std::vector<std::string>{"znver4"});
  EXPECT_TRUE(job().reuseCompiled);
  EXPECT_TRUE(answer(id).is_null());
  AnalysisResult compared = region(4);
  compared.regions[0].sourceIterations = 2;
  compared.simulations[0].otherCpus = {{"znver4", 7, 1.5, "borrowed"}};
  compared.regions.insert(compared.regions.begin(), compared.regions[0]);
  compared.regions[0].anchor = 8;
  const size_t published = calls("textDocument/publishDiagnostics").size();
  runner.finish(compared);
  EXPECT_EQ(result(id)["line"], 0);
  EXPECT_EQ(result(id)["cpus"][0], (Json{{"cpu", "skylake"}, {"cycles", 2.0}, {"ipc", 2.0}, {"remark", ""}}));
  EXPECT_EQ(result(id)["cpus"][1], (Json{{"cpu", "znver4"}, {"cycles", 3.5}, {"ipc", 1.5}, {"remark", "borrowed"}}));
  EXPECT_EQ(calls("textDocument/publishDiagnostics").size(), published) << "the document's own analysis stays";
}

TEST_F(ServerCommandsTest, AComparisonEndsInEveryPath) {
  initialize(Json::object(), {{"cpus", {"znver4"}}});
  openAnalysed();
  const int nothing = command("mca.compareCpus", at(2));
  runner.finish(region(4));
  EXPECT_EQ(error(nothing), -32803);
  const int crashed = command("mca.compareCpus", at(0));
  runner.crash();
  EXPECT_EQ(error(crashed), -32803);
  EXPECT_FALSE(runner.busy()) << "not tried again";
  const int edited = command("mca.compareCpus", at(0));
  insert(0, "x");
  EXPECT_EQ(error(edited), -32801);
  runner.finish(AnalysisResult());
  const int closed = command("mca.compareCpus", at(0));
  close(kUri);
  EXPECT_EQ(error(closed), -32800);
}

TEST_F(ServerCommandsTest, CpusAreListedForTheDocumentsTriple) {
  initialize();
  openAnalysed();
  const int id = command("mca.listCpus", {{"uri", kUri}});
  EXPECT_EQ(runner.askedTriple, "x86_64");
  runner.answerCpus(analysis::wire::CpusResult{1, "x86_64", {{"znver5", analysis::wire::CpuModel::Borrowed}}});
  EXPECT_EQ(result(id), Json::parse(R"({"triple": "x86_64", "cpus": [{"name": "znver5", "model": "borrowed"}]})"));
  const int dead = command("mca.listCpus");
  EXPECT_EQ(runner.askedTriple, "");
  runner.answerCpus(std::nullopt);
  EXPECT_EQ(error(dead), -32803);
}

TEST_F(ServerCommandsTest, RestartingTheWorkerAnalysesEverythingAnew) {
  initialize();
  open("aaa\n");
  runner.crash();
  runner.crash();
  ASSERT_FALSE(runner.busy()) << "set aside";
  EXPECT_TRUE(answer(command("mca.restartWorker")).contains("result"));
  EXPECT_EQ(runner.ends, 1);
  EXPECT_TRUE(runner.busy());
  command("mca.restartWorker");
  EXPECT_EQ(runner.cancels, 1);
  runner.finish(AnalysisResult());
  EXPECT_TRUE(runner.busy());
}

TEST_F(ServerCommandsTest, MemoryIsToldInWords) {
  initialize();
  const std::string memory = result(command("mca.showMemory"));
  EXPECT_TRUE(memory.starts_with("mca-lsp: ")) << memory;
  EXPECT_TRUE(memory.ends_with("mca-worker: not running")) << memory;
  EXPECT_GT(std::stoi(memory.substr(9)), 1);
}

// ---- virtual documents ---------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, ADocumentWaitsForItsJobAndFollowsTheAnalyses) {
  initialize(kWithContent);
  openAnalysed();
  const std::string uri = show(1);
  ASSERT_TRUE(uri.starts_with("mca:/report/a.s.txt?"));
  EXPECT_TRUE(runner.busy());
  ASSERT_EQ(job().documents.size(), 1u);
  EXPECT_EQ(job().documents[0].offset, 4u);
  const int id = content(uri, "workspace/textDocumentContent");
  EXPECT_TRUE(answer(id).is_null());
  runner.finish(region(4, "one"));
  EXPECT_EQ(lastLine(id), "one");
  EXPECT_TRUE(calls("workspace/textDocumentContent/refresh").empty()) << "the client has just got it";
  EXPECT_EQ(lastLine(content(uri, "workspace/textDocumentContent")), "one") << "at once";
  insert(0, "new\n");
  awaitJobs(4);
  EXPECT_EQ(job().documents[0].offset, 8u) << "the line has moved";
  runner.finish(region(4, "one"));
  EXPECT_TRUE(calls("workspace/textDocumentContent/refresh").empty()) << "it says the same";
  insert(0, "new\n");
  awaitJobs(5);
  runner.finish(region(4, "two"));
  ASSERT_EQ(calls("workspace/textDocumentContent/refresh").size(), 1u);
  EXPECT_EQ(calls("workspace/textDocumentContent/refresh")[0], (Json{{"uri", uri}}));
  EXPECT_TRUE(calls("mca/documentChanged").empty());
}

TEST_F(ServerCommandsTest, AnOlderClientIsToldOfChanges) {
  initialize();
  openAnalysed();
  const std::string uri = show(0, "mca.showAssembly");
  ASSERT_TRUE(uri.starts_with("mca:/assembly/a.s.s?"));
  EXPECT_EQ(job().documents[0].kind, DocumentKind::Assembly);
  const int id = content(uri);
  runner.finish(region(4, "one"));
  EXPECT_EQ(lastLine(id), "one");
  insert(2, "new\n");
  awaitJobs(4);
  runner.finish(region(4, "two"));
  ASSERT_EQ(calls("mca/documentChanged").size(), 1u);
  EXPECT_EQ(calls("mca/documentChanged")[0], (Json{{"uri", uri}}));
}

TEST_F(ServerCommandsTest, TheClientIsAskedToShowIt) {
  initialize(kWithShow);
  openAnalysed();
  const std::string uri = show(0);
  ASSERT_EQ(calls("window/showDocument").size(), 1u);
  EXPECT_EQ(calls("window/showDocument")[0]["uri"], uri);
}

TEST_F(ServerCommandsTest, AClosedDocumentIsNotMadeAnyMore) {
  initialize();
  openAnalysed();
  const std::string uri = show(0);
  open("one", "asm", uri);
  EXPECT_EQ(runner.started.size(), 3u) << "the document itself is nothing to analyse";
  runner.finish(region(4));
  const int held = content(show(1));
  close(uri);
  runner.finish(region(4));
  EXPECT_EQ(lastLine(held), "text");
  insert(0, "x");
  awaitJobs(5);
  EXPECT_EQ(job().documents.size(), 1u);
}

TEST_F(ServerCommandsTest, HeldContentIsAnsweredInEveryPath) {
  initialize();
  openAnalysed();
  const int cancelled = content(show(0));
  notify("$/cancelRequest", {{"id", cancelled}});
  EXPECT_EQ(error(cancelled), -32800);
  const std::string uri = show(1);
  const int closed = content(uri);
  close(uri);
  EXPECT_EQ(error(closed), -32800);
  const int crashed = content(show(2));
  runner.finish(AnalysisResult()); // the first job was cancelled
  runner.crash();
  EXPECT_TRUE(answer(crashed).is_null()) << "it is tried again";
  runner.crash();
  EXPECT_NE(text(crashed).find("set aside"), std::string::npos);
  insert(0, "x");
  awaitJobs(6);
  const int gone = content(show(1));
  close(kUri);
  EXPECT_EQ(error(gone), -32800);
}

TEST_F(ServerCommandsTest, AnUnsavedSourceSaysToSaveIt) {
  initialize();
  openAnalysed("cpp");
  insert(0, "// ");
  const std::string uri = show(0);
  EXPECT_FALSE(runner.busy());
  EXPECT_NE(text(content(uri)).find("save it"), std::string::npos);
  save();
  ASSERT_TRUE(runner.busy());
  EXPECT_FALSE(job().reuseCompiled);
  runner.finish(region(4, "saved"));
  EXPECT_EQ(lastLine(content(uri)), "saved");
  EXPECT_EQ(calls("mca/documentChanged").size(), 2u);
}

// ---- timelines -----------------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, ATimelineComesWithTheNextJobAndFollowsTheAnalyses) {
  initialize(kWithContent);
  openAnalysed();
  const int id = request("mca/timeline", timelineAt(1));
  ASSERT_EQ(job().documents.size(), 1u);
  EXPECT_EQ(job().documents[0].kind, DocumentKind::Timeline);
  EXPECT_EQ(job().documents[0].offset, 4u);
  EXPECT_TRUE(answer(id).is_null());
  runner.finish(withTimeline(4));
  const Json timeline = result(id);
  const std::string uri = timeline["uri"];
  EXPECT_EQ(timeline,
            (Json{{"uri", uri},
                  {"title", "loop"},
                  {"cpu", "skylake"},
                  {"cyclesPerIteration", 4.0},
                  {"instructions", Json::parse(R"([{"text": "nop", "line": 1}, {"text": "ud2"}])")},
                  {"instances", Json::parse(R"([{"iteration": 0, "instruction": 1, "dispatched": 2, "issued": 5,
                              "executed": 6, "retired": 7, "waits": [{"from": 3, "to": 5, "why": "for x", "by": [0]}]}])")},
                  {"pressure", Json::parse(R"([{"unit": "port", "cycles": 0.5}])")}}));
  insert(0, "new\n");
  EXPECT_EQ(result(request("mca/timeline", {{"uri", uri}}))["instructions"][0]["line"], 2) << "moved with the edit";
  awaitJobs(4);
  EXPECT_EQ(job().documents[0].offset, 8u);
  runner.finish(withTimeline(5));
  EXPECT_EQ(calls("mca/documentChanged"), std::vector<Json>({{{"uri", uri}}})) << "no text that an editor would fetch";
  EXPECT_EQ(result(request("mca/timeline", {{"uri", uri}}))["cyclesPerIteration"], 5.0);
  close(uri);
  insert(0, "x");
  awaitJobs(5);
  EXPECT_TRUE(job().documents.empty());
}

TEST_F(ServerCommandsTest, ATimelineOfALoopWithAFlowHasATrace) {
  initialize();
  openAnalysed();
  const int id = request("mca/timeline", timelineAt(1));
  AnalysisResult result = withTimeline(4);
  result.flows.push_back({.source = analysis::wire::ControlFlow::Source::File,
                          .loop = result.regions.at(0).loop,
                          .file = "/dir/kern.mcatrace",
                          .cycles = 12.5});
  result.views.at(0).trace = {
      .instructions = {"ud2", "jle x"},
      .lines = {0, 3},
      .rows = {{.row = {0, 1, 2, 5, 6, 7, {}}, .isMispredicted = true, .resumed = 20, .path = 2},
               {.row = {1, 0, 20, 21, 22, 23, {}}}},
      .paths = {"past line 3", "through line 3"}};
  runner.finish(result);
  EXPECT_EQ(this->result(id)["trace"], Json::parse(R"({
      "name": "along the trace kern.mcatrace", "cyclesPerIteration": 12.5,
      "instructions": [{"text": "ud2"}, {"text": "jle x", "line": 2}],
      "instances": [
        {"iteration": 0, "instruction": 1, "dispatched": 2, "issued": 5, "executed": 6, "retired": 7, "waits": [],
         "mispredicted": true, "resumed": 20, "path": 1},
        {"iteration": 1, "instruction": 0, "dispatched": 20, "issued": 21, "executed": 22, "retired": 23, "waits": []}],
      "paths": ["past line 3", "through line 3"]})"));
}

TEST_F(ServerCommandsTest, ATimelineThatThereIsNotSaysWhy) {
  initialize();
  openAnalysed("cpp");
  insert(0, "// ");
  const Json timeline = result(request("mca/timeline", timelineAt(0)));
  EXPECT_NE(timeline["problem"].get<std::string>().find("save it"), std::string::npos);
  EXPECT_EQ(timeline["instances"], Json::array());
  for (const Json &params : {Json{{"uri", "mca:/timeline/x"}}, Json{{"uri", show(0)}}, timelineAt(0, "file:///other"),
                             Json{{"textDocument", {{"uri", kUri}}}}, Json::object()})
    EXPECT_EQ(error(request("mca/timeline", params)), -32602) << params;
  EXPECT_EQ(error(content(timeline["uri"])), -32602) << "it has no text";
}

TEST_F(ServerCommandsTest, LinksLeadBothWays) {
  initialize();
  openAnalysed();
  const std::string uri = show(0, "mca.showAssembly");
  EXPECT_EQ(result(request("mca/links", {{"uri", uri}}))["links"], Json::array());
  runner.finish(region(4));
  insert(0, "new\n");
  const Json links = result(request("mca/links", {{"uri", uri}}));
  EXPECT_EQ(links["document"], kUri);
  EXPECT_EQ(links["links"], Json::parse(R"([{"line": 0, "bufferLine": 1}, {"line": 5, "bufferLine": 1},
                                            {"line": 6, "bufferLine": 2}])"))
      << "the heading and two rows";
}

TEST_F(ServerCommandsTest, TheCompilersOutputIsUsedAgainUntilSomethingIsSaved) {
  initialize();
  openAnalysed("cpp");
  EXPECT_FALSE(runner.started[0].reuseCompiled);
  show(0);
  EXPECT_TRUE(job().reuseCompiled);
  runner.finish(region(4));
  open("int x;\n", "cpp", "file:///dir/b.h");
  runner.finish(AnalysisResult());
  notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///dir/b.h"}}}});
  runner.finish(AnalysisResult());
  show(1);
  EXPECT_FALSE(job().reuseCompiled) << "the header may be part of it";
}

// ---- before and after ----------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, ASavedSourceIsComparedWithTheSaveBefore) {
  initialize();
  openAnalysed("cpp");
  EXPECT_EQ(findings(), std::vector<std::string>{});
  insert(2, "// ");
  save();
  runner.finish(region(5));
  EXPECT_EQ(findings(),
            std::vector<std::string>{"region-slower: loop: slower, 4.0 → 5.0 cyc (+25 %) since the last save"});
  EXPECT_NE(hints().at(0)["tooltip"].get<std::string>().find("4.0 → 5.0 cyc (+25 %) since the last save"),
            std::string::npos);
}

TEST_F(ServerCommandsTest, AnEditDuringTheJobLeavesTheSaveItsComparison) {
  initialize();
  openAnalysed("cpp");
  insert(2, "// ");
  save();
  insert(2, "// ");
  runner.finish(region(5));
  EXPECT_EQ(findings(),
            std::vector<std::string>{"region-slower: loop: slower, 4.0 → 5.0 cyc (+25 %) since the last save"});
}

TEST_F(ServerCommandsTest, HowMuchSlowerIsAFindingIsTheUsersChoice) {
  initialize();
  openAnalysed("cpp");
  insert(2, "// ");
  save();
  runner.finish(region(5));
  const auto tolerate = [&](int percent) {
    notify("workspace/didChangeConfiguration",
           {{"settings", {{"mca", {{"comparison", {{"slowerPercent", percent}}}}}}}});
    return findings().size();
  };
  EXPECT_EQ(tolerate(30), 0u);
  EXPECT_EQ(tolerate(20), 1u);
}

TEST_F(ServerCommandsTest, HeadIsAnalysedAfterTheDocumentAndComparedWith) {
  initialize(Json::parse(R"({"workspace": {"inlayHint": {"refreshSupport": true}}})"));
  open("aaa\n", "cpp");
  runner.finish(region(4));
  ASSERT_EQ(runner.started.size(), 2u);
  EXPECT_EQ(job().version, Version::Head);
  EXPECT_EQ(job().text, "aaa\n");
  EXPECT_TRUE(job().knownSimulations.empty());
  AnalysisResult head = region(3);
  head.head = 77;
  const size_t refreshes = calls("workspace/inlayHint/refresh").size();
  runner.finish(head);
  EXPECT_FALSE(runner.busy()) << "the document's own numbers are known";
  const std::vector<std::string> slower{"region-slower: loop: slower, 3.0 → 4.0 cyc (+33 %) since git HEAD"};
  EXPECT_EQ(findings(), slower);
  EXPECT_EQ(calls("workspace/inlayHint/refresh").size(), refreshes + 1);
  const Json hint = hints().at(0);
  EXPECT_NE(hint["tooltip"].get<std::string>().find("4.0 cyc\n\n- 3.0 → 4.0 cyc (+33 %) since git HEAD"),
            std::string::npos)
      << hint << " is no analysis of the buffer";
  save();
  runner.finish(region(4));
  EXPECT_EQ(findings(), slower);
  EXPECT_EQ(job().version, Version::Head);
  EXPECT_EQ(job().knownHead, 77u);
  AnalysisResult same;
  same.head = 77;
  const size_t published = calls("textDocument/publishDiagnostics").size();
  runner.finish(same);
  EXPECT_EQ(calls("textDocument/publishDiagnostics").size(), published) << "it says nothing new";
}

TEST_F(ServerCommandsTest, WhatAJobDiedOfIsToldWhateverHeadSays) {
  initialize();
  openAnalysed("cpp");
  save();
  runner.crash();
  runner.crash();
  ASSERT_FALSE(runner.busy()) << "set aside";
  open("bbb\n", "asm", "file:///dir/b.s");
  runner.finish(AnalysisResult());
  ASSERT_EQ(job().version, Version::Head);
  ASSERT_EQ(job().path, "/dir/a.s");
  AnalysisResult head = region(6);
  head.head = 77;
  runner.finish(head);
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_TRUE(findings()[0].starts_with("worker-crashed: ")) << findings()[0];
}

TEST_F(ServerCommandsTest, HeadWaitsForTheDocumentsAndIsDroppedForThem) {
  initialize();
  open("aaa\n");
  open("bbb\n", "asm", "file:///dir/b.s");
  runner.finish(region(4));
  EXPECT_EQ(job().path, "/dir/b.s") << "documents come first";
  runner.finish(AnalysisResult());
  ASSERT_EQ(job().version, Version::Head);
  insert(0, "x");
  EXPECT_EQ(runner.cancels, 1);
  runner.finish(region(5));
  awaitJobs(4);
  EXPECT_EQ(job().version, Version::Buffer);
  runner.finish(region(4));
  EXPECT_FALSE(runner.busy()) << "an unsaved text";
  save();
  EXPECT_EQ(job().version, Version::Head);
  runner.crash();
  EXPECT_FALSE(runner.busy()) << "not tried again";
  EXPECT_TRUE(calls("textDocument/publishDiagnostics").back()["diagnostics"].empty());
}

TEST_F(ServerCommandsTest, HeadCanBeSwitchedOffAndIsNotForLongTexts) {
  initialize(Json::object(), {{"comparison", {{"head", false}}}});
  open("aaa\n");
  runner.finish(region(4));
  EXPECT_FALSE(runner.busy());
  notify("workspace/didChangeConfiguration", {{"settings", {{"mca", {{"comparison", {{"head", true}}}}}}}});
  open(std::string((1 << 20) + 1, ' '), "asm", "file:///dir/b.s");
  runner.finish(region(4));
  EXPECT_EQ(job().version, Version::Head);
  EXPECT_EQ(job().path, "/dir/a.s") << "the other is too long";
}

// ---- status --------------------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, StatusIsToldWhenItChanges) {
  initialize();
  open("aaa\n");
  using analysis::wire::Stage;
  for (const Stage stage : {Stage::Parsing, Stage::Simulating, Stage::Simulating})
    runner.progress({1, stage, "x", {}, 0, 0});
  runner.finish(region(4));
  std::vector<std::string> states;
  for (const Json &status : calls("mca/status"))
    states.push_back(status["state"]);
  EXPECT_EQ(states, (std::vector<std::string>{"parsing", "simulating", "idle"}));
  EXPECT_EQ(calls("mca/status").back(),
            Json::parse(R"({"uri": "file:///dir/a.s", "state": "idle", "cpu": "skylake", "cpuOrigin": "set in a test",
                            "modelOrigin": "its own", "commandOrigin": "by hand"})"));
  insert(0, "x");
  runner.finish(AnalysisResult()); // the job on HEAD was cancelled
  awaitJobs(3);
  const size_t before = calls("mca/status").size();
  runner.progress({1, Stage::Parsing, "x", {}, 0, 0});
  insert(0, "y");
  runner.finish(AnalysisResult());
  EXPECT_EQ(calls("mca/status").size(), before + 1) << "still at work on the newest text";
}

} // namespace
} // namespace lsp
