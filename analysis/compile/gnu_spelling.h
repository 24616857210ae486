// gcc writes for GNU's assembler, which accepts two spellings that LLVM's does not: names with letters outside of ASCII
// without quotes, and the byte of AArch64's `movi` sign-extended to 64 bits.
#pragma once

#include <string>

namespace analysis {

/// gcc's assembly with such names in quotes and such bytes as two digits. Everything else stays as it is.
std::string withLlvmSpelling(std::string assembly);

} // namespace analysis
