// The server with commands and virtual documents: regions with views come out of its jobs, and HEAD is analysed, too.
#pragma once

#include "tests/lsp/server_fixture.h"

namespace lsp {

class ServerCommandsTest : public ServerTest {
protected:
  using Json = protocol::Json;
  using AnalysisResult = analysis::wire::AnalysisResult;
  using DocumentKind = analysis::wire::DocumentKind;
  using Version = analysis::wire::Version;

  ServerCommandsTest() : ServerTest(ServerOptions{{}, std::chrono::milliseconds(100)}) {}

  // ---- talking -----------------------------------------------------------------------------------------------------

  /// The parameters of each message of the server with this method.
  std::vector<Json> paramsOf(const std::string &method) const {
    std::vector<Json> found;
    for (const Json &message : calls(method))
      found.push_back(message.value("params", Json()));
    return found;
  }
  void insert(int line, const std::string &text) { ServerTest::insert(line, 0, text, ++version); }
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

  /// The findings that the client has of the document, as "CODE: MESSAGE".
  std::vector<std::string> findings() const {
    std::vector<std::string> all;
    for (const Json &published : paramsOf("textDocument/publishDiagnostics")) {
      if (published["uri"] != kUri)
        continue;
      all.clear();
      for (const Json &one : published["diagnostics"])
        all.push_back(one["code"].get<std::string>() + ": " + one["message"].get<std::string>());
    }
    return all;
  }

  // ---- jobs --------------------------------------------------------------------------------------------------------

  analysis::wire::AnalyzeRequest &job() { return runner.started.back(); }
  /// A region of so many cycles, and each document that was asked for, with this as its last line.
  AnalysisResult region(uint64_t cycles, const std::string &document = "text") {
    AnalysisResult result;
    result.target = {"x86_64", "skylake", "", "set in a test", "its own", "by hand"};
    result.regions.push_back({.name = "loop", .at = {0, 3}, .simulation = cycles});
    result.simulations.push_back({.id = cycles, .cyclesPerIteration = double(cycles), .ipc = 2});
    result.hasReasons = true; // no job on reasons follows
    for (const auto &asked : job().documents) {
      analysis::wire::View &view = result.views.emplace_back(analysis::wire::View{.request = asked});
      if (asked.kind == DocumentKind::Report)
        view.reports = {{.region = 0, .text = document}};
      view.listing = {
          .comment = "#",
          .rows = {{.text = "aaa:", .isLabel = true, .line = 1}, {.text = document, .isLabel = true, .line = 2}}};
    }
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

  int version = 1; ///< of the document
};

} // namespace lsp
