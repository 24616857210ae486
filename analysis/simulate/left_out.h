// Instructions that a simulation leaves out because the CPU's model has no scheduling data for them. The cycles are
// then a lower bound.
//
// An instruction that only ends a hardware loop (`le` and `letp` of Armv8.1-M's low-overhead loops) is left out, too,
// but is no doubt: after the first iteration the CPU takes the branch from its loop registers, and it costs a slot at
// most.
#pragma once

#include "analysis/regions/region.h"
#include "mca-core/model/lowering.h"

#include <optional>
#include <span>

namespace analysis {

/// An instruction without scheduling data.
struct LeftOut {
  uint32_t position = 0; ///< in the region's instructions
  std::string mnemonic;
  std::string reason; ///< LLVM's, if it says more than that the data is missing; otherwise empty
};

/// Those of a region that make its cycles a lower bound. `instructions`: of the region; `skipped`: of its simulation.
std::vector<LeftOut> leftOutOf(const mca::Target &target, const mca::Program &program,
                               std::span<const uint32_t> instructions,
                               std::span<const mca::SkippedInstruction> skipped);

/// What the region's numbers lack; nothing if nothing is left out.
std::optional<wire::Caveat> leftOutCaveat(const mca::Target &target, std::span<const LeftOut> leftOut);

} // namespace analysis
