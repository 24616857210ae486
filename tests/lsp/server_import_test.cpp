// The command mca.importTrace, with a shell script in place of the worker.
#include "tests/lsp/server_scripts.h"

namespace lsp {
namespace {

using protocol::Json;

/// Prints its arguments as a note, and a path. For other kinds of recordings it fails, or does not end.
ServerOptions withScript() {
  ServerOptions options = withoutHead();
  options.programs.worker =
      makeScript("worker", "case $2 in\n"
                           "wrong) echo 'mca-lsp: k: left out' >&2; echo 'mca-lsp: error: /p: no' >&2; exit 2 ;;\n"
                           "slow) echo started > started; sleep 100 ;;\n"
                           "esac\n"
                           "read line && exit 3\n"
                           "echo \"mca-lsp: $*\" >&2\n"
                           "echo /out.mcatrace\n");
  return options;
}

class ServerImport : public ServerScriptTest {
protected:
  explicit ServerImport(ServerOptions options = withScript()) : ServerScriptTest(std::move(options)) {
    initialize({{"window", {{"workDoneProgress", true}}}});
  }

  static Json arguments(const std::string &kind) {
    return {{"kind", kind}, {"file", "/log"}, {"program", "/p"}, {"assembly", "/k.s"}};
  }
  int import(const Json &arguments) { return command("mca.importTrace", arguments); }
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

TEST_F(ServerImport, AnswersWithTheProfile) {
  const int id =
      command("mca.importProfile", {{"kind", "perf"}, {"file", "/perf"}, {"programs", {"/a", "/b"}}, {"output", "/o"}});
  awaitAnswer(id);
  EXPECT_EQ(result(id),
            Json::parse(R"({"output": "/out.mcatrace", "notes": ["--import-profile perf /perf --program /a )"
                        R"(--program /b --output /o"]})"));
  EXPECT_EQ(error(command("mca.importProfile", {{"kind", "perf"}, {"file", "/perf"}})),
            static_cast<int>(protocol::ErrorCode::InvalidParams))
      << "there is no folder to put it into";
  EXPECT_EQ(
      error(command("mca.importProfile", {{"kind", "perf"}, {"file", "/perf"}, {"programs", {"a"}}, {"output", "/o"}})),
      static_cast<int>(protocol::ErrorCode::InvalidParams));
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
  await([] { return exists("started"); });
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
          options.programs.worker = "/nothing/here";
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
