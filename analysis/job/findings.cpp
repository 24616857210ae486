// The first line of the buffer has the findings that belong to no other line: an editor shows them at the top.
#include "analysis/job/findings.h"

#include "analysis/compile/paths.h"
#include "analysis/text/comment_syntax.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace analysis {

wire::Finding findingOf(const mca::Diagnostic &diagnostic) {
  const char *code = diagnostic.fromMarker ? wire::codes::kMarkerError
                     : diagnostic.fromData ? wire::codes::kUnreadableData
                                           : wire::codes::kParseError;
  wire::Finding finding =
      wire::makeFinding({diagnostic.begin, diagnostic.end}, code, {wire::Sentence::OfParser, {diagnostic.message}});
  // The assembler has warnings, too.
  finding.severity =
      diagnostic.severity == mca::Diagnostic::Severity::Error ? wire::Severity::Error : wire::Severity::Warning;
  for (const mca::Diagnostic::Related &related : diagnostic.related)
    finding.related.push_back({.at = {related.begin, related.end}, .message = related.message});
  return finding;
}

wire::Finding findingOf(const CompilerDiagnostic &diagnostic, const std::string &path, const TextLines &lines) {
  wire::Finding finding = wholeFileFinding(lines, wire::codes::kCompileError, diagnostic.message);
  if (diagnostic.line && isSameFile(diagnostic.path, path)) {
    finding.at = lines.range(diagnostic.line - 1);
    if (diagnostic.column)
      finding.at.begin = std::min(finding.at.begin + diagnostic.column - 1, finding.at.end);
  } else if (!diagnostic.path.empty()) {
    finding.related.push_back({.path = diagnostic.path, .line = diagnostic.line, .message = diagnostic.message});
  }
  return finding;
}

std::optional<wire::Finding> modelFinding(const mca::Target &target, const TextLines &lines) {
  const mca::ModelOrigin &origin = target.modelOrigin();
  wire::Words words{wire::Sentence::BorrowedModel, {target.cpu(), origin.owner}};
  if (origin.kind == mca::ModelOrigin::Kind::Shared) {
    words = {wire::Sentence::SharedModel, {target.cpu()}};
    llvm::append_range(words.operands, origin.sharers);
  } else if (origin.kind != mca::ModelOrigin::Kind::Borrowed) {
    return std::nullopt;
  }
  return wholeFileFinding(lines, wire::codes::kBorrowedModel, std::move(words));
}

std::vector<wire::Finding> markerFindings(const std::vector<VectorizerDecision> &decisions, const std::string &path,
                                          const TextLines &lines) {
  std::vector<wire::Finding> findings;
  const auto add = [&](const MissedRemark &reason) {
    if (!reason.at.line || reason.at.line > lines.count() || !isSameFile(reason.at.path, path))
      return;
    const wire::ByteRange at = lines.content(reason.at.line - 1);
    if (lines.text().substr(at.begin, at.end - at.begin).find(comments::kBeginMarker) == std::string_view::npos)
      return;
    llvm::StringRef words = reason.text;
    words.consume_front("loop not vectorized: ");
    if (llvm::none_of(findings, [&](const wire::Finding &finding) { return finding.at == at; }))
      findings.push_back(wire::makeFinding(at, wire::codes::kMarkerStopsVectorizer,
                                           {wire::Sentence::MarkerStopsVectorizer, {words.str()}}));
  };
  for (const VectorizerDecision &decision : decisions)
    llvm::for_each(decision.reasons, add);
  return findings;
}

namespace {

/// The operands of LoopsElsewhere: the files with most loops first.
std::vector<std::string> countsOf(const std::vector<LoopElsewhere> &loops) {
  constexpr size_t kNamed = 3;
  llvm::MapVector<llvm::StringRef, size_t> counts;
  for (const LoopElsewhere &loop : loops)
    ++counts[llvm::sys::path::filename(loop.home.empty() ? loop.file : loop.home)];
  auto homes = counts.takeVector();
  llvm::erase_if(homes, [](const auto &home) { return home.first.empty(); });
  llvm::stable_sort(homes, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::vector<std::string> operands{std::to_string(loops.size())};
  size_t rest = 0;
  for (const auto &[number, home] : llvm::enumerate(homes))
    if (number < kNamed)
      operands.insert(operands.end(), {std::to_string(home.second), home.first.str()});
    else
      rest += home.second;
  if (rest)
    operands.insert(operands.end(), {std::to_string(rest), std::to_string(homes.size() - kNamed)});
  return operands;
}

} // namespace

wire::Finding elsewhereFinding(const std::vector<LoopElsewhere> &loops, const TextLines &lines) {
  constexpr size_t kNamed = 20;
  wire::Finding finding =
      wholeFileFinding(lines, wire::codes::kLoopsElsewhere, {wire::Sentence::LoopsElsewhere, countsOf(loops)});
  for (const LoopElsewhere &loop : loops) {
    const bool known = llvm::any_of(finding.related, [&](const wire::RelatedPlace &place) {
      return place.path == loop.file && place.line == loop.line && place.message == loop.function;
    });
    if (!loop.file.empty() && !known && finding.related.size() < kNamed)
      finding.related.push_back({.path = loop.file, .at = {}, .line = loop.line, .message = loop.function});
  }
  return finding;
}

wire::Finding wholeFileFinding(const TextLines &lines, const char *code, std::string message) {
  return wire::makeFinding(lines.content(0), code, std::move(message));
}

wire::Finding wholeFileFinding(const TextLines &lines, const char *code, wire::Words words) {
  return wire::makeFinding(lines.content(0), code, std::move(words));
}

} // namespace analysis
