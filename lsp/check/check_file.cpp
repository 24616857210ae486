// Offsets become lines and columns, and absolute paths relative ones, in one pass over the result: afterwards neither
// the text nor the folder is needed.
#include "lsp/check/check_file.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/advice_text.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/hint.h"
#include "lsp/wording/profile_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/wording/why_not_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace lsp {
namespace {

namespace wire = analysis::wire;

/// Whether a path may begin after the character. After a letter, or a character that file names often have, the match
/// is the tail of a longer path.
bool endsWord(char c) {
  return !std::isalnum(static_cast<unsigned char>(c)) && std::string_view("/._-+~%").find(c) == std::string_view::npos;
}

/// `anywhere`: also inside a word, because a flag may precede a path without a space, "-I/src/include". In messages a
/// match inside of a word is part of another path, "/old/src/include".
std::string withRelativePaths(const std::string &text, const std::string &folder, bool anywhere = false) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  if (prefix == "/")
    return text;
  std::string result;
  size_t from = 0;
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    if (at < from || (at > 0 && !anywhere && !endsWord(text[at - 1])))
      continue;
    result.append(text, from, at - from);
    from = at + prefix.size();
  }
  return result.append(text, from);
}

/// Both columns are kept: text and JSON count bytes, SARIF counts UTF-16 units.
CheckPlace placeOf(wire::ByteRange at, const Text &text) {
  const protocol::Range bytes = text.rangeOf(at, protocol::PositionEncoding::Utf8);
  const protocol::Range utf16 = text.rangeOf(at, protocol::PositionEncoding::Utf16);
  return {bytes.start.line + 1, bytes.start.character + 1, utf16.start.character + 1,
          bytes.end.line + 1,   bytes.end.character + 1,   utf16.end.character + 1};
}

/// The time of the trace's file is left out, as outputs do not depend on it.
CheckFlow flowOf(const AnalysedRegion &analysed, const Text &text, const std::string &folder) {
  CheckFlow flow;
  if (!analysed.flow)
    return flow;
  const auto lineOf = [&](wire::ByteRange at) { return at.begin < at.end ? text.lineOf(at.begin) + 1 : 0; };
  flow.numbers = *analysed.flow;
  flow.numbers.loop = 0;
  flow.numbers.modified = 0;
  flow.numbers.file = withRelativePaths(flow.numbers.file, folder, true);
  flow.numbers.branches.clear();
  flow.numbers.callers.clear();
  for (size_t i = 0; i < analysed.branches.size(); ++i)
    flow.branches.push_back(
        {lineOf(analysed.branches[i].branch), lineOf(analysed.branches[i].load), analysed.flow->branches[i]});
  return flow;
}

/// A string, because numbers of 64 bits do not survive every reader of JSON (RFC 8259, section 6).
std::string hexadecimal(uint64_t number) {
  char text[17];
  return {text, std::to_chars(std::begin(text), std::end(text), number, 16).ptr};
}

CheckRemarkPlace placeOf(const wire::RemarkPlace &at, const Text &text, const std::string &folder) {
  const bool isHere = at.path.empty() && at.line;
  return {.path = withRelativePaths(at.path, folder),
          .line = isHere ? text.lineOf(at.at.begin) + 1 : at.line,
          .column = at.column,
          .what = {}};
}

CheckReason reasonOf(const wire::WhyNot &reason, const Text &text, const std::string &folder) {
  CheckReason result{.pass = reason.pass,
                     .name = reason.name,
                     .words = withRelativePaths(wording::inWords(reason), folder),
                     .at = placeOf(reason.at, text, folder),
                     .related = {}};
  for (const wire::WhyNot::Argument &argument : reason.arguments)
    if (argument.at.line) {
      result.related.push_back(placeOf(argument.at, text, folder));
      result.related.back().what = argument.key;
    }
  return result;
}

/// The instructions of the body are left out: the JSON of a project would be many times as long, and --listing has
/// them.
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
                     .code = hexadecimal(analysed.simulation->code),
                     .bottleneck = wording::bottleneckOf(analysed),
                     .corrections = wording::correctionsInWords(analysed),
                     .calls = place.calls,
                     .listing = place.listing};
  for (const wire::WhyNot &reason : place.whyNot)
    region.whyNot.push_back(reasonOf(reason, text, folder));
  if (place.profiled.match != wire::ProfiledLoop::Match::None)
    region.profile = {place.profiled.share, cyclesPerSourceIteration(place.profiled.cycles, place.sourceIterations),
                      place.profiled.match == wire::ProfiledLoop::Match::ByLines ||
                          place.profiled.match == wire::ProfiledLoop::Match::Edited,
                      wording::isOutsideOfCore(analysed), place.profiled.difference};
  region.flow = flowOf(analysed, text, folder);
  region.numbers.body.clear();
  // The worker sends cycles of the machine code's iteration; those of all CPUs are shown for the source's.
  for (wire::CpuSummary &other : region.numbers.otherCpus)
    other.cycles = cyclesPerSourceIteration(other.cycles, place.sourceIterations);
  for (const wire::Caveat &caveat : place.caveats) {
    region.caveats.push_back(withRelativePaths(wording::inWords(caveat), folder));
    if (leavesOut(caveat))
      region.leftOut.push_back(region.caveats.back());
  }
  return region;
}

} // namespace

