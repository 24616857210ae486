// textDocument/publishDiagnostics: findings as the editor shows them.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/types.h"
#include "lsp/server/job_runner.h"
#include "lsp/server/text.h"

#include <string>
#include <vector>

namespace lsp::features {

/// `uri` is the document's own. Places in other files are given by line. For a client that takes no related
/// information its text is added to the message.
std::vector<protocol::Diagnostic> diagnostics(const std::vector<analysis::wire::Finding> &findings, const Text &text,
                                              const std::string &uri, const protocol::ClientCapabilities &client);

/// What a worker's death says about the place that it was working on.
analysis::wire::Finding findingOfDeath(const WorkerDeath &death, Verdict verdict);

} // namespace lsp::features
