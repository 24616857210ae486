// Whether a text has a word, and not only as a part of a longer one.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace analysis {

/// `isPart`: of the characters that words are made of.
inline bool hasWord(llvm::StringRef text, llvm::StringRef word, llvm::function_ref<bool(char)> isPart) {
  for (size_t at = text.find(word); at != llvm::StringRef::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) && (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

} // namespace analysis
