#include "lsp/check/check_file.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/hint.h"
#include "lsp/wording/verdict_text.h"

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

CheckRegion regionOf(const AnalysedRegion &analysed, const Text &text, const std::string &folder) {
  const wire::Region &place = analysed.region;
  CheckRegion region{.name = fullName(place),
                     .instance = place.name,
                     .kind = place.kind,
                     .line = text.lineOf(place.anchor) + 1,
                     .firstLine = text.lineOf(place.at.begin) + 1,
                     .lastLine = text.lineOf(place.at.end > place.at.begin ? place.at.end - 1 : place.at.end) + 1,
                     .loop = place.loop,
                     .sourceIterations = place.sourceIterations,
                     .share = place.share,
                     .iterationsPerCall = place.iterationsPerCall,
                     .numbers = *analysed.simulation,
                     .bottleneck = wording::bottleneckOf(analysed),
                     .calls = place.calls,
                     .listing = place.listing};
  region.numbers.body.clear();
  for (wire::CpuSummary &other : region.numbers.otherCpus)
    other.cycles = cyclesPerSourceIteration(other.cycles, place.sourceIterations);
  for (const wire::Caveat &caveat : place.caveats)
    region.caveats.push_back(withRelativePaths(wording::inWords(caveat), folder));
  return region;
}

void addBudgets(const Analysis &analysis, CheckFile &file) {
  for (const wire::Budget &budget : analysis.budgets)
    for (const wire::BudgetedRegion &region : budget.regions)
      if (region.region < file.regions.size())
        file.regions[region.region].budgets.push_back(wording::resultOf(budget, region));
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

CheckFile checkFile(std::string name, const Text &text, const Analysis &analysis, const std::vector<std::string> &notes,
                    const std::string &folder) {
  CheckFile file{.name = std::move(name), .target = analysis.target, .coverage = analysis.coverage};
  file.target.commandOrigin = withoutFolder(analysis.target.commandOrigin, folder);
  file.target.command = withoutFolder(analysis.target.command, folder);
  file.target.commands.clear();
  for (const AnalysedRegion &region : analysis.regions)
    file.regions.push_back(regionOf(region, text, folder));
  addBudgets(analysis, file);
  for (const auto &[line, loops] : wording::loopsByLine(analysis, text, 0, text.lineCount() - 1))
    file.hints.push_back({line + 1, wording::hintLabel(loops)});
  for (const wire::Finding &finding : analysis.findings)
    file.findings.push_back(checkFinding(finding, text, folder));
  for (const std::string &note : notes)
    file.notes.push_back(withRelativePaths(note, folder));
  return file;
}

CheckFile notAnalysed(std::string name, std::string why) {
  CheckFile file{.name = std::move(name)};
  file.findings.push_back({{}, wire::Severity::Error, wire::codes::kNotAnalysed, std::move(why), {}});
  return file;
}

} // namespace lsp::features
