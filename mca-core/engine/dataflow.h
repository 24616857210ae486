// The dataflow limit: the speed of a loop if only its dependencies limited it, through registers and through memory.
//
// Every instruction starts as soon as its operands are available, with the model's latencies and read-advances, zero
// idioms and eliminated moves. The longest loop-carried chain then determines the cycles per iteration, and no machine
// with these latencies is faster. A load depends on the stores that its class waits for (Body::memoryClasses); without
// classes, loads and stores are assumed not to alias.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mca {

/// A dependency: from the instruction that writes a register, or to memory, to one that reads it.
struct DataLink {
  uint32_t from = 0; ///< instructions of the region
  uint32_t to = 0;
  uint32_t iterations = 0; ///< 0: it is read in the same iteration; otherwise, how many iterations later
  uint32_t cycles = 0;     ///< from the start of `from` until `to` can use the value; for chains see DataflowLimit
  uint32_t write = 0;      ///< into Body::writes; unused for memory
  bool isMemory = false;
  uint16_t reg = 0; ///< LLVM's number of the written register; 0: none
  std::string name; ///< the register's printed name; empty if not requested
};

/// The mean over links that lead back to the first. Latencies add up along them, and the first cannot start again
/// before the last value has arrived.
double cyclesPerIterationOf(std::span<const DataLink> circle);

/// An eliminated move whose copy depends on a later write to its source. LLVM's renaming makes the definition of an
/// eliminated move an alias of the source register instead of its value (RegisterFile::tryEliminateMoveOrSwap); on a
/// real CPU the copy keeps the value.
struct LateCopy {
  uint32_t move = 0;      ///< instruction of the region
  uint32_t write = 0;     ///< the later definition of the source, by another instruction
  uint16_t reg = 0;       ///< the copy, LLVM's number
  uint16_t sourceReg = 0; ///< the register that is written
  std::string name;       ///< the copy's printed name; empty if not requested
  std::string source;     ///< the source's printed name
};

/// By instruction: how many instances earlier the stores are that it waits for (Body::memoryClasses), if any.
std::vector<std::vector<uint32_t>> findStoresBefore(const Body &body);

struct DataflowLimit {
  /// The chain's cycles divided by the iterations that it spans; 0 if no iteration depends on an earlier one.
  double cyclesPerIteration = 0;
  /// The links of the chain; each starts where the one before it ends, and the last leads back to the first. The first
  /// link starts at the chain's first instruction in program order. No instruction occurs twice.
  ///
  /// A link's cycles count from the arrival of the preceding link's value. An instruction with a folded load starts
  /// long before it needs its register (a read-advance), and the load is not part of the chain.
  std::vector<DataLink> chain;
  /// The late copies that the chain contains; without them the chain would not exist.
  std::vector<LateCopy> lateCopies;
};

/// Faster if the body has precomputed dependencies, see engine/dependencies.h.
DataflowLimit findDataflowLimit(const Body &body);

/// Returns the register dependencies between instructions in a later iteration, in the order of the readers and their
/// operands. Eliminated moves have none.
std::vector<DataLink> findDataLinks(const Body &body);

/// Turns off the elimination of late copies, so that these moves execute. Dependencies must be recomputed afterwards,
/// see engine/dependencies.h.
void keepLateCopies(Body &body);

} // namespace mca
