// What the engine's tables have room for. LLVM's scheduling models decide how much they ask for: each of LLVM 22.1's
// fits, and one that does not is an error of the region rather than a write out of bounds.
#pragma once

#include "llvm/MC/MCSchedule.h"

#include <optional>
#include <string>

namespace mca {

/// Why regions cannot be simulated with this model; none when they can.
std::optional<std::string> beyondLimits(const llvm::MCSchedModel &model);

} // namespace mca
