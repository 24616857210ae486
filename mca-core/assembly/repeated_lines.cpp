#include "mca-core/assembly/repeated_lines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mca {
namespace {

constexpr unsigned kMostKnown = 1 << 16; ///< lines; some 200 bytes each

/// Takes an operand's register, number, or what is in braces (`{%k1}`, `{z}`, `{1to8}`) off the text. Returns false for
/// anything else.
bool takeWord(llvm::StringRef &text) {
  if (text.consume_front("{")) {
    const size_t close = text.find_first_not_of("%abcdefghijklmnopqrstuvwxyz0123456789-");
    text = text.substr(close);
    return text.consume_front("}");
  }
  const bool isRegister = text.consume_front("%");
  const bool isHex = !isRegister && text.consume_front("0x");
  const llvm::StringRef word = text.take_while(llvm::isAlnum);
  text = text.drop_front(word.size());
  return !word.empty() && (isRegister || llvm::all_of(word, isHex ? llvm::isHexDigit : llvm::isDigit));
}

/// One word, then registers, numbers and what stands between them, and perhaps a comment that is no marker.
bool standsForItself(llvm::StringRef line) {
  const llvm::StringRef mnemonic = line.take_while(llvm::isAlnum);
  llvm::StringRef rest = line.drop_front(mnemonic.size());
  if (mnemonic.empty() || !llvm::isAlpha(mnemonic.front()))
    return false;
  while (!rest.empty()) {
    if (rest.front() == '#')
      return !rest.contains("LLVM-MCA-") && !rest.contains('\r');
    if (llvm::StringRef(" \t,()*$-:").contains(rest.front()))
      rest = rest.drop_front();
    else if (!takeWord(rest))
      return false;
  }
  return true;
}

bool isPlain(const llvm::MCOperand &operand) {
  return operand.isReg() || operand.isImm();
}

} // namespace

bool RepeatedLines::supports(const Target &target) {
  // Mitigations put further instructions beside some of a line's.
  return target.triple().isX86() && !llvm::StringRef(target.features()).contains("lvi");
}

bool RepeatedLines::isEmpty(llvm::StringRef line) {
  if (!line.consume_front("#"))
    return line.empty();
  line = line.ltrim(" \t");
  return (line.empty() || !llvm::isDigit(line.front())) && !line.contains("LLVM-MCA-") && !line.contains('\r');
}

void RepeatedLines::add(llvm::StringRef line, const llvm::MCInst &inst) {
  if (known_.size() < kMostKnown && llvm::all_of(inst, isPlain) && standsForItself(line))
    known_.try_emplace(line, inst);
}

const llvm::MCInst *RepeatedLines::find(llvm::StringRef line) const {
  const auto found = known_.find(line);
  return found == known_.end() ? nullptr : &found->second;
}

} // namespace mca
