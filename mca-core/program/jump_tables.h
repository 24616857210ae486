// Where computed jumps go: to the addresses in the tables that they are computed from.
//
// A table is an array of addresses in the text's data. A jump names its table, or computes its address from a register
// that an instruction before it loaded with the table's address. If neither is seen (the compiler spilled the address),
// the closest table that the function names is a guess. Compilers end functions with computed jumps, too, which are
// calls: those go to functions, and never to a place inside of one.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

class ProgramBranches;

/// The registers that the target of a computed jump is computed from. PowerPC's `bctr` does not name its own.
llvm::SmallVector<llvm::MCRegister, 8> addressOfJump(const Target &target, const llvm::MCInst &jump);

class JumpTables {
public:
  /// To be called once, when labels, functions and branches are known.
  void find(const ProgramBranches &branches);

  /// All instructions that a jump may go to, ascending. Empty if no table is seen that the jump is certainly computed
  /// from, if that names anything else, or if it is a variable that points to functions.
  std::span<const uint32_t> allTargetsOf(uint32_t jump) const;
  /// The instructions that are named by the table that a jump is computed from, or as a guess by the closest one, each
  /// once and in the table's order. Empty if no table is seen.
  std::span<const uint32_t> knownTargetsOf(uint32_t jump) const;

private:
  struct Table {
    const llvm::MCSymbol *label = nullptr;
    std::vector<uint32_t> targets; ///< the known ones, in order
    std::vector<uint32_t> all;     ///< ascending; empty if some are not known
    bool holdsPlaces = false;      ///< whether a target is inside of a function
    bool isUsed = false;           ///< whether a jump is certainly computed from it
  };
  struct Found {
    uint32_t table = kNone; ///< index in `tables_`
    bool isCertain = false; ///< whether the address is computed from this table, which is a guess otherwise
  };

  void read(const ProgramBranches &branches);
  Found findTable(const ProgramBranches &branches, uint32_t jump) const;
  Found searchTable(const ProgramBranches &branches, uint32_t jump, bool throughOthers) const;
  uint32_t tableNamedBy(const llvm::MCInst &inst) const;

  std::vector<Table> tables_;
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> indices_; ///< in `tables_`, by the table's label
  llvm::DenseMap<uint32_t, Found> ofJump_;
};

} // namespace mca
