// What in a region makes its numbers less certain than they look, such as several blocks, or a lower bound: calls. (For
// vector types see vector_type.h.)
//
// What a call executes is not simulated. Whatever time was assumed for it, llvm-mca's 100 cycles for instance, a short
// function could take less: a call is simulated as if the function returned at once, so that the cycles are ones that
// an iteration takes at least. How long the function takes, and what limits the loop then, is unknown.
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Cycles that the editor assumes for a call.
constexpr uint32_t kCallLatency = 1;

/// In Region::calls: a function whose address is computed.
constexpr const char *kThroughPointer = "through a pointer";

/// Adds to `region.caveats` and `region.calls` what its instructions give reason for. `compiled`: the buffer is source,
/// and the assembly a compiler's. (In an assembly buffer a marker region is what its author chose, branches included.)
void addCaveats(const mca::Target &target, const mca::Program &program, bool compiled, Region &region);

/// A call or a computed jump in a region.
struct ControlTransfer {
  using Kind = wire::Transfer::Kind;
  Kind kind = Kind::Call;
  uint32_t position = 0; ///< in the region's instructions
};

/// The calls and indirect jumps of a region, in its order.
std::vector<ControlTransfer> findControlTransfers(const mca::Target &target, const mca::Program &program,
                                                  const Region &region);

} // namespace analysis
