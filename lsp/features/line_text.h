// What there is to say about one line of C or C++ inside a region: its share of what the loop costs.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/features/instruction_places.h"
#include "lsp/wording/rich_text.h"

namespace lsp::features {

/// The line's share of the micro-ops, of the pressure on the region's busiest units and of its loop-carried chain, then
/// its instructions. `line` must have some.
wording::RichText lineText(const LineInstructions &line);

} // namespace lsp::features
