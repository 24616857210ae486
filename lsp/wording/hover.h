// The hover for the loops of one line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

namespace lsp::wording {

/// The first path of the first loop in full, or the one that the user looks at, and a line each for the rest. Line
/// numbers of instructions are those of `text`. `now`: seconds since 1970, for the age of a trace; 0 if it is not
/// known.
RichText makeHover(const LoopsOfLine &onLine, const wire::TargetSummary &target, const Text &text, uint64_t now = 0);

} // namespace lsp::wording
