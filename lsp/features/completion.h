// textDocument/completion: inside the comments that speak to the analysis, and nowhere else.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

#include <string>
#include <vector>

namespace lsp::features {

/// Behind the beginning of `LLVM-MCA-` the markers and the target's instruments; behind BEGIN and END the names of open
/// regions; behind `mca:` its keys and, behind `cpu=`, `cpus`. Each item replaces the word before the position.
std::vector<protocol::CompletionItem> completions(const Document &document, const protocol::Position &position,
                                                  const std::vector<std::string> &cpus,
                                                  const protocol::ClientCapabilities &client);

} // namespace lsp::features
