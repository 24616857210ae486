// textDocument/documentSymbol and textDocument/foldingRange: the regions and loops of an assembly buffer, which has no
// other structure that an editor would know. C and C++ are left to the servers for these languages.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// Regions inside of others are their children. The paths through a loop are one symbol.
protocol::DocumentSymbols documentSymbols(const Document &document, const protocol::ClientCapabilities &client);

/// The marked regions and loops of more than one line. If the client limits their number, the longest ones.
std::vector<protocol::FoldingRange> foldingRanges(const Document &document, const protocol::ClientCapabilities &client);

} // namespace lsp::features
