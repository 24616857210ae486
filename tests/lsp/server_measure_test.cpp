// The command mca.measureRegion, with a shell script in place of mca-measure: what it is given, what is shown of its
// reply and for how long, and what ends it early.
#include "tests/lsp/server_scripts.h"

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::RegionKind;
using protocol::Json;

const std::string kText = "head:\n  load\n  jne head\nrest:\n";

/// Keeps its arguments and its input, and prints the file `reply`; waits for ever if there is a file `slow`.
ServerOptions withScript() {
  ServerOptions options = withoutHead();
  options.programs.measure =
      makeScript("measure", "echo \"$*\" > arguments\ncat > input\n"
                            "if test -e slow; then echo started > started; sleep 100; fi\ncat reply\n");
  return options;
}

class ServerMeasure : public ServerScriptTest {
protected:
  explicit ServerMeasure(ServerOptions options = withScript()) : ServerScriptTest(std::move(options)) {}

  void start(const std::vector<std::string> &trusted = {"/dir"}) {
    initialize({{"window", {{"workDoneProgress", true}}}, {"workspace", {{"inlayHint", {{"refreshSupport", true}}}}}},
               {{"trustedFolders", trusted}});
    open(kText);
    runner.finish(loop());
  }
  /// A loop of four cycles, or two paths of four and six.
  AnalysisResult loop(uint64_t id = 7, size_t paths = 1) {
    AnalysisResult result;
    result.target = {"x86_64-linux-gnu", "znver3", "+avx2", "set in a test", "znver3: its own model", ""};
    for (size_t path = 0; path < paths; ++path) {
      result.regions.push_back({.name = "loop in f",
                                .path = paths == 1  ? ""
                                        : path == 0 ? "through line 2"
                                                    : "not through line 2",
                                .kind = paths == 1 ? RegionKind::Loop : RegionKind::Path,
                                .at = {0, 22},
                                .anchor = 0,
                                .runnable = "# mca: measure ecx=7\nl:\n\tload\n\tjne\tl\n",
                                .simulation = id + path});
      result.simulations.push_back({.id = id + path, .cyclesPerIteration = 4.0 + 2.0 * double(path), .ipc = 1});
    }
    return result;
  }
  int measure(const Json &more = Json::object(), int line = 0) {
    Json argument{{"uri", kUri}, {"position", {{"line", line}, {"character", 0}}}};
    argument.update(more);
    return command("mca.measureRegion", argument);
  }
  /// Requests a measurement, and finishes the job that lists the instructions.
  int measureWith(const std::string &reply, size_t paths = 1, int line = 0) {
    write("reply", reply);
    const int id = measure(Json::object(), line);
    EXPECT_TRUE(runner.started.back().settings.runnable);
    runner.finish(loop(7, paths));
    return id;
  }
  int runSlowly() {
    write("slow", "");
    const int id = measureWith("{}");
    await([] { return exists("started"); });
    return id;
  }
  std::string hint() {
    const Json hints = result(requestHints());
    return hints.empty() ? "" : labelOf(hints[0]);
  }
  std::string hover() { return result(requestHover(0, 1)).value("contents", Json::object()).value("value", ""); }
};

/// The reply of mca-measure with these members of the form, for each region in turn.
std::string replyOf(const std::vector<std::string> &forms, const std::string &cpu = "znver3") {
  Json regions = Json::array();
  for (const std::string &form : forms) {
    Json one = Json::parse(form);
    one["Form"] = "loop";
    regions.push_back({{"Name", std::to_string(regions.size())}, {"Forms", Json::array({one})}});
  }
  return Json{{"CPU", cpu}, {"Regions", regions}}.dump(2) + "\n";
}

const std::string kReply =
    replyOf({R"({"Cycles": 5.3, "Spread": 0.01, "Rounds": 5, "OwnBranch": true, "FurtherPages": 12, "Symbols": 0})"});

TEST_F(ServerMeasure, ShowsTheCyclesBesideThePredictedOnes) {
  start();
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc");
  const int id = measureWith(kReply);
  respond("window/workDoneProgress/create", nullptr);
  awaitAnswer(id);
  EXPECT_EQ(result(id), Json::parse(R"({"region": "loop in f", "predictedFor": "znver3", "paths": [{"path": "",)"
                                    R"("predicted": 4.0, "cycles": 5.3, "spread": 0.01, "form": "loop",)"
                                    R"("ownBranch": true, "furtherPages": 12, "symbols": 0, "cpu": "znver3"}]})"));
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc (measured 5.3)");
  EXPECT_NE(hover().find("it touches 12 further pages of memory"), std::string::npos) << hover();
  const auto progress = calls("$/progress");
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[0]["params"]["value"]["message"], "loop in f");
  EXPECT_EQ(progress[0]["params"]["value"]["cancellable"], true);
  EXPECT_EQ(progress[1]["params"]["value"]["kind"], "end");
  EXPECT_TRUE(messages().empty());
}

