// POSIX and Linux calls instead of Boost.Process: we read two pipes under a time limit, an output limit and a stop
// request, and need the processor time of a whole process group, which only /proc has while the processes run.
#include "analysis/common/child_process.h"

#include "analysis/common/file_descriptor.h"
#include "analysis/common/process.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace analysis {
namespace {

using Clock = std::chrono::steady_clock;
using End = ChildResult::End;

/// A process that ends without closing its output, because a child of it has it open, is noticed after this long.
constexpr std::chrono::milliseconds kPollPeriod{100};
/// The same for one that has closed its output: it is about to end.
constexpr std::chrono::milliseconds kExitPollPeriod{1};

std::chrono::milliseconds toMilliseconds(const timeval &time) {
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
}

/// The processor time of one process and of the children that it has waited for, in clock ticks; 0 if it is in another
/// group. `stat` is its /proc/PID/stat, "pid (name) state parent group …" (proc_pid_stat(5)); the name may hold any
/// character.
uint64_t ticksInGroup(const std::string &stat, pid_t group) {
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  char state = 0;
  int64_t number = 0;
  fields >> state >> number >> number; // the parent and the group
  if (!fields || number != group)
    return 0;
  for (int field = 0; field < 8; ++field) // session, terminal, its group, flags and four counts of page faults
    fields >> number;
  int64_t userTime = 0, systemTime = 0, childrenUserTime = 0, childrenSystemTime = 0;
  fields >> userTime >> systemTime >> childrenUserTime >> childrenSystemTime;
  return fields ? static_cast<uint64_t>(userTime + systemTime + childrenUserTime + childrenSystemTime) : 0;
}

/// The processor time of a process group, its members' ended children included.
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

/// A started child, and our ends of its pipes. Until reap() it stays a zombie at least, so that its number cannot be
/// reused for another group.
struct Child {
  pid_t pid; ///< -1 after reap()
  FileDescriptor input, output, errors;

  ~Child() {
    if (pid <= 0)
      return;
    killGroup(pid);
    reap(nullptr);
  }

  /// Waits for its end. Returns the status that waitpid(2) has, and what it used.
  int reap(rusage *usage) {
    int status = 0;
    while (wait4(pid, &status, 0, usage) < 0 && errno == EINTR) {
    }
    pid = -1;
    return status;
  }
};

/// Appends what is available. Closes the descriptor at the end of the stream.
void readSome(FileDescriptor &from, std::string &to) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0)
    to.append(buffer.data(), static_cast<size_t>(count));
  else if (count == 0 || errno != EINTR)
    from.close();
}

/// The end that the time limit causes now; none if it is not reached.
std::optional<End> endedByTime(pid_t group, wire::TimeLimit &limit) {
  using Reached = wire::TimeLimit::Reached;
  const Clock::time_point now = Clock::now();
  if (now < limit.nextCheck())
    return std::nullopt;
  const Reached reached = limit.check(now, processorTimeOf(group));
  if (reached == Reached::No)
    return std::nullopt;
  return reached == Reached::Idle ? End::IdleLimit : End::TimeLimit;
}

/// Reads both pipes until the child has ended or has to be ended. Returns the reason to end it; none if it ended by
/// itself.
std::optional<End> collect(Child &child, const ChildLimits &limits, const std::stop_token &stop, ChildResult &result) {
  wire::TimeLimit timeLimit(limits.time, Clock::now(), std::chrono::milliseconds(0));
  while (true) {
    if (stop.stop_requested())
      return End::Stopped;
    if (const std::optional<End> end = endedByTime(child.pid, timeLimit))
      return end;
    if (result.output.size() > limits.outputBytes)
      return End::OutputLimit;
    // Queried before the pipes: all that it wrote before its end is then read. If they stay open after that, a process
    // that it left behind has them.
    const bool ended = hasEnded(child.pid);
    const auto period = child.output.open() || child.errors.open() ? kPollPeriod : kExitPollPeriod;
    std::array<pollfd, 2> watched{{{child.output.get(), POLLIN, 0}, {child.errors.get(), POLLIN, 0}}};
    const int ready = poll(watched.data(), watched.size(), ended ? 0 : static_cast<int>(period.count()));
    if (ready == 0 && ended)
      return std::nullopt;
    if (ready > 0 && watched[0].revents)
      readSome(child.output, result.output);
    if (ready > 0 && watched[1].revents) {
      readSome(child.errors, result.errors);
      result.errors.resize(std::min<size_t>(result.errors.size(), limits.errorBytes));
    }
  }
}

End endOf(StartedProcess::Failure failure) {
  using Failure = StartedProcess::Failure;
  return failure == Failure::NoDirectory ? End::NoDirectory
         : failure == Failure::NoProgram ? End::NoProgram
                                         : End::NotStarted;
}

} // namespace

struct StartedChild::Running {
  Child child;
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
    failure_ = {.end = endOf(started.failure), .status = started.error};
    return;
  }
  running_.reset(new Running{{started.pid, std::move(input->write), std::move(output->read), std::move(errors->read)}});
}

StartedChild::StartedChild(StartedChild &&) noexcept = default;
StartedChild &StartedChild::operator=(StartedChild &&) noexcept = default;
StartedChild::~StartedChild() = default;

bool StartedChild::waits() const {
  return running_ && !hasEnded(running_->child.pid);
}

ChildResult StartedChild::finish(std::string_view input, const ChildLimits &limits, const std::stop_token &stop) {
  assert(input.size() <= kMostInput);
  if (!running_)
    return failure_;
  const std::unique_ptr<Running> running = std::move(running_);
  Child &child = running->child;
  ChildResult result;
  std::optional<End> end;
  {
    // Killed by the requesting thread: when that goes on to end our process, no child is left.
    const std::stop_callback killOnStop(stop, [&] { killGroup(child.pid); });
    // A program may end without reading its input; its status then says why.
    if (!input.empty()) [[maybe_unused]]
      const ssize_t written = write(child.input.get(), input.data(), input.size());
    child.input.close();
    end = collect(child, limits, stop, result);
  }
  killGroup(child.pid);
  rusage usage{};
  const int waitStatus = child.reap(&usage);
  result.processorTime = toMilliseconds(usage.ru_utime) + toMilliseconds(usage.ru_stime);
  result.end = end.value_or(WIFSIGNALED(waitStatus) ? End::Signalled : End::Exited);
  result.status = WIFSIGNALED(waitStatus) ? WTERMSIG(waitStatus) : WEXITSTATUS(waitStatus);
  return result;
}

ChildResult runChild(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop) {
  return StartedChild(command, limits).finish("", limits, stop);
}

} // namespace analysis
