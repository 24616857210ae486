// textDocument/hover: what is known about the instruction or region under the cursor.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"
#include "lsp/server/text.h"

#include <optional>
#include <vector>

namespace lsp::features {

/// The smallest of the hovers that contain the position. The cursor behind the last character of a range counts as in
/// it when no other range claims the place.
std::optional<protocol::Hover> hover(const std::vector<analysis::wire::Hover> &hovers, const Text &text,
                                     const protocol::Position &position, const protocol::ClientCapabilities &client);

} // namespace lsp::features
