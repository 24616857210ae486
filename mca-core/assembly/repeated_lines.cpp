// Decides which lines have the same meaning everywhere.
//
// A line is added only if its text is of a form that is understood completely, and if the parsed instruction confirms
// it: at most one name, which is the instruction's only symbol. Whatever is unusual is left to LLVM's parser.
#include "mca-core/assembly/repeated_lines.h"

#include "mca-core/assembly/names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/Casting.h"

#include <optional>

namespace mca {
namespace {

constexpr unsigned kMaxCached = 1 << 16; ///< cached lines, about 200 bytes each

/// The names in a line's operands.
struct Names {
  unsigned count = 0;
  llvm::StringRef last;
};

/// Consumes an operand's register, number, name or decoration (`{%k1}`, `{z}`, `{1to8}`). Returns false for anything
/// else.
bool consumeWord(llvm::StringRef &text, Names &names) {
  if (text.consume_front("{")) {
    const size_t close = text.find_first_not_of("%abcdefghijklmnopqrstuvwxyz0123456789-");
    text = text.substr(close);
    return text.consume_front("}");
  }
  const bool isRegister = text.consume_front("%");
  if (!isRegister && !text.empty() && isNameChar(text.front()) && !llvm::isDigit(text.front())) {
    names.last = nameAt(text);
    text = text.drop_front(names.last.size());
    ++names.count;
    return true;
  }
  const bool isHex = !isRegister && text.consume_front("0x");
  const llvm::StringRef word = text.take_while(llvm::isAlnum);
  text = text.drop_front(word.size());
  return !word.empty() && (isRegister || llvm::all_of(word, isHex ? llvm::isHexDigit : llvm::isDigit));
}

/// Returns the names in the operands of a line with one instruction and at most an ordinary comment; nothing for other
/// lines.
std::optional<Names> namesIn(llvm::StringRef line) {
  Names names;
  const llvm::StringRef mnemonic = line.take_while(llvm::isAlnum);
  llvm::StringRef rest = line.drop_front(mnemonic.size());
  if (mnemonic.empty() || !llvm::isAlpha(mnemonic.front()))
    return std::nullopt;
  while (!rest.empty() && rest.front() != '#') {
    if (llvm::StringRef(" \t,()*$-+:").contains(rest.front()))
      rest = rest.drop_front();
    else if (!consumeWord(rest, names))
      return std::nullopt;
  }
  // Markers have an effect each time. LLVM's lexer ends a comment at a carriage return.
  if (rest.contains("LLVM-MCA-") || rest.contains('\r'))
    return std::nullopt;
  return names;
}

/// Returns the expression's only symbol, if it is no variable; otherwise null.
const llvm::MCSymbol *onlySymbolIn(const llvm::MCExpr *expr) {
  while (const auto *binary = llvm::dyn_cast<llvm::MCBinaryExpr>(expr)) {
    if (!llvm::isa<llvm::MCConstantExpr>(binary->getRHS()))
      return nullptr;
    expr = binary->getLHS();
  }
  const auto *reference = llvm::dyn_cast<llvm::MCSymbolRefExpr>(expr);
  return reference && !reference->getSymbol().isVariable() ? &reference->getSymbol() : nullptr;
}

} // namespace

bool RepeatedLines::supports(const Target &target) {
  // The mitigations of load value injection (+lvi-cfi, +lvi-load-hardening) add instructions to some lines.
  return target.triple().isX86() && !llvm::StringRef(target.features()).contains("lvi");
}

bool RepeatedLines::isEmpty(llvm::StringRef line) {
  if (!line.consume_front("#"))
    return line.empty();
  line = line.ltrim(" \t");
  return (line.empty() || !llvm::isDigit(line.front())) && !line.contains("LLVM-MCA-") && !line.contains("mca:") &&
         !line.contains('\r');
}

void RepeatedLines::add(llvm::StringRef line, const llvm::MCInst &inst) {
  // A full cache stays as it is, so that memory is bounded.
  if (cache_.size() >= kMaxCached)
    return;
  const std::optional<Names> names = namesIn(line);
  if (!names || names->count > 1)
    return;
  const llvm::MCSymbol *symbol = nullptr;
  // Operands of other kinds are left to the parser.
  for (const llvm::MCOperand &operand : inst) {
    if (operand.isReg() || operand.isImm())
      continue;
    if (symbol || !operand.isExpr())
      return;
    symbol = onlySymbolIn(operand.getExpr());
    if (!symbol)
      return;
  }
  // The name must be that symbol: a variable may have been replaced by its value.
  if (names->count ? !symbol || symbol->getName() != names->last.split('@').first : symbol != nullptr)
    return;
  cache_.try_emplace(line, Line{inst, symbol});
}

/// A symbol may have become a variable since (`name = value`): then LLVM's parser would insert its value.
const llvm::MCInst *RepeatedLines::find(llvm::StringRef line) const {
  const auto found = cache_.find(line);
  if (found == cache_.end() || (found->second.symbol && found->second.symbol->isVariable()))
    return nullptr;
  return &found->second.inst;
}

} // namespace mca
