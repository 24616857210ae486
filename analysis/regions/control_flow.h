// The control flow of a program, from its labels and branches, and the innermost loops in it.
//
// Blocks follow the layout of each section. A branch to a label of the text is an edge, and an indirect jump goes to
// all addresses of the table that it is computed from, where the text has that table. Loops are natural loops: a back
// edge's target dominates its source, and loops with one header are one loop. A cycle with several entries
// (irreducible) is a loop when it holds no other.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

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

/// Loops that hold no other loop, ordered by their header; of the instructions from `first` on.
std::vector<Loop> findInnermostLoops(const mca::Target &target, const mca::Program &program, uint32_t first = 0);

} // namespace analysis
