// textDocument/codeLens: the hints above their lines, for those who want nothing in the text.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <vector>

namespace lsp::features {

/// One for each hint, in the order of the lines. Clicked, it runs `mca.showReport` with the place.
std::vector<protocol::CodeLens> codeLenses(const Document &document, const protocol::ClientCapabilities &client);

} // namespace lsp::features
