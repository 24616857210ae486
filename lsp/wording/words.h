// The small words of all texts: registers, iterations and what an instruction waits for.
#pragma once

#include "analysis/wire/messages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lsp::wording {

/// A register's name as it stands in a sentence: "xmm0" of "%xmm0", "register 3" of PowerPC's "3".
std::string registerInWords(const std::string &printed);

/// Of what the cycles of one iteration of the machine code are: "per iteration", "per 4 iterations" of the source's
/// loop. `sourceIterations` is that of wire::Region.
std::string perIterations(uint32_t sourceIterations);

/// "for xmm0", "for room in the reorder buffer".
std::string phraseOf(const analysis::wire::Wait &wait);

/// Filled with spaces up to so many bytes.
std::string padded(std::string text, size_t columns);
std::string rightAligned(std::string text, size_t columns);

} // namespace lsp::wording
