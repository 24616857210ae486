// POSIX and Linux calls rather than Boost.Process: between fork and exec the child sets limits, its parent-death signal
// and its process group, and the parent reads two pipes under a time limit, an output limit and a stop request. All of
// that would be custom launchers and handlers there; here it is one function on each side.
//
// This is the one file of the compile layer that is particular to a system.
#include "analysis/common/child_process.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace analysis {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a process that has closed its output, or left it to a child, goes unnoticed.
constexpr std::chrono::milliseconds kPollPeriod{100};
/// How long to wait at a time for a process that has closed its output to end.
constexpr std::chrono::milliseconds kExitPollPeriod{1};

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

struct Pipe {
  FileDescriptor read, write;
};

std::optional<Pipe> makePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// What the child says through its status pipe when it could not become the program.
struct StartFailure {
  ChildResult::End end;
  int error;
};

/// Everything that the child needs, laid out before the fork: after it only async-signal-safe calls are allowed.
struct ChildPlan {
  const char *directory;
  std::vector<char *> argv, envp;
  int input, output, errors, status;
  pid_t parent;
  rlim_t memoryBytes, fileBytes;
};

/// Lowers a limit for good; the parent's own hard limit stays the bound.
void setLimit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(value, limit.rlim_max);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(resource, &limit);
}

void restoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  // A write beyond RLIMIT_FSIZE shall fail rather than kill.
  ::signal(SIGXFSZ, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void becomeProgram(const ChildPlan &plan) {
  const auto giveUp = [&](ChildResult::End end) {
    const StartFailure failure{end, errno};
    [[maybe_unused]] const ssize_t written = write(plan.status, &failure, sizeof failure);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent)
    _exit(127);
  restoreSignals();
  setLimit(RLIMIT_FSIZE, plan.fileBytes);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_DATA, plan.memoryBytes);
  if (dup2(plan.input, 0) < 0 || dup2(plan.output, 1) < 0 || dup2(plan.errors, 2) < 0)
    giveUp(ChildResult::End::NotStarted);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  if (chdir(plan.directory) != 0)
    giveUp(ChildResult::End::NoDirectory);
  execve(plan.argv[0], plan.argv.data(), plan.envp.data());
  giveUp(ChildResult::End::NoProgram);
  __builtin_unreachable();
}

std::vector<char *> pointersTo(const std::vector<std::string> &strings) {
  std::vector<char *> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string &string : strings)
    pointers.push_back(const_cast<char *>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::chrono::milliseconds toMilliseconds(const timeval &time) {
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
}

/// The processor time of one process, and of those that it has waited for, if it is in the group; in clock ticks.
/// `stat`: what /proc says of it, "pid (name) state parent group …", where the name may hold anything.
uint64_t ticksInGroup(std::string_view stat, pid_t group) {
  constexpr size_t kGroup = 2, kUserTime = 11, kFields = 15; // counted from the state
  std::array<int64_t, kFields> fields{};
  const size_t name = stat.rfind(')');
  const char *at = stat.data() + std::min(name == std::string_view::npos ? stat.size() : name + 4, stat.size());
  const char *const end = stat.data() + stat.size();
  for (size_t i = 1; i < kFields; ++i) {
    const auto [stopped, error] = std::from_chars(at, end, fields[i]);
    if (error != std::errc())
      return 0;
    at = std::min(stopped + 1, end);
  }
  if (fields[kGroup] != group)
    return 0;
  return static_cast<uint64_t>(fields[kUserTime] + fields[kUserTime + 1] + fields[kUserTime + 2] +
                               fields[kUserTime + 3]);
}

/// The processor time of a process group, of its members' children that have ended, too.
std::chrono::milliseconds processorTimeOf(pid_t group) {
  uint64_t ticks = 0;
  std::error_code error;
  std::string stat;
  for (std::filesystem::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error))
    if (const char first = it->path().filename().native().front(); first >= '0' && first <= '9')
      if (std::ifstream file(it->path() / "stat"); std::getline(file, stat))
        ticks += ticksInGroup(stat, group);
  return std::chrono::milliseconds(ticks * 1000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

/// A started child: its process group lives until reap() has collected it.
class Child {
public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  ~Child() {
    kill();
    reap();
  }

  void kill() const {
    if (pid_ > 0)
      ::kill(-pid_, SIGKILL);
  }

  /// Whether it has ended. It stays a zombie, so that its number cannot go to another process.
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  }

  /// Waits for its end; its status as waitpid() gives it, and what it used.
  int reap(rusage *usage = nullptr) {
    int status = 0;
    if (const pid_t pid = std::exchange(pid_, -1); pid > 0)
      while (wait4(pid, &status, 0, usage) < 0 && errno == EINTR) {
      }
    return status;
  }

  /// The processor time of its group.
  std::chrono::milliseconds processorTime() const { return processorTimeOf(pid_); }

private:
  pid_t pid_;
};

/// Appends what can be read. Closes the descriptor at its end.
void readSome(FileDescriptor &from, std::string &to) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0)
    to.append(buffer.data(), static_cast<size_t>(count));
  else if (count == 0 || errno != EINTR)
    from.close();
}

