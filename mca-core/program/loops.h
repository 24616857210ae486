// The innermost loops of a program.
//
// Loops are natural loops: a back edge's target dominates its source. Loops with one header are one loop, except for an
// innermost one that shares its header with the loop around it. A cycle with several entries (irreducible) is a loop if
// it holds no other; its header is a block that each way around goes through, if there is one.
#pragma once

#include "mca-core/program/code_blocks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace mca {

/// A basic block of a loop.
struct LoopBlock {
  uint32_t begin = 0; ///< its instructions, as positions in Loop::instructions, half-open
  uint32_t end = 0;
  std::vector<uint32_t> successors; ///< indices of the loop's blocks, each once, without the way back to the header
  bool isLatch = false;             ///< whether control may go from here to the header
};

/// The blocks stand in layout order, and so do the instructions in them.
struct Loop {
  std::vector<uint32_t> instructions; ///< indices in the program, in layout order
  std::vector<LoopBlock> blocks;
  uint32_t headerBlock = 0; ///< index in `blocks`

  /// Index in the program of the header's first instruction.
  uint32_t header() const { return instructions[blocks[headerBlock].begin]; }
};

/// A loop in another one of which it is not certain that it is one: what one of several branches back to a header makes
/// on its own, in the whole that all of them make; or a cycle with several entries, in the loop around it.
struct SharedHeader {
  const Loop &part;                      ///< holds no other loop, and less than the whole
  llvm::ArrayRef<uint32_t> instructions; ///< of the whole, in layout order; not all of them if it holds loops
  bool holdsLoops;                       ///< whether the whole holds loops with other headers
  bool isInside;                         ///< whether the part goes around without the whole's header
};
/// Whether the part is a loop of its own, and the rest the loop around it; otherwise it is a `continue` of the whole.
using IsOwnLoop = llvm::function_ref<bool(const SharedHeader &)>;

/// A cycle inside, or a block that jumps to itself, in a loop that holds others: without a source nothing else is
/// certain.
bool isOwnBlock(const SharedHeader &shared);

/// By block: whether control may come to it again, in a cycle of several blocks or by a jump to itself.
std::vector<bool> findRepeatedBlocks(const CodeBlocks &blocks);

/// Loops that hold no other loop, by their headers, ascending.
std::vector<Loop> findInnermostLoops(const ControlFlow &flow, IsOwnLoop isOwn = isOwnBlock);

} // namespace mca
