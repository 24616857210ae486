// A compiler that is started before there is work for it.
//
// Loading clang and its libraries takes about as long as compiling twenty lines. clang can read its arguments from a
// file, and blocks if that is an empty pipe. So a process that is started after one compile has loaded by the time of
// the next, and gets its arguments then.
#pragma once

#include "analysis/files/regular_file.h"
#include "analysis/process/child_process.h"

#include "llvm/Support/FileSystem.h"

#include <optional>
#include <stop_token>
#include <string>

namespace analysis {

/// Whether the program is clang itself. A script, or a program that runs under a link of clang's name (ccache), could
/// give another meaning to arguments that only clang knows.
bool isClang(const std::string &program);

class PrewarmedCompiler {
public:
  /// As runChild(). The waiting process serves the command if it was started from the same program as it is on disk
  /// now, in the same folder, with the same environment and confinement.
  ChildResult run(const ChildCommand &command, const ChildLimits &limits, const std::stop_token &stop);

  /// Starts a process for a command like the last one, unless one waits already. To be called when no result is due.
  /// Does nothing if the program is not clang itself, as it may not read its arguments from a pipe.
  void prepare();

  /// Ends the waiting process, and forgets the last command.
  void end();

private:
  /// All that is fixed when a process starts: a process that was started with an equal one serves a command.
  struct Start {
    /// A path, and the folder that it led to: another one may be there by now.
    struct Place {
      std::string path;
      llvm::sys::fs::UniqueID id;
      bool operator==(const Place &) const = default;
    };
    Place directory;
    std::string program;
    FileStamp programStamp;
    std::vector<std::string> environment;
    std::optional<Confinement> confinement;
    bool operator==(const Start &) const = default;
  };
  struct Waiting {
    Start start;
    StartedChild child;
  };
  static Start startOf(const ChildCommand &command);
  bool serves(const Start &start) const { return waiting_ && waiting_->start == start && waiting_->child.waits(); }

  std::optional<Start> last_;
  ChildLimits limits_; ///< of the last one
  std::optional<Waiting> waiting_;
};

} // namespace analysis
