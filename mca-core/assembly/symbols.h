// Symbols in the expressions of operands and data.
#pragma once

namespace llvm {
class MCExpr;
class MCSymbol;
} // namespace llvm

namespace mca {

/// The first symbol in an expression: of a difference such as `.LBB0_4-.LJTI0_0` the label; null without one.
const llvm::MCSymbol *firstSymbolIn(const llvm::MCExpr &expression);

} // namespace mca