CheckAdvice checkAdvice(const Advice &advice, const Text &text) {
  CheckAdvice result{.label = wording::nameOf(advice.label()),
                     .words = wording::changeInWords(advice) + "; " + wording::labelInWords(advice),
                     .limit = advice.limit,
                     .cycles = advice.cycles,
                     .factor = advice.factor,
                     .from = advice.from,
                     .isLowerBound = advice.isLowerBound,
                     .ifRandom = advice.ifRandom,
                     .ifPredicted = advice.ifPredicted,
                     .unaligned = advice.unaligned,
                     .stillBlocked = advice.stillBlocked,
                     .checked = advice.same && advice.same->refused.empty() && !advice.same->differs,
                     .measured = advice.measured && advice.measured->isKnown() ? advice.measured->factor() : 0};
  for (const wire::Candidate &part : advice.parts) {
    result.id += (result.id.empty() ? "" : "+") + part.id;
    std::ranges::copy(part.addedFlags, std::back_inserter(result.edit.add));
    std::ranges::copy(part.removedFlags, std::back_inserter(result.edit.remove));
  }
  for (const wire::Edit &edit : advice.edits)
    result.edit.edits.push_back({placeOf(edit.at, text), edit.newText});
  const bool hasFlags = !result.edit.add.empty() || !result.edit.remove.empty();
  result.edit.kind = !hasFlags ? "text" : result.edit.edits.empty() ? "flags" : "text+flags";
  return result;
}

CheckFinding checkFinding(const wire::Finding &finding, const Text &text, const std::string &folder) {
  CheckFinding result{
      placeOf(finding.at, text), finding.severity, finding.code, withRelativePaths(finding.message, folder), {}};
  for (const wire::RelatedPlace &place : finding.related) {
    // The worker knows other files by line alone.
    CheckPlace at = {.line = std::max(place.line, 1u), .endLine = std::max(place.line, 1u)};
    if (place.path.empty())
      at = placeOf(place.at, text);
    result.related.push_back({withRelativePaths(place.path, folder), at, withRelativePaths(place.message, folder)});
  }
  return result;
}

CheckFile checkFile(std::string name, const Text &text, const Analysis &analysis, const std::vector<std::string> &notes,
                    const std::string &folder) {
  CheckFile file{.name = std::move(name),
                 .target = analysis.target,
                 .coverage = {.loops = analysis.coverage.loops,
                              .hinted = analysis.coverage.hinted,
                              .elsewhere = analysis.coverage.elsewhere}};
  for (const wire::VanishedLoop &loop : analysis.vanishedLoops) {
    file.coverage.vanished.push_back(text.lineOf(loop.at.begin) + 1);
    if (std::string words = wording::fatesInWords(loop); !words.empty())
      file.coverage.fates.push_back({file.coverage.vanished.back(), std::move(words)});
  }
  file.target.commandOrigin = withRelativePaths(analysis.target.commandOrigin, folder, true);
  file.target.command = withRelativePaths(analysis.target.command, folder, true);
  file.target.calibration.file = withRelativePaths(analysis.target.calibration.file, folder, true);
  file.target.profile.file = withRelativePaths(analysis.target.profile.file, folder, true);
  file.target.commands.clear();
  file.regions.reserve(analysis.regions.size());
  for (const AnalysedRegion &region : analysis.regions)
    file.regions.push_back(regionOf(region, text, folder));
  // A budget names its regions by index. The index comes from another process, so it is checked.
  for (const wire::Budget &budget : analysis.budgets)
    for (const wire::BudgetedRegion &region : budget.regions)
      if (region.region < file.regions.size())
        file.regions[region.region].budgets.push_back(wording::resultOf(budget, region));
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
  file.findings.push_back(
      {{}, wire::severityOf(wire::codes::kNotAnalysed), wire::codes::kNotAnalysed, std::move(why), {}});
  return file;
}

} // namespace lsp
