#include "analysis/insight/findings.h"

#include "llvm/Support/Path.h"

namespace analysis {

wire::Finding findingOf(const mca::Diagnostic &diagnostic) {
  wire::Finding finding;
  finding.at = {diagnostic.begin, diagnostic.end};
  finding.severity =
      diagnostic.severity == mca::Diagnostic::Severity::Error ? wire::Severity::Error : wire::Severity::Warning;
  finding.code = diagnostic.fromMarker ? "marker-error" : "parse-error";
  finding.message = diagnostic.message;
  for (const mca::Diagnostic::Related &related : diagnostic.related)
    finding.related.push_back({.at = {related.begin, related.end}, .message = related.message});
  return finding;
}

wire::Finding findingOf(const CompilerDiagnostic &diagnostic, const std::string &path, const TextLines &lines) {
  wire::Finding finding{.severity = diagnostic.severity, .code = "compile-error", .message = diagnostic.message};
  if (diagnostic.line && diagnostic.path == path) {
    finding.at = lines.range(diagnostic.line - 1);
    if (diagnostic.column)
      finding.at.begin = std::min(finding.at.begin + diagnostic.column - 1, finding.at.end);
    return finding;
  }
  finding.at = lines.content(0);
  if (!diagnostic.path.empty())
    finding.related.push_back({.path = diagnostic.path, .line = diagnostic.line, .message = diagnostic.message});
  return finding;
}

wire::Finding findingOf(const AnalysedRegion &analysed, const TextLines &lines) {
  const Region &region = *analysed.region;
  wire::Finding finding;
  finding.at = lines.content(lines.lineOf(region.anchor));
  finding.severity = wire::Severity::Information;
  finding.code = codeOf(analysed.verdict.kind);
  finding.message = (region.name.empty() ? "region" : region.name) + (region.path.empty() ? "" : ", " + region.path) +
                    ": " + analysed.verdict.sentence;
  for (const Verdict::Witness &witness : analysed.verdict.witnesses) {
    const uint32_t position = analysed.positions[witness.instruction];
    std::string text = analysed.report->instructions[witness.instruction].text;
    std::replace(text.begin(), text.end(), '\t', ' ');
    if (const uint32_t line = region.lines[position])
      finding.related.push_back({.at = lines.content(line - 1), .message = text + ": " + witness.message});
  }
  return finding;
}

wire::Finding wholeFileFinding(const TextLines &lines, wire::Severity severity, std::string code, std::string message) {
  return {.at = lines.content(0), .severity = severity, .code = std::move(code), .message = std::move(message)};
}

} // namespace analysis
