// gcc writes names with letters outside of ASCII as they are, which GNU's assembler takes; LLVM's takes them in quotes
// alone, as clang writes them.
#pragma once

#include <string>

namespace analysis {

/// The assembly with such names in quotes. Nothing else changes.
std::string withQuotedNames(std::string assembly);

} // namespace analysis
