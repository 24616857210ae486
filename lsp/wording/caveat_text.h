// Caveats in words.
#pragma once

#include "analysis/wire/region.h"

#include <string>

namespace lsp::wording {

/// In lower case, without a full stop.
std::string inWords(const analysis::wire::Caveat &caveat);

/// RISC-V: whether it is about a vector type that is assumed.
bool isAssumedVectorType(const analysis::wire::Caveat &caveat);

} // namespace lsp::wording
