// The vocabulary that all texts share: numbers, registers, iterations, waits, and columns of text.
#pragma once

#include "analysis/text/counts.h"
#include "analysis/wire/messages.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lsp::wording {

namespace wire = analysis::wire;
using analysis::counted, analysis::decimals, analysis::listOf;

/// A register's name as it stands in a sentence: "xmm0" for "%xmm0". PowerPC's printer writes numbers alone, so "3"
/// becomes "register 3".
std::string registerInWords(const std::string &printed);

/// The unit of cycles per iteration of the machine code: "per iteration", or "per 4 iterations" of the source loop.
/// `sourceIterations` is that of wire::Region; 0 (unknown) gives "per iteration of the machine code".
std::string perIterations(uint32_t sourceIterations);

/// The object of "waits": "for xmm0", "for room in the reorder buffer".
std::string phraseOf(const wire::Wait &wait);

/// Characters of a UTF-8 text; each is assumed to be one column wide.
size_t columnsOf(std::string_view text);
/// `text` if it fits into the columns (at least 1). Otherwise its beginning, ending with `mark`, which is one column
/// wide.
std::string clipped(std::string text, size_t columns, std::string_view mark);

/// "43 %"; "under 1 %" for less than that, but not for nothing. `share`: 0 to 1.
std::string percent(double share);
/// "12,345".
std::string grouped(uint64_t number);

/// Filled with spaces on the right up to a width in bytes; for ASCII text.
std::string padded(std::string text, size_t columns);
/// The same with the spaces on the left.
std::string rightAligned(std::string text, size_t columns);

} // namespace lsp::wording
