// Configuration files behind the server: whose settings they change, and where their findings are shown.
#include "lsp/protocol/uri.h"
#include "tests/lsp/server_fixture.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace lsp {
namespace {

namespace fs = std::filesystem;
using protocol::Json;

fs::path testFolder() {
  return fs::temp_directory_path() / ("mca-server-configuration-" + std::to_string(::getpid()));
}

ServerOptions withUserFile() {
  ServerOptions options = withoutHead();
  options.configuration.userFile = (testFolder() / "config.json").string();
  return options;
}

class ServerConfigurationTest : public ServerTest {
protected:
  ServerConfigurationTest() : ServerTest(withUserFile()) { fs::create_directories(testFolder() / "p"); }
  ~ServerConfigurationTest() override { fs::remove_all(testFolder()); }

  static std::string uri(const std::string &name) { return protocol::fileUri((testFolder() / name).string()); }
  static void write(const std::string &name, const std::string &text) {
    const fs::path fresh = testFolder() / "fresh";
    std::ofstream(fresh) << text;
    fs::rename(fresh, testFolder() / name); // another inode: the change cannot be overlooked
  }
  void changed(const std::string &name) {
    notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", uri(name)}, {"type", 2}}}}});
  }
  void edit(const std::string &name, const std::string &text, int version) {
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri(name)}, {"version", version}}}, {"contentChanges", {{{"text", text}}}}});
  }
  /// What was published last about a file, or null.
  Json published(const std::string &name) const {
    Json last;
    for (const Json &call : calls("textDocument/publishDiagnostics"))
      if (call["params"]["uri"] == uri(name))
        last = call["params"];
    return last;
  }
  void openAndFinish(const std::string &name, const std::string &language = "asm") {
    open("add\n", language, uri(name));
    ASSERT_TRUE(runner.busy());
    runner.finish(oneFinding());
  }
};

TEST_F(ServerConfigurationTest, EachDocumentHasTheSettingsOfItsFolder) {
  write("p/.mca-lsp.json", R"({"cpu": "znver4", "diagnostics.severity": {"call": "off"}})");
  initialize();
  openAndFinish("a.s");
  openAndFinish("p/b.s");
  EXPECT_EQ(runner.started.at(0).settings.cpu, "");
  EXPECT_EQ(runner.started.at(1).settings.cpu, "znver4");
  EXPECT_EQ(published("a.s")["diagnostics"].size(), 1u);
  EXPECT_EQ(published("p/b.s")["diagnostics"].size(), 0u);
}

TEST_F(ServerConfigurationTest, AWatchedFileIsReadAgain) {
  initialize(Json::parse(R"({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}})"));
  ASSERT_EQ(calls("client/registerCapability").size(), 1u);
  EXPECT_EQ(
      calls("client/registerCapability")[0]["params"]["registrations"][0]["registerOptions"],
      Json::parse(
          R"({"watchers": [{"globPattern": "**/.mca-lsp.json"}, {"globPattern": "**/*.mcatrace"}, {"globPattern": "**/*.mcaprofile"},
                {"globPattern": "**/compile_commands.json"}, {"globPattern": "**/compile_flags.txt"}]})"));
  openAndFinish("a.s");
  openAndFinish("p/b.s");
  write("p/.mca-lsp.json", R"({"cpu": "znver4"})");
  changed("p/.mca-lsp.json");
  ASSERT_EQ(runner.started.size(), 3u) << "the one below the file alone";
  EXPECT_EQ(runner.started[2].settings.cpu, "znver4");
}

