// textDocument/completion: only inside the comments that address the analysis. Other servers complete the rest.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// After the beginning of `LLVM-MCA-` the markers and the target's instruments; after END the names of open regions;
/// after a RISC-V instrument its values; after `mca:` its keys and, after `cpu=`, `cpus`. Each item replaces the word
/// before the position.
std::vector<protocol::CompletionItem> completions(const Document &document, const protocol::Position &position,
                                                  const std::vector<std::string> &cpus,
                                                  const protocol::ClientCapabilities &client);

} // namespace lsp::features
