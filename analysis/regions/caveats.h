// What in a region makes its numbers less certain than they look: several blocks, calls. (For vector types see
// vector_type.h.)
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Adds to `region.caveats` what its instructions give reason for. `compiled`: the buffer is source, and the assembly a
/// compiler's. (In an assembly buffer a marker region is what its author chose, branches included.)
void addCaveats(const mca::Target &target, const mca::Program &program, bool compiled, Region &region);

} // namespace analysis
