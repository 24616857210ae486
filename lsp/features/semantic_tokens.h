// textDocument/semanticTokens: for how much of its loop's time each instruction or line keeps the busiest unit busy.
//
// A token's type is one of protocol::kTokenTypes. High: at least half of the cycles of an iteration; medium: at least a
// quarter; low: less, but some. The steps are for the eye; the simulation has no such limits. The modifier marks the
// links of the loop-carried chain. If a place belongs to several regions, the highest share counts.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// The tokens that begin in `requested`.
protocol::SemanticTokens semanticTokens(const Document &document, const protocol::Range &requested,
                                        const protocol::ClientCapabilities &client);

} // namespace lsp::features
