// The capacity of the engine's tables. All models of LLVM 22.1 fit; a larger one makes the region fail instead of
// writing out of bounds.
#pragma once

#include "llvm/MC/MCSchedule.h"

#include <optional>
#include <string>

namespace mca {

/// Returns why regions cannot be simulated with this model, or nothing if they can.
std::optional<std::string> beyondLimits(const llvm::MCSchedModel &model);

} // namespace mca