TEST_F(ServerConfigurationTest, AChangedDatabaseIsReadAgainWhereItMayBeUsed) {
  write("p/.mca-lsp.json", R"({"compileCommandsDir": "out"})");
  initialize();
  openAndFinish("a.s");
  openAndFinish("b.c", "c");
  openAndFinish("p/c.c", "c");
  openAndFinish("p/d.S");
  const uint64_t events = runner.started.back().fileEvents;
  const auto startedBy = [&](const std::string &name) {
    const size_t before = runner.started.size();
    changed(name);
    std::vector<std::string> started;
    while (runner.started.size() > before + started.size()) {
      EXPECT_GT(runner.started[before + started.size()].fileEvents, events);
      EXPECT_FALSE(runner.started[before + started.size()].reuseCompiled);
      started.push_back(fs::path(runner.started[before + started.size()].path).filename().string());
      runner.finish(oneFinding());
    }
    std::ranges::sort(started);
    return started;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(startedBy("compile_commands.json"), (Names{"b.c", "c.c", "d.S"})) << "plain assembly has no command";
  EXPECT_EQ(startedBy("build/compile_commands.json"), (Names{"b.c", "c.c", "d.S"}));
  EXPECT_EQ(startedBy("p/out/compile_commands.json"), (Names{"c.c", "d.S"})) << "the folder that is set";
  EXPECT_EQ(startedBy("p/compile_flags.txt"), (Names{"c.c", "d.S"}));
  EXPECT_EQ(startedBy("elsewhere/compile_commands.json"), Names());
  EXPECT_EQ(startedBy("not_compile_commands.json"), Names());
}

TEST_F(ServerConfigurationTest, AChangedTraceIsAnalysedWhereItMayBeUsed) {
  write("p/.mca-lsp.json", R"({"trace": "runs/kern.mcatrace"})");
  initialize();
  openAndFinish("a.s");
  openAndFinish("p/b.s");
  const std::string named = (testFolder() / "p/runs/kern.mcatrace").string();
  EXPECT_EQ(runner.started.at(0).settings.trace, "");
  EXPECT_EQ(runner.started.at(1).settings.trace, named) << "it is written relative to the configuration's folder";
  changed("a.mcatrace");
  ASSERT_EQ(runner.started.size(), 3u) << "the document beside it alone";
  EXPECT_EQ(runner.started[2].path, (testFolder() / "a.s").string());
  runner.finish(oneFinding());
  changed("p/runs/kern.mcatrace");
  ASSERT_EQ(runner.started.size(), 4u);
  EXPECT_EQ(runner.started[3].settings.trace, named);
  runner.finish(oneFinding());
  changed("p/b.mcatrace");
  changed("elsewhere/a.mcatrace");
  EXPECT_EQ(runner.started.size(), 4u) << "no document uses these";
}

TEST_F(ServerConfigurationTest, AJobLooksAtTheFilesItself) {
  initialize();
  openAndFinish("p/a.s");
  openAndFinish("p/b.s");
  write("p/.mca-lsp.json", R"({"cpu": "znver4"})");
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri("p/b.s")}, {"version", 2}}}, {"contentChanges", {{{"text", "sub\n"}}}}});
  awaitJobs(3);
  EXPECT_EQ(runner.started[2].path, (testFolder() / "p/b.s").string());
  EXPECT_EQ(runner.started[2].settings.cpu, "znver4");
  runner.finish(oneHint());
  awaitJobs(4);
  EXPECT_EQ(runner.started[3].path, (testFolder() / "p/a.s").string()) << "the other document hears of it, too";
}

TEST_F(ServerConfigurationTest, FindingsOfAFileAreShownInIt) {
  write("p/.mca-lsp.json", "{\n \"cup\": \"znver4\"}");
  initialize();
  open("add\n", "asm", uri("p/a.s"));
  const Json shown = published("p/.mca-lsp.json");
  ASSERT_EQ(shown["diagnostics"].size(), 1u);
  EXPECT_EQ(shown["diagnostics"][0]["code"], "config-unknown-key");
  EXPECT_EQ(shown["diagnostics"][0]["range"]["start"]["line"], 1);
  EXPECT_FALSE(shown.contains("version"));
  write("p/.mca-lsp.json", "{\n \"cpu\": \"znver4\"}");
  changed("p/.mca-lsp.json");
  EXPECT_TRUE(published("p/.mca-lsp.json")["diagnostics"].empty());
}

TEST_F(ServerConfigurationTest, FindingsGoWithTheLastDocument) {
  write("p/.mca-lsp.json", "{");
  initialize();
  open("add\n", "asm", uri("p/a.s"));
  EXPECT_EQ(published("p/.mca-lsp.json")["diagnostics"].size(), 1u);
  notify("textDocument/didClose", {{"textDocument", {{"uri", uri("p/a.s")}}}});
  EXPECT_TRUE(published("p/.mca-lsp.json")["diagnostics"].empty());
}

