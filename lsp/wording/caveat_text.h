// Caveats in words. A hint marks numbers that have one with "≈"; hover and report say why.
#pragma once

#include "lsp/wording/words.h"

#include <string>

namespace lsp::wording {

/// In lower case, without a full stop.
std::string inWords(const wire::Caveat &caveat);

/// The same with what it makes of the numbers in front: "≥ …" if they are a lower bound, otherwise "≈ …".
std::string markedInWords(const wire::Caveat &caveat);

/// Whether the caveat is that a RISC-V vector type is assumed (finding `assumed-vector-type`).
bool isAssumedVectorType(const wire::Caveat &caveat);

} // namespace lsp::wording
