// The command `mca-measure calibrate`.
#pragma once

#include <cstdint>
#include <string>

namespace mca::measure {

struct CalibrateArguments {
  std::string output; ///< empty: the user's own calibration of this CPU
  bool allForms = false;
  bool resume = false;  ///< keep the rows that `output` has
  uint32_t seconds = 0; ///< ends with what it has; 0: when all is measured
};

/// Runs the command; returns the exit status. Progress and errors go to the standard error output. An interrupt
/// (SIGINT) ends it with what it has.
int runCalibrate(const CalibrateArguments &arguments);

} // namespace mca::measure
