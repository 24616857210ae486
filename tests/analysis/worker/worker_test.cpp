// The worker process from outside: what it answers, and how it ends.
#include "analysis/process/exit_status.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/analysis/worker/worker_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <random>
#include <sys/wait.h>
#include <thread>

namespace analysis {
namespace {

using namespace std::chrono_literals;
using wire::AnalysisResult;
using wire::AnalyzeRequest;
using wire::CancelRequest;
using wire::Status;

/// ThreadSanitizer alone makes a process sleep for a second before it ends.
#ifdef MCA_SANITIZED
constexpr auto kPromptly = 5s;
#else
constexpr auto kPromptly = 1s;
#endif

AnalyzeRequest request(uint64_t id, const std::string &text, const std::string &path = "/a.s") {
  AnalyzeRequest request;
  request.id = id;
  request.path = path;
  request.text = text;
  return request;
}

bool exitedWith(const std::optional<int> &status, WorkerExit code) {
  return status && WIFEXITED(*status) && WEXITSTATUS(*status) == code;
}

/// The first child of any of the process's threads; 0 when there is none within two seconds.
pid_t childOf(pid_t parent) {
  for (int i = 0; i < 400; ++i) {
    for (const auto &thread : std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task"))
      if (pid_t child = 0; std::ifstream(thread.path() / "children") >> child)
        return child;
    std::this_thread::sleep_for(5ms);
  }
  return 0;
}

bool isAlive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  return !text.empty() && text.substr(text.rfind(')')).substr(2, 1) != "Z";
}

bool diesWithin(pid_t pid, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (isAlive(pid) && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(2ms);
  return !isAlive(pid);
}

/// A folder with a file that keeps the compiler busy for minutes.
class SlowFile {
public:
  SlowFile() {
    folder_.write("compile_flags.txt", "-std=c++20\n-fconstexpr-steps=4294967295\n");
    text = "constexpr unsigned long spin() {\n"
           "  unsigned long sum = 0;\n"
           "  for (unsigned long i = 0; i < 4000000000; ++i) sum += i;\n"
           "  return sum;\n"
           "}\n"
           "static_assert(spin() != 1);\n";
    path = folder_.write("a.cpp", text);
  }

  AnalyzeRequest compileRequest(uint64_t id) const {
    AnalyzeRequest result = request(id, "compile", path);
    result.language = wire::Language::Cxx;
    return result;
  }

  std::string path, text;

private:
  TempFolder folder_;
};

TEST(Worker, AnswersInOrderWithOneAnalyzer) {
  WorkerProcess worker(FAKE_WORKER);
  for (uint64_t id = 1; id <= 100; ++id)
    worker.send(request(id, "echo \xff"));
  for (uint64_t id = 1; id <= 100; ++id) {
    const std::optional<wire::FromWorker> progress = worker.receive();
    ASSERT_TRUE(progress && std::holds_alternative<wire::Progress>(*progress));
    const std::optional<AnalysisResult> result = worker.receiveResult();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->id, id);
    EXPECT_EQ(result->status, Status::Finished);
    EXPECT_EQ(result->notes, (std::vector<std::string>{"echo \xff", std::to_string(id)}));
  }
}

TEST(Worker, ListsCpusAfterTheJobsBefore) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "echo"));
  worker.send(wire::CpusRequest{2, "any"});
  const std::optional<AnalysisResult> job = worker.receiveResult();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->id, 1u);
  const std::optional<wire::FromWorker> answer = worker.receive();
  ASSERT_TRUE(answer && std::holds_alternative<wire::CpusResult>(*answer));
  EXPECT_EQ(std::get<wire::CpusResult>(*answer).id, 2u);
  EXPECT_EQ(std::get<wire::CpusResult>(*answer).triple, "any");
}

TEST(Worker, CarriesALargeText) {
  WorkerProcess worker(FAKE_WORKER);
  const std::string text(100u << 20, 'x');
  worker.send(request(1, text));
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->notes[0], text);
}

TEST(Worker, ReadsCancellationsWhileItWorks) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "wait"));
  ASSERT_TRUE(worker.waitForProgress());
  worker.send(request(2, "wait"));
  worker.send(request(3, "echo"));
  worker.send(CancelRequest{99}); // nobody's
  worker.send(CancelRequest{2});  // before it starts
  worker.send(CancelRequest{1});
  for (const uint64_t id : {1u, 2u}) {
    const std::optional<AnalysisResult> result = worker.receiveResult();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->id, id);
    EXPECT_EQ(result->status, Status::Cancelled);
  }
  const std::optional<AnalysisResult> last = worker.receiveResult();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->status, Status::Finished);
  EXPECT_EQ(last->notes[1], "2"); // the second job never reached the analyzer
}

