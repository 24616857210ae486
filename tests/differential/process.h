// Runs a program to its end and keeps what it wrote: how these tests see what a user sees.
#pragma once

#include <string>
#include <vector>

namespace differential {

struct ProcessResult {
  int status = -1; ///< exit status, or 128 + the signal that ended it, as shells count
  std::string output;
  std::string errors;
};

/// `arguments` starts with the program, looked for in PATH when it has no slash. Throws std::runtime_error when it
/// cannot be started: a reference that is not installed must not look like one that agrees.
ProcessResult runProcess(const std::vector<std::string> &arguments);

} // namespace differential
