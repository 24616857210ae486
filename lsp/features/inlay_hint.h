// textDocument/inlayHint: the numbers of each region at the end of its line, and on demand those of each instruction.
#pragma once

#include "lsp/protocol/settings.h"
#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <optional>
#include <vector>

namespace lsp::features {

/// The hints whose lines lie in `requested`, in the order of their lines: first the region's, then the instruction's.
/// What the client resolves later is left out.
std::vector<protocol::InlayHint> inlayHints(const Document &document, const protocol::Range &requested,
                                            const protocol::UserSettings &settings,
                                            const protocol::ClientCapabilities &client);

/// inlayHint/resolve: the hint of the same place and label with its tooltips, if it still stands there.
std::optional<protocol::InlayHint> resolveInlayHint(const Document &document,
                                                    const protocol::InlayHintResolveParams &params,
                                                    const protocol::UserSettings &settings,
                                                    const protocol::ClientCapabilities &client);

} // namespace lsp::features
