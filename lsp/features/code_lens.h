// textDocument/codeLens: the hints above their lines, for users who want nothing inside the text.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// One for each hint, in the order of the lines. A click runs `mca.showReport` with the place.
std::vector<protocol::CodeLens> codeLenses(const Document &document, const protocol::ClientCapabilities &client);

} // namespace lsp::features
