// What is particular to the operating system: starting a child with one end of a socket pair
// (analysis/common/process.h starts it), killing it with all it started, and watching a process that is not ours.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lsp::system {

/// A child that was started. `fd` is our end of the socket pair; the holder closes it.
struct Child {
  int pid = -1;
  int fd = -1;
};

struct StartResult {
  std::optional<Child> child;
  std::string error; ///< why there is no child
};

/// Starts `program` with `arguments`, followed by `--fd N`, where N is the child's end of the socket pair. Its standard
/// input is empty, its standard output is our standard error, and it dies with the thread that called.
StartResult startChild(const std::string &program, const std::vector<std::string> &arguments);

/// How a child ended.
struct ExitStatus {
  bool signalled = false;
  int value = 0; ///< the signal, or the exit status
};

/// Kills the child's process group, at once and with everything in it.
void killGroup(int pid);

/// How the child ended, or nothing while it lives. What is left of its group is killed then. The child is gone after
/// the first answer: ask once.
std::optional<ExitStatus> reap(int pid);

/// Kills the child's group and waits for its end.
void killAndReap(int pid);

/// "signal 11 (Segmentation fault)", "exit status 3".
std::string describe(const ExitStatus &status);

/// A descriptor that becomes readable when process `pid` ends, or -1 when there is no such process (any more). The
/// holder closes it.
int openProcessWatch(int pid);

/// The processor time of a process, of all its threads and without its children; 0 when there is no such process.
std::chrono::milliseconds processorTime(int pid);

/// Resident memory of a process, in bytes; 0 when there is no such process.
uint64_t residentBytes(int pid);

/// The file of the running program.
std::string ownPath();

/// Columns of the terminal at standard output, or 0 when it is none.
int terminalWidth();

} // namespace lsp::system
