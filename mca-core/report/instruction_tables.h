// Resource pressure without a simulation: the cycles that the model gives to each instruction, spread evenly over the
// units that could serve it.
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/report/report.h"

namespace mca {

/// Of one iteration.
ResourcePressure makeInstructionTables(const Body &body, const ResourceTable &resources);

} // namespace mca
