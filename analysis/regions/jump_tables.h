// Where computed jumps go: to the addresses in the tables that they are computed from.
//
// A table is an array of addresses in the text's data. A jump names its table, or computes its address from a register
// that an instruction before it loaded with the table's address. If neither is seen (the compiler spilled the address),
// the closest table that the function names is a guess. Compilers end functions with computed jumps, too, which are
// calls: those go to functions, and never to a place inside of one.
#pragma once

#include "analysis/regions/branches.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace analysis {

/// A block of code as a computed jump sees it. Blocks are in layout order.
struct JumpBlock {
  llvm::ArrayRef<uint32_t> instructions; ///< indices in the program
  Flow flow;                             ///< of its last instruction
  bool isEntry = false;                  ///< the first of a function or a section
};

class JumpTables {
public:
  /// `targetOf`: the block that a symbol names if a jump inside of a function may go there; otherwise kNone.
  JumpTables(const mca::Target &target, const mca::Program &program, const std::vector<JumpBlock> &blocks,
             llvm::function_ref<uint32_t(const llvm::MCSymbol *)> targetOf);

  /// The blocks that the computed jump at the end of a block may go to, each once.
  std::vector<uint32_t> targetsOf(uint32_t block) const;

  static constexpr uint32_t kNone = ~0u;

private:
  using Registers = llvm::SmallVector<llvm::MCRegister, 8>;

  /// What is known of a jump's table.
  struct Found {
    const llvm::MCSymbol *table = nullptr;
    bool isCertain = false; ///< whether the address is computed from this table, which is a guess otherwise
  };
  Found findTable(uint32_t block) const;
  Registers addressOf(const llvm::MCInst &jump) const;
  bool writes(const llvm::MCInst &inst, llvm::MCRegister reg) const;
  bool mayChange(const llvm::MCInst &inst, const Registers &address, bool isInMemory) const;
  uint32_t firstUnchanged(uint32_t block) const;

  const mca::Target &target_;
  const mca::Program &program_;
  const std::vector<JumpBlock> &blocks_;
  llvm::DenseMap<const llvm::MCSymbol *, std::vector<uint32_t>> tables_; ///< blocks, by the table's label
  llvm::DenseMap<uint32_t, Found> found_;                                ///< by block
  llvm::DenseSet<const llvm::MCSymbol *> used_;                          ///< tables that a jump is computed from
};

} // namespace analysis
