#include "lsp/check/check_file.h"

#include "analysis/wire/finding_codes.h"
#include "analysis/wording/verdict_text.h"

#include <cctype>

namespace lsp::features {
namespace {

namespace wire = analysis::wire;
using protocol::CheckFile;
using protocol::CheckFinding;
using protocol::CheckPlace;
using protocol::CheckRegion;
using protocol::PositionEncoding;

/// Whether a path may begin behind the character.
bool endsWord(char c) {
  return !std::isalnum(static_cast<unsigned char>(c)) && std::string_view("/._-+~%").find(c) == std::string_view::npos;
}

std::string withRelativePaths(const std::string &text, const std::string &folder) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  if (prefix == "/")
    return text;
  std::string result;
  size_t from = 0;
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    if (at > 0 && !endsWord(text[at - 1]))
      continue;
    result.append(text, from, at - from);
    from = at + prefix.size();
  }
  return result.append(text, from);
}

/// Where a path may stand behind a flag without a space, too: "-I/src/include".
std::string withoutFolder(std::string text, const std::string &folder) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  for (size_t at = text.find(prefix); prefix != "/" && at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

CheckPlace placeOf(wire::ByteRange at, const Text &text) {
  const protocol::Range bytes = text.rangeOf(at, PositionEncoding::Utf8);
  const protocol::Range utf16 = text.rangeOf(at, PositionEncoding::Utf16);
  return {bytes.start.line + 1, bytes.start.character + 1, utf16.start.character + 1,
          bytes.end.line + 1,   bytes.end.character + 1,   utf16.end.character + 1};
}

CheckRegion regionOf(const wire::RegionSummary &summary, const Text &text, const std::string &folder) {
  CheckRegion region;
  region.numbers = summary;
  region.bottleneck = analysis::bottleneckOf(summary);
  region.numbers.at = {};
  const wire::ByteRange at = summary.at;
  region.firstLine = text.lineOf(at.begin) + 1;
  region.lastLine = text.lineOf(at.end > at.begin ? at.end - 1 : at.end) + 1;
  for (std::string &caveat : region.numbers.caveats)
    caveat = withRelativePaths(caveat, folder);
  return region;
}

} // namespace

CheckFinding checkFinding(const wire::Finding &finding, const Text &text, const std::string &folder) {
  CheckFinding result{
      placeOf(finding.at, text), finding.severity, finding.code, withRelativePaths(finding.message, folder), {}};
  for (const wire::RelatedPlace &place : finding.related) {
    protocol::CheckRelated &related = result.related.emplace_back();
    related.path = withRelativePaths(place.path, folder);
    related.message = withRelativePaths(place.message, folder);
    if (place.path.empty())
      related.at = placeOf(place.at, text);
    else
      related.at.line = related.at.endLine = std::max(place.line, 1u);
  }
  return result;
}

CheckFile checkFile(std::string name, const Text &text, const wire::AnalysisResult &result, const std::string &folder) {
  CheckFile file{.name = std::move(name), .target = result.target, .coverage = result.coverage};
  file.target.commandOrigin = withoutFolder(result.target.commandOrigin, folder);
  file.target.command = withoutFolder(result.target.command, folder);
  file.target.commands.clear();
  for (const wire::RegionSummary &region : result.regions)
    file.regions.push_back(regionOf(region, text, folder));
  for (const wire::Hint &hint : result.hints)
    file.hints.push_back({text.lineOf(hint.offset) + 1, hint.label()});
  for (const wire::Finding &finding : result.findings)
    file.findings.push_back(checkFinding(finding, text, folder));
  for (const std::string &note : result.notes)
    file.notes.push_back(withRelativePaths(note, folder));
  return file;
}

CheckFile notAnalysed(std::string name, std::string why) {
  CheckFile file{.name = std::move(name)};
  file.findings.push_back({{}, wire::Severity::Error, wire::codes::kNotAnalysed, std::move(why), {}});
  return file;
}

} // namespace lsp::features
