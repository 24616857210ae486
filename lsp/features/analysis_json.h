// A finished analysis as JSON, for programs (`mca.exportJson`, docs/commands.md). The members are those of the wire's
// structs, under the same names. Lines count from 1; `cycles` and `microOps` are those of all iterations.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// The last finished analysis of the document.
protocol::Json analysisJson(const Document &document);

} // namespace lsp::features
