// A region on the calibrated machine as text and as JSON. llvm-mca has no such report; its labels are used where it has
// a number of the same meaning.
#pragma once

#include "mca-core/report/calibrated_simulation.h"
#include "mca-core/views/text.h"

#include "llvm/Support/JSON.h"

namespace mca {

/// One line about where the numbers come from, such as "AMD EPYC 7763 (znver3), 2026-11-23".
std::string describeCalibration(const Calibration &calibration);

/// Returns what an instruction waited for in plain words, such as "for [2] imulq"; empty if it waited for nothing.
std::string describeWait(const CalibratedReport &report, const CalibratedWait &wait);

/// Prints the selected views. A timeline is printed if the report has recorded iterations; `timelineMaxCycles`: its
/// last cycle, 0 for no limit.
void printCalibrated(llvm::raw_ostream &out, const CalibratedReport &report, const Calibration &calibration,
                     const ViewSelection &views, uint32_t timelineMaxCycles);
/// The same numbers, not rounded.
llvm::json::Object toJson(const CalibratedReport &report, const ViewSelection &views, const std::string &regionName);
llvm::json::Object toJson(const Calibration &calibration);

} // namespace mca
