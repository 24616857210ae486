// textDocument/hover: what is known about the instruction, source line or region under the cursor.
#pragma once

#include "lsp/protocol/types.h"
#include "lsp/workspace/document.h"

#include <optional>

namespace lsp::features {

/// On a region's first line and on the line of its hint, the region's; elsewhere the instruction's in assembly and the
/// line's in C and C++, and where there is neither, the region's around it.
///
/// Of several regions the smallest that contains the position. The cursor behind the last character of a region counts
/// as in it when no other one claims the place.
std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client);

} // namespace lsp::features
