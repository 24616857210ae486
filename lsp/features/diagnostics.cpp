// Findings to diagnostics, and deaths to findings.
#include "lsp/features/diagnostics.h"

#include "lsp/features/stage_text.h"
#include "lsp/protocol/uri.h"

#include <algorithm>

namespace lsp::features {
namespace {

using analysis::wire::Finding;
using analysis::wire::RelatedPlace;

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

/// What it was doing, for the end of "the analysis crashed …".
std::string during(const WorkerDeath &death) {
  if (!death.last)
    return "";
  return " while " + stageText(*death.last) + (death.last->what.empty() ? "" : " " + death.last->what);
}

} // namespace

std::vector<protocol::Diagnostic> diagnostics(const std::vector<Finding> &findings, const Text &text,
                                              const std::string &uri, const protocol::ClientCapabilities &client) {
  std::vector<protocol::Diagnostic> result;
  for (const Finding &finding : findings) {
    protocol::Diagnostic &added = result.emplace_back();
    added.range = text.rangeOf(finding.at, client.encoding);
    added.severity = static_cast<int>(finding.severity);
    added.code = finding.code;
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

Finding findingOfDeath(const WorkerDeath &death, Verdict verdict) {
  Finding finding;
  if (death.last)
    finding.at = death.last->at;
  finding.severity = analysis::wire::Severity::Warning;
  switch (death.cause) {
  case WorkerDeath::Cause::Crashed:
    finding.code = "worker-crashed";
    finding.message = "the analysis crashed" + during(death) + ": " + death.how;
    break;
  case WorkerDeath::Cause::TimedOut:
    finding.code = "analysis-timeout";
    finding.message = "the analysis took too long" + during(death) + " and was ended";
    break;
  case WorkerDeath::Cause::OutOfMemory:
    finding.code = "out-of-memory";
    finding.message = "the analysis ran out of memory" + during(death);
    break;
  }
  finding.message += verdict == Verdict::TryingAgain
                         ? "; trying once more"
                         : "; this happened twice, so the file is set aside until it or the settings change";
  return finding;
}

} // namespace lsp::features
