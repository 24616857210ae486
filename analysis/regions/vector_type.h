// RISC-V: the vector type (element width and register group) that is in force at each vector instruction.
//
// LLVM's models take it from the instruments that llvm-mca makes of vsetvli and vsetivli, in the order of the text
// (RISCVInstrumentManager). The type that is in force when the instruction executes follows the control flow. If the
// two agree, the number is sound; otherwise the region gets a caveat.
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Adds to the regions their vector types in words, and caveats where a type is assumed.
void addVectorTypes(const mca::Target &target, const mca::Program &program, std::span<Region> regions);

} // namespace analysis
