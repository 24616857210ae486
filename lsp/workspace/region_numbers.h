// A loop's cycles as hints, comparisons and rankings show them. Vectorized and unrolled loops do several iterations of
// the source in one of the machine code; without a common unit, a change of the factor would look like a slowdown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace lsp {

/// Cycles per iteration of the source's loop, of which one iteration of the machine code does `sourceIterations`. If
/// that is unknown (0), they stay those of the machine code.
inline double cyclesPerSourceIteration(double cycles, uint32_t sourceIterations) {
  return cycles / std::max(sourceIterations, 1u);
}

/// What precedes cycles: "≥ " if they are a lower bound (wire::isLowerBound()), otherwise nothing.
inline std::string boundMark(bool isLowerBound) {
  return isLowerBound ? "≥ " : "";
}

} // namespace lsp
