// What a report of the calibrated machine has beyond llvm-mca's views, as text and as JSON.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/report/report.h"

#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace mca {

/// Prints where the numbers come from, the steady rate, what limits it, and what was measured of each instruction.
void printCalibration(llvm::raw_ostream &out, const Report &report, const Calibration &calibration);

/// The same of one region.
llvm::json::Object calibrationToJson(const Report &report);
/// The CPU that was measured.
llvm::json::Object toJson(const Calibration &calibration);

} // namespace mca