TEST_F(ServerMeasure, GivesTheCodeOfTheRegion) {
  start();
  awaitAnswer(measureWith(kReply));
  EXPECT_EQ(contentOf("arguments"),
            "run - --json --form=loop --mtriple=x86_64-linux-gnu --mcpu=znver3 --mattr=+avx2\n");
  EXPECT_EQ(contentOf("input"), "# LLVM-MCA-BEGIN 0\n# mca: measure ecx=7\nl:\n\tload\n\tjne\tl\n# LLVM-MCA-END 0\n");
}

TEST_F(ServerMeasure, RunsNoCodeOfWhatIsNoFileOfThisMachine) {
  start();
  for (const std::string uri : {"vscode-vfs://github/dir/a.s", "http://host/dir/a.s", "git:/dir/a.s?HEAD",
                                "untitled:/dir/a.s", "file://host/dir/a.s", "file:a.s", "file:///dir%2Fa.s"}) {
    open(kText, "asm", uri);
    runner.finish(loop());
    const int id = measure({{"uri", uri}, {"trusted", true}});
    EXPECT_NE(errorText(id).find("no file of this machine"), std::string::npos) << uri << errorText(id);
  }
}

TEST_F(ServerMeasure, MeasuresTheLoopAroundALineToo) {
  start();
  const int id = measureWith(kReply, 1, 1);
  awaitAnswer(id);
  EXPECT_EQ(result(id)["region"], "loop in f");
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc (measured 5.3)");
}

TEST_F(ServerMeasure, AnEditOfTheInstructionsTakesItAway) {
  start();
  awaitAnswer(measureWith(kReply));
  insert(3, 0, "# elsewhere\n");
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc (measured 5.3)");
  awaitJobs(3);
  runner.finish(loop());
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc (measured 5.3)");
  insert(1, 0, "  add\n", 3);
  awaitJobs(4);
  runner.finish(loop(8));
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc");
  insert(1, 0, "  ", 4);
  awaitJobs(5);
  runner.finish(loop());
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc (measured 5.3)") << "the instructions are those of before again";
}

TEST_F(ServerMeasure, SaysWhyARegionIsRefused) {
  start();
  const int id = measureWith(replyOf({R"({"Refused": "it reads address 0x10", "Line": 3, "Instruction": "load"})"}));
  awaitAnswer(id);
  EXPECT_EQ(messages(),
            std::vector<std::string>{"mca-lsp: loop in f cannot be measured: it reads address 0x10 (load)"});
  EXPECT_EQ(result(id)["paths"][0]["refused"], "it reads address 0x10 (load)");
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc");
}

TEST_F(ServerMeasure, MeasuresEachPath) {
  start();
  const int id = measureWith(replyOf({R"({"Cycles": 4.1})", R"({"Cycles": 6})"}), 2);
  awaitAnswer(id);
  EXPECT_EQ(result(id)["paths"][0]["cycles"], 4.1);
  EXPECT_EQ(result(id)["paths"][1]["path"], "not through line 2");
  EXPECT_NE(contentOf("input").find("# LLVM-MCA-END 0\n# LLVM-MCA-BEGIN 1\n"), std::string::npos);
}

TEST_F(ServerMeasure, MeasuresThePathThatTheUserLooksAt) {
  start();
  insert(3, 0, "# elsewhere\n");
  awaitJobs(2);
  runner.finish(loop(7, 2));
  const Json place{{"uri", kUri}, {"position", {{"line", 0}, {"character", 0}}}};
  ASSERT_EQ(result(command("mca.nextPath", place))["path"], 1);
  ASSERT_EQ(result(command("mca.nextPath", place))["path"], 2);
  const int id = measureWith(replyOf({R"({"Cycles": 6.4})"}), 2);
  awaitAnswer(id);
  ASSERT_EQ(result(id)["paths"].size(), 1u);
  EXPECT_EQ(result(id)["paths"][0]["path"], "not through line 2");
  EXPECT_EQ(contentOf("input").find("LLVM-MCA-BEGIN 1"), std::string::npos);
  EXPECT_EQ(hint(), "IPC 1.00 · 6.0 cyc (measured 6.4)");
}

TEST_F(ServerMeasure, NumbersForAnotherCpuAreNotCompared) {
  start();
  awaitAnswer(measureWith(replyOf({R"({"Cycles": 9})"}, "icelake-server")));
  EXPECT_EQ(hint(), "4.0 cyc (measured here 9.0)");
  EXPECT_NE(hover().find("Predicted for znver3"), std::string::npos) << hover();
}

TEST_F(ServerMeasure, RunsOnlyWhatTheUserTrusts) {
  start({"/dir2", "dir", "/elsewhere"});
  EXPECT_NE(errorText(measure()).find("its folder is not trusted"), std::string::npos);
  EXPECT_NE(errorText(measure({{"trusted", false}})).find("its folder is not trusted"), std::string::npos);
  EXPECT_EQ(error(measure({{"trusted", "yes"}})), static_cast<int>(protocol::ErrorCode::InvalidParams));
  EXPECT_FALSE(runner.busy());
  EXPECT_TRUE(answer(measure({{"trusted", true}})).is_null()) << "the editor asked the user";
  EXPECT_TRUE(runner.busy());
}

