// Copies of an outer loop that compilers make for the case that its inner loop does nothing.
//
// If the inner loop's count is the same in all iterations of the outer one, clang and gcc test it once, before the
// outer loop, and compile that twice: with the inner loop and without it. The second is an innermost loop of the
// machine code, but no iteration of the statement: its number would say that a pass over a row takes the time of a
// store.
#pragma once

#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"

namespace analysis {

/// Removes the loops at statements whose inner loop they do not hold, not even as straight code or a call. Where the
/// inner loop follows them, as a search's work on what it found does, they are no copies: LoopPlace::lacksInner.
void removeOuterCopies(const mca::ControlFlow &code, const Sources &in, const FunctionNames &functions,
                       std::vector<PlacedLoop> &placed);

} // namespace analysis
