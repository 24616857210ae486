// Runs a command under qemu-user, which logs each block of code that executes.
//
// The log goes through a pipe, so it needs no room however long the program runs. The program has our standard streams
// unless the caller redirects its output, but not a terminal for input: it runs in a process group of its own, which
// the terminal would stop.
#pragma once

#include "analysis/process/file_descriptor.h"
#include "mca-core/target/result.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace analysis {

class Emulator {
public:
  /// `triple`: the machine that the command's program is for. The first of the command is the program's path. `output`:
  /// the descriptor that becomes its standard output.
  static mca::Result<std::unique_ptr<Emulator>> start(const std::string &triple,
                                                      const std::vector<std::string> &command, int output);
  /// Kills the command if it still runs.
  ~Emulator();

  /// The descriptor that its log is read from.
  int log() const { return log_.get(); }
  /// Waits until the command has ended. Returns how it failed ("ended with status 3"), or an empty text.
  std::string wait();

private:
  Emulator() = default;
  FileDescriptor log_;
  pid_t pid_ = -1;
};

} // namespace analysis