TEST_F(ServerMeasure, RefusesOtherTargets) {
  start();
  insert(0, 0, " ");
  awaitJobs(2);
  AnalysisResult other = loop();
  other.target.triple = "aarch64-linux-gnu";
  runner.finish(std::move(other));
  EXPECT_EQ(errorText(measure()), "cannot be measured here: AArch64");
}

TEST_F(ServerMeasure, RefusesComputedJumpsItself) {
  start();
  const int id = measure();
  AnalysisResult computed = loop();
  computed.regions[0].transfers.push_back({.kind = analysis::wire::Transfer::Kind::IndirectJump});
  runner.finish(std::move(computed));
  EXPECT_EQ(result(id)["paths"][0]["refused"], "it jumps to a computed address");
  EXPECT_FALSE(exists("input"));
}

TEST_F(ServerMeasure, FailsWithTheProgramsMessage) {
  start();
  makeScript("measure", "echo 'mca-measure: error: there is no seccomp' >&2\nexit 2\n");
  const int id = measureWith("");
  awaitAnswer(id);
  EXPECT_EQ(errorText(id), "mca-measure: there is no seccomp");
  remove("measure");
  const int none = measureWith("");
  awaitAnswer(none);
  EXPECT_EQ(errorText(none), "mca-measure: No such file or directory");
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc");
}

TEST_F(ServerMeasure, FailsIfTheReplyMakesNoSense) {
  start();
  const std::vector<std::string> replies{"",
                                         "nonsense",
                                         "[]",
                                         R"({"Regions": 3})",
                                         R"({"Regions": [{"Name": "0"}]})",
                                         R"({"Regions": [{"Name": "0", "Forms": [3]}]})",
                                         R"({"Regions": [{"Name": "1", "Forms": [{"Cycles": 1}]}]})",
                                         replyOf({R"({"Cycles": -1})"}),
                                         replyOf({R"({"Cycles": 1e300})"}),
                                         replyOf({R"({"Cycles": "4"})"})};
  for (const std::string &reply : replies) {
    const int id = measureWith(reply);
    awaitAnswer(id);
    EXPECT_EQ(error(id), static_cast<int>(protocol::ErrorCode::RequestFailed)) << reply;
    EXPECT_NE(errorText(id).find("mca-measure printed no"), std::string::npos) << reply;
  }
}

TEST_F(ServerMeasure, IsCancelledByTheRequestOrTheDisplay) {
  start();
  const int first = runSlowly();
  EXPECT_EQ(error(measure()), static_cast<int>(protocol::ErrorCode::RequestFailed)) << "one at a time";
  notify("$/cancelRequest", {{"id", first}});
  EXPECT_EQ(error(first), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  remove("started");
  const int second = runSlowly();
  const Json token = calls("window/workDoneProgress/create").back()["params"]["token"];
  notify("window/workDoneProgress/cancel", {{"token", token}});
  EXPECT_EQ(error(second), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  notify("window/workDoneProgress/cancel", {{"token", token}});
  EXPECT_EQ(hint(), "IPC 1.00 · 4.0 cyc");
}

TEST_F(ServerMeasure, IsCancelledBeforeTheInstructionsAreListed) {
  start();
  const int first = measure();
  notify("$/cancelRequest", {{"id", first}});
  EXPECT_EQ(error(first), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled});
  const int second = measure();
  insert(0, 0, " ");
  EXPECT_EQ(error(second), static_cast<int>(protocol::ErrorCode::ContentModified));
}

TEST_F(ServerMeasure, EndsWithTheDocumentAndTheServer) {
  start();
  const int first = runSlowly();
  notify("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_EQ(error(first), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  open(kText);
  runner.finish(loop());
  remove("started");
  const int second = runSlowly();
  const int shutdown = request("shutdown");
  EXPECT_EQ(error(second), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  EXPECT_TRUE(answer(shutdown).contains("result"));
}

class ServerMeasureWithHead : public ServerMeasure {
protected:
  ServerMeasureWithHead()
      : ServerMeasure([] {
          ServerOptions options = withScript();
          options.configuration.commandLine.comparisonWithHead = true;
          return options;
        }()) {}
};

TEST_F(ServerMeasureWithHead, NoWorkerRunsBesideAMeasurement) {
  using analysis::wire::Version;
  start();
  ASSERT_EQ(runner.started.back().version, Version::Head);
  write("slow", "");
  const int id = measure();
  runner.finish(AnalysisResult{.status = analysis::wire::Status::Cancelled});
  ASSERT_TRUE(runner.started.back().settings.runnable);
  runner.finish(loop());
  await([] { return exists("started"); });
  EXPECT_FALSE(runner.busy());
  notify("$/cancelRequest", {{"id", id}});
  ASSERT_TRUE(runner.busy()) << "the comparison goes on after it";
  EXPECT_EQ(runner.started.back().version, Version::Head);
}

} // namespace
} // namespace lsp
