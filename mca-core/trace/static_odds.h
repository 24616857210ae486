// The odds of branches that only the code itself can tell: of assembly without a compiler's probabilities.
//
// The rules are those of Ball and Larus (Branch prediction for free, PLDI 1993) that an instruction stream shows:
//
//   branch                                               taken
//   to a block that ends in a trap or a no-return call   never (always, if the other way does)
//   back to the header of a loop                         90 %
//   out of a loop that the other way stays in            10 % (90 %, if the other way leaves it)
//   other conditional branches, predicated instructions  50 %, and a CPU cannot know which
//   indirect jumps through a table                       each target alike, and a CPU cannot know which
//
// A call does not return if it is the last instruction of its function, or if the branches say so. A loop is the
// natural one of a back edge. Functions in which loops overlap too often keep 50 % for some of their exits.
#pragma once

#include "mca-core/program/code_blocks.h"
#include "mca-core/trace/branch_odds.h"

#include <vector>

namespace mca {

/// Returns the odds of all conditional branches, predicated instructions and indirect jumps through tables of a
/// program, in text order.
std::vector<BranchOdds> staticOdds(const CodeBlocks &blocks);

} // namespace mca
