// The static properties of a region's instructions: what llvm-mca's "Instruction Info" view lists.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/views/report.h"

namespace mca {

std::vector<InstructionInfo> describeInstructions(const Target &target, const Program &program,
                                                  const LoweredRegion &region, llvm::MCInstPrinter &printer);

} // namespace mca
