// Resource pressure without a simulation (-instruction-tables): the model's cycles of each instruction, spread evenly
// over the units that can execute it (ResourcePressureView and InstructionTables in LLVM).
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/report/report.h"

namespace mca {

/// Computes the pressure of one iteration.
ResourcePressure makeInstructionTables(const Body &body, const ResourceTable &resources);

} // namespace mca
