// Diagnostics as JSON text. Those of a long file are the longest message by far and are sent after every job. A tree of
// JSON values for them takes longer to build, print and destroy than everything else that the server does for a
// keystroke.
#pragma once

#include "lsp/protocol/types.h"

#include <string>

namespace lsp::protocol {

/// The params of textDocument/publishDiagnostics. Bytes that are not UTF-8 become replacement characters.
std::string toText(const PublishDiagnosticsParams &params);

} // namespace lsp::protocol
