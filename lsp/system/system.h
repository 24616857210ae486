// The operating system behind the server: the worker as a child process with one end of a socket pair
// (analysis/process/process.h starts it), and what only the system knows of processes and terminals.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lsp::system {

/// A child that was started, or why there is none. `fd` is our end of the socket pair; the holder closes it.
struct Child {
  int pid = -1; ///< -1: there is no child
  int fd = -1;
  std::string error;
};

/// What to start, and where it may write.
struct ChildStart {
  std::string program;
  std::vector<std::string> arguments;
  std::string temporaryFolder; ///< its TMPDIR; empty: ours
  bool confined = false;       ///< the kernel lets it write there alone, and keeps it from the network
};

/// Starts the program with its arguments, followed by `--fd N`, where N is the child's end of the socket pair. Its
/// standard input is empty. Its standard output is our standard error, because ours is the client's stream: a stray
/// print must not break a message. It dies with the thread that called.
Child startChild(const ChildStart &start);

/// A new folder in the temporary one that only the user can enter, and that is removed with all it holds.
class TemporaryFolder {
public:
  /// Without a folder, and a line in the log, if none can be made.
  static TemporaryFolder make();
  TemporaryFolder(TemporaryFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder() { remove(); }

  void remove();
  /// Empty if there is none.
  const std::string &path() const { return path_; }
  /// Whether it is there, and can be written.
  bool isUsable() const;

private:
  TemporaryFolder() = default;
  std::string path_;
};

/// How a child ended.
struct ExitStatus {
  bool signalled = false;
  int value = 0; ///< the signal, or the exit status
};

/// How the child ended, or nothing while it lives. Kills the rest of its process group, such as a compiler that it
/// started. The child is gone after the first answer: ask once.
std::optional<ExitStatus> reap(int pid);

/// Kills the child's group and waits for its end.
void killAndReap(int pid);

/// "signal 11 (Segmentation fault)", "exit status 3".
std::string describe(const ExitStatus &status);

/// The processor time of a process, of all its threads and without its children; 0 if there is no such process.
std::chrono::milliseconds processorTime(int pid);

/// Resident memory of a process, in bytes; 0 if there is no such process.
uint64_t residentBytes(int pid);

/// Of this machine, as uname(2) names it: "x86_64".
std::string architecture();

/// Opens the standard streams that were closed when we were started, such that reading and writing them fails:
/// the next file that is opened would take their place, and be written as the standard output.
void openClosedStandardStreams();

/// The file of the running program.
std::string ownPath();

/// Columns of the terminal at standard output; 0 if that is no terminal, and 80 if the terminal does not say.
int terminalWidth();

/// Watches the editor's process: a server whose editor is gone must exit. LSP 3.17, InitializeParams.processId: "If the
/// parent process is not alive then the server should exit".
class ProcessWatch {
public:
  explicit ProcessWatch(boost::asio::io_context &io) : io_(io) {}

  /// Calls `gone` once process `pid` has ended, or soon if there is no such process. Replaces an earlier watch.
  void watch(int pid, std::function<void()> gone);

private:
  boost::asio::io_context &io_;
  std::optional<boost::asio::posix::stream_descriptor> process_;
};

} // namespace lsp::system
