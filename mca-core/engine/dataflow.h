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
  uint32_t cycles = 0;     ///< from the start of `from` until the value is there for `to`; of a chain see there
  uint32_t write = 0;      ///< into Body::writes
  uint16_t reg = 0;        ///< LLVM's number of what is written; 0: none
  std::string name;        ///< of the register, as the printer has it; empty if it was not printed
};

/// A copy that waits for what is written to its source later on. LLVM's renaming makes the definition of an eliminated
/// move an alias of the source register, not of its value; in a CPU the copy keeps the value.
struct LateCopy {
  uint32_t move = 0;      ///< instruction of the region
  uint32_t write = 0;     ///< what it waits for: another instruction's definition of the source
  uint16_t reg = 0;       ///< the copy, LLVM's number
  uint16_t sourceReg = 0; ///< of what is written
  std::string name;       ///< of the copy, as the printer has it; empty if it was not printed
  std::string source;     ///< likewise, of what is written
};

struct DataflowLimit {
  /// The chain's cycles by the iterations that it goes through; 0 when nothing is carried from one iteration to the
  /// next.
  double cyclesPerIteration = 0;
  /// The links of the chain, each from where the one before leads, the last one back to the first. The first one leaves
  /// the chain's first instruction in program order. No instruction is in it twice.
  ///
  /// A link's cycles are those that its `from` takes from the arrival of what the link before delivers: an instruction
  /// with a folded load starts long before it needs its register (a read-advance), and the load is not the chain's.
  std::vector<DataLink> chain;
  /// Those that the chain goes through: without them there is no such chain.
  std::vector<LateCopy> lateCopies;
};

/// Faster where the body's dependencies are listed, see model/dependencies.h.
DataflowLimit findDataflowLimit(const Body &body);

/// What each instruction needs of others, as renaming leaves it after some iterations; in the order of the readers and
/// their operands. One that renaming carries out alone needs nothing.
std::vector<DataLink> findDataLinks(const Body &body);

/// Makes each move an instruction of its own whose copy something reads after a later write to the source. The lists of
/// who waits for whom have to be made anew, see model/dependencies.h.
void keepLateCopies(Body &body);

} // namespace mca
