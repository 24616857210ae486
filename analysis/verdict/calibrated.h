// From the calibrated machine's report to the messages: its numbers in place of LLVM's, and what limits the region on
// it.
//
// The rules for the limit, in this order (cycles are per iteration):
//  1. a resource or a limit of the front end allows no less than 95 % of the cycles: the one that allows least, with
//     the other resources beyond 95 % if it is a resource;
//  2. instructions wait for each other's results in a circle, through registers or memory: only that recurs in each
//     iteration. Of several circles, the one whose instructions wait longest.
// Anything else, such as a full scheduler, is not named: the verdict is then the highest bound (Verdict::isLargest).
#pragma once

#include "analysis/wire/region.h"
#include "mca-core/report/calibrated_simulation.h"

namespace analysis {

/// Replaces the cycles, the IPC and the verdict of a simulation. The report's steady rate must not be 0.
void calibrate(wire::Simulation &simulation, const mca::CalibratedReport &report);

/// Instructions per cycle of the steady loop.
double steadyIpc(const mca::CalibratedReport &report);

} // namespace analysis
