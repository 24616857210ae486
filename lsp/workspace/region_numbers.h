// Numbers of a region that are shown, compared and ranked, computed in one place.
#pragma once

#include "analysis/wire/messages.h"

#include <algorithm>
#include <cstdint>

namespace lsp {

/// Cycles of the machine code's iteration as they are shown: of the source's, where it is known how many of those one
/// of the machine code's does.
inline double cyclesPerSourceIteration(double cycles, uint32_t sourceIterations) {
  return cycles / std::max(sourceIterations, 1u);
}

} // namespace lsp
