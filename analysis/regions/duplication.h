// How many copies of a loop's own code clang put into one iteration of the machine code, by its own account.
//
// For a profiler, which counts each copy of an instruction, clang's unrollers and vectorizers multiply a duplication
// factor into the discriminator of the source location that they copy: by the copies of an unrolled loop, by the
// elements of a vector times the vectors side by side (`DILocation::cloneByMultiplyingDuplicationFactor`, the encoding
// is in LLVM's DebugInfoMetadata.h). The factor of code in the statement itself, but in no loop within it, is therefore
// the iterations of the source that one iteration of the machine code does, times the copies that were made of the
// whole loop when one around it was unrolled.
#pragma once

#include "analysis/regions/loop_place.h"
#include "analysis/regions/region.h"

namespace analysis {

/// Sets what is known of a loop at this place by its own code: the call that it was inlined through, the loops around
/// it and, if clang wrote the factors (`tellsDuplication`), its `duplication`.
void readOwnCode(const mca::Loop &loop, const mca::Program &program, const Sources &in, const LoopPlace &place,
                 bool tellsDuplication, Region &region);

} // namespace analysis
