// The first line of the buffer has the findings that belong to no other line: an editor shows them at the top.
#include "analysis/job/findings.h"

#include "analysis/compile/paths.h"
#include "analysis/text/comment_syntax.h"
#include "analysis/text/counts.h"
#include "analysis/wire/finding_codes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace analysis {

namespace {

/// The words for a file that `.include` or `.incbin` does not find; empty for other errors. A text that was opened for
/// a look reads no file of the machine (Job::programOf()).
std::string wordsForUnreadFile(llvm::StringRef message) {
  if (!message.consume_front("Could not find "))
    return "";
  const bool isInclude = message.consume_front("include file ");
  if (!isInclude && !message.consume_front("incbin file "))
    return "";
  return isInclude ? "`.include` reads no file here, so that what " + message.str() +
                         " defines is missing: let the preprocessor include it, with `#include` in a .S file"
                   : "`.incbin` reads no file here: the bytes of " + message.str() + " are missing";
}

} // namespace

wire::Finding findingOf(const mca::Diagnostic &diagnostic) {
  const char *code = diagnostic.fromMarker ? wire::codes::kMarkerError
                     : diagnostic.fromData ? wire::codes::kUnreadableData
                                           : wire::codes::kParseError;
  const std::string unread = wordsForUnreadFile(diagnostic.message);
  wire::Finding finding =
      wire::makeFinding({diagnostic.begin, diagnostic.end}, code, unread.empty() ? diagnostic.message : unread);
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
  if (origin.kind != mca::ModelOrigin::Kind::Borrowed && origin.kind != mca::ModelOrigin::Kind::Shared)
    return std::nullopt;
  constexpr size_t kNamedSharers = 3; // CPUs that share a model
  const std::string whose =
      origin.kind == mca::ModelOrigin::Kind::Borrowed
          ? "LLVM has no scheduling model of " + target.cpu() + "'s own and uses that of " + origin.owner
          : "LLVM has one scheduling model for " + target.cpu() + " and " + listOf(origin.sharers, kNamedSharers) +
                ", and does not say for which of them it was written";
  return wholeFileFinding(lines, wire::codes::kBorrowedModel, whose + ": all numbers in this file are estimates");
}

std::vector<wire::Finding> markerFindings(const std::vector<LoopRemark> &remarks, const std::string &path,
                                          const TextLines &lines) {
  std::vector<wire::Finding> findings;
  for (const LoopRemark &remark : remarks) {
    if (remark.kind != LoopRemark::Kind::NotVectorized || !remark.line || remark.line > lines.count() ||
        !isSameFile(remark.path, path))
      continue;
    const wire::ByteRange at = lines.content(remark.line - 1);
    if (lines.text().substr(at.begin, at.end - at.begin).find(comments::kBeginMarker) == std::string_view::npos)
      continue;
    const bool known = llvm::any_of(findings, [&](const wire::Finding &finding) { return finding.at == at; });
    if (!known)
      findings.push_back(wire::makeFinding(at, wire::codes::kMarkerStopsVectorizer,
                                           "this marker keeps the loop from being vectorized (" + remark.reason +
                                               "): a comment, // LLVM-MCA-BEGIN, marks without changing the code"));
  }
  return findings;
}

namespace {

/// "60 in xxhash.h, 8 in list.h, 3 in 2 other files": the files with most loops first.
std::string homesInWords(const std::vector<LoopElsewhere> &loops) {
  constexpr size_t kNamed = 3;
  llvm::MapVector<llvm::StringRef, size_t> counts;
  for (const LoopElsewhere &loop : loops)
    ++counts[llvm::sys::path::filename(loop.home.empty() ? loop.file : loop.home)];
  auto homes = counts.takeVector();
  llvm::erase_if(homes, [](const auto &home) { return home.first.empty(); });
  llvm::stable_sort(homes, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::vector<std::string> parts;
  size_t rest = 0;
  for (const auto &[file, count] : homes)
    if (parts.size() < kNamed)
      parts.push_back(std::to_string(count) + " in " + file.str());
    else
      rest += count;
  if (rest)
    parts.push_back(std::to_string(rest) + " in " + counted(homes.size() - kNamed, "other file"));
  return llvm::join(parts, ", ");
}

} // namespace

wire::Finding elsewhereFinding(const std::vector<LoopElsewhere> &loops, const TextLines &lines) {
  constexpr size_t kNamed = 20;
  const std::string homes = homesInWords(loops);
  wire::Finding finding = wholeFileFinding(
      lines, wire::codes::kLoopsElsewhere,
      counted(loops.size(), "loop") + " of the code " + (loops.size() == 1 ? "stands" : "stand") +
          " in functions of other files that were not inlined; no line here calls them by name, or too many do" +
          (homes.empty() ? "" : ": " + homes));
  for (const LoopElsewhere &loop : loops) {
    const std::string message = loop.function.empty() ? "a loop" : "a loop of " + loop.function;
    const bool known = llvm::any_of(finding.related, [&](const wire::RelatedPlace &place) {
      return place.path == loop.file && place.line == loop.line && place.message == message;
    });
    if (!loop.file.empty() && !known && finding.related.size() < kNamed)
      finding.related.push_back({.path = loop.file, .at = {}, .line = loop.line, .message = message});
  }
  return finding;
}

wire::Finding wholeFileFinding(const TextLines &lines, const char *code, std::string message) {
  return wire::makeFinding(lines.content(0), code, std::move(message));
}

} // namespace analysis
