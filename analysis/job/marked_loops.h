// The regions of marked lines that hold a loop of C or C++.
//
// They have the loop's instructions, its paths and its iterations, of the version that the loop's hint shows. Which
// version that is depends on how many iterations of the source each does, so this comes after findSourceIterations().
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Adds the regions of `found.marked` before the others, and removes the loops that were found only for them.
void addMarkedLoops(const mca::Target &target, const mca::Program &program, Regions &found);

} // namespace analysis