TEST(Worker, CancellationKillsTheCompiler) {
  const SlowFile file;
  WorkerProcess worker(FAKE_WORKER);
  worker.send(file.compileRequest(1));
  const pid_t compiler = childOf(worker.pid());
  ASSERT_NE(compiler, 0);
  worker.send(CancelRequest{1});
  EXPECT_TRUE(diesWithin(compiler, 1s));
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, Status::Cancelled);
}

TEST(Worker, TheEndOfTheServerEndsIt) {
  WorkerProcess idle(FAKE_WORKER);
  idle.hangUp();
  EXPECT_TRUE(exitedWith(idle.waitForEnd(), kExitServerGone));

  WorkerProcess busy(FAKE_WORKER);
  busy.send(request(1, "spin"));
  ASSERT_TRUE(busy.waitForProgress());
  busy.hangUp();
  EXPECT_TRUE(exitedWith(busy.waitForEnd(kPromptly), kExitServerGone));
}

TEST(Worker, TheEndOfTheServerKillsTheCompiler) {
  const SlowFile file;
  WorkerProcess worker(FAKE_WORKER);
  worker.send(file.compileRequest(1));
  const pid_t compiler = childOf(worker.pid());
  ASSERT_NE(compiler, 0);
  worker.hangUp();
  EXPECT_TRUE(exitedWith(worker.waitForEnd(kPromptly), kExitServerGone));
  EXPECT_TRUE(diesWithin(compiler, 1s));
}

TEST(Worker, TheCompilerDiesWithAWorkerThatIsKilled) {
  const SlowFile file;
  WorkerProcess worker(FAKE_WORKER);
  worker.send(file.compileRequest(1));
  const pid_t compiler = childOf(worker.pid());
  ASSERT_NE(compiler, 0);
  kill(worker.pid(), SIGKILL);
  EXPECT_TRUE(diesWithin(compiler, 1s));
}

TEST(Worker, AServerThatDoesNotReadCanStillHangUp) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "flood"));
  std::this_thread::sleep_for(200ms);
  worker.hangUp();
  EXPECT_TRUE(exitedWith(worker.waitForEnd(kPromptly), kExitServerGone));
}

TEST(Worker, GarbageEndsItWithAReason) {
  WorkerProcess noMessage(FAKE_WORKER);
  noMessage.sendBytes(std::string("\3\0\0\0abc", 7));
  EXPECT_TRUE(exitedWith(noMessage.waitForEnd(), kExitProtocol));
  EXPECT_NE(noMessage.errors().find("no message"), std::string::npos);

  WorkerProcess tooLong(FAKE_WORKER);
  tooLong.sendBytes("\xff\xff\xff\xff");
  EXPECT_TRUE(exitedWith(tooLong.waitForEnd(), kExitProtocol));
}

TEST(Worker, NoiseNeverCrashesIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    WorkerProcess worker(FAKE_WORKER);
    std::string noise(1 + random() % 4096, '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random());
    noise.replace(0, 4, std::string("\x40\0\0\0", 4), 0, round % 2 ? 4 : 0); // every second one is a whole frame
    worker.sendBytes(noise);
    worker.hangUp();
    const std::optional<int> status = worker.waitForEnd();
    EXPECT_TRUE(exitedWith(status, kExitServerGone) || exitedWith(status, kExitProtocol)) << *status;
  }
}

TEST(Worker, AFatalErrorOfLlvmIsTold) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "fatal"));
  EXPECT_TRUE(exitedWith(worker.waitForEnd(), kExitFatalError));
  EXPECT_NE(worker.errors().find("the reason"), std::string::npos);
}

#ifndef MCA_SANITIZED
TEST(Worker, WarningsOfLibrariesAreNotPrinted) {
  WorkerProcess worker(FAKE_WORKER);
  for (uint64_t id = 1; id <= 3; ++id)
    worker.send(request(id, id == 3 ? "fatal" : "warn"));
  EXPECT_TRUE(exitedWith(worker.waitForEnd(), kExitFatalError));
  EXPECT_EQ(worker.errors(), "mca-worker: LLVM: the reason\n");
}

