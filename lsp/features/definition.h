// textDocument/definition: from an instruction to those that make its inputs, and between a source line and its
// instructions in the assembly documents that the editor shows.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"
#include "lsp/workspace/virtual_documents.h"

namespace lsp::features {

/// In an assembly buffer from an instruction to those whose results it reads, in the order of the text.
protocol::Definition producers(const Document &document, const protocol::Position &position,
                               const protocol::ClientCapabilities &client);

/// From a line of the buffer to the lines of the document `listingUri` that stand for it, one place for each run of
/// lines. `links` are those of the listing, in any order.
protocol::Definition linesInListing(const Document &document, const protocol::Position &position,
                                    const std::vector<LineLink> &links, const std::string &listingUri,
                                    const protocol::ClientCapabilities &client);

/// From a line of a listing to that of the buffer `bufferUri` that it stands for.
protocol::Definition lineInBuffer(uint32_t line, const std::vector<LineLink> &links, const std::string &bufferUri,
                                  const protocol::ClientCapabilities &client);

} // namespace lsp::features
