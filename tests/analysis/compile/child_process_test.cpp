// Each way in which a child can end, and that nothing of it is left afterwards.
#include "analysis/process/child_process.h"
#include "analysis/process/file_descriptor.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace analysis {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

ChildCommand shell(const std::string &script) {
  return {"/", {"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin", "ODD=a b"}};
}

/// Running or a zombie of ours; one that waits for its new parent to collect it has ended.
bool isAlive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  return !text.empty() && text.substr(text.rfind(')')).substr(2, 1) != "Z";
}

bool diesSoon(pid_t pid) {
  for (int i = 0; i < 200 && isAlive(pid); ++i)
    std::this_thread::sleep_for(5ms);
  return !isAlive(pid);
}

/// A process whose parent is this one; 0 when there is none.
pid_t childOf(pid_t parent) {
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string stat, state;
    pid_t itsParent = 0;
    if (std::getline(file, stat) && std::istringstream(stat.substr(stat.rfind(')') + 1)) >> state >> itsParent)
      if (itsParent == parent)
        return std::stoi(entry.path().filename());
  }
  return 0;
}

bool hasChildren() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

TEST(ChildProcess, GivesBothStreamsAndTheStatus) {
  const ChildResult result = runChild(shell("echo out; echo err >&2; cat; exit 3"), {}, {});
  EXPECT_EQ(result.end, ChildResult::End::Exited);
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, RunsInItsFolderWithItsEnvironment) {
  ChildCommand command = shell("pwd; echo $ODD; echo $HOME");
  command.directory = "/usr";
  EXPECT_EQ(runChild(command, {}, {}).output, "/usr\na b\n\n");
}

TEST(ChildProcess, ReadsBothStreamsAtOnce) {
  const ChildLimits limits{.errorBytes = 1u << 20};
  const ChildResult result =
      runChild(shell("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero; head -c 9 /dev/zero >&2"), limits, {});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), 3'000'000u);
  EXPECT_EQ(result.errors.size(), limits.errorBytes);
}

TEST(ChildProcess, ReportsASignal) {
  const ChildResult result = runChild(shell("kill -SEGV $$"), {}, {});
  EXPECT_EQ(result.end, ChildResult::End::Signalled);
  EXPECT_EQ(result.status, SIGSEGV);
}

TEST(ChildProcess, ReportsAMissingProgramAndAMissingFolder) {
  const ChildResult noProgram = runChild({"/", {"/nowhere/clang"}, {}}, {}, {});
  EXPECT_EQ(noProgram.end, ChildResult::End::NoProgram);
  EXPECT_EQ(noProgram.status, ENOENT);
  const ChildResult noFolder = runChild({"/nowhere", {"/bin/true"}, {}}, {}, {});
  EXPECT_EQ(noFolder.end, ChildResult::End::NoDirectory);
  EXPECT_EQ(noFolder.status, ENOENT);
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, CanWriteNoFile) {
  const TempFolder folder;
  ChildCommand command = shell("echo secret > file; echo $?");
  command.directory = folder.path();
  (void)runChild(command, {}, {});
  for (const auto &[name, size] : folder.contents())
    EXPECT_EQ(size, 0u) << name;
}

TEST(ChildProcess, InheritsNoOpenFile) {
  const int leaked = open("/dev/null", O_RDONLY);
  EXPECT_EQ(runChild(shell("cd /proc/self/fd && echo *"), {}, {}).output, "0 1 2 3\n"); // 3 is the folder itself
  close(leaked);
}

TEST(ChildProcess, ProcessorTimeIsThatOfTheWholeGroup) {
  ChildLimits limits;
  limits.time = 300ms;
  // What uses it up is neither the program itself nor one that it has waited for.
  const ChildResult result = runChild(shell("sh -c 'echo $$; while :; do :; done' & wait"), limits, {});
  EXPECT_EQ(result.end, ChildResult::End::TimeLimit);
  EXPECT_TRUE(diesSoon(std::stoi(result.output)));
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, ByTheClockItMayTakeLongerThanItsLimit) {
  ChildLimits limits;
  limits.time = 500ms;
  const auto begin = Clock::now();
  const ChildResult result = runChild(shell("for i in 1 2 3 4 5 6 7 8; do sleep 0.2; perl -e 'do { @used = times } "
                                            "while $used[0] + $used[1] < 0.03'; done"),
                                      limits, {});
  EXPECT_EQ(result.end, ChildResult::End::Exited);
  EXPECT_GT(Clock::now() - begin, 3 * limits.time);
  EXPECT_GT(result.processorTime, 0ms);
  EXPECT_LT(result.processorTime, limits.time);
}

