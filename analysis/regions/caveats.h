// What makes a region's numbers less certain than they look, such as branches in a marked region, or a lower bound:
// calls. vector_type.h adds the caveats about vector types.
//
// The code of a called function is not simulated. Whatever time was assumed for it, llvm-mca's 100 cycles for instance,
// a short function could take less. So a call is simulated as if the function returned at once, and an iteration takes
// at least the cycles that are shown. How long the function takes, and what limits the loop then, is unknown.
#pragma once

#include "analysis/regions/region.h"

namespace analysis {

/// Cycles that are simulated for a call, instead of llvm-mca's 100.
constexpr uint32_t kCallLatency = 1;

/// In Region::calls: a function whose address is computed.
constexpr const char *kThroughPointer = "through a pointer";

/// The function that a call calls, as in Region::calls.
std::string calleeOf(const mca::Target &target, const llvm::MCInst &call);

/// Adds the caveats that follow from its instructions to `region.caveats`, and its callees to `region.calls`.
/// `compiled`: the buffer is source, and the assembly a compiler's. In an assembly buffer the author of a marker region
/// chose its instructions, branches included, and there is no caveat.
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
