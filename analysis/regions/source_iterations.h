// How many iterations of the source's loop one iteration of the machine code's loop does.
//
// A vectorizer or an unroller puts several into one. The compiler says by how much: clang for each loop of the machine
// code (duplication.h), both in remarks. The code shows how far its pointers and indices move: of the loops that one
// statement became, the vector body moves as many times farther than the remainder as it does more iterations. A number
// is reported only if what the compiler says and the code agree on one.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/regions/region.h"

namespace analysis {

/// Sets `sourceIterations` and `variant` of the loops among the regions of a C or C++ buffer.
void findSourceIterations(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
                          std::vector<Region> &regions);

} // namespace analysis
