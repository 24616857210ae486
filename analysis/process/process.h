// Starts a program without a shell, and ends it. Compilers, git and the worker are all started here.
//
// The program leads a process group of its own, so that it can be killed with all that it starts, and it dies with the
// thread that started it (PR_SET_PDEATHSIG is about threads). It inherits the listed descriptors and no others. Each
// signal has its default action, whatever our process ignores.
#pragma once

#include "analysis/process/confinement.h"
#include "analysis/process/file_descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace analysis {

/// Limits of a process and of each process that it starts. None of them dumps core.
struct ProcessLimits {
  uint64_t memoryBytes; ///< private memory
  uint64_t fileBytes;   ///< of each file that it writes; a write beyond it fails
};

struct ProcessStart {
  std::vector<std::string> arguments;                  ///< argv; the first is the program's path: PATH is not searched
  std::optional<std::string> directory;                ///< working directory; defaults to ours
  std::optional<std::vector<std::string>> environment; ///< "NAME=value"; defaults to ours
  int input = 0, output = 1, errors = 2;               ///< descriptors of ours that become its 0, 1 and 2
  int passed = -1;                                     ///< one more that it inherits, with the same number; -1: none
  std::optional<ProcessLimits> limits;                 ///< defaults to ours
  std::optional<Confinement> confinement;              ///< beside ours, which it inherits
};

struct StartedProcess {
  enum class Failure : uint8_t { None, NotStarted, NoDirectory, NoProgram };
  pid_t pid = -1; ///< -1 on failure
  Failure failure = Failure::None;
  int error = 0; ///< errno of the failure
};

/// A file in memory with this text, for ProcessStart::input: unlike a pipe, it never blocks its writer. Not open if
/// there is no memory or no descriptor left, and errno says which.
FileDescriptor inputFile(std::string_view text);

/// Blocks until the kernel has loaded the program, or failed to. The caller reaps the process.
StartedProcess startProcess(const ProcessStart &start);

/// Whether a child has ended. It stays a zombie, so that its number cannot be given to another process.
bool hasEnded(pid_t pid);

/// Kills all processes of the group that `pid` leads (SIGKILL).
void killGroup(pid_t pid);

} // namespace analysis
