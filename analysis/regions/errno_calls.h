// Calls that only set errno.
//
// Without -fno-math-errno, compilers compute a square root by an instruction, and call the library's function besides
// where the operand is negative, which sets errno. They expect even odds of the branch to it, as of any they know
// nothing of. But a program whose operands are often negative computes nothing with them, so the call is taken to never
// happen.
#pragma once

#include "analysis/regions/loop_paths.h"
#include "mca-core/program/code_blocks.h"

namespace analysis {

/// `probability`, but kNoWay to a block that calls sqrt, sqrtf or sqrtl if the root is computed by an instruction
/// besides: in the only block before it, or in the other one that follows that.
BranchProbability withoutErrnoCalls(const mca::ControlFlow &code, BranchProbability probability);

} // namespace analysis
