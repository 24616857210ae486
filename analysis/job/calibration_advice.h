// Whether the user should be told that this machine's CPU can be calibrated.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/calibration/calibration.h"

namespace analysis {

/// Whether the numbers for `target`, for which there is no calibration yet, would be much better with one: it is
/// `machine`, and LLVM has no scheduling model of its own for it, or one that is known to be far off.
bool isCalibrationAdvised(const wire::TargetSummary &target, const mca::CpuIdentity &machine);

} // namespace analysis
