// Assembly that another assembler reads, and LLVM's does not.
//
// LLVM's parser makes something even of such a text: the lines that happen to be right give a number, and in Go's the
// registers become symbols without any error. So a text in a dialect of this list is refused as a whole.
//
// A text of ours that is refused has lost all numbers, so each dialect is known by lines that GNU assembly cannot have,
// and directives of GNU assembly outweigh them.
#pragma once

#include <string_view>

namespace analysis {

struct ForeignDialect {
  const char *name;   ///< "NASM's syntax"
  const char *advice; ///< what to open instead, as an imperative
};

/// The dialect that the text is written in; null if it is none of those that are known.
const ForeignDialect *foreignDialectOf(std::string_view text);

} // namespace analysis
