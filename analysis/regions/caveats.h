// What in a region makes its numbers less certain than they look: several blocks, calls. (For vector types see
// vector_type.h.)
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Adds to `region.caveats` what its instructions give reason for. `compiled`: the buffer is source, and the assembly a
/// compiler's. (In an assembly buffer a marker region is what its author chose, branches included.)
void addCaveats(const mca::Target &target, const mca::Program &program, bool compiled, Region &region);

/// A call or a computed jump in a region.
struct ControlTransfer {
  enum class Kind : uint8_t { Call, IndirectJump };
  Kind kind = Kind::Call;
  uint32_t position = 0; ///< in the region's instructions
};

/// The calls and indirect jumps of a region, in its order.
std::vector<ControlTransfer> findControlTransfers(const mca::Target &target, const mca::Program &program,
                                                  const Region &region);

} // namespace analysis
