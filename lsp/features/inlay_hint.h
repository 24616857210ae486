// textDocument/inlayHint: the numbers of each region at the end of its line.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"
#include "lsp/server/text.h"

#include <vector>

namespace lsp::features {

/// The hints whose lines lie in `requested`, in the order of their lines.
std::vector<protocol::InlayHint> inlayHints(const std::vector<analysis::wire::Hint> &hints, const Text &text,
                                            const protocol::Range &requested,
                                            const protocol::ClientCapabilities &client);

} // namespace lsp::features
