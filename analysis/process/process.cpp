// fork and exec instead of Boost.Process or posix_spawn: between the two the child sets its limits, its parent-death
// signal (PR_SET_PDEATHSIG) and its working directory. In Boost these are custom handlers, and posix_spawn has none of
// the first two.
//
// Our process has threads, so that the child may inherit locked mutexes, that of malloc for instance. Between fork and
// exec it makes only async-signal-safe calls (signal-safety(7)) and plain system calls that touch no memory of the C
// library (prctl, getrlimit, setrlimit, close_range). All memory is allocated before the fork.
#include "analysis/process/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace analysis {
namespace {

using Failure = StartedProcess::Failure;

/// The child's data in the form that the system calls expect.
struct ChildPlan {
  const ProcessStart &start;
  std::vector<char *> argv, envp;
  std::optional<PreparedConfinement> confinement;
  int status;
  pid_t parent;
};

/// Lowers a soft and hard limit, so that the program cannot raise it again. A hard limit of ours that is lower stays.
void setLimit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(value, limit.rlim_max);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(resource, &limit);
}

void setLimits(const ProcessLimits &limits) {
  // A write beyond RLIMIT_FSIZE then fails with EFBIG: the default action of SIGXFSZ would kill the program.
  ::signal(SIGXFSZ, SIG_IGN);
  setLimit(RLIMIT_FSIZE, limits.fileBytes);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_DATA, limits.memoryBytes);
}

void resetSignals() {
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Leaves the program its standard streams and the passed descriptor; exec closes all others.
bool arrangeDescriptors(const ProcessStart &start) {
  if (dup2(start.input, 0) < 0 || dup2(start.output, 1) < 0 || dup2(start.errors, 2) < 0)
    return false;
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  return start.passed < 0 || fcntl(start.passed, F_SETFD, 0) == 0;
}

/// The child's part, between fork and exec: async-signal-safe calls only.
[[noreturn]] void becomeProgram(const ChildPlan &plan) {
  const auto giveUp = [&](Failure failure) {
    const StartedProcess report{.failure = failure, .error = errno};
    [[maybe_unused]] const ssize_t written = write(plan.status, &report, sizeof report);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) // it died before the call: no signal comes
    _exit(127);
  resetSignals();
  if (plan.start.limits)
    setLimits(*plan.start.limits);
  if (!arrangeDescriptors(plan.start))
    giveUp(Failure::NotStarted);
  if (plan.start.directory && chdir(plan.start.directory->c_str()) != 0)
    giveUp(Failure::NoDirectory);
  if (plan.confinement && !plan.confinement->enforce())
    giveUp(Failure::NotStarted);
  execve(plan.argv[0], plan.argv.data(), plan.envp.empty() ? environ : plan.envp.data());
  giveUp(Failure::NoProgram);
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

/// Waits until the child has become the program. Returns its report if it could not. exec closes the pipe's other end:
/// an empty pipe means success.
std::optional<StartedProcess> awaitExec(const FileDescriptor &status) {
  StartedProcess report;
  ssize_t count = 0;
  while ((count = read(status.get(), &report, sizeof report)) < 0 && errno == EINTR) {
  }
  return count == sizeof report ? std::optional(report) : std::nullopt;
}

} // namespace

StartedProcess startProcess(const ProcessStart &start) {
  std::optional<Pipe> status = makePipe();
  if (!status)
    return {.failure = Failure::NotStarted, .error = errno};
  ChildPlan plan{.start = start,
                 .argv = pointersTo(start.arguments),
                 .envp = start.environment ? pointersTo(*start.environment) : std::vector<char *>(),
                 .confinement = {},
                 .status = status->write.get(),
                 .parent = getpid()};
  if (start.confinement)
    plan.confinement.emplace(*start.confinement);
  const pid_t pid = fork();
  if (pid == 0)
    becomeProgram(plan);
  if (pid < 0)
    return {.failure = Failure::NotStarted, .error = errno};
  setpgid(pid, pid); // As the child does: the group exists, whichever of the two runs first.
  status->write.close();
  const std::optional<StartedProcess> failed = awaitExec(status->read);
  if (!failed)
    return {.pid = pid};
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return *failed;
}

FileDescriptor inputFile(std::string_view text) {
  FileDescriptor file(memfd_create("input", MFD_CLOEXEC));
  while (file.open() && !text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<size_t>(written));
    else if (written == 0 || errno != EINTR)
      file.close();
  }
  if (file.open())
    lseek(file.get(), 0, SEEK_SET);
  return file;
}

bool hasEnded(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void killGroup(pid_t pid) {
  kill(-pid, SIGKILL);
}

} // namespace analysis
