// Numbers as llvm-mca writes them.
#pragma once

#include <string>

namespace lsp::features {

/// With this many decimals, rounded half up.
std::string decimals(double value, int digits);

/// "1 micro-op", "2 micro-ops".
std::string counted(size_t count, const std::string &noun);

} // namespace lsp::features
