// The hover for the loops of one line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

namespace lsp::wording {

/// The first path of the first loop in full, a line each for the rest. Line numbers of instructions are those of
/// `text`.
RichText makeHover(const LoopsOfLine &onLine, const wire::TargetSummary &target, const Text &text);

} // namespace lsp::wording
