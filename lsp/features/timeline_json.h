// A timeline as the reply to mca/timeline: docs/commands.md says what each member means.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/workspace/virtual_documents.h"

#include <string>

namespace lsp::features {

/// `uri` is the name that the client asks for it again by. Lines count from 0, cycles from 0.
protocol::Json timelineJson(const VirtualText &document, const std::string &uri);

} // namespace lsp::features
