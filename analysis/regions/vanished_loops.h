// Loop statements of C and C++ that left no loop in the machine code: unrolled completely, turned into a call of
// memset, computed without one, or removed. Only that they are gone is known here, not why.
//
// Silence is better than a wrong claim, so a statement counts only if
//  - its function was compiled: some instruction belongs to it, be it where the function was inlined. The statement's
//    own code need not be there, unless a directive or `if constexpr` may have left the statement out;
//  - no loop of the machine code is at it or inside of it, in no function and through no call, and none of its
//    function is of an unknown statement, or of a statement around it in a way that may hide another loop;
//  - none of its code runs in a cycle, other than that of an innermost loop with one way back, and none is reached only
//    by what no block names, as the code that catches an exception is.
// Labels with their `goto` and macros that look like loops never count, nor does `do … while (0)`.
#pragma once

#include "analysis/regions/marker_regions.h"

#include <vector>

namespace analysis {

/// What is known of the loops of a program.
struct FoundLoops {
  std::span<const PlacedLoop> placed;       ///< all that belong to lines of the buffer
  std::span<const LoopElsewhere> elsewhere; ///< all others
};

/// The offsets of the keywords, ascending.
std::vector<uint32_t> findVanishedLoops(const mca::ControlFlow &code, const SourceMap &map,
                                        const LoopStatements &statements, const FunctionNames &functions,
                                        const FoundLoops &loops);

} // namespace analysis
