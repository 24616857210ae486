// Who waits for whom, where that is the same in every iteration: without moves that renaming may carry out alone, the
// last writer of each register follows from the program.
#pragma once

#include "mca-core/model/body.h"

namespace mca {

/// Fills Body::dependencies and Body::dependents, or says in Body::renamesStatically that renaming has to find out
/// while the body runs. To be called when everything else of the body is there.
void addDependencies(Body &body);

} // namespace mca
