// Register dependencies that the program alone determines.
//
// The last writer of each register follows from the program, with two exceptions: the limit of eliminated moves per
// cycle makes renaming depend on timing, and a late read may wait for an instruction that has already retired. A run
// with precomputed dependencies renames nothing.
#pragma once

#include "mca-core/model/body.h"

namespace mca {

/// Iterations that renaming may take to repeat. Eliminated moves can permute registers, so that the first few differ.
constexpr uint32_t kDistinctIterations = 4;

/// Fills Body::renamed, dependencies and dependents, or leaves them empty if the machine must rename while it runs.
/// Call it once the rest of the body is complete. `dispatchWidth`: micro-ops per cycle.
void addDependencies(Body &body, uint32_t dispatchWidth);

} // namespace mca
