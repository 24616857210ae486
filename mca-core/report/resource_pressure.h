// Resource pressure: the cycles per iteration that each instruction holds each unit, either counted in a simulation or,
// for -instruction-tables, taken from the scheduling model (ResourcePressureView and InstructionTables in LLVM).
#pragma once

#include "mca-core/engine/resource_state.h"
#include "mca-core/report/report.h"

#include <vector>

namespace mca {

/// Reads the pressure from the machine's resources after a run of `iterations`.
ResourcePressure measurePressure(const Body &body, const ResourceTable &resources, const ResourceState &state,
                                 uint32_t iterations);

/// Computes the pressure of one iteration without a simulation: the model's cycles of each instruction, spread evenly
/// over the units that can execute it.
ResourcePressure makeInstructionTables(const Body &body, const ResourceTable &resources);

/// Returns the slots of each resource's units, by resource.
std::vector<std::vector<uint32_t>> slotsByResource(const ResourceTable &resources,
                                                   const std::vector<ResourceState::Slot> &slots);

} // namespace mca
