// Real processes that crash, hang and lie.
#include "lsp/jobs/worker_supervisor.h"

#include "analysis/process/confinement.h"
#include "analysis/process/exit_status.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace lsp {
namespace {

using analysis::wire::AnalysisResult;
using analysis::wire::Progress;
using analysis::wire::Status;
using std::chrono::milliseconds;

constexpr milliseconds kLong{30000};

/// What makes the fake worker end so.
std::string exitWith(analysis::WorkerExit status) {
  return "exit " + std::to_string(status) + "\n";
}

class WorkerSupervisorTest : public testing::Test {
protected:
  WorkerSupervisor &supervise(WorkerOptions options = {}) {
    if (options.program.empty())
      options.program = MCA_FAKE_WORKER;
    supervisor_.emplace(io, options);
    return *supervisor_;
  }

  void start(const std::string &text) {
    outcome.reset();
    request_.text = text;
    supervisor_->start(
        request_, [this](const Progress &seen) { progress.push_back(seen.what); },
        [this](JobOutcome end) { outcome = std::move(end); });
    ASSERT_FALSE(outcome) << "the end comes later";
  }

  void runUntil(const std::function<bool()> &reached) {
    const auto deadline = std::chrono::steady_clock::now() + kLong;
    while (!reached() && std::chrono::steady_clock::now() < deadline) {
      io.run_one_for(milliseconds(50));
      io.restart();
    }
    ASSERT_TRUE(reached());
  }

  template <class Outcome>
  Outcome end() {
    runUntil([this] { return outcome.has_value(); });
    const Outcome *end = outcome ? std::get_if<Outcome>(&*outcome) : nullptr;
    EXPECT_TRUE(end);
    return end ? *end : Outcome{};
  }

  template <class Outcome>
  Outcome run(const std::string &text) {
    start(text);
    return end<Outcome>();
  }

