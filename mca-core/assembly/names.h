// The characters of a name in assembly text: those of an identifier in LLVM's AsmLexer (isIdentifierChar), with the `@`
// that it accepts for most targets.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mca {

inline bool isNameChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/// Returns the name at the start of the text; empty if there is none.
inline llvm::StringRef nameAt(llvm::StringRef text) {
  return text.take_while(isNameChar);
}

} // namespace mca
