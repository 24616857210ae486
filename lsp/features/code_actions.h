// textDocument/codeAction: what can be changed in the text so that the analysis says more, or something else.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <string>
#include <vector>

namespace lsp::features {

/// What can be offered besides what the document holds.
struct ActionChoices {
  std::vector<std::string> cpus; ///< CPUs to analyse for
  std::string newConfigUri;      ///< of the `.mca-lsp.json` beside the document; empty when it is there already
};

/// What applies to the requested range and is of a wanted kind. Empty for a client that takes commands only, and for a
/// document that is not ours.
std::vector<protocol::CodeAction> codeActions(const Document &document, const protocol::CodeActionParams &params,
                                              const ActionChoices &choices, const protocol::ClientCapabilities &client);

} // namespace lsp::features
