// The command `mca-measure check`: measures blocks that no probe used, and compares them with what the calibration and
// LLVM's model of the same CPU predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mca::measure {

struct CheckArguments {
  std::string calibration; ///< path
  std::string output;      ///< gets the calibration with the result; empty: the calibration itself
  uint32_t blocks = 200;
  std::optional<uint64_t> seed; ///< of the draw; nothing: another one each time
};

/// Runs the command; returns the exit status. The table goes to the standard output, progress and errors to the
/// standard error output. An interrupt ends it with the blocks that are measured; so does a machine that is too busy,
/// which is an error.
int runCheck(const CheckArguments &arguments);

} // namespace mca::measure
