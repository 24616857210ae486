// The server with its client and its worker in memory: what goes in and what comes out, message by message.
#pragma once

#include "lsp/server/server.h"
#include "tests/lsp/memory_runner.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace lsp {

inline const std::string kUri = "file:///dir/a.s";

/// No job on git HEAD follows those that have numbers: server_commands_test.cpp is about them.
inline ServerOptions withoutHead() {
  ServerOptions options{{}, std::chrono::milliseconds(100)};
  options.configuration.commandLine.comparisonWithHead = false;
  return options;
}

class ServerTest : public testing::Test {
protected:
  enum class Workers { One, Two };

  explicit ServerTest(ServerOptions options = withoutHead(), Workers workers = Workers::One)
      : workers(workers), options(std::move(options)) {}

  // ---- talking -----------------------------------------------------------------------------------------------------

  void receive(const protocol::Json &message) { server.receive(message.dump()); }
  void notify(const std::string &method, const protocol::Json &params = protocol::Json::object()) {
    receive({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  int request(const std::string &method, const protocol::Json &params = protocol::Json::object()) {
    receive({{"jsonrpc", "2.0"}, {"id", ++lastId}, {"method", method}, {"params", params}});
    return lastId;
  }
  /// The answer to a request, or null when there is none yet.
  protocol::Json answer(int id) const {
    const auto found = std::find_if(sent.begin(), sent.end(), [id](const protocol::Json &message) {
      return !message.contains("method") && message["id"] == id;
    });
    return found == sent.end() ? protocol::Json() : *found;
  }
  protocol::Json result(int id) const {
    return answer(id).is_null() ? protocol::Json() : answer(id).value("result", protocol::Json());
  }
  int error(int id) const { return answer(id).contains("error") ? answer(id)["error"]["code"].get<int>() : 0; }
  std::string errorText(int id) const {
    return answer(id).contains("error") ? answer(id)["error"]["message"].get<std::string>() : "";
  }
  int errorOf(const std::string &method, const protocol::Json &params = protocol::Json::object()) {
    return error(request(method, params));
  }
  /// All messages of the server with this method.
  std::vector<protocol::Json> calls(const std::string &method) const {
    std::vector<protocol::Json> found;
    for (const protocol::Json &message : sent)
      if (message.value("method", "") == method)
        found.push_back(message);
    return found;
  }
  /// The texts of window/showMessage.
  std::vector<std::string> messages() const {
    std::vector<std::string> all;
    for (const protocol::Json &message : calls("window/showMessage"))
      all.push_back(message["params"]["message"]);
    return all;
  }
  /// Answers the server's newest request with this method.
  void respond(const std::string &method, const protocol::Json &result) {
    receive({{"jsonrpc", "2.0"}, {"id", calls(method).back()["id"]}, {"result", result}});
  }

  // ---- the usual steps ---------------------------------------------------------------------------------------------

  void initialize(const protocol::Json &capabilities = protocol::Json::object(),
                  const protocol::Json &options = nullptr) {
    request("initialize", {{"processId", nullptr}, {"capabilities", capabilities}, {"initializationOptions", options}});
    notify("initialized");
  }
  void open(const std::string &text, const std::string &language = "asm", const std::string &uri = kUri) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
  }
  void insert(int line, int character, const std::string &text, int version = 2) {
    const protocol::Json at{{"line", line}, {"character", character}};
    const protocol::Json edit{{"range", {{"start", at}, {"end", at}}}, {"text", text}};
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", kUri}, {"version", version}}}, {"contentChanges", {edit}}});
  }
  int requestHints() {
    return request(
        "textDocument/inlayHint",
        {{"textDocument", {{"uri", kUri}}},
         {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}}}});
  }
  int requestHover(int line, int character) {
    return request("textDocument/hover",
                   {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", line}, {"character", character}}}});
  }
  protocol::Json diagnostics() const { return calls("textDocument/publishDiagnostics").back()["params"]; }

  void awaitJobs(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (runner.started.size() < count && std::chrono::steady_clock::now() < deadline)
      io.run_one_for(std::chrono::milliseconds(50)), io.restart();
    ASSERT_EQ(runner.started.size(), count);
  }

  static analysis::wire::AnalysisResult oneFinding(const std::string &code = "call") {
    analysis::wire::AnalysisResult result;
    result.findings.push_back({{0, 3}, analysis::wire::Severity::Information, code, "text", {}});
    return result;
  }
  /// "IPC 1.00 · 4.0 cyc" on the line of `offset`, for a region of three bytes.
  static analysis::wire::AnalysisResult oneHint(uint32_t offset = 0) {
    analysis::wire::AnalysisResult result;
    result.regions.push_back({.name = "r",
                              .kind = analysis::wire::RegionKind::Marker,
                              .at = {offset, offset + 3},
                              .anchor = offset,
                              .simulation = 7});
    result.simulations.push_back({.id = 7, .cyclesPerIteration = 4, .ipc = 1});
    result.hasReasons = true; // no job on reasons follows
    return result;
  }
  /// The text of an inlay hint's label, which may come in parts.
  static std::string labelOf(const protocol::Json &hint) {
    const protocol::Json &label = hint.at("label");
    if (label.is_string())
      return label;
    std::string text;
    for (const protocol::Json &part : label)
      text += part.at("value").get<std::string>();
    return text;
  }

  boost::asio::io_context io;
  Workers workers;
  MemoryRunner runner;
  MemoryRunner second; ///< of two workers
  std::vector<protocol::Json> sent;
  std::optional<int> exitStatus;
  std::optional<int> watched;
  int lastId = 0;
  ServerOptions options;
  Server server{io,
                workers == Workers::Two ? JobRunners{runner, second} : JobRunners{runner},
                options,
                {[this](std::string_view text) { sent.push_back(protocol::Json::parse(text)); },
                 [this](int status) { exitStatus = status; }, [this](int pid) { watched = pid; }}};
};

} // namespace lsp
