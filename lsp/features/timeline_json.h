// A timeline as the reply to mca/timeline: docs/commands.md says what each member means.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/workspace/virtual_documents.h"

namespace lsp::features {

/// `uri` is the name by which the client requests it again. Lines and cycles count from 0.
protocol::Json timelineJson(const VirtualText &document, const std::string &uri);

} // namespace lsp::features
