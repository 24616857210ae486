// A verdict is reported for the region whose numbers the hint shows; the others' are in the hover.
#include "lsp/wording/findings.h"

#include "analysis/common/counts.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/wording/budget_text.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lsp::wording {
namespace {

using analysis::shortened;
using analysis::wire::ByteRange;
using analysis::wire::Finding;
using analysis::wire::Region;
using analysis::wire::Severity;
using analysis::wire::Transfer;
namespace wire = analysis::wire;
namespace codes = analysis::wire::codes;

constexpr size_t kNamedCalls = 20; ///< related places of a loop's finding

std::string nameInFinding(const Region &region) {
  return (region.name.empty() ? "region" : "") + fullName(region);
}

/// The findings of one line.
class LineFindings {
public:
  LineFindings(const LoopsOfLine &onLine, ByteRange line, const Text &text)
      : shown_(onLine.front()), first_(*shown_.front()), numbers_(numbersOf(shown_)), line_(line), text_(text) {}

  std::vector<Finding> take(uint32_t slowerPercent) {
    addCalls();
    addVerdict();
    addVectorType();
    for (const AnalysedRegion *path : shown_)
      addChange(*path, slowerPercent);
    addJumps();
    return std::move(findings_);
  }

private:
  Finding &add(Severity severity, const char *code, std::string message) {
    findings_.push_back({.at = line_, .severity = severity, .code = code, .message = std::move(message)});
    return findings_.back();
  }

  /// In one finding, with the calls as related places.
  void addCalls() {
    if (numbers_.calls.empty())
      return;
    const std::string &name = first_.region.name;
    Finding &finding = add(Severity::Hint, codes::kCall,
                           (name.empty() ? "region" : name) + ": at least " + cyclesInWords(numbers_) + ": it " +
                               lowerBoundInWords(numbers_.calls));
    std::set<uint32_t> known;
    for (const AnalysedRegion *path : shown_)
      for (const Transfer &call : path->region.transfers)
        if (call.kind == Transfer::Kind::Call && call.at.begin < call.at.end && known.size() < kNamedCalls &&
            known.insert(call.instruction).second)
          finding.related.push_back({.at = call.at, .message = call.text + ": not simulated"});
  }

  /// What limits a loop that calls something else, the part that is simulated does not show.
  void addVerdict() {
    const analysis::wire::Verdict &verdict = first_.simulation->verdict;
    const Region &region = first_.region;
    if (verdict.kind == analysis::wire::Verdict::Kind::None || !region.calls.empty())
      return;
    Finding &finding =
        add(Severity::Information, codeOf(verdict.kind), nameInFinding(region) + ": " + first_.words->sentence);
    for (size_t i = 0; i < verdict.witnesses.size(); ++i)
      if (const ByteRange at = lineOf(verdict.witnesses[i].instruction); at.begin < at.end)
        finding.related.push_back({.at = at, .message = verdict.witnesses[i].text + ": " + first_.words->roles[i]});
  }

  /// The whole line that an instruction stands on.
  ByteRange lineOf(uint32_t instruction) const {
    const std::vector<ByteRange> &places = first_.region.places;
    if (instruction >= places.size() || places[instruction].begin >= places[instruction].end)
      return {};
    return text_.contentOf(text_.lineOf(places[instruction].begin));
  }

  void addVectorType() {
    std::string assumed;
    for (const analysis::wire::Caveat &caveat : first_.region.caveats)
      if (isAssumedVectorType(caveat))
        assumed += (assumed.empty() ? "" : "; ") + inWords(caveat);
    if (!assumed.empty())
      add(Severity::Information, codes::kAssumedVectorType, nameInFinding(first_.region) + ": " + assumed);
  }

  void addChange(const AnalysedRegion &path, uint32_t slowerPercent) {
    const auto slower = std::find_if(path.changes.begin(), path.changes.end(), [&](const Change &change) {
      return change.slowerPercent() > double(slowerPercent);
    });
    if (slower != path.changes.end())
      add(Severity::Information, codes::kRegionSlower, nameInFinding(path.region) + ": slower, " + slower->inWords());
  }

  /// What several paths share is reported once.
  void addJumps() {
    std::set<uint32_t> known;
    for (const AnalysedRegion *path : shown_)
      for (const Transfer &jump : path->region.transfers) {
        const ByteRange at = jump.at.begin < jump.at.end ? jump.at : line_;
        if (jump.kind == Transfer::Kind::IndirectJump && known.insert(at.begin).second)
          add(Severity::Information, codes::kIndirectJump,
              "`" + jump.text +
                  "`: a computed jump, simulated as if it were always predicted: each wrong prediction adds to the " +
                  cyclesInWords(numbers_))
              .at = at;
      }
  }

  const ShownLoop &shown_;
  const AnalysedRegion &first_;
  const LoopNumbers numbers_;
  const ByteRange line_;
  const Text &text_;
  std::vector<Finding> findings_;
};

void makeWords(AnalysedRegion &region) {
  const analysis::wire::Verdict &verdict = region.simulation->verdict;
  const uint32_t iterations = region.region.sourceIterations;
  if (region.words && region.words->sourceIterations == iterations)
    return;
  VerdictWords words{iterations, sentenceOf(verdict, iterations), {}};
  for (const analysis::wire::Verdict::Witness &witness : verdict.witnesses)
    words.roles.push_back(roleOf(witness, verdict, iterations));
  region.words = std::make_shared<const VerdictWords>(std::move(words));
}

} // namespace

/// Budgets are reported however many findings there are: a build may fail on any of them.
void makeFindings(Analysis &analysis, const Text &text, uint32_t slowerPercent) {
  if (analysis.failure) {
    analysis.findings = {*analysis.failure};
    return;
  }
  for (AnalysedRegion &region : analysis.regions)
    makeWords(region);
  std::vector<Finding> all = analysis.own;
  for (const auto &[line, onLine] : loopsByLine(analysis, text, 0, text.lineCount() - 1)) {
    if (all.size() >= wire::kMaxFindings)
      break;
    std::vector<Finding> own = LineFindings(onLine, text.contentOf(line), text).take(slowerPercent);
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  all.resize(std::min(all.size(), wire::kMaxFindings));
  std::vector<Finding> budgets = budgetFindings(analysis);
  std::move(budgets.begin(), budgets.end(), std::back_inserter(all));
  for (Finding &finding : all)
    finding.message = shortened(std::move(finding.message), wire::kMaxMessageBytes);
  analysis.findings = std::move(all);
}

} // namespace lsp::wording
