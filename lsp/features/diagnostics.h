// Diagnostics, published or pulled: findings as the editor shows them.
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/settings/settings.h"

namespace lsp::features {

/// The address of docs/diagnostics, which has a page for each code.
inline constexpr std::string_view kDiagnosticPages = "https://github.com/mca-lsp/mca-lsp/blob/main/docs/diagnostics/";

/// The findings with the severities that the user wants, without those that are off.
std::vector<wire::Finding> withSeverities(std::vector<wire::Finding> findings, const protocol::UserSettings &settings);

/// The same as diagnostics, the first wire::kMaxFindings of them. `uri` is the document's own. A place in another file,
/// whose text the server does not have, is the beginning of its line. For a client without support for related
/// information, its text is added to the message.
std::vector<protocol::Diagnostic> diagnostics(const std::vector<wire::Finding> &findings,
                                              const protocol::UserSettings &settings, const Text &text,
                                              const std::string &uri, const protocol::ClientCapabilities &client);

/// The answer to a pull: the diagnostics, or `unchanged` if they are those that `previousResultId` stands for.
protocol::DocumentDiagnosticReport diagnosticReport(std::vector<protocol::Diagnostic> items,
                                                    const std::string &previousResultId);

} // namespace lsp::features
