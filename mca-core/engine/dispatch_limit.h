// The dispatch limit: the speed of a loop if only dispatch limited it, with its groups.
//
// The micro-ops divided by the dispatch width are not all of it. An instruction is dispatched as a whole if it has at
// most as many micro-ops as the width, some begin or end a group, and one with more micro-ops keeps dispatch for the
// cycles that follow. So slots stay empty, and no machine fills them. The rules are those of OutOfOrderMachine's
// dispatch stage (docs/engine.md), and no stage after it is simulated.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>

namespace mca {

/// Cycles of the iterations of one period.
struct DispatchLimit {
  uint64_t cycles = 0;
  uint64_t iterations = 0; ///< 0: not computed

  double cyclesPerIteration() const { return iterations ? double(cycles) / double(iterations) : 0; }
};

/// `dispatchWidth`: micro-ops per cycle; 0 gives no limit.
DispatchLimit findDispatchLimit(const Body &body, uint32_t dispatchWidth);

} // namespace mca
