// The basic blocks of a program, by functions: where control can go inside each of them.
#pragma once

#include "mca-core/trace/branches.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace mca {

struct CodeBlock {
  static constexpr uint32_t kExit = ~0u; ///< out of the function, or nowhere

  struct Successor {
    uint32_t block = kExit; ///< index in CodeBlocks::blocks
    bool isTaken = false;   ///< goes there if the branch at the end is taken
    bool operator==(const Successor &) const = default;
  };
  uint32_t first = 0; ///< index of an instruction
  uint32_t last = 0;  ///< the branch that ends the block, or what comes before another block
  /// Of a branch with a condition: where it goes if it is not taken, and then if it is. Of an indirect jump: each
  /// target once. Otherwise one.
  llvm::SmallVector<Successor, 2> successors;
};

/// Calls return, so they end a block only if nothing of their function comes after them.
struct CodeBlocks {
  explicit CodeBlocks(const ProgramBranches &branches);

  std::vector<CodeBlock> blocks; ///< in the order of their first instructions
  std::vector<uint32_t> blockOf; ///< by instruction
};

} // namespace mca
