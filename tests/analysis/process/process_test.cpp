// What a started program inherits, and what becomes of one that cannot be started.
#include "analysis/process/file_descriptor.h"
#include "analysis/process/process.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <sys/wait.h>

namespace analysis {
namespace {

/// What a shell writes to its standard output.
std::string outputOf(const std::string &script, ProcessStart start = {}) {
  std::optional<Pipe> output = makePipe();
  start.arguments = {"/bin/sh", "-c", script};
  start.output = output->write.get();
  const StartedProcess started = startProcess(start);
  output->write.close();
  EXPECT_EQ(started.failure, StartedProcess::Failure::None);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = read(output->read.get(), buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<size_t>(count));
  waitpid(started.pid, nullptr, 0);
  return text;
}

TEST(Process, HasOurFolderAndEnvironmentUnlessItIsGivenOthers) {
  setenv("MCA_TEST_VARIABLE", "ours", 1);
  std::array<char, 4096> folder{};
  ASSERT_NE(getcwd(folder.data(), folder.size()), nullptr);
  EXPECT_EQ(outputOf("pwd -P; echo $MCA_TEST_VARIABLE"), std::string(folder.data()) + "\nours\n");
  EXPECT_EQ(outputOf("pwd; echo $MCA_TEST_VARIABLE",
                     {.directory = "/usr", .environment = std::vector<std::string>{"MCA_TEST_VARIABLE=given"}}),
            "/usr\ngiven\n");
}

TEST(Process, InheritsOneMoreDescriptorUnderItsNumber) {
  std::optional<Pipe> passed = makePipe(), kept = makePipe();
  const std::string number = std::to_string(passed->write.get());
  EXPECT_EQ(outputOf("[ -e /proc/self/fd/" + number + " ] && echo here; [ -e /proc/self/fd/" +
                         std::to_string(kept->write.get()) + " ] || echo not",
                     {.passed = passed->write.get()}),
            "here\nnot\n");
}

TEST(Process, EachSignalHasItsDefaultAction) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  EXPECT_EQ(outputOf("grep SigIgn /proc/$$/status"), "SigIgn:\t0000000000000000\n");
  EXPECT_EQ(outputOf("grep SigIgn /proc/$$/status", {.limits = ProcessLimits{1u << 30, 0}}),
            "SigIgn:\t0000000001000000\n")
      << "a write beyond the limit fails";
  std::signal(SIGHUP, before);
}

TEST(Process, LeadsAGroupOfItsOwn) {
  std::optional<Pipe> input = makePipe();
  const StartedProcess started = startProcess({.arguments = {"/bin/cat"}, .input = input->read.get()});
  ASSERT_GT(started.pid, 0);
  EXPECT_EQ(getpgid(started.pid), started.pid);
  EXPECT_FALSE(hasEnded(started.pid));
  killGroup(started.pid);
  int status = 0;
  EXPECT_EQ(waitpid(started.pid, &status, 0), started.pid);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(Process, OneThatCannotBeStartedLeavesNothingBehind) {
  const StartedProcess noProgram = startProcess({.arguments = {"/nowhere/program"}});
  EXPECT_EQ(noProgram.failure, StartedProcess::Failure::NoProgram);
  EXPECT_EQ(noProgram.error, ENOENT);
  EXPECT_EQ(noProgram.pid, -1);
  EXPECT_EQ(startProcess({.arguments = {"/bin/true"}, .directory = "/nowhere"}).failure,
            StartedProcess::Failure::NoDirectory);
  EXPECT_EQ(startProcess({.arguments = {"/bin/true"}, .input = -1}).failure, StartedProcess::Failure::NotStarted);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

} // namespace
} // namespace analysis
