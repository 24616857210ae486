// The ways out of a basic block by the outcome of its branch, those that leave the function included.
#pragma once

#include "mca-core/program/code_blocks.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mca {

struct WayOut {
  static constexpr uint32_t kExit = ~0u; ///< out of the function, or nowhere

  uint32_t block = kExit; ///< index in CodeBlocks::all()
  bool isTaken = false;   ///< goes there if the branch at the end is taken
  bool operator==(const WayOut &) const = default;
};

/// Of a branch with a condition: where it goes if it is not taken, and then if it is. Of an indirect jump: each target
/// of its table once. Otherwise one.
llvm::SmallVector<WayOut, 2> waysOutOf(const CodeBlocks &blocks, uint32_t block);

} // namespace mca
