// POSIX and Linux calls rather than Boost.Process: the parent reads two pipes under a time limit, an output limit and a
// stop request, and counts the processor time of a whole process group.
#include "analysis/common/child_process.h"

#include "analysis/common/file_descriptor.h"
#include "analysis/common/process.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
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
      killGroup(pid_);
  }

  bool ended() const { return hasEnded(pid_); }

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

ChildResult::End endOf(StartedProcess::Failure failure) {
  switch (failure) {
  case StartedProcess::Failure::NoDirectory:
    return ChildResult::End::NoDirectory;
  case StartedProcess::Failure::NoProgram:
    return ChildResult::End::NoProgram;
  default:
    return ChildResult::End::NotStarted;
  }
}

} // namespace

struct StartedChild::Running {
  Child child;
  FileDescriptor input, output, errors;
};

StartedChild::StartedChild(const ChildCommand &command, const ChildLimits &limits) {
  std::optional<Pipe> input = makePipe(), output = makePipe(), errors = makePipe();
  if (!input || !output || !errors) {
    failure_.status = errno;
    return;
  }
  const StartedProcess started = startProcess({.arguments = command.arguments,
                                               .directory = command.directory,
                                               .environment = command.environment,
                                               .input = input->read.get(),
                                               .output = output->write.get(),
                                               .errors = errors->write.get(),
                                               .limits = ProcessLimits{limits.memoryBytes, limits.fileBytes}});
  if (started.failure != StartedProcess::Failure::None) {
    failure_.end = endOf(started.failure);
    failure_.status = started.error;
    return;
  }
  running_.reset(
      new Running{Child(started.pid), std::move(input->write), std::move(output->read), std::move(errors->read)});
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
