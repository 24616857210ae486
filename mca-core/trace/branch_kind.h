// What one instruction does to control flow, without its surroundings.
#pragma once

#include "mca-core/trace/branches.h"

#include "llvm/MC/MCInst.h"

namespace mca {

/// Kind, predicate and delay slot of an instruction; no target.
Branch classifyBranch(const Target &target, const llvm::MCInst &inst);

/// The symbol that an operand expression is exactly, after aliases are followed; null for sums and numbers.
const llvm::MCSymbol *exactSymbolIn(const llvm::MCExpr &expression);

} // namespace mca
