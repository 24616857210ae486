// Numbers as llvm-mca writes them.
#pragma once

#include <string>

namespace lsp::features {

/// With this many decimals, rounded half up.
std::string decimals(double value, int digits);

} // namespace lsp::features
