// The regions of markers: those of the assembly's own comments, and those of the comments of C and C++ source.
//
// The marked lines of a source are straight-line code or hold loops:
//  - Lines that hold a loop have that loop's numbers, not those of all code that they became, the loop's beginning, its
//    vector body and its remainder one after the other. So have lines inside a loop that holds no other. This is so for
//    each function that the loop was inlined into.
//  - Of nested loops the innermost count. Loops of several statements side by side are a region each: a sum of them
//    would be the cycles of nothing.
//  - A statement that left no loop in the machine code, because it was unrolled completely, is straight-line code.
#pragma once

#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/regions/region.h"

#include <span>
#include <vector>

namespace analysis {

/// The markers' regions that hold instructions. Of a source they are those that it wrote into the assembly with
/// `asm volatile`, and have no place but their instructions' lines. Ends with the first one beyond the limits: markers
/// that never end would make lists of instructions without end.
std::vector<Region> programMarkers(const mca::Program &program, const SourceMap &map, bool compiled);

/// Adds what the marker comments of a source select: `found.regions` for straight-line code, one for each function that
/// holds some of it, and `found.marked` for loops, whose versions are indices in `loops`. Ends with the first region
/// beyond the limits, as programMarkers() does.
void addSourceMarkers(const SourceFacts &facts, const mca::Program &program, const SourceMap &map,
                      const FunctionNames &functions, std::span<const PlacedLoop> loops, Regions &found);

} // namespace analysis