/// The end that a limit of time decides on.
std::optional<ChildResult::End> endedByTime(const Child &child, wire::TimeLimit &limit) {
  const Clock::time_point now = Clock::now();
  if (now < limit.nextCheck())
    return std::nullopt;
  switch (limit.check(now, child.processorTime())) {
  case wire::TimeLimit::Reached::No:
    return std::nullopt;
  case wire::TimeLimit::Reached::ProcessorTime:
    return ChildResult::End::TimeLimit;
  case wire::TimeLimit::Reached::Idle:
    return ChildResult::End::IdleLimit;
  }
  return std::nullopt;
}

/// Reads both pipes until the child is done with them. The end that it decides on, or none when the child ended by
/// itself.
std::optional<ChildResult::End> collect(const Child &child, FileDescriptor &output, FileDescriptor &errors,
                                        const ChildLimits &limits, const std::stop_token &stop, ChildResult &result) {
  wire::TimeLimit timeLimit(limits.time, Clock::now(), std::chrono::milliseconds(0));
  while (true) {
    if (stop.stop_requested())
      return ChildResult::End::Stopped;
    if (const std::optional<ChildResult::End> end = endedByTime(child, timeLimit))
      return end;
    if (result.output.size() > limits.outputBytes)
      return ChildResult::End::OutputLimit;
    // Asked before the pipes are: what it wrote before its end is then read. What keeps them open after that is a
    // process that it left behind.
    const bool ended = child.ended();
    const auto period = output.open() || errors.open() ? kPollPeriod : kExitPollPeriod;
    std::array<pollfd, 2> watched{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
    const int ready = poll(watched.data(), watched.size(), ended ? 0 : static_cast<int>(period.count()));
    if (ready == 0 && ended)
      return std::nullopt;
    if (ready > 0 && watched[0].revents)
      readSome(output, result.output);
    if (ready > 0 && watched[1].revents) {
      readSome(errors, result.errors);
      result.errors.resize(std::min<size_t>(result.errors.size(), limits.errorBytes));
    }
  }
}

/// Waits until the child has become the program; its own words if it could not.
std::optional<StartFailure> awaitStart(FileDescriptor &status) {
  StartFailure failure{};
  ssize_t count = 0;
  while ((count = read(status.get(), &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  return count == sizeof failure ? std::optional(failure) : std::nullopt;
}

} // namespace

struct StartedChild::Running {
  Child child;
  FileDescriptor input, output, errors;
};

StartedChild::StartedChild(const ChildCommand &command, const ChildLimits &limits) {
  std::optional<Pipe> input = makePipe(), output = makePipe(), errors = makePipe(), status = makePipe();
  if (!input || !output || !errors || !status) {
    failure_.status = errno;
    return;
  }
  const ChildPlan plan{command.directory.c_str(),
                       pointersTo(command.arguments),
                       pointersTo(command.environment),
                       input->read.get(),
                       output->write.get(),
                       errors->write.get(),
                       status->write.get(),
                       getpid(),
                       limits.memoryBytes,
                       limits.fileBytes};
  const pid_t pid = fork();
  if (pid == 0)
    becomeProgram(plan);
  if (pid < 0) {
    failure_.status = errno;
    return;
  }
  setpgid(pid, pid); // also by the child; whoever comes first
  std::unique_ptr<Running> running(
      new Running{Child(pid), std::move(input->write), std::move(output->read), std::move(errors->read)});
  output->write.close();
  errors->write.close();
  status->write.close();
  if (const std::optional<StartFailure> failure = awaitStart(status->read)) {
    failure_.end = failure->end;
    failure_.status = failure->error;
    return;
  }
  running_ = std::move(running);
}

StartedChild::StartedChild(StartedChild &&) noexcept = default;
StartedChild &StartedChild::operator=(StartedChild &&) noexcept = default;
StartedChild::~StartedChild() = default;

bool StartedChild::waits() const {
  return running_ && !running_->child.ended();
}

ChildResult StartedChild::finish(std::string_view input, const ChildLimits &limits, const std::stop_token &stop) {
  assert(input.size() <= kMostInput);
  if (!running_)
    return failure_;
  const std::unique_ptr<Running> running = std::move(running_);
  ChildResult result;
  std::optional<ChildResult::End> end;
  {
    // Killed by the thread that asks, so that nothing of it is left when that thread goes on to end the process.
    const std::stop_callback killOnStop(stop, [&] { running->child.kill(); });
    // One that reads no input ends without it; its status says how.
    if (!input.empty()) [[maybe_unused]]
      const ssize_t written = write(running->input.get(), input.data(), input.size());
    running->input.close();
    end = collect(running->child, running->output, running->errors, limits, stop, result);
  }
  running->child.kill();
  rusage usage{};
  const int waitStatus = running->child.reap(&usage);
  result.processorTime = toMilliseconds(usage.ru_utime) + toMilliseconds(usage.ru_stime);
  result.end = end.value_or(WIFSIGNALED(waitStatus) ? ChildResult::End::Signalled : ChildResult::End::Exited);
  result.status = WIFSIGNALED(waitStatus) ? WTERMSIG(waitStatus) : WEXITSTATUS(waitStatus);
  return result;
}

ChildResult runChild(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop) {
  return StartedChild(command, limits).finish("", limits, stop);
}

} // namespace analysis
