// The server with shell scripts in place of the programs that it starts beside the worker, and files that these leave.
#pragma once

#include "tests/lsp/server_fixture.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <unistd.h>

namespace lsp {

/// Of this process, with a slash at its end.
inline const std::string kScripts = testing::TempDir() + "server-scripts-" + std::to_string(getpid()) + "/";

/// Returns the path of the script, which runs in kScripts.
inline std::string makeScript(const std::string &name, const std::string &lines) {
  std::filesystem::create_directories(kScripts);
  std::ofstream(kScripts + name) << "#!/bin/sh\ncd '" << kScripts << "'\n" << lines;
  std::filesystem::permissions(kScripts + name, std::filesystem::perms::owner_all);
  return kScripts + name;
}

class ServerScriptTest : public ServerTest {
protected:
  using ServerTest::ServerTest;
  ~ServerScriptTest() override { std::filesystem::remove_all(kScripts); }

  static bool exists(const std::string &name) { return std::filesystem::exists(kScripts + name); }
  static void remove(const std::string &name) { std::filesystem::remove(kScripts + name); }
  static void write(const std::string &name, const std::string &text) { std::ofstream(kScripts + name) << text; }
  static std::string contentOf(const std::string &name) {
    std::ifstream file(kScripts + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int command(const std::string &name, const protocol::Json &argument) {
    return request("workspace/executeCommand", {{"command", name}, {"arguments", {argument}}});
  }
  void await(const std::function<bool()> &isDone) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!isDone() && std::chrono::steady_clock::now() < deadline)
      io.run_one_for(std::chrono::milliseconds(20)), io.restart();
    ASSERT_TRUE(isDone());
  }
  void awaitAnswer(int id) {
    await([&] { return !answer(id).is_null(); });
  }
};

} // namespace lsp
