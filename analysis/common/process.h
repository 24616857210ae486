// Starts a program without a shell, and ends it. Compilers, git and the worker are all started here.
//
// The program leads a process group of its own, so that it can be killed with everything it starts, and it dies with
// the thread that started it. It inherits the descriptors that it is given and no others. Each signal has its default
// action there, whatever this process ignores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace analysis {

/// What a process and each of those that it starts can use at most, for good. None of them dumps core.
struct ProcessLimits {
  uint64_t memoryBytes; ///< private memory
  uint64_t fileBytes;   ///< of each file that it writes; a write beyond it fails
};

struct ProcessStart {
  std::vector<std::string> arguments;                  ///< argv; the first is the program's path, not searched for
  std::optional<std::string> directory;                ///< working directory; ours if there is none
  std::optional<std::vector<std::string>> environment; ///< "NAME=value"; ours if there is none
  int input = 0, output = 1, errors = 2;               ///< our descriptors that become its 0, 1 and 2
  int passed = -1;                                     ///< one more that it inherits, under the same number; -1: none
  std::optional<ProcessLimits> limits;                 ///< ours if there are none
};

struct StartedProcess {
  enum class Failure : uint8_t { None, NotStarted, NoDirectory, NoProgram };
  pid_t pid = -1; ///< -1 on failure
  Failure failure = Failure::None;
  int error = 0; ///< errno of the failure
};

/// Blocks until the program has been loaded by the kernel, or could not be. The caller reaps the process.
StartedProcess startProcess(const ProcessStart &start);

/// Whether a child has ended. It stays a zombie, so that its number cannot go to another process.
bool hasEnded(pid_t pid);

/// Kills a process group at once, with everything in it.
void killGroup(pid_t pid);

} // namespace analysis