TEST(ChildProcess, MemoryIsThatOfTheWholeGroup) {
  ChildLimits limits;
  limits.memoryBytes = 100u << 20;
  const std::string less = "perl -e '$a = \"x\"; $a x= (40 << 20); sleep 60' & ";
  const ChildResult result = runChild(shell(less + less + less + "wait"), limits, {});
  EXPECT_EQ(result.end, ChildResult::End::MemoryLimit) << "none of them uses as much";
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, ItsProcessesAreCounted) {
  ChildLimits limits;
  limits.processes = 10;
  const ChildResult result = runChild(shell("for i in 1 2 3 4 5 6 7 8 9 10; do sleep 60 & done; wait"), limits, {});
  EXPECT_EQ(result.end, ChildResult::End::ProcessLimit);
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, WaitingForAFifoOrADeviceEndsIt) {
  const TempFolder folder;
  const std::string fifo = folder.path() + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string &script : {"cat " + fifo, "cd " + folder.path() + "; cat fifo; :"}) {
    const ChildResult result = runChild(shell(script), {}, {});
    EXPECT_EQ(result.end, ChildResult::End::WaitedForFile);
    EXPECT_EQ(result.waitedFor.substr(result.waitedFor.rfind('/') + 1), "fifo");
  }
  // Nobody writes to it, but it can be opened.
  const FileDescriptor writer(open(fifo.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(runChild(shell("cat " + fifo), {}, {}).waitedFor, fifo);
  EXPECT_EQ(runChild(shell("sleep 2; echo x | (sleep 2; cat)"), {}, {}).output, "x\n") << "a pipe without a name";
}

TEST(ChildProcess, WhatSleepsForEverIsKilledWithItsGroup) {
  ChildLimits limits;
  limits.time = 300ms;
  const auto begin = Clock::now();
  const ChildResult result = runChild(shell("sleep 100 & echo $!; sleep 100"), limits, {});
  EXPECT_EQ(result.end, ChildResult::End::IdleLimit);
  EXPECT_LT(Clock::now() - begin, 3s);
  EXPECT_TRUE(diesSoon(std::stoi(result.output)));
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, TheOutputLimitKillsIt) {
  ChildLimits limits;
  limits.outputBytes = 1 << 20;
  const ChildResult result = runChild(shell("exec cat /dev/zero"), limits, {});
  EXPECT_EQ(result.end, ChildResult::End::OutputLimit);
  EXPECT_LE(result.output.size(), limits.outputBytes + (1 << 16));
}

TEST(ChildProcess, TheMemoryLimitHolds) {
  ChildLimits limits;
  limits.memoryBytes = 64 << 20;
  const ChildResult result = runChild(shell("head -c 200000000 /dev/zero | tail -n 1 | wc -c"), limits, {});
  EXPECT_NE(result.errors, "");
}

TEST(ChildProcess, AStopKillsTheWholeGroup) {
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(200ms);
    stop.request_stop();
  });
  const auto begin = Clock::now();
  const ChildResult result = runChild(shell("sleep 100 & echo $!; sleep 100"), {}, stop.get_token());
  EXPECT_EQ(result.end, ChildResult::End::Stopped);
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_TRUE(diesSoon(std::stoi(result.output)));
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, AStopBeforeTheStartIsSeen) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(runChild(shell("sleep 100"), {}, stop.get_token()).end, ChildResult::End::Stopped);
}

TEST(ChildProcess, DoesNotWaitForWhatItLeftBehind) {
  const auto begin = Clock::now();
  const ChildResult result = runChild(shell("echo done; setsid sleep 100 & exit 0"), {}, {});
  EXPECT_EQ(result.end, ChildResult::End::Exited);
  EXPECT_EQ(result.output, "done\n");
  EXPECT_LT(Clock::now() - begin, 3s);
}

TEST(ChildProcess, DoesNotOutliveTheThreadThatStartedIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    (void)runChild(shell("echo $$ >&2; exec sleep 100"), {}, {});
    _exit(0);
  }
  // Its only child, found while both live.
  pid_t child = 0;
  for (int i = 0; i < 200 && child == 0; ++i) {
    std::this_thread::sleep_for(5ms);
    child = childOf(parent);
  }
  ASSERT_NE(child, 0);
  kill(parent, SIGKILL);
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(diesSoon(child));
  close(ends[0]);
  close(ends[1]);
}

} // namespace
} // namespace analysis
