// The command `mca-measure calibrate`.
#pragma once

#include "mca-core/measure/cli/calibrate_progress.h"

#include <cstdint>
#include <string>

namespace mca::measure {

struct CalibrateArguments {
  std::string output; ///< empty: the user's own calibration of this CPU
  bool allForms = false;
  bool resume = false;  ///< keep the forms of an earlier run, of `output` or of the part that it left
  uint32_t seconds = 0; ///< ends with what it has; 0: when all is measured
  ProgressForm progress = ProgressForm::Text;
};

/// Runs the command; returns the exit status. Progress and errors go to the standard error output. An interrupt
/// (SIGINT, SIGTERM) ends it with what it has. It then replaces `output` only if that has not more forms.
int runCalibrate(const CalibrateArguments &arguments);

} // namespace mca::measure
