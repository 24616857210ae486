// Virtual documents and timelines: the jobs that make them, and how they follow the analyses.
#include "tests/lsp/server_commands_fixture.h"

namespace lsp {
namespace {

using protocol::Json;

const Json kWithContent = Json::parse(R"({"workspace": {"textDocumentContent": {}}})");
const Json kWithShow = Json::parse(R"({"window": {"showDocument": {"support": true}}})");

class ServerDocumentsTest : public ServerCommandsTest {
protected:
  std::string text(int id) const { return result(id).is_object() ? result(id)["text"].get<std::string>() : "(none)"; }
  std::string lastLine(int id) const {
    const std::string all = text(id);
    const size_t end = all.ends_with('\n') ? all.size() - 1 : all.size();
    const size_t begin = all.rfind('\n', end - 1) + 1;
    return all.substr(begin, end - begin);
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
};

// ---- virtual documents ---------------------------------------------------------------------------------------------

TEST_F(ServerDocumentsTest, ADocumentWaitsForItsJobAndFollowsTheAnalyses) {
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
  EXPECT_TRUE(paramsOf("workspace/textDocumentContent/refresh").empty()) << "the client has just got it";
  EXPECT_EQ(lastLine(content(uri, "workspace/textDocumentContent")), "one") << "at once";
  insert(0, "new\n");
  awaitJobs(4);
  EXPECT_EQ(job().documents[0].offset, 8u) << "the line has moved";
  runner.finish(region(4, "one"));
  EXPECT_TRUE(paramsOf("workspace/textDocumentContent/refresh").empty()) << "it says the same";
  insert(0, "new\n");
  awaitJobs(5);
  runner.finish(region(4, "two"));
  ASSERT_EQ(paramsOf("workspace/textDocumentContent/refresh").size(), 1u);
  EXPECT_EQ(paramsOf("workspace/textDocumentContent/refresh")[0], (Json{{"uri", uri}}));
  EXPECT_TRUE(paramsOf("mca/documentChanged").empty());
}

TEST_F(ServerDocumentsTest, AnOlderClientIsToldOfChanges) {
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
  ASSERT_EQ(paramsOf("mca/documentChanged").size(), 1u);
  EXPECT_EQ(paramsOf("mca/documentChanged")[0], (Json{{"uri", uri}}));
}

TEST_F(ServerDocumentsTest, TheClientIsAskedToShowIt) {
  initialize(kWithShow);
  openAnalysed();
  const std::string uri = show(0);
  ASSERT_EQ(paramsOf("window/showDocument").size(), 1u);
  EXPECT_EQ(paramsOf("window/showDocument")[0]["uri"], uri);
}

TEST_F(ServerDocumentsTest, AClosedDocumentIsNotMadeAnyMore) {
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

TEST_F(ServerDocumentsTest, HeldContentIsAnsweredInEveryPath) {
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

TEST_F(ServerDocumentsTest, AnUnsavedSourceSaysToSaveIt) {
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
  EXPECT_EQ(paramsOf("mca/documentChanged").size(), 2u);
}

// ---- timelines -----------------------------------------------------------------------------------------------------

TEST_F(ServerDocumentsTest, ATimelineComesWithTheNextJobAndFollowsTheAnalyses) {
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
  EXPECT_EQ(paramsOf("mca/documentChanged"), std::vector<Json>({{{"uri", uri}}}))
      << "no text that an editor would fetch";
  EXPECT_EQ(result(request("mca/timeline", {{"uri", uri}}))["cyclesPerIteration"], 5.0);
  close(uri);
  insert(0, "x");
  awaitJobs(5);
  EXPECT_TRUE(job().documents.empty());
}

TEST_F(ServerDocumentsTest, ATimelineOfALoopWithAFlowHasATrace) {
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

TEST_F(ServerDocumentsTest, ATimelineThatThereIsNotSaysWhy) {
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

TEST_F(ServerDocumentsTest, LinksLeadBothWays) {
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

TEST_F(ServerDocumentsTest, TheCompilersOutputIsUsedAgainUntilSomethingIsSaved) {
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

} // namespace
} // namespace lsp
