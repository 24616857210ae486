// RISC-V: the vector type (element width and register group) that is in force at each vector instruction.
//
// LLVM's models take it from the instruments that llvm-mca makes of vsetvli and vsetivli, in the order of the text
// (RISCVInstrumentManager). The type that is in force when the instruction executes follows the control flow, into the
// functions of the text that are called and back. Where it is known, the instruction gets the instruments of that type;
// otherwise it keeps those of the text, and the region gets a caveat. An instrument that the user wrote in a comment
// stays.
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Gives the vector instructions the instruments of the type that control flow brings to them.
void followVectorTypes(const mca::ControlFlow &code, mca::Program &program);

/// Adds to the regions their vector types in words, and caveats where a type is assumed.
void addVectorTypes(const mca::ControlFlow &code, std::span<Region> regions);

} // namespace analysis
