// Diagnostics, published or pulled: findings as the editor shows them.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/settings.h"
#include "lsp/protocol/types.h"
#include "lsp/workspace/text.h"
#include "lsp/workspace/worker_death.h"

#include <string>
#include <string_view>
#include <vector>

namespace lsp::features {

/// Where the pages about the codes are, one for each: docs/diagnostics.
inline constexpr std::string_view kDiagnosticPages = "https://github.com/mca-lsp/mca-lsp/blob/main/docs/diagnostics/";

/// The findings with the severities that the user wants, without those that are off.
std::vector<analysis::wire::Finding> withSeverities(std::vector<analysis::wire::Finding> findings,
                                                    const protocol::UserSettings &settings);

/// The same as diagnostics, the first wire::kMaxFindings of them. `uri` is the document's own. Places in other files
/// are given by line. For a client that takes no related information its text is added to the message.
std::vector<protocol::Diagnostic> diagnostics(const std::vector<analysis::wire::Finding> &findings,
                                              const protocol::UserSettings &settings, const Text &text,
                                              const std::string &uri, const protocol::ClientCapabilities &client);

/// The answer to a pull: the diagnostics, or `unchanged` when they are those that `previousResultId` stands for.
protocol::DocumentDiagnosticReport diagnosticReport(std::vector<protocol::Diagnostic> items,
                                                    const std::string &previousResultId);

/// What a worker's death says about the place that it was working on.
analysis::wire::Finding findingOfDeath(const WorkerDeath &death, AfterDeath after);

} // namespace lsp::features
