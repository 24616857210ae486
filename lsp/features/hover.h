// textDocument/hover: the numbers of the instruction, source line or region under the cursor.
#pragma once

#include "lsp/workspace/document.h"

namespace lsp::features {

/// On a region's first line and on the line of its hint, the region's numbers. Elsewhere those of the instruction in
/// assembly and of the line in C and C++, or, without any, of the region around it.
///
/// Of several regions the smallest that contains the position. A region also contains the position after its last
/// character, where the cursor stands at the end of a line, unless another region contains that place.
///
/// `now`: seconds since 1970, for the age of a trace; 0 if it is not known.
std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client, uint64_t now = 0);

} // namespace lsp::features
