// The static properties of a region's instructions: what llvm-mca's "Instruction Info" view lists.
#pragma once

#include "mca-core/model/lowering.h"
#include "mca-core/views/report.h"

namespace mca {

/// What to find out beyond what always is.
struct InstructionInfoOptions {
  bool encodings = false;
  bool schedulingDetails = false;
  bool misplacedInstruments = false; ///< see SimulationOptions
};

std::vector<InstructionInfo> describeInstructions(const Target &target, const Program &program,
                                                  const LoweredRegion &region, llvm::MCInstPrinter &printer,
                                                  const InstructionInfoOptions &options = {});

/// The resources of the scheduling model that have units, in its order.
std::vector<ResourceDescription> describeResources(const llvm::MCSchedModel &model);

} // namespace mca
