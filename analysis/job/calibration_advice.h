// Whether the user should be told that this machine's CPU can be calibrated.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/calibration/cpu_identity.h"

namespace analysis {

/// Whether the numbers for `target` would be much better with a calibration: it is `machine`, of which there is no
/// calibration yet, and LLVM has no scheduling model of its own for it, or one that is known to be far off.
bool isCalibrationAdvised(const wire::TargetSummary &target, const mca::CpuIdentity &machine, bool hasCalibration);

/// The same for the machine that this process runs on.
bool isCalibrationAdvised(const wire::TargetSummary &target);

} // namespace analysis
