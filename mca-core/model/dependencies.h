// Who waits for whom, where the program alone decides it. The last writer of each register follows from the program
// unless renaming may or may not find room for a move, or a read may still wait for what has retired.
#pragma once

#include "mca-core/model/body.h"

namespace mca {

/// Fills Body::renamed, dependencies and dependents, or leaves them empty when renaming has to find out while the body
/// runs. To be called when everything else of the body is there. `dispatchWidth`: micro-ops per cycle.
void addDependencies(Body &body, uint32_t dispatchWidth);

} // namespace mca
