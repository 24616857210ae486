// The control flow of a program, from its labels and branches, and the innermost loops in it.
//
// Blocks follow the layout of each section. A branch to a label of the text is an edge; what an indirect jump reaches
// is unknown and gives none. Loops are natural loops: a back edge's target dominates its source, and loops with one
// header are one loop. A cycle with several entries (irreducible) is no loop here.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <vector>

namespace analysis {

struct Loop {
  std::vector<uint32_t> instructions; ///< indices in the program, in layout order
  uint32_t header = 0;                ///< the first instruction of the header block
  uint32_t blocks = 1;
  bool severalPaths = false; ///< iterations may differ in the blocks they go through
};

/// Loops that hold no other loop, ordered by their header.
std::vector<Loop> findInnermostLoops(const mca::Target &target, const mca::Program &program);

} // namespace analysis