TEST_F(ServerConfigurationTest, AnOpenFileCountsAsItIsEdited) {
  write("p/.mca-lsp.json", "{}");
  initialize();
  openAndFinish("p/a.s");
  open("{}", "jsonc", uri("p/.mca-lsp.json"));
  edit("p/.mca-lsp.json", "{\"cpu\": \"znver4\"}", 2);
  ASSERT_EQ(runner.started.size(), 2u);
  EXPECT_EQ(runner.started[1].settings.cpu, "znver4");
  edit("p/.mca-lsp.json", "{\"cpu\": \"znver4\"", 3);
  EXPECT_EQ(published("p/.mca-lsp.json")["version"], 3);
  EXPECT_EQ(published("p/.mca-lsp.json")["diagnostics"][0]["code"], "config-unreadable");
  EXPECT_EQ(runner.started.size(), 2u) << "the last good content stays in force";
  runner.finish(oneHint());
  notify("textDocument/didClose", {{"textDocument", {{"uri", uri("p/.mca-lsp.json")}}}});
  EXPECT_TRUE(published("p/.mca-lsp.json")["diagnostics"].empty());
  EXPECT_EQ(runner.started.back().settings.cpu, "") << "the file on disk counts again";
}

TEST_F(ServerConfigurationTest, TheUsersFileHasFindingsToo) {
  write("config.json", R"({"cpu": 5, "compiler": "gcc-12"})");
  initialize();
  open("add\n", "asm", uri("p/a.s"));
  EXPECT_EQ(published("config.json")["diagnostics"][0]["code"], "config-bad-value");
  EXPECT_EQ(runner.started.at(0).settings.compiler, "gcc-12");
}

TEST_F(ServerConfigurationTest, TheWorkspaceEndsTheSearch) {
  write(".mca-lsp.json", R"({"cpu": "above"})");
  request("initialize", {{"capabilities", Json::object()}, {"rootUri", uri("p")}});
  notify("initialized");
  openAndFinish("p/a.s");
  EXPECT_EQ(runner.started.at(0).settings.cpu, "");
  openAndFinish("b.s");
  EXPECT_EQ(runner.started.at(1).settings.cpu, "above");
}

TEST_F(ServerConfigurationTest, HintsAndHoversAreThoseOfTheFolder) {
  write("p/.mca-lsp.json", R"({"inlayHints": {"tooltips": false}, "hover": {"enabled": false}})");
  initialize();
  open("add\n", "asm", uri("p/a.s"));
  runner.finish(oneHint());
  const Json document{{"uri", uri("p/a.s")}};
  const Json start{{"line", 0}, {"character", 0}};
  const Json hints = result(
      request("textDocument/inlayHint", {{"textDocument", document}, {"range", {{"start", start}, {"end", start}}}}));
  EXPECT_EQ(hints.at(0)["label"], "IPC 1.00 · 4.0 cyc") << "no part has a tooltip";
  EXPECT_FALSE(hints.at(0).contains("tooltip"));
  EXPECT_TRUE(result(request("textDocument/hover", {{"textDocument", document}, {"position", start}})).is_null());
}

/// The path is that of a local folder.
TEST_F(ServerConfigurationTest, DocumentsThatAreNoFilesNeitherHaveNorAreConfigurations) {
  write("p/.mca-lsp.json", R"({"cpu": "folders"})");
  const std::string folder = (testFolder() / "p").string();
  initialize();
  for (const std::string &document : {"vscode-vfs://github" + folder + "/a.s", "git:" + folder + "/a.s",
                                      "file://host" + folder + "/a.s", "untitled:" + folder + "/a.s"}) {
    open("add\n", "asm", document);
    ASSERT_TRUE(runner.busy()) << document;
    EXPECT_EQ(runner.started.back().path, "a.s") << document;
    EXPECT_EQ(runner.started.back().settings.cpu, "") << document;
    EXPECT_EQ(runner.started.back().openFiles, std::vector<std::string>()) << document;
    runner.finish(oneFinding());
    open(R"({"cpu": "stranger"})", "json", document.substr(0, document.size() - 3) + ".mca-lsp.json");
  }
  open("add\n", "asm", uri("p/a.s"));
  EXPECT_EQ(runner.started.back().path, folder + "/a.s");
  EXPECT_EQ(runner.started.back().settings.cpu, "folders");
}

} // namespace
} // namespace lsp
