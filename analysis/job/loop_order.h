// The loop of a line whose numbers the hint shows, if the line has several.
//
//  1. What the user marked comes first, then loops of the line itself, then loops of functions that it calls. Lines
//     that are marked, and are a loop in one function and straight-line code in another, are a loop first.
//  2. One loop of the source may have become several (a vector body, a remainder, a fallback for arrays that overlap).
//     The one with vectors comes first, of several the one that does most source iterations at once, because nearly all
//     of the time is spent there. If that number is not known for all of them, it is the one that moves most bytes.
//  3. Different loops of the source are ordered by the bytes that an iteration moves: a hand-written vector body comes
//     before the scalar loop for its remainder.
#pragma once

#include "analysis/simulate/simulated_region.h"

namespace analysis {

/// Orders the loops of one line, the one for the hint first. The result depends on nothing but the loops' regions and,
/// between equal ones, their order; their simulations are not needed.
void orderLoops(const mca::Target &target, const mca::Program &program, std::vector<SimulatedLoop> &onLine);

} // namespace analysis
