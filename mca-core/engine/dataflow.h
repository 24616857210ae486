// The dataflow limit: how fast a loop could run if only its register dependencies held it back.
//
// Every instruction starts as soon as its operands are there, with the latencies and read-advances of the model, and
// with zero idioms and move elimination as renaming carries them out. What remains per iteration is the longest
// loop-carried chain: no machine with these latencies is faster. Memory is left out, as loads and stores are assumed
// not to meet.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>
#include <vector>

namespace mca {

struct DataflowLimit {
  double cyclesPerIteration = 0; ///< 0 when nothing is carried from one iteration to the next
  /// The instructions of the chain, in program order, without repetition.
  std::vector<uint32_t> chain;
};

DataflowLimit findDataflowLimit(const Body &body);

} // namespace mca
