// The control flow of a program, from its labels and branches, and the innermost loops in it.
//
// Blocks follow the layout of each section. A branch to a label of the text is an edge, and an indirect jump goes to
// all addresses of the table that it is computed from, where the text has that table. Loops are natural loops: a back
// edge's target dominates its source. Loops with one header are one loop, but for an innermost one that shares its
// header with the loop around it. A cycle with several entries (irreducible) is a loop when it holds no other.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace analysis {

/// A basic block of a loop.
struct LoopBlock {
  uint32_t begin = 0; ///< its instructions, as positions in Loop::instructions, half-open
  uint32_t end = 0;
  std::vector<uint32_t>
      successors;       ///< blocks of the loop, without repetition, the way back to the header not among them
  bool isLatch = false; ///< whether control may go from here to the header
};

/// The blocks stand in layout order, and so do the instructions in them.
struct Loop {
  std::vector<uint32_t> instructions; ///< indices in the program, in layout order
  std::vector<LoopBlock> blocks;
  uint32_t headerBlock = 0;    ///< index in `blocks`
  bool severalEntries = false; ///< a cycle that can be entered at several blocks; the header is one of them

  /// Index in the program of the header's first instruction.
  uint32_t header() const { return instructions[blocks[headerBlock].begin]; }
};

/// The symbol that an instruction names, of a branch or a call its target; null if there is none.
const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst);

/// A basic block of the program.
struct BasicBlock {
  std::vector<uint32_t> instructions; ///< indices in the program
  std::vector<uint32_t> successors;   ///< indices of blocks
  std::vector<uint32_t> predecessors;
  bool isEntry = false; ///< the first of a function or a section
};

/// The symbol that an instruction's address is made of; null without one.
const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst);

/// All blocks, in layout order.
std::vector<BasicBlock> findBlocks(const mca::Target &target, const mca::Program &program);

/// What one of several branches back to a header makes on its own.
struct SharedHeader {
  const Loop &part;                      ///< holds no other loop, and less than the whole
  llvm::ArrayRef<uint32_t> instructions; ///< of the whole, in layout order; many, if it holds loops
  bool holdsLoops;                       ///< whether the whole holds loops with other headers
};
/// Whether the part is a loop of its own, and the rest the loop around it; otherwise it is a `continue` of the whole.
using IsOwnLoop = llvm::function_ref<bool(const SharedHeader &)>;

/// A block that jumps to itself, in a loop that holds others: all that can be said without a source.
bool isOwnBlock(const SharedHeader &shared);

/// Loops that hold no other loop, ordered by their header; of the instructions from `first` on.
std::vector<Loop> findInnermostLoops(const mca::Target &target, const mca::Program &program, uint32_t first = 0,
                                     IsOwnLoop isOwn = isOwnBlock);

} // namespace analysis