#ifndef NDEBUG
TEST(Worker, AFailedAssertionIsPrinted) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "assert"));
  const std::optional<int> status = worker.waitForEnd();
  EXPECT_TRUE(status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGABRT);
  EXPECT_NE(worker.errors().find("Assertion `request.text.empty()' failed"), std::string::npos) << worker.errors();
}
#endif
#endif

TEST(Worker, ACrashIsACrash) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "crash"));
  const std::optional<int> status = worker.waitForEnd();
  EXPECT_TRUE(status && WIFSIGNALED(*status));
}

TEST(Worker, HasAStackForDeepParsers) {
  WorkerProcess worker(FAKE_WORKER);
  worker.send(request(1, "deep"));
  EXPECT_TRUE(worker.receiveResult().has_value());
  worker.send(request(2, "recurse"));
  EXPECT_FALSE(worker.receiveResult().has_value());
  EXPECT_TRUE(worker.waitForEnd().has_value());
}

#ifndef MCA_SANITIZED
TEST(Worker, TheMemoryLimitEndsItWithItsStatus) {
  WorkerProcess worker(FAKE_WORKER, {"--memory-limit-mb", "300"});
  worker.send(request(1, "echo"));
  EXPECT_TRUE(worker.receiveResult().has_value());
  worker.send(request(2, "allocate"));
  const std::optional<int> status = worker.waitForEnd();
  EXPECT_TRUE(exitedWith(status, kExitOutOfMemory));
  EXPECT_NE(worker.errors().find("out of memory"), std::string::npos);
}

TEST(Worker, TheMemoryLimitIsNotTheCompilers) {
  const TempFolder folder;
  AnalyzeRequest compile = request(1, "compile", folder.write("a.cpp", ""));
  compile.settings.compiler = folder.write("compiler", "#!/bin/sh\nulimit -d >&2\nexit 1\n");
  std::filesystem::permissions(compile.settings.compiler, std::filesystem::perms::all);
  WorkerProcess worker(FAKE_WORKER, {"--memory-limit-mb", "200"});
  worker.send(compile);
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->notes[0], "compiler exited with status 1: 1572864"); // KiB
}
#endif

TEST(Worker, WrongArgumentsAreExplained) {
  WorkerProcess odd(FAKE_WORKER, {"--odd", "1"});
  EXPECT_TRUE(exitedWith(odd.waitForEnd(), kExitUsage));
  EXPECT_NE(odd.errors().find("usage"), std::string::npos);
  WorkerProcess notANumber(FAKE_WORKER, {"--memory-limit-mb", "x"});
  EXPECT_TRUE(exitedWith(notANumber.waitForEnd(), kExitUsage));
  WorkerProcess notOpen(FAKE_WORKER, {"--fd", "77"});
  EXPECT_TRUE(exitedWith(notOpen.waitForEnd(), kExitUsage));
  WorkerProcess noValue(FAKE_WORKER, {"--fd"});
  EXPECT_TRUE(exitedWith(noValue.waitForEnd(), kExitUsage));
}

// ---- with the real Analyzer ----------------------------------------------------------------------------------------

TEST(RealWorker, AnalysesAssembly) {
  WorkerProcess worker(WORKER, {"--memory-limit-mb", "2048"});
  AnalyzeRequest analyze = request(1, ".loop:\n  addl %esi, %eax\n  decl %edi\n  jne .loop\n");
  analyze.settings.triple = "x86_64-unknown-linux-gnu";
  analyze.settings.cpu = "skylake";
  worker.send(analyze);
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result) << worker.errors();
  EXPECT_EQ(result->id, 1u);
  EXPECT_EQ(result->status, Status::Finished);
  ASSERT_EQ(result->regions.size(), 1u);
  ASSERT_EQ(result->simulations.size(), 1u);
  EXPECT_EQ(result->regions[0].simulation, result->simulations[0].id);
  EXPECT_EQ(result->simulations[0].instructions, 3u);
  EXPECT_GT(result->simulations[0].cycles, 0u);
}

TEST(RealWorker, LlvmsWarningsAreNotPrinted) {
  WorkerProcess worker(WORKER);
  AnalyzeRequest analyze = request(1, ".loop:\n  call f\n  decl %edi\n  jne .loop\n  ret\n");
  analyze.settings.triple = "x86_64-unknown-linux-gnu";
  analyze.settings.cpu = "skylake";
  worker.send(analyze);
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result) << worker.errors();
  EXPECT_EQ(result->regions.size(), 1u);
  EXPECT_EQ(worker.errors(), "");
}

