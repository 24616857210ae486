// The command mca.importTrace, with a shell script in place of the worker.
#include "tests/lsp/server_fixture.h"

#include <filesystem>
#include <fstream>

namespace lsp {
namespace {

using protocol::Json;

const std::string kFolder = testing::TempDir() + "server-import-" + std::to_string(getpid()) + "/";

/// Prints its arguments as a note, and a path. For other kinds of recordings it fails, or does not end.
ServerOptions withScript() {
  std::filesystem::create_directories(kFolder);
  std::ofstream(kFolder + "worker")
      << "#!/bin/sh\n"
         "case $2 in\n"
         "wrong) echo 'mca-lsp: k: left out' >&2; echo 'mca-lsp: error: /p: no' >&2; exit 2 ;;\n"
         "slow) echo started > '" +
             kFolder +
             "started'; sleep 100 ;;\n"
             "esac\n"
             "read line && exit 3\n"
             "echo \"mca-lsp: $*\" >&2\n"
             "echo /out.mcatrace\n";
  std::filesystem::permissions(kFolder + "worker", std::filesystem::perms::owner_all);
  ServerOptions options = withoutHead();
  options.worker = kFolder + "worker";
  return options;
}

class ServerImport : public ServerTest {
protected:
  explicit ServerImport(ServerOptions options = withScript()) : ServerTest(std::move(options)) {
    initialize({{"window", {{"workDoneProgress", true}}}});
  }
  ~ServerImport() override { std::filesystem::remove_all(kFolder); }

  static Json arguments(const std::string &kind) {
    return {{"kind", kind}, {"file", "/log"}, {"program", "/p"}, {"assembly", "/k.s"}};
  }
  int import(const Json &arguments) {
    return request("workspace/executeCommand", {{"command", "mca.importTrace"}, {"arguments", {arguments}}});
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

TEST_F(ServerImport, AnswersWithTheTrace) {
  Json all = arguments("qemu");
  all["functions"] = {"f", "g"};
  all["output"] = "/o";
  const int id = import(all);
  respond("window/workDoneProgress/create", nullptr);
  awaitAnswer(id);
  const auto progress = calls("$/progress");
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[0]["params"]["value"]["message"], "/log");
  EXPECT_EQ(progress[1]["params"]["value"]["kind"], "end");
  EXPECT_EQ(result(id), Json::parse(R"({"output": "/out.mcatrace", "notes": ["--import-trace qemu /log --program /p )"
                                    R"(--assembly /k.s --function f --function g --output /o"]})"));
}

TEST_F(ServerImport, FailsWithTheWorkersMessage) {
  const int id = import(arguments("wrong"));
  awaitAnswer(id);
  EXPECT_EQ(error(id), static_cast<int>(protocol::ErrorCode::RequestFailed));
  EXPECT_EQ(answer(id)["error"]["message"], "/p: no");
}

TEST_F(ServerImport, RefusesWrongArguments) {
  for (const char *name : {"file", "program", "assembly"}) {
    Json wrong = arguments("qemu");
    wrong[name] = "relative";
    EXPECT_EQ(error(import(wrong)), static_cast<int>(protocol::ErrorCode::InvalidParams)) << name;
    wrong.erase(name);
    EXPECT_EQ(error(import(wrong)), static_cast<int>(protocol::ErrorCode::InvalidParams)) << name;
  }
  Json wrong = arguments("qemu");
  wrong["output"] = "-";
  EXPECT_EQ(error(import(wrong)), static_cast<int>(protocol::ErrorCode::InvalidParams));
}

TEST_F(ServerImport, RunsOneAtATimeUntilItIsCancelled) {
  const int slow = import(arguments("slow"));
  await([] { return std::filesystem::exists(kFolder + "started"); });
  EXPECT_EQ(error(import(arguments("qemu"))), static_cast<int>(protocol::ErrorCode::RequestFailed));
  EXPECT_TRUE(answer(slow).is_null());
  notify("$/cancelRequest", {{"id", slow}});
  EXPECT_EQ(error(slow), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  const int next = import(arguments("qemu"));
  awaitAnswer(next);
  EXPECT_EQ(result(next)["output"], "/out.mcatrace");
}

TEST_F(ServerImport, IsCancelledAtShutdown) {
  const int slow = import(arguments("slow"));
  const int shutdown = request("shutdown");
  EXPECT_EQ(error(slow), static_cast<int>(protocol::ErrorCode::RequestCancelled));
  EXPECT_TRUE(answer(shutdown).contains("result"));
}

class WithoutWorker : public ServerImport {
protected:
  WithoutWorker()
      : ServerImport([] {
          ServerOptions options = withoutHead();
          options.worker = "/nothing/here";
          return options;
        }()) {}
};

TEST_F(WithoutWorker, SaysWhy) {
  const int id = import(arguments("qemu"));
  awaitAnswer(id);
  EXPECT_EQ(answer(id)["error"]["message"], "No such file or directory");
}

} // namespace
} // namespace lsp
