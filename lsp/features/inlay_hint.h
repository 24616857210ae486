// textDocument/inlayHint: the numbers of each region at the end of its line, and on request those of each instruction.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// The hints whose lines lie in `requested`, in the order of their lines: first the region's, then the instruction's.
/// Properties that the client resolves later are left out.
std::vector<protocol::InlayHint> inlayHints(const Document &document, const protocol::Range &requested,
                                            const protocol::UserSettings &settings,
                                            const protocol::ClientCapabilities &client);

/// inlayHint/resolve: the hint with the same position and label, and with its tooltips. Empty if it is no longer there.
std::optional<protocol::InlayHint> resolveInlayHint(const Document &document,
                                                    const protocol::InlayHintResolveParams &params,
                                                    const protocol::UserSettings &settings,
                                                    const protocol::ClientCapabilities &client);

} // namespace lsp::features