TEST(RealWorker, CompilesAndCancels) {
  const SlowFile file;
  WorkerProcess worker(WORKER);
  AnalyzeRequest slow = file.compileRequest(1);
  slow.text = file.text;
  worker.send(slow);
  const pid_t compiler = childOf(worker.pid());
  ASSERT_NE(compiler, 0);
  worker.send(CancelRequest{1});
  const std::optional<AnalysisResult> result = worker.receiveResult();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, Status::Cancelled);
  EXPECT_TRUE(diesWithin(compiler, 1s));
}

/// A source whose headers take long to compile, and a temporary folder for the worker alone.
class SlowHeaders {
public:
  SlowHeaders() { setenv("TMPDIR", temporary_.path().c_str(), 1); }
  ~SlowHeaders() { unsetenv("TMPDIR"); }

  AnalyzeRequest compileRequest(uint64_t id) const {
    AnalyzeRequest result = request(id, text_, path_);
    result.language = wire::Language::Cxx;
    return result;
  }
  /// Whether a file of this name comes to be in a folder of the worker's. A file is written before the next is begun.
  bool appears(const std::string &name) const { return isOnce(name, true); }
  bool disappears(const std::string &name) const { return isOnce(name, false); }
  bool exists(const std::string &name) const {
    const std::filesystem::directory_iterator folders(temporary_.path());
    return std::any_of(begin(folders), end(folders),
                       [&](const auto &folder) { return std::filesystem::exists(folder.path() / name); });
  }

private:
  bool isOnce(const std::string &name, bool there) const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (exists(name) != there && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(5ms);
    return exists(name) == there;
  }

  TempFolder folder_, temporary_;
  std::string text_ = "#include <map>\n#include <regex>\n#include <thread>\n"
                      "int sum(const int *p, int n) {\n  int s = 0;\n"
                      "  for (int i = 0; i < n; ++i)\n    s += p[i];\n  return s;\n}\n";
  std::string path_ = folder_.write("a.cpp", text_);
};

TEST(RealWorker, CompilesHeadersWhileItIsIdle) {
  const SlowHeaders source;
  WorkerProcess worker(WORKER);
  worker.send(source.compileRequest(1));
  const std::optional<AnalysisResult> first = worker.receiveResult();
  ASSERT_TRUE(first) << worker.errors();
  ASSERT_FALSE(first->regions.empty());
  ASSERT_TRUE(source.appears("pch"));
  worker.send(source.compileRequest(2));
  const std::optional<AnalysisResult> second = worker.receiveResult();
  ASSERT_TRUE(second) << worker.errors();
  EXPECT_EQ(second->regions, first->regions);
}

TEST(RealWorker, ARequestDoesNotWaitForHeaders) {
  const SlowHeaders source;
  WorkerProcess worker(WORKER);
  worker.send(source.compileRequest(1));
  ASSERT_TRUE(worker.receiveResult());
  ASSERT_TRUE(source.appears("overlay.yaml"));
  AnalyzeRequest assembly = request(2, ".loop:\n  decl %edi\n  jne .loop\n");
  assembly.settings.triple = "x86_64-unknown-linux-gnu";
  assembly.settings.cpu = "skylake";
  worker.send(assembly);
  ASSERT_TRUE(worker.receiveResult());
  EXPECT_FALSE(source.exists("overlay.yaml"));
  EXPECT_TRUE(source.appears("pch")) << "the work goes on later";
}

TEST(RealWorker, CompilesNoHeadersUntilItMay) {
  const SlowHeaders source;
  WorkerProcess worker(WORKER);
  worker.send(source.compileRequest(1));
  ASSERT_TRUE(worker.receiveResult());
  ASSERT_TRUE(source.appears("overlay.yaml"));
  worker.send(wire::IdleWorkRequest{false});
  ASSERT_TRUE(source.disappears("overlay.yaml"));
  std::this_thread::sleep_for(2s); // twice what a worker waits for before it begins
  EXPECT_FALSE(source.exists("overlay.yaml"));
  worker.send(wire::IdleWorkRequest{true});
  EXPECT_TRUE(source.appears("pch"));
}

TEST(RealWorker, TheEndOfTheServerEndsTheCompilerOfHeaders) {
  const SlowHeaders source;
  WorkerProcess worker(WORKER);
  worker.send(source.compileRequest(1));
  ASSERT_TRUE(worker.receiveResult());
  ASSERT_TRUE(source.appears("overlay.yaml"));
  worker.hangUp();
  EXPECT_TRUE(exitedWith(worker.waitForEnd(kPromptly), kExitServerGone));
}

} // namespace
} // namespace analysis
