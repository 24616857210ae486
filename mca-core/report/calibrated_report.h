// What a report has of the calibrated machine in place of LLVM's model, and beyond it.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/model/calibrated_body.h"
#include "mca-core/model/lowering.h"
#include "mca-core/report/report.h"

#include <string>
#include <vector>

namespace mca {

/// Why a region has no numbers of a calibration; empty if it may have. A calibration says how long instructions take;
/// what an instrument says instead, only LLVM's machines know.
std::string whyNotCalibrated(const Program &program, const LoweredRegion &lowered);

/// Replaces what LLVM's model says about the instructions.
void describeCalibrated(const CalibratedBody &body, Report &report);

/// How long each resource and each limit of the front end but the slots is used, as if it were one unit.
ResourcePressure calibratedPressure(const CalibratedBody &body);

/// `cycles`: of all iterations. Slots count as micro-ops.
Summary calibratedSummary(const CalibratedBody &body, uint32_t iterations, uint64_t cycles);

/// Slots that the front end passes in a cycle, rounded.
uint32_t slotsPerCycle(const CalibratedBody &body);

} // namespace mca
