// Runs Linux's perf: `perf record` of a command, and `perf script` of what that wrote.
#pragma once

#include "analysis/import/import.h"
#include "analysis/process/file_descriptor.h"
#include "analysis/profile/core_clock.h"

#include <sys/types.h>

namespace analysis {

class PerfCommand {
public:
  PerfCommand() = default;
  PerfCommand(const PerfCommand &) = delete;
  PerfCommand &operator=(const PerfCommand &) = delete;
  ~PerfCommand();

  /// Runs the command to its end, or for so many seconds, with the events that this machine has: cycles, or else the
  /// processor's time. Its output goes to standard error if `keepsOutput`. Returns why there is no recording, or an
  /// empty text.
  std::string record(const std::vector<std::string> &command, unsigned seconds, bool keepsOutput,
                     const ImportMessages &note);
  /// The cores' clock while the command ran, as CoreClock::hertz().
  uint64_t hertz() const { return clock_.hertz(); }
  /// Starts `perf script`, whose output can be read from script().
  std::string startScript();
  int script() const { return output_.get(); }

private:
  std::string perf_;
  std::string folder_; ///< a temporary one with the recording; empty before record()
  CoreClock clock_;
  FileDescriptor output_;
  pid_t pid_ = -1; ///< of `perf script`
};

} // namespace analysis
