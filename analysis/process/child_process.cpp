// POSIX and Linux calls instead of Boost.Process: we read two pipes under a time limit, an output limit and a stop
// request, and need the processor time of a whole process group, which only /proc has while the processes run.
#include "analysis/process/child_process.h"

#include "analysis/process/file_descriptor.h"
#include "analysis/process/group_watch.h"
#include "analysis/process/process.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <optional>
#include <poll.h>
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

/// Looks at a running group now and then, and says when it has to be ended.
class GroupLimits {
public:
  GroupLimits(pid_t group, const ChildLimits &limits)
      : group_(group), limits_(limits), time_(limits.time, Clock::now(), std::chrono::milliseconds(0)),
        next_(Clock::now() + std::min(limits.time, kSamplePeriod)) {}

  /// The reason to end it now, if there is one; with WaitedForFile, the file is in `waitedFor`.
  std::optional<End> check(std::string &waitedFor) {
    const Clock::time_point now = Clock::now();
    if (now < next_)
      return std::nullopt;
    GroupUse use = useOfGroup(group_);
    next_ = now + kSamplePeriod;
    if (now >= time_.nextCheck())
      if (const TimeLimit::Reached reached = time_.check(now, use.processorTime); reached != TimeLimit::Reached::No)
        return reached == TimeLimit::Reached::Idle ? End::IdleLimit : End::TimeLimit;
    next_ = std::min(next_, time_.nextCheck());
    if (use.memoryBytes > limits_.memoryBytes)
      return End::MemoryLimit;
    if (use.processes > limits_.processes)
      return End::ProcessLimit;
    // Twice in a row: somebody may be about to write.
    if (!use.waitsFor.empty() && use.waitsFor == awaited_) {
      waitedFor = std::move(use.waitsFor);
      return End::WaitedForFile;
    }
    awaited_ = std::move(use.waitsFor);
    return std::nullopt;
  }

private:
  using TimeLimit = wire::TimeLimit;
  static constexpr std::chrono::milliseconds kSamplePeriod{500};

  pid_t group_;
  const ChildLimits &limits_;
  TimeLimit time_;
  Clock::time_point next_;
  std::string awaited_; ///< at the last sample
};

/// Reads both pipes until the child has ended or has to be ended. Returns the reason to end it; none if it ended by
/// itself.
std::optional<End> collect(Child &child, const ChildLimits &limits, const std::stop_token &stop, ChildResult &result) {
  GroupLimits groupLimits(child.pid, limits);
  while (true) {
    if (stop.stop_requested())
      return End::Stopped;
    if (const std::optional<End> end = groupLimits.check(result.waitedFor))
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
                                               .limits = ProcessLimits{limits.memoryBytes, limits.fileBytes},
                                               .confinement = command.confinement});
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