  boost::asio::io_context io;
  std::vector<std::string> progress;
  std::optional<JobOutcome> outcome;
  std::optional<WorkerSupervisor> supervisor_;
  analysis::wire::AnalyzeRequest request_; ///< of the next start
};

/// A path for a file of one test.
std::string scratch(const char *name) {
  std::string path = testing::TempDir() + "mca-lsp-" + std::to_string(getpid()) + "-" + name;
  std::remove(path.c_str());
  return path;
}

/// The TMPDIR that a process was started with.
std::filesystem::path temporaryFolderOf(int pid) {
  std::ifstream environment("/proc/" + std::to_string(pid) + "/environ");
  for (std::string variable; std::getline(environment, variable, '\0');)
    if (variable.starts_with("TMPDIR="))
      return variable.substr(strlen("TMPDIR="));
  return "";
}

bool runs(int pid) {
  return kill(pid, 0) == 0;
}

/// Waits for the end of a child, which the supervisor still has to see.
void awaitEnd(int pid) {
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
}

TEST_F(WorkerSupervisorTest, RunsJobsInOneProcess) {
  const WorkerSupervisor &supervisor = supervise();
  EXPECT_EQ(supervisor.workerPid(), 0) << "nothing is started before it is needed";
  const auto first = run<AnalysisResult>("step one\nhint IPC\n");
  EXPECT_EQ(first.regions.at(0).name, "IPC");
  EXPECT_EQ(progress, std::vector<std::string>{"one"});
  const int pid = supervisor.workerPid();
  EXPECT_EQ(run<AnalysisResult>("hint again\n").regions.at(0).name, "again");
  EXPECT_EQ(supervisor.workerPid(), pid);
}

TEST_F(WorkerSupervisorTest, LargeTextsGoThrough) {
  supervise();
  EXPECT_EQ(run<AnalysisResult>(std::string(20u << 20, 'x') + "\nhint IPC").regions.size(), 1u);
}

TEST_F(WorkerSupervisorTest, ACrashTellsTheLastPlace) {
  supervise();
  const auto death = run<WorkerDeath>("step one\nstep two\ncrash\n");
  EXPECT_EQ(death.cause, WorkerDeath::Cause::Crashed);
  EXPECT_EQ(death.how, "signal 9 (Killed)");
  ASSERT_TRUE(death.last);
  EXPECT_EQ(death.last->what, "two");
  EXPECT_EQ(death.last->at, (analysis::wire::ByteRange{9, 17}));
  EXPECT_EQ(run<AnalysisResult>("hint after\n").regions.size(), 1u);
}

TEST_F(WorkerSupervisorTest, ExitsAreDeaths) {
  supervise();
  EXPECT_EQ(run<WorkerDeath>("exit 0\n").how, "exit status 0");
  EXPECT_EQ(run<WorkerDeath>("step one\n" + exitWith(analysis::kExitNotLoaded)).cause, WorkerDeath::Cause::Crashed);
  const WorkerDeath first = run<WorkerDeath>(exitWith(analysis::kExitOutOfMemory));
  EXPECT_EQ(first.cause, WorkerDeath::Cause::OutOfMemory);
  EXPECT_EQ(first.how, "it needs more than 1024 MiB, the limit of --worker-memory-limit-mb");
  EXPECT_TRUE(first.wouldRepeat) << "no other job has used memory of this worker";
  EXPECT_EQ(run<WorkerDeath>("nonsense\n").how, "it sent what no worker sends");
}

TEST_F(WorkerSupervisorTest, AHangIsEndedAfterTheTimeout) {
  WorkerOptions options;
  options.jobTimeout = milliseconds(100);
  supervise(options);
  const auto death = run<WorkerDeath>("step one\ndeaf\n");
  EXPECT_EQ(death.cause, WorkerDeath::Cause::Idle);
  EXPECT_EQ(death.how,
            "it used less than 1 % of a processor for 100 ms, the limit of --job-timeout-ms, as if it waited "
            "for something that does not come");
  EXPECT_EQ(death.last->what, "one");
}

TEST_F(WorkerSupervisorTest, AJobIsEndedWhenItsProcessorTimeIsUsedUp) {
  WorkerOptions options;
  options.jobTimeout = milliseconds(100);
  supervise(options);
  const auto death = run<WorkerDeath>("step one\nspin\n");
  EXPECT_EQ(death.cause, WorkerDeath::Cause::TimedOut);
  EXPECT_EQ(death.how, "it used 100 ms of processor time, the limit of --job-timeout-ms");
}

TEST_F(WorkerSupervisorTest, WhatTheCompilerTakesIsNotTheJobs) {
  WorkerOptions options;
  options.jobTimeout = milliseconds(100);
  supervise(options);
  EXPECT_EQ(run<AnalysisResult>("compile\nsleep 700\nhint IPC\n").regions.size(), 1u);
}

TEST_F(WorkerSupervisorTest, ACancelledJobEndsByItself) {
  WorkerOptions options;
  options.cancelGrace = kLong;
  WorkerSupervisor &supervisor = supervise(options);
  start("step one\nhang\n");
  runUntil([this] { return progress.size() == 1; });
  const int pid = supervisor.workerPid();
  supervisor.cancel();
  EXPECT_EQ(end<AnalysisResult>().status, Status::Cancelled);
  EXPECT_EQ(supervisor.workerPid(), pid) << "it is still good";
}

TEST_F(WorkerSupervisorTest, ADeafWorkerIsKilledAfterTheGrace) {
  WorkerOptions options;
  options.cancelGrace = milliseconds(50);
  WorkerSupervisor &supervisor = supervise(options);
  start("step one\ndeaf\n");
  runUntil([this] { return progress.size() == 1; });
  const int pid = supervisor.workerPid();
  supervisor.cancel();
  EXPECT_EQ(end<AnalysisResult>().status, Status::Cancelled);
  EXPECT_FALSE(runs(pid));
  EXPECT_EQ(run<AnalysisResult>("hint after\n").regions.size(), 1u);
}

TEST_F(WorkerSupervisorTest, AKillInTheMiddleOfAJobIsADeath) {
  const WorkerSupervisor &supervisor = supervise();
  start("step one\ndeaf\n");
  runUntil([this] { return progress.size() == 1; });
  kill(supervisor.workerPid(), SIGKILL);
  EXPECT_EQ(end<WorkerDeath>().last->what, "one");
}

TEST_F(WorkerSupervisorTest, AnIdleWorkerThatDiesIsReplaced) {
  const WorkerSupervisor &supervisor = supervise();
  run<AnalysisResult>("hint one\n");
  const int pid = supervisor.workerPid();
  kill(pid, SIGKILL);
  runUntil([&] { return supervisor.workerPid() == 0; });
  EXPECT_EQ(run<AnalysisResult>("hint two\n").regions.size(), 1u);
  EXPECT_NE(supervisor.workerPid(), pid);
}

TEST_F(WorkerSupervisorTest, AJobThatFollowsTheLastResultOfADeadWorkerHasAnother) {
  WorkerSupervisor &supervisor = supervise();
  std::optional<JobOutcome> second;
  analysis::wire::AnalyzeRequest request;
  request.text = "hint first\nlast\n";
  supervisor.start(
      request, [](const Progress &) {},
      [&](JobOutcome end) {
        outcome = std::move(end);
        request.text = "hint second\n";
        supervisor.start(request, [](const Progress &) {}, [&](JobOutcome end) { second = std::move(end); });
      });
  awaitEnd(supervisor.workerPid());
  supervisor.listCpus("any", [](const std::optional<analysis::wire::CpusResult> &) {}); // sees the end
  runUntil([&] { return second.has_value(); });
  EXPECT_TRUE(std::holds_alternative<AnalysisResult>(*outcome));
  const auto *result = std::get_if<AnalysisResult>(&*second);
  ASSERT_TRUE(result) << "it is not to blame for the worker's end";
  EXPECT_EQ(result->regions.at(0).name, "second");
}

TEST_F(WorkerSupervisorTest, AJobThatAUsedWorkerNeverBeganIsSentToAnother) {
  const WorkerSupervisor &supervisor = supervise();
  run<AnalysisResult>("hint one\n");
  const int pid = supervisor.workerPid();
  kill(pid, SIGSTOP);
  start("step begun\nhint two\n");
  kill(pid, SIGKILL);
  EXPECT_EQ(end<AnalysisResult>().regions.at(0).name, "two");
  EXPECT_EQ(progress, std::vector<std::string>{"begun"});
  EXPECT_NE(supervisor.workerPid(), pid);
}

TEST_F(WorkerSupervisorTest, AJobThatKillsWithoutAWordIsToBlameForANewWorker) {
  supervise();
  run<AnalysisResult>("hint one\n");
  EXPECT_EQ(run<WorkerDeath>("crash\n").cause, WorkerDeath::Cause::Crashed);
}

TEST_F(WorkerSupervisorTest, ACancelledJobIsNotSentAgain) {
  WorkerSupervisor &supervisor = supervise();
  run<AnalysisResult>("hint one\n");
  const int pid = supervisor.workerPid();
  kill(pid, SIGSTOP);
  start("hint two\n");
  supervisor.cancel();
  kill(pid, SIGKILL);
  EXPECT_EQ(end<AnalysisResult>().status, Status::Cancelled);
  EXPECT_EQ(supervisor.workerPid(), 0);
}

TEST_F(WorkerSupervisorTest, WhatACallbackThrowsStopsNothing) {
  WorkerSupervisor &supervisor = supervise();
  analysis::wire::AnalyzeRequest request;
  request.text = "step one\nhint a\n";
  int thrown = 0;
  const auto bug = [&] {
    ++thrown;
    throw std::runtime_error("a bug");
  };
  supervisor.start(
      request, [&](const Progress &) { bug(); },
      [&](JobOutcome end) {
        outcome = std::move(end);
        bug();
      });
  const auto runThrough = [&](const std::function<bool()> &reached) {
    runUntil([&] {
      try {
        io.poll();
      } catch (const std::runtime_error &) {
      }
      return reached();
    });
  };
  runThrough([&] { return thrown == 2; });
  EXPECT_TRUE(std::holds_alternative<AnalysisResult>(*outcome));
  EXPECT_EQ(run<AnalysisResult>("hint b\n").regions.at(0).name, "b");
}

TEST_F(WorkerSupervisorTest, WhatAWorkerStartedDiesWithIt) {
  supervise({.sandbox = false}); // the fake worker writes a file here
  const std::string file = scratch("child");
  start("child " + file + "\nstep one\ncrash\n");
  end<WorkerDeath>();
  int child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  runUntil([child] { return !runs(child); });
}

TEST_F(WorkerSupervisorTest, AWorkerWritesInItsOwnFolderAlone) {
  if (analysis::confinementSupport().landlock == 0)
    GTEST_SKIP() << "this kernel has no Landlock";
  const std::string file = scratch("written");
  const auto triesToWrite = [&](analysis::wire::Settings settings) {
    std::filesystem::remove(file);
    request_.settings = std::move(settings);
    start("child " + file + "\nhint a\n");
    end<AnalysisResult>();
    return std::filesystem::exists(file);
  };
  supervise();
  EXPECT_FALSE(triesToWrite({}));
  const int confined = supervisor_->workerPid();
  EXPECT_TRUE(triesToWrite({.compiler = analysis::wire::kProjectsCompiler})) << "a trusted build's programs may write";
  EXPECT_NE(supervisor_->workerPid(), confined);
  EXPECT_FALSE(triesToWrite({}));
  supervise({.sandbox = false});
  EXPECT_TRUE(triesToWrite({}));
}

TEST_F(WorkerSupervisorTest, AWorkersTemporaryFolderGoesWithIt) {
  supervise();
  EXPECT_EQ(run<AnalysisResult>("hint a\n").status, Status::Finished);
  const std::filesystem::path folder = temporaryFolderOf(supervisor_->workerPid());
  EXPECT_TRUE(std::filesystem::is_directory(folder));
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  supervisor_->endProcess();
  EXPECT_FALSE(std::filesystem::exists(folder));

  EXPECT_EQ(run<AnalysisResult>("hint a\n").status, Status::Finished);
  const int pid = supervisor_->workerPid();
  std::filesystem::remove(temporaryFolderOf(pid));
  EXPECT_EQ(run<AnalysisResult>("hint a\n").status, Status::Finished);
  EXPECT_NE(supervisor_->workerPid(), pid) << "it could write nowhere";
}

/// The disk may have been full when it was started: what it cannot do now, the next one can.
TEST_F(WorkerSupervisorTest, AWorkerWithoutATemporaryFolderIsReplaced) {
  supervise();
  const std::filesystem::path usual = std::filesystem::temp_directory_path();
  ASSERT_EQ(setenv("TMPDIR", "/no/such/folder", 1), 0);
  EXPECT_EQ(run<AnalysisResult>("hint a\n").status, Status::Finished);
  const int pid = supervisor_->workerPid();
  ASSERT_EQ(setenv("TMPDIR", usual.c_str(), 1), 0);
  EXPECT_EQ(run<AnalysisResult>("hint a\n").status, Status::Finished);
  EXPECT_NE(supervisor_->workerPid(), pid);
  EXPECT_TRUE(std::filesystem::is_directory(temporaryFolderOf(supervisor_->workerPid())));
}

TEST_F(WorkerSupervisorTest, AMissingWorkerIsSaid) {
  WorkerOptions options;
  options.program = "/no/such/worker";
  supervise(options);
  EXPECT_EQ(run<WorkerUnavailable>("hint\n").why, "/no/such/worker: No such file or directory");
}

TEST_F(WorkerSupervisorTest, AWorkerThatCannotBeLoadedIsSaid) {
  supervise();
  EXPECT_NE(run<WorkerUnavailable>(exitWith(analysis::kExitNotLoaded)).why.find("cannot be loaded"), std::string::npos);
}

// ---- beside the jobs -----------------------------------------------------------------------------------------------

using analysis::wire::CpusResult;

TEST_F(WorkerSupervisorTest, ListsCpus) {
  WorkerSupervisor &supervisor = supervise();
  std::optional<std::optional<CpusResult>> listed;
  supervisor.listCpus("any", [&](std::optional<CpusResult> result) { listed = std::move(result); });
  runUntil([&] { return listed.has_value(); });
  ASSERT_TRUE(*listed);
  EXPECT_EQ((*listed)->cpus.at(0).name, "fake-cpu");
}

TEST_F(WorkerSupervisorTest, AWorkerThatDiesListsNone) {
  WorkerSupervisor &supervisor = supervise();
  std::optional<std::optional<CpusResult>> listed;
  start("deaf\n");
  supervisor.listCpus("any", [&](std::optional<CpusResult> result) { listed = std::move(result); });
  kill(supervisor.workerPid(), SIGKILL);
  runUntil([&] { return listed.has_value(); });
  EXPECT_FALSE(*listed);
  end<WorkerDeath>();
}

TEST_F(WorkerSupervisorTest, SaysWhetherAnIdleWorkerMayWorkToEachProcess) {
  const auto said = [&] { return run<AnalysisResult>("idle\n").notes; };
  WorkerSupervisor &supervisor = supervise();
  supervisor.allowIdleWork(false); // there is no process yet
  EXPECT_EQ(said(), std::vector<std::string>{"may not"});
  supervisor.allowIdleWork(true);
  EXPECT_EQ(said(), std::vector<std::string>{"may"});
  supervisor.allowIdleWork(false);
  supervisor.endProcess();
  EXPECT_EQ(said(), std::vector<std::string>{"may not"});
}

TEST_F(WorkerSupervisorTest, ARestartEndsACancelledJobAndTheNextHasAnotherProcess) {
  WorkerSupervisor &supervisor = supervise();
  supervisor.endProcess(); // nothing to end
  start("deaf\n");
  const int first = supervisor.workerPid();
  supervisor.cancel();
  supervisor.endProcess();
  EXPECT_FALSE(runs(first));
  EXPECT_EQ(end<AnalysisResult>().status, Status::Cancelled);
  EXPECT_EQ(run<AnalysisResult>("hint a\n").regions.size(), 1u);
  EXPECT_NE(supervisor.workerPid(), first);
}

} // namespace
} // namespace lsp
