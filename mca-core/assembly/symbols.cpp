#include "mca-core/assembly/symbols.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/Support/Casting.h"

namespace mca {
namespace {

constexpr unsigned kMaxDepth = 64; ///< expressions can be nested by repeated definitions

const llvm::MCSymbol *firstSymbolIn(const llvm::MCExpr &expression, unsigned depth) {
  if (depth > kMaxDepth)
    return nullptr;
  switch (expression.getKind()) {
  case llvm::MCExpr::SymbolRef:
    return &llvm::cast<llvm::MCSymbolRefExpr>(expression).getSymbol();
  case llvm::MCExpr::Unary:
    return firstSymbolIn(*llvm::cast<llvm::MCUnaryExpr>(expression).getSubExpr(), depth + 1);
  case llvm::MCExpr::Specifier:
    return firstSymbolIn(*llvm::cast<llvm::MCSpecifierExpr>(expression).getSubExpr(), depth + 1);
  case llvm::MCExpr::Binary: {
    const auto &binary = llvm::cast<llvm::MCBinaryExpr>(expression);
    const llvm::MCSymbol *left = firstSymbolIn(*binary.getLHS(), depth + 1);
    return left ? left : firstSymbolIn(*binary.getRHS(), depth + 1);
  }
  default:
    return nullptr;
  }
}

} // namespace

const llvm::MCSymbol *firstSymbolIn(const llvm::MCExpr &expression) {
  return firstSymbolIn(expression, 0);
}

} // namespace mca
