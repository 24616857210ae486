// One hover for the loops that share a line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"

namespace lsp::wording {

/// The first path of the first loop whole, the others by name. Lines of instructions are those of `text`.
RichText makeHover(const LoopsOfLine &onLine, const analysis::wire::TargetSummary &target, const Text &text);

} // namespace lsp::wording
