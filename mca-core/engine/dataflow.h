// The dataflow limit: how fast a loop could run if only its register dependencies held it back.
//
// Every instruction starts as soon as its operands are there, with the latencies and read-advances of the model, and
// with zero idioms and move elimination as renaming carries them out. What remains per iteration is the longest
// loop-carried chain: no machine with these latencies is faster. Memory is left out, as loads and stores are assumed
// not to meet.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mca {

/// A register's way from the instruction that writes it to one that reads it.
struct DataLink {
  uint32_t from = 0; ///< instructions of the region
  uint32_t to = 0;
  uint32_t iterations = 0; ///< how many iterations later it is read; 0: in the same one
  uint32_t cycles = 0;     ///< from the start of `from` until the value is there for `to`
  uint16_t reg = 0;        ///< LLVM's number of what is written; 0: none
  std::string name;        ///< of the register, as the printer has it; empty where nobody has printed it
};

struct DataflowLimit {
  double cyclesPerIteration = 0; ///< 0 when nothing is carried from one iteration to the next
  /// The links of the chain, each from where the one before leads, the last one back to the first. The first one leaves
  /// the chain's first instruction in program order. No instruction is in it twice.
  std::vector<DataLink> chain;
};

/// Faster where the body's dependencies are listed, see model/dependencies.h.
DataflowLimit findDataflowLimit(const Body &body);

/// What each instruction needs of others, as renaming leaves it after some iterations; in the order of the readers and
/// their operands. One that renaming carries out alone needs nothing.
std::vector<DataLink> findDataLinks(const Body &body);

} // namespace mca
