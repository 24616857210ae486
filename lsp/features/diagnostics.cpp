// Findings to diagnostics, and deaths to findings.
#include "lsp/features/diagnostics.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/features/stage_text.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::RelatedPlace;
namespace codes = analysis::wire::codes;

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

/// None where the user has it turned off.
std::optional<analysis::wire::Severity> severityOf(const Finding &finding, const protocol::UserSettings &settings) {
  const auto as = settings.severities.find(finding.code);
  if (as == settings.severities.end())
    return finding.severity;
  return as->second == protocol::ReportAs::Off ? std::nullopt
                                               : std::optional(static_cast<analysis::wire::Severity>(as->second));
}

/// What it was doing, for the end of "the analysis crashed …".
std::string during(const WorkerDeath &death) {
  if (!death.last)
    return "";
  return " while " + stageText(*death.last) + (death.last->what.empty() ? "" : " " + death.last->what);
}

std::string pageOf(const std::string &code) {
  return analysis::wire::findFindingKind(code) ? std::string(kDiagnosticPages) + code + ".md" : "";
}

} // namespace

std::vector<Finding> withSeverities(std::vector<Finding> findings, const protocol::UserSettings &settings) {
  std::erase_if(findings, [&](Finding &finding) {
    const std::optional<analysis::wire::Severity> severity = severityOf(finding, settings);
    finding.severity = severity.value_or(finding.severity);
    return !severity;
  });
  return findings;
}

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
  result.reserve(std::min(findings.size(), analysis::wire::kMaxFindings));
  for (const Finding &finding : findings) {
    const std::optional<analysis::wire::Severity> severity = severityOf(finding, settings);
    if (!severity || result.size() == analysis::wire::kMaxFindings)
      continue;
    protocol::Diagnostic &added = result.emplace_back();
    added.range = text.rangeOf(finding.at, client.encoding);
    added.severity = static_cast<int>(*severity);
    added.code = finding.code;
    if (client.codeDescriptions)
      added.codeLink = pageOf(finding.code);
    added.related.reserve(client.relatedInformation ? finding.related.size() : 0);
    added.unnecessary = client.unnecessaryTag && finding.code == codes::kEmptyRegion;
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

Finding findingOfDeath(const WorkerDeath &death, AfterDeath after) {
  Finding finding;
  if (death.last)
    finding.at = death.last->at;
  finding.severity = analysis::wire::Severity::Warning;
  switch (death.cause) {
  case WorkerDeath::Cause::Crashed:
    finding.code = codes::kWorkerCrashed;
    finding.message = "the analysis crashed" + during(death) + ": " + death.how;
    break;
  case WorkerDeath::Cause::TimedOut:
  case WorkerDeath::Cause::Idle:
    finding.code = codes::kAnalysisTimeout;
    finding.message = "the analysis took too long" + during(death) + " and was ended: " + death.how;
    break;
  case WorkerDeath::Cause::OutOfMemory:
    finding.code = codes::kOutOfMemory;
    finding.message = "the analysis ran out of memory" + during(death);
    break;
  }
  if (after == AfterDeath::TryingAgain)
    finding.message += "; trying once more";
  else
    finding.message +=
        std::string(death.cause == WorkerDeath::Cause::TimedOut ? "; the " : "; this happened twice, so the ") +
        (after == AfterDeath::ViewSetAside ? "view is set aside until the file" : "file is set aside until it") +
        " or the settings change";
  return finding;
}

} // namespace lsp::features
