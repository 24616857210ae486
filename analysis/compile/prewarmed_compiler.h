// A compiler that was started ahead of its work.
//
// To load clang and its libraries takes about as long as to compile twenty lines. clang can read its arguments from a
// file, and waits where that is a pipe: a process that was started behind one compile has loaded by the time of the
// next, and gets its arguments then.
#pragma once

#include "analysis/common/child_process.h"

#include <optional>
#include <stop_token>
#include <string>

namespace analysis {

class PrewarmedCompiler {
public:
  /// What runChild() says of the command; in the process that waits, where it is one of this program as it is on disk
  /// now, in this folder and environment.
  ChildResult run(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop);

  /// Starts a process for a command like the last one, unless one waits. To be called when nobody waits for a result.
  /// Does nothing where the program is no clang, and so may not take its arguments from a pipe.
  void prepare();

  /// Ends the process that waits.
  void end();

private:
  /// All that is settled when a process starts. Two of them are equal when a process of the one serves the other.
  struct Start {
    /// Which file or folder a path leads to: another one may be there by now.
    struct Place {
      std::string path;
      uint64_t device = 0, file = 0;
      bool operator==(const Place &) const = default;
    };
    Place directory, program;
    int64_t changed = 0; ///< the program's last modification, in ns since the epoch
    std::vector<std::string> environment;
    bool operator==(const Start &) const = default;
  };
  struct Waiting {
    Start start;
    StartedChild child;
  };
  static Start startOf(const ChildCommand &command);

  std::optional<Start> last_;
  std::optional<Waiting> waiting_;
};

} // namespace analysis
