// Commands of the server, comparisons with earlier versions and its status.
#include "lsp/check/check_json.h"
#include "tests/lsp/server_commands_fixture.h"

namespace lsp {
namespace {

// ---- commands ------------------------------------------------------------------------------------------------------

TEST_F(ServerCommandsTest, CapabilitiesNameTheCommandsAndTheScheme) {
  initialize();
  const Json capabilities = result(lastId)["capabilities"];
  EXPECT_EQ(capabilities["executeCommandProvider"]["commands"].size(), 18u);
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
  EXPECT_EQ(paramsOf("mca/status").back()["commands"], (Json{"without -mavx2", "with -mavx2"}));
  EXPECT_EQ(paramsOf("mca/status").back()["command"], "without -mavx2");
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
  EXPECT_EQ(result(requestHints()).size(), 1u);
  const size_t refreshes = paramsOf("workspace/inlayHint/refresh").size();
  EXPECT_EQ(result(command("mca.toggleHints")), (Json{{"enabled", false}}));
  EXPECT_EQ(paramsOf("workspace/inlayHint/refresh").size(), refreshes + 1);
  EXPECT_EQ(result(requestHints()).size(), 0u);
  EXPECT_EQ(result(command("mca.toggleHints")), (Json{{"enabled", true}}));
  EXPECT_EQ(result(requestHints()).size(), 1u);
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
  analysis.vanishedLoops = {{.at = {4, 7}, .fates = {}}};
  runner.finish(analysis);
  const Json json = result(command("mca.exportJson", {{"uri", kUri}}));
  EXPECT_EQ(json["schemaVersion"], 3);
  EXPECT_TRUE(readCheckJson(json.dump()).document) << "it may be a baseline";
  const Json &file = json["files"][0];
  EXPECT_EQ(file["file"], "/dir/a.s");
  EXPECT_EQ(file["target"]["cpu"], "skylake");
  EXPECT_EQ(file["regions"][0]["cyclesPerIteration"], 2);
  EXPECT_EQ(file["regions"][0]["machineCyclesPerIteration"], 4);
  EXPECT_EQ(file["regions"][0]["pressure"], Json::parse(R"([{"resource": "SKLPort0", "cyclesPerIteration": 0.5}])"));
  EXPECT_EQ(file["regions"][0]["otherCpus"][0],
            (Json{{"cpu", "znver4"}, {"cyclesPerIteration", 3.5}, {"ipc", 1.5}, {"remark", "borrowed"}}));
  EXPECT_EQ(file["regions"][0]["lowerBound"], false);
  EXPECT_EQ(file["findings"][0]["line"], 2);
  EXPECT_EQ(file["findings"][0]["severity"], "warning");
  EXPECT_EQ(file["coverage"]["hinted"], 2);
  EXPECT_EQ(file["coverage"]["vanished"], Json::array({2}));
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
  const size_t published = paramsOf("textDocument/publishDiagnostics").size();
  runner.finish(compared);
  EXPECT_EQ(result(id)["line"], 0);
  EXPECT_EQ(result(id)["cpus"][0], (Json{{"cpu", "skylake"}, {"cycles", 2.0}, {"ipc", 2.0}, {"remark", ""}}));
  EXPECT_EQ(result(id)["cpus"][1], (Json{{"cpu", "znver4"}, {"cycles", 3.5}, {"ipc", 1.5}, {"remark", "borrowed"}}));
  EXPECT_EQ(paramsOf("textDocument/publishDiagnostics").size(), published) << "the document's own analysis stays";
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

TEST_F(ServerCommandsTest, HotLoopsAreListedByTheirShare) {
  initialize();
  openAnalysed("cpp");
  EXPECT_EQ(result(command("mca.showHotLoops")),
            Json::parse(R"({"loops": [], "text": "No open document has a loop of which a profile has samples. )"
                        R"(The setting mca.profile names the file.\n"})"));
  insert(2, "// ");
  save();
  AnalysisResult hot = region(4);
  hot.regions[0].profiled = {.match = analysis::wire::ProfiledLoop::Match::Exact, .share = 0.25};
  runner.finish(hot);
  const Json list = result(command("mca.showHotLoops"));
  ASSERT_EQ(list["loops"].size(), 1u);
  EXPECT_EQ(list["loops"][0]["share"], 0.25);
  EXPECT_EQ(list["loops"][0]["name"], "loop");
  EXPECT_TRUE(list["text"].get<std::string>().starts_with("  25 %  █████                 /")) << list["text"];
}

TEST_F(ServerCommandsTest, MemoryIsToldInWords) {
  initialize();
  const std::string memory = result(command("mca.showMemory"));
  EXPECT_TRUE(memory.starts_with("mca-lsp: ")) << memory;
  EXPECT_TRUE(memory.ends_with("mca-worker: not running")) << memory;
  EXPECT_GT(std::stoi(memory.substr(9)), 1);
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
  EXPECT_NE(
      result(requestHints()).at(0)["tooltip"].get<std::string>().find("4.0 → 5.0 cyc (+25 %) since the last save"),
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
  const size_t refreshes = paramsOf("workspace/inlayHint/refresh").size();
  runner.finish(head);
  EXPECT_FALSE(runner.busy()) << "the document's own numbers are known";
  const std::vector<std::string> slower{"region-slower: loop: slower, 3.0 → 4.0 cyc (+33 %) since git HEAD"};
  EXPECT_EQ(findings(), slower);
  EXPECT_EQ(paramsOf("workspace/inlayHint/refresh").size(), refreshes + 1);
  const Json hint = result(requestHints()).at(0);
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
  const size_t published = paramsOf("textDocument/publishDiagnostics").size();
  runner.finish(same);
  EXPECT_EQ(paramsOf("textDocument/publishDiagnostics").size(), published) << "it says nothing new";
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
  EXPECT_TRUE(paramsOf("textDocument/publishDiagnostics").back()["diagnostics"].empty());
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
  for (const Json &status : paramsOf("mca/status"))
    states.push_back(status["state"]);
  EXPECT_EQ(states, (std::vector<std::string>{"parsing", "simulating", "idle"}));
  EXPECT_EQ(paramsOf("mca/status").back(),
            Json::parse(R"({"uri": "file:///dir/a.s", "state": "idle", "cpu": "skylake", "cpuOrigin": "set in a test",
                            "modelOrigin": "its own", "commandOrigin": "by hand"})"));
  insert(0, "x");
  runner.finish(AnalysisResult()); // the job on HEAD was cancelled
  awaitJobs(3);
  const size_t before = paramsOf("mca/status").size();
  runner.progress({1, Stage::Parsing, "x", {}, 0, 0});
  insert(0, "y");
  runner.finish(AnalysisResult());
  EXPECT_EQ(paramsOf("mca/status").size(), before + 1) << "still at work on the newest text";
}

TEST_F(ServerCommandsTest, StatusSaysThatACalibrationWouldHelp) {
  initialize();
  open("aaa\n");
  AnalysisResult uncalibrated = region(4);
  uncalibrated.target.calibrationAdvised = true;
  runner.finish(std::move(uncalibrated));
  EXPECT_EQ(paramsOf("mca/status").back().value("calibrationAdvised", Json()), true);
}

} // namespace
} // namespace lsp
