// Which of the loops on one line the hint stands for.
//
// What the user marked comes first. Of the versions of one loop of the source, the one that does most of its iterations
// at once is where the time goes; where that is not known of all, the one that moves most bytes. Different loops of the
// source have no iterations in common: among them the one whose iteration moves most bytes comes first, so that a body
// written with vectors stands before the tail that was written for what it leaves.
#pragma once

#include "analysis/simulate/simulated_region.h"

namespace analysis {

/// Orders the loops of one line, the one for the hint first.
void orderLoops(const mca::Target &target, const mca::Program &program, std::vector<SimulatedLoop> &onLine);

} // namespace analysis
