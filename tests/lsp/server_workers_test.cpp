// The server with two jobs under way at once: what belongs to one of them stays with it.
#include "tests/lsp/server_fixture.h"

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Stage;
using protocol::Json;

const std::string kA = "file:///dir/a.cpp", kB = "file:///dir/b.cpp";
const Json kWithProgress = Json::parse(R"({"window": {"workDoneProgress": true}})");

class TwoJobsTest : public ServerTest {
protected:
  TwoJobsTest() : ServerTest(withoutHead(), Workers::Two) {}

  void compile(MemoryRunner &worker) { worker.progress({.stage = Stage::Compiling}); }
  /// Two sources compile at once.
  void openBoth() {
    open("a\n", "cpp", kA);
    compile(runner);
    open("b\n", "cpp", kB);
    compile(second);
    ASSERT_EQ(runner.started.back().text, "a\n");
    ASSERT_EQ(second.started.back().text, "b\n");
  }
  /// Ends the jobs of both documents.
  void finishAll() {
    for (int i = 0; i < 8; ++i)
      for (MemoryRunner *worker : {&runner, &second})
        if (worker->busy())
          worker->finish(AnalysisResult());
  }
  void save(const std::string &uri) { notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}}); }
  void compareCpus(const std::string &uri) {
    request("workspace/executeCommand",
            {{"command", "mca.compareCpus"},
             {"arguments", {{{"uri", uri}, {"cpus", {"znver4"}}, {"position", {{"line", 0}, {"character", 0}}}}}}});
  }
};

TEST_F(TwoJobsTest, EachHasAProgressDisplayOfItsOwn) {
  initialize(kWithProgress);
  openBoth();
  const std::vector<Json> created = calls("window/workDoneProgress/create");
  ASSERT_EQ(created.size(), 2u);
  for (const Json &one : created)
    receive({{"jsonrpc", "2.0"}, {"id", one["id"]}, {"result", nullptr}});
  ASSERT_EQ(calls("$/progress").size(), 2u);
  EXPECT_EQ(calls("$/progress")[0]["params"]["value"]["title"], "mca: a.cpp");
  EXPECT_EQ(calls("$/progress")[1]["params"]["value"]["title"], "mca: b.cpp");
  second.finish(AnalysisResult());
  ASSERT_EQ(calls("$/progress").size(), 3u);
  EXPECT_EQ(calls("$/progress")[2]["params"]["token"], created[1]["params"]["token"]);
  EXPECT_EQ(calls("$/progress")[2]["params"]["value"]["kind"], "end");
}

TEST_F(TwoJobsTest, ASaveMeanwhileIsNotForgotten) {
  initialize();
  openBoth();
  save("file:///dir/b.cpp"); // which both may include
  second.finish(AnalysisResult());
  ASSERT_EQ(second.started.size(), 2u);
  runner.finish(AnalysisResult());
  finishAll();
  compareCpus(kA);
  EXPECT_FALSE(runner.started.back().reuseCompiled) << "its compiler ran before the save";
  finishAll();
  compareCpus(kB);
  EXPECT_TRUE(second.started.back().reuseCompiled);
}

TEST_F(TwoJobsTest, AnotherWorkerDoesNotReuseAnOldOutput) {
  initialize();
  openBoth();
  finishAll();
  open("c\n", "cpp", "file:///dir/c.cpp");
  compile(runner);
  compareCpus(kA);
  ASSERT_TRUE(second.busy());
  EXPECT_EQ(second.started.back().text, "a\n");
  EXPECT_FALSE(second.started.back().reuseCompiled);
}

TEST_F(TwoJobsTest, ResultsMoveWithTheEditsOfTheirOwnDocument) {
  initialize();
  open("a\n", "cpp", kUri);
  compile(runner);
  open("b\n", "cpp", kB);
  insert(0, 0, "new\n");
  second.finish(oneHint());
  runner.finish(oneHint());
  const auto line = [&](const std::string &uri) {
    return result(request("textDocument/inlayHint",
                          {{"textDocument", {{"uri", uri}}},
                           {"range",
                            {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}}}}))
        .at(0)["position"]["line"];
  };
  EXPECT_EQ(line(kUri), 1);
  EXPECT_EQ(line(kB), 0);
}

TEST_F(TwoJobsTest, ACancelledSideJobEndsNoProgress) {
  initialize(kWithProgress);
  openBoth();
  finishAll();
  compareCpus(kA);
  open("c\n", "cpp", "file:///dir/c.cpp");
  compile(runner);
  ASSERT_TRUE(second.busy());
  compile(second);
  receive({{"jsonrpc", "2.0"}, {"id", calls("window/workDoneProgress/create").back()["id"]}, {"result", nullptr}});
  const size_t before = calls("$/progress").size();
  notify("textDocument/didClose", {{"textDocument", {{"uri", kA}}}});
  runner.finish(AnalysisResult());
  EXPECT_EQ(calls("$/progress").size(), before);
}

TEST_F(ServerTest, TheDocumentThatIsAskedAboutComesFirst) {
  initialize();
  for (const char *uri : {"file:///a.s", "file:///b.s", "file:///c.s", "file:///d.s"})
    open(uri, "asm", uri);
  const auto ask = [&](const std::string &method, const std::string &uri) {
    request(method, {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 0}, {"character", 0}}}});
  };
  ask("textDocument/codeLens", "file:///d.s");
  ask("textDocument/hover", "file:///c.s");
  ask("textDocument/hover", "file:///none.s");
  std::vector<std::string> order;
  for (int i = 0; i < 4; ++i) {
    order.push_back(runner.started.back().text);
    runner.finish(AnalysisResult());
  }
  EXPECT_EQ(order, (std::vector<std::string>{"file:///a.s", "file:///c.s", "file:///d.s", "file:///b.s"}));
}

} // namespace
} // namespace lsp
