#include "analysis/profile/perf_command.h"

#include "analysis/process/process.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace analysis {
namespace {

int waitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Waits until a process has ended, and measures the clock meanwhile; after `seconds`, if they are not 0, it is
/// interrupted as by Ctrl+C, and perf ends its command and the recording.
int waitOrInterrupt(pid_t pid, unsigned seconds, CoreClock &clock) {
  using Clock = std::chrono::steady_clock;
  constexpr int kWaitsOfSample = 12; // so that measuring takes less than a hundredth of the time
  const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  for (int waits = 0; !hasEnded(pid); ++waits) {
    if (seconds != 0 && Clock::now() >= end) {
      kill(pid, SIGINT);
      break;
    }
    if (waits % kWaitsOfSample == 0)
      clock.sample();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return waitFor(pid);
}

} // namespace

PerfCommand::~PerfCommand() {
  if (pid_ > 0) {
    killGroup(pid_);
    waitFor(pid_);
  }
  if (!folder_.empty())
    static_cast<void>(llvm::sys::fs::remove_directories(folder_)); // nothing could be done about a failure
}

std::string PerfCommand::record(const std::vector<std::string> &command, unsigned seconds, bool keepsOutput,
                                const ImportMessages &note) {
  const auto perf = llvm::sys::findProgramByName("perf");
  if (!perf)
    return "perf is not installed; it is in the package linux-perf, linux-tools-common or perf of most distributions";
  perf_ = *perf;
  const auto program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return command.front() + ": " + program.getError().message();
  if (access(program->c_str(), X_OK) != 0)
    return *program + ": " + std::strerror(errno);
  llvm::SmallString<128> folder;
  if (const std::error_code error = llvm::sys::fs::createUniqueDirectory("mca-profile", folder))
    return "cannot make a temporary folder: " + error.message();
  folder_ = folder.str().str();
  const std::string data = folder_ + "/perf.data";
  ProcessStart start;
  start.arguments = {perf_, "record", "--quiet", "-o", data, "--", *program};
  start.arguments.insert(start.arguments.end(), command.begin() + 1, command.end());
  start.output = keepsOutput ? 2 : 1;
  const FileDescriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (isatty(STDIN_FILENO) && nothing.open()) // a group in the background must not read it
    start.input = nothing.get();
  const StartedProcess started = startProcess(start);
  if (started.pid < 0)
    return perf_ + ": " + std::strerror(started.error);
  const int status = waitOrInterrupt(started.pid, seconds, clock_);
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(data, size) || size == 0)
    return "perf wrote no recording; if it is not allowed to, set /proc/sys/kernel/perf_event_paranoid to 2 or less";
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && seconds == 0)
    note("the command ended with status " + std::to_string(WEXITSTATUS(status)));
  return {};
}

std::string PerfCommand::startScript() {
  std::optional<Pipe> pipe = makePipe();
  const FileDescriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!pipe || !nothing.open())
    return std::strerror(errno);
  ProcessStart start;
  start.arguments = {
      perf_, "script", "-i", folder_ + "/perf.data", "--no-demangle", "-F", "comm,ip,sym,symoff,dso,event,period"};
  start.input = start.errors = nothing.get();
  start.output = pipe->write.get();
  const StartedProcess started = startProcess(start);
  if (started.pid < 0)
    return perf_ + ": " + std::strerror(started.error);
  pid_ = started.pid;
  output_ = std::move(pipe->read);
  return {};
}

} // namespace analysis
