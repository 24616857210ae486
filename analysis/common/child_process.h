// Runs one program without a shell, and ends it when it is no longer wanted.
//
// The program is handed to a file system that it can read and, unless the limits say otherwise, not write, it dies with
// the thread that started it, and its whole process group is killed on a stop request, at the time limit and at the
// output limit. Processor time is that of the group: the program and what it started. Nothing here knows what the
// program is.
#pragma once

#include "analysis/common/time_limit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

struct ChildLimits {
  std::chrono::milliseconds time = wire::kCompileTime; ///< see wire::TimeLimit
  uint64_t outputBytes = 256u << 20;                   ///< of standard output; more is an error
  uint64_t errorBytes = 64u << 20;                     ///< of standard error; what comes after is dropped
  uint64_t memoryBytes = uint64_t{4} << 30;            ///< private memory of each process
  uint64_t fileBytes = 0;                              ///< of each file that it writes; none can be written with 0
};

struct ChildCommand {
  std::string directory;                ///< working directory
  std::vector<std::string> arguments;   ///< argv; the first one is the program's path, which is not searched for
  std::vector<std::string> environment; ///< "NAME=value"
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
    OutputLimit
  };
  End end = End::NotStarted;
  int status = 0;                             ///< exit status, number of the signal, or errno, as `end` says
  std::chrono::milliseconds processorTime{0}; ///< used in all, by what it waited for, too
  std::string output;
  std::string errors;
};

/// A program that was started and waits for its standard input. It is killed with this object.
class StartedChild {
public:
  /// What became of the start is told by finish(). Time and output are limited there.
  StartedChild(const ChildCommand &command, const ChildLimits &limits);
  StartedChild(StartedChild &&) noexcept;
  StartedChild &operator=(StartedChild &&) noexcept;
  ~StartedChild();

  /// Whether it waits still: it could be started and has not ended by itself.
  bool waits() const;

  /// Gives it `input`, of at most kMostInput bytes, and then what runChild() says. Once. The process has to ignore
  /// SIGPIPE: the program may end without reading.
  ChildResult finish(std::string_view input, const ChildLimits &limits, const std::stop_token &stop);

  /// What a pipe holds on Linux: writing it does not wait for the program.
  static constexpr size_t kMostInput = 1 << 16;

private:
  struct Running;
  ChildResult failure_; ///< of the start
  std::unique_ptr<Running> running_;
};

/// Blocks until the program and everything that holds its output has ended or was killed. Leaves no zombie.
ChildResult runChild(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop);

} // namespace analysis
