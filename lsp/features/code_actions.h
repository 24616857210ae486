// textDocument/codeAction: edits after which the analysis shows more, or something else.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// What can be offered beyond the contents of the document.
struct ActionChoices {
  std::vector<std::string> cpus; ///< CPUs to analyse for
  std::string newConfigUri;      ///< of the `.mca-lsp.json` beside the document; empty if it exists already
};

/// The actions for the requested range that have a requested kind. Empty for a client that takes commands only, and for
/// a document in a language that is not analysed.
std::vector<protocol::CodeAction> codeActions(const Document &document, const protocol::CodeActionParams &params,
                                              const ActionChoices &choices, const protocol::ClientCapabilities &client);

} // namespace lsp::features
