// textDocument/documentHighlight: the instructions that exchange values with the one under the cursor. Assembly only:
// in C and C++ the same request shows the uses of a name, which other servers answer.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// The instruction itself; those whose results it reads, as writes; those that read its result, as reads; and if it is
/// a link of the loop-carried chain, the other links as text. In the order of the text, each place once.
std::vector<protocol::DocumentHighlight> documentHighlights(const Document &document,
                                                            const protocol::Position &position,
                                                            const protocol::ClientCapabilities &client);

} // namespace lsp::features
