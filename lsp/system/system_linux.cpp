// system.h for Linux: /proc has what POSIX lacks.
#include "lsp/system/system.h"

#include "analysis/process/file_descriptor.h"
#include "analysis/process/process.h"
#include "lsp/system/log.h"

#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lsp::system {

namespace {

/// Our environment, with one variable changed.
std::vector<std::string> environmentWith(const std::string &name, const std::string &value) {
  std::vector<std::string> variables{name + "=" + value};
  for (char **variable = environ; *variable; ++variable)
    if (const std::string_view text = *variable; !text.starts_with(name + "="))
      variables.emplace_back(text);
  return variables;
}

} // namespace

Child startChild(const ChildStart &child) {
  std::optional<analysis::SocketPair> sockets = analysis::makeSocketPair();
  if (!sockets)
    return {.error = std::strerror(errno)};
  const analysis::FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.open())
    return {.error = std::strerror(errno)};
  analysis::ProcessStart start{.arguments = {child.program},
                               .input = null.get(),
                               .output = STDERR_FILENO,
                               .errors = STDERR_FILENO,
                               .passed = sockets->theirs.get()};
  start.arguments.insert(start.arguments.end(), child.arguments.begin(), child.arguments.end());
  start.arguments.insert(start.arguments.end(), {"--fd", std::to_string(sockets->theirs.get())});
  if (!child.temporaryFolder.empty())
    start.environment = environmentWith("TMPDIR", child.temporaryFolder);
  if (child.confined) {
    start.confinement = analysis::Confinement{.leavesGroup = true};
    if (!child.temporaryFolder.empty())
      start.confinement->write.push_back(child.temporaryFolder);
  }
  const analysis::StartedProcess started = analysis::startProcess(start);
  if (started.failure != analysis::StartedProcess::Failure::None)
    return {.error = std::strerror(started.error)};
  return {.pid = started.pid, .fd = sockets->ours.release(), .error = {}};
}

TemporaryFolder TemporaryFolder::make() {
  TemporaryFolder folder;
  std::error_code error; // a TMPDIR that is no folder; its path is empty then
  std::string name = (std::filesystem::temp_directory_path(error) / "mca-lsp-XXXXXX").string();
  if (!error && mkdtemp(name.data())) // mkdtemp(3) makes a folder that only the user can enter
    folder.path_ = std::move(name);
  else
    logError("no temporary folder can be made, so unsaved C and C++ is not compiled: " +
             (error ? "TMPDIR: " + error.message() : name + ": " + std::strerror(errno)));
  return folder;
}

void TemporaryFolder::remove() {
  std::error_code ignored; // nothing could be done about it
  if (const std::string path = std::exchange(path_, {}); !path.empty())
    std::filesystem::remove_all(path, ignored);
}

bool TemporaryFolder::isUsable() const {
  return !path_.empty() && access(path_.c_str(), W_OK) == 0;
}

std::optional<ExitStatus> reap(int pid) {
  if (!analysis::hasEnded(pid))
    return std::nullopt;
  analysis::killGroup(pid); // while the child is a zombie, no other group can have its number
  int raw = 0;
  waitpid(pid, &raw, 0);
  return WIFSIGNALED(raw) ? ExitStatus{true, WTERMSIG(raw)} : ExitStatus{false, WEXITSTATUS(raw)};
}

void killAndReap(int pid) {
  analysis::killGroup(pid);
  int ignored = 0;
  while (waitpid(pid, &ignored, 0) < 0 && errno == EINTR) {
  }
}

std::string describe(const ExitStatus &status) {
  if (!status.signalled)
    return "exit status " + std::to_string(status.value);
  return "signal " + std::to_string(status.value) + " (" + strsignal(status.value) + ")";
}

std::chrono::milliseconds processorTime(int pid) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return {};
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

uint64_t residentBytes(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm"); // proc(5): sizes in pages, the second is resident
  uint64_t pages = 0, resident = 0;
  return file >> pages >> resident ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::string architecture() {
  utsname names{};
  return uname(&names) == 0 ? names.machine : "";
}

/// open(2) takes the lowest free descriptor, so each stream gets its own.
void openClosedStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
      std::abort(); // there is no /dev/null
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

/// A descriptor of the process (pidfd_open(2)) becomes readable when it ends. Unlike kill(pid, 0) at intervals it needs
/// no timer, and another process that gets the number later is not taken for this one.
void ProcessWatch::watch(int pid, std::function<void()> gone) {
  process_.reset();
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) {
    boost::asio::post(io_, std::move(gone));
    return;
  }
  process_.emplace(io_, fd);
  process_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                       [gone = std::move(gone)](boost::system::error_code error) {
                         if (!error)
                           gone();
                       });
}

} // namespace lsp::system
