// The characters of a name in assembly text: those that LLVM's lexer accepts in an identifier on most targets
// (AsmLexer.cpp).
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
