// Runs one program without a shell, and ends it when its result is no longer wanted.
//
// The program can read what its confinement allows and, unless the limits allow it, write no file. It dies with the
// thread that started it. Its whole process group is killed on a stop request, at each limit, and when it waits for
// what is no file; processor time and memory are those of the group, the program and all that it started.
#pragma once

#include "analysis/process/confinement.h"
#include "analysis/process/time_limit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct ChildLimits {
  std::chrono::milliseconds time = wire::kCompileTime; ///< see wire::TimeLimit
  uint64_t outputBytes = 256u << 20;                   ///< of standard output; more is an error
  uint64_t errorBytes = 64u << 20;                     ///< of standard error; the rest is dropped
  uint64_t memoryBytes = wire::kCompileMemory;         ///< private memory of each process, and resident of the group
  unsigned processes = 32;                             ///< of the group at one time
  uint64_t fileBytes = 0;                              ///< of each file that it writes; with 0 it can write none
};

struct ChildCommand {
  std::string directory;                ///< working directory
  std::vector<std::string> arguments;   ///< argv; the first one is the program's path: PATH is not searched
  std::vector<std::string> environment; ///< "NAME=value"
  std::optional<Confinement> confinement;
};

struct ChildResult {
  enum class End : uint8_t {
    Exited,
    Signalled,
    NoDirectory,
    NoProgram,
    NotStarted,
    Stopped,
    TimeLimit,
    IdleLimit,
    OutputLimit,
    MemoryLimit,
    ProcessLimit,
    WaitedForFile
  };
  End end = End::NotStarted;
  int status = 0;                             ///< exit status, number of the signal, or errno, depending on `end`
  std::chrono::milliseconds processorTime{0}; ///< of it and of the children that it waited for
  std::string output;
  std::string errors;
  std::string waitedFor; ///< with WaitedForFile: the path of a FIFO, a device or a socket
};

/// A program that was started and waits for its standard input. The destructor kills it.
class StartedChild {
public:
  /// finish() reports a failure of the start, and limits time and output.
  StartedChild(const ChildCommand &command, const ChildLimits &limits);
  StartedChild(StartedChild &&) noexcept;
  StartedChild &operator=(StartedChild &&) noexcept;
  ~StartedChild();

  /// Whether it was started and has not ended by itself.
  bool waits() const;

  /// Writes `input`, of at most kMostInput bytes, and then continues as runChild(). To be called once. Our process has
  /// to ignore SIGPIPE: the program may end without reading.
  ChildResult finish(std::string_view input, const ChildLimits &limits, const std::stop_token &stop);

  /// The capacity of a pipe on Linux (pipe(7)): writing as much does not block.
  static constexpr size_t kMostInput = 1 << 16;

private:
  struct Running;
  ChildResult failure_; ///< of the start
  std::unique_ptr<Running> running_;
};

/// Blocks until the program has ended or was killed, and then kills what is left of its group. Leaves no zombie.
ChildResult runChild(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop);

} // namespace analysis
