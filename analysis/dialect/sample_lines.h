// The first lines of an assembly text, as the recognisers of this folder read them.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace analysis {

/// Calls `visit` with each line of the text's first 64 KiB that is not empty, without the blanks around it and without
/// C's block comments, until `visit` returns false. Comments up to the end of a line are kept.
void forEachSampleLine(llvm::StringRef text, llvm::function_ref<bool(llvm::StringRef line)> visit);

/// The line's first word, up to a blank, a parenthesis or a comma.
llvm::StringRef firstWordOf(llvm::StringRef line);

/// The instruction of a line: without its labels, and without what follows a comment's opening. Empty for a line with a
/// directive, an assignment or a preprocessor's command, or with none.
llvm::StringRef instructionIn(llvm::StringRef line);

/// The text of an instruction after its mnemonic, without the blanks before it.
llvm::StringRef operandsOf(llvm::StringRef instruction);

/// Calls `visit` with each word of letters, digits, `_`, `.` and `$` in the operands, and with the character before it
/// (0 at the begin).
void forEachWord(llvm::StringRef operands, llvm::function_ref<void(llvm::StringRef word, char before)> visit);

} // namespace analysis
