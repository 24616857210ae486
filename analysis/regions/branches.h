// Where control goes after an instruction: LLVM's answers, corrected by what compilers write around calls.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

namespace analysis {

/// What LLVM says of an instruction; several may hold.
struct BranchKind {
  bool isCall = false;
  bool isReturn = false;
  bool isBranch = false;
  bool isConditional = false;
  bool isIndirect = false; ///< a jump to an address that was computed
};

/// By the target's MCInstrAnalysis. For the few backends without one, by LLVM's default, which reads the instruction
/// tables.
BranchKind branchKindOf(const mca::Target &target, const llvm::MCInst &inst);

/// What an instruction means for the block that holds it.
struct Flow {
  bool endsBlock = false;
  bool fallsThrough = true; ///< whether the instruction after it may execute next
  bool isIndirect = false;  ///< as in BranchKind
  const llvm::MCSymbol *target = nullptr;
};

/// `index`: of an instruction of the program.
Flow flowOf(const mca::Target &target, const mca::Program &program, uint32_t index);

/// The first symbol in an expression; null if there is none.
const llvm::MCSymbol *symbolIn(const llvm::MCExpr *expression);

/// The symbol that an instruction names: of a branch or a call its target, of another one what its address is made of;
/// null if there is none.
const llvm::MCSymbol *symbolOf(const llvm::MCInst &inst);

} // namespace analysis
