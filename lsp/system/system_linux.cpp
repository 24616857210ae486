// system.h for Linux.
#include "lsp/system/system.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lsp::system {
namespace {

struct Pair {
  int ours = -1;
  int theirs = -1;
  void closeBoth() const {
    close(ours);
    close(theirs);
  }
};

/// The child's part of startChild(), between fork and exec: async-signal-safe calls only. Comes back on failure.
void becomeChild(const char *program, char *const *arguments, int socket, int parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  fcntl(socket, F_SETFD, 0);
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(program, arguments);
}

/// The errno that the child's exec failed with, or 0: the pipe closes by itself when exec succeeds.
int readExecError(int fd) {
  int error = 0;
  ssize_t count = 0;
  do
    count = read(fd, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

StartResult failed(int error) {
  return {std::nullopt, std::strerror(error)};
}

StartResult forkAndExec(const std::string &program, std::vector<char *> &arguments, const Pair &sockets,
                        const Pair &status) {
  const int parent = getpid();
  const int pid = fork();
  if (pid == 0) {
    becomeChild(program.c_str(), arguments.data(), sockets.theirs, parent);
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = write(status.theirs, &error, sizeof error);
    _exit(127);
  }
  const int forkError = errno;
  close(sockets.theirs);
  close(status.theirs);
  const int error = pid < 0 ? forkError : readExecError(status.ours);
  close(status.ours);
  if (error == 0) {
    setpgid(pid, pid);
    return {Child{pid, sockets.ours}, {}};
  }
  close(sockets.ours);
  if (pid > 0)
    waitpid(pid, nullptr, 0);
  return failed(error);
}

ExitStatus statusOf(int raw) {
  return WIFSIGNALED(raw) ? ExitStatus{true, WTERMSIG(raw)} : ExitStatus{false, WEXITSTATUS(raw)};
}

} // namespace

StartResult startChild(const std::string &program, const std::vector<std::string> &arguments) {
  Pair sockets;
  Pair status;
  std::array<int, 2> fds{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
    return failed(errno);
  sockets = {fds[0], fds[1]};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    sockets.closeBoth();
    return failed(error);
  }
  status = {fds[0], fds[1]};
  std::vector<std::string> all{program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"--fd", std::to_string(sockets.theirs)});
  std::vector<char *> pointers;
  for (std::string &argument : all)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return forkAndExec(program, pointers, sockets, status);
}

void killGroup(int pid) {
  kill(-pid, SIGKILL);
}

std::optional<ExitStatus> reap(int pid) {
  siginfo_t info{};
  // The dead leader is left as it is until its group is killed, so that its number cannot be another's by then.
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return std::nullopt;
  killGroup(pid);
  int raw = 0;
  waitpid(pid, &raw, 0);
  return statusOf(raw);
}

void killAndReap(int pid) {
  killGroup(pid);
  int ignored = 0;
  while (waitpid(pid, &ignored, 0) < 0 && errno == EINTR) {
  }
}

std::string describe(const ExitStatus &status) {
  if (!status.signalled)
    return "exit status " + std::to_string(status.value);
  return "signal " + std::to_string(status.value) + " (" + strsignal(status.value) + ")";
}

int openProcessWatch(int pid) {
  if (pid <= 0)
    return -1;
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  return fd;
}

std::chrono::milliseconds processorTime(int pid) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return {};
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

uint64_t residentBytes(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  uint64_t pages = 0, resident = 0;
  return file >> pages >> resident ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::string ownPath() {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t length = readlink("/proc/self/exe", buffer.data(), buffer.size());
  return length > 0 ? std::string(buffer.data(), static_cast<size_t>(length)) : std::string();
}

int terminalWidth() {
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace lsp::system
