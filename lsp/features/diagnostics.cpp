// A user's severities replace the worker's at the last moment, so that a change of the settings needs no new analysis.
// Diagnostics are sent after every job, often thousands: findings are not copied for them.
#include "lsp/features/diagnostics.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"

#include <algorithm>

namespace lsp::features {
namespace {

using wire::Finding;
using wire::RelatedPlace;
namespace codes = wire::codes;

protocol::DiagnosticRelatedInformation related(const RelatedPlace &place, const Text &text, const std::string &uri,
                                               protocol::PositionEncoding encoding) {
  if (place.path.empty())
    return {uri, text.rangeOf(place.at, encoding), place.message};
  const protocol::Position start{std::max(place.line, 1u) - 1, 0};
  return {protocol::fileUri(place.path), {start, start}, place.message};
}

std::string asText(const RelatedPlace &place, const Text &text) {
  const uint32_t line = place.path.empty() ? text.lineOf(place.at.begin) + 1 : place.line;
  const std::string where = place.path.empty() ? "line " : place.path + ":";
  return "\n" + where + std::to_string(line) + ": " + place.message;
}

/// Empty if the user has turned the code off. Severities have the numbers of LSP's DiagnosticSeverity everywhere.
std::optional<wire::Severity> severityOf(const Finding &finding, const protocol::UserSettings &settings) {
  const auto as = settings.severities.find(finding.code);
  if (as == settings.severities.end())
    return finding.severity;
  return as->second == protocol::ReportAs::Off ? std::nullopt : std::optional(static_cast<wire::Severity>(as->second));
}

} // namespace

std::vector<Finding> withSeverities(std::vector<Finding> findings, const protocol::UserSettings &settings) {
  std::erase_if(findings, [&](Finding &finding) {
    const auto severity = severityOf(finding, settings);
    finding.severity = severity.value_or(finding.severity);
    return !severity;
  });
  return findings;
}

/// The result id is a hash of all that the client gets, so that no state has to be kept for each client and document.
protocol::DocumentDiagnosticReport diagnosticReport(std::vector<protocol::Diagnostic> items,
                                                    const std::string &previousResultId) {
  const protocol::PublishDiagnosticsParams all{"", std::nullopt, items};
  std::string resultId = std::to_string(std::hash<std::string>{}(toText(all)));
  if (resultId == previousResultId)
    return {std::move(resultId), true, {}};
  return {std::move(resultId), false, std::move(items)};
}

std::vector<protocol::Diagnostic> diagnostics(const std::vector<Finding> &findings,
                                              const protocol::UserSettings &settings, const Text &text,
                                              const std::string &uri, const protocol::ClientCapabilities &client) {
  std::vector<protocol::Diagnostic> result;
  result.reserve(std::min(findings.size(), wire::kMaxFindings));
  for (const Finding &finding : findings) {
    const auto severity = severityOf(finding, settings);
    const bool isOffPath = finding.code == codes::kOffPath; // its only purpose is that the line is faded out
    if (!severity || result.size() == wire::kMaxFindings || (isOffPath && !client.unnecessaryTag))
      continue;
    protocol::Diagnostic &added = result.emplace_back();
    added.range = text.rangeOf(finding.at, client.encoding);
    added.severity = static_cast<int>(*severity);
    added.code = finding.code;
    if (client.codeDescriptions && wire::findFindingKind(finding.code))
      added.codeLink = std::string(kDiagnosticPages) + finding.code + ".md";
    added.related.reserve(client.relatedInformation ? finding.related.size() : 0);
    // Clients may fade out such text (LSP 3.17, DiagnosticTag): the compiler made nothing of the marked lines, or the
    // user looks at another path.
    added.unnecessary = client.unnecessaryTag && (isOffPath || finding.code == codes::kEmptyRegion);
    added.message = finding.message;
    for (const RelatedPlace &place : finding.related) {
      if (client.relatedInformation)
        added.related.push_back(related(place, text, uri, client.encoding));
      else
        added.message += asText(place, text);
    }
  }
  return result;
}

} // namespace lsp::features
