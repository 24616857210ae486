// One line has findings about one loop: the one whose numbers its hint shows. The hover has the other loops' verdicts.
#include "lsp/wording/findings.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/wording/budget_text.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/profile_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/sentences.h"
#include "lsp/wording/verdict_text.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace lsp::wording {
namespace {

using wire::ByteRange;
using wire::Finding;
using wire::Transfer;
namespace codes = wire::codes;

constexpr size_t kNamedCalls = 20; // related places of a loop's finding

/// The findings of one line.
class LineFindings {
public:
  LineFindings(const LoopsOfLine &onLine, ByteRange line, const Text &text)
      : shown_(onLine.front()), first_(*shown_.front()), numbers_(pathNumbersOf(shown_)), line_(line), text_(text) {}

  std::vector<Finding> take(uint32_t slowerPercent) {
    addCalls();
    addVerdict();
    addVectorType();
    for (const AnalysedRegion *path : shown_)
      addChange(*path, slowerPercent);
    addJumps();
    addMispredictions();
    addOffPath();
    return std::move(findings_);
  }

private:
  Finding &add(const char *code, std::string message) {
    return findings_.emplace_back(wire::makeFinding(line_, code, std::move(message)));
  }

  /// All calls of a loop are one finding, with the calls as related places: a line shows one hint about them.
  void addCalls() {
    const LoopNumbers numbers = numbersOf(shown_);
    if (numbers.calls.empty())
      return;
    const std::string &name = first_.region.name;
    Finding &finding = add(codes::kCall, (name.empty() ? "region" : name) + ": at least " + cyclesInWords(numbers) +
                                             ": it " + lowerBoundInWords(numbers.calls, numbers.leftOut));
    std::set<uint32_t> known;
    for (const AnalysedRegion *path : shown_)
      for (const Transfer &call : path->region.transfers)
        if (call.kind == Transfer::Kind::Call && call.at.begin < call.at.end && known.size() < kNamedCalls &&
            (!numbers.traced ||
             std::ranges::find(first_.flow->callers, call.instruction) != first_.flow->callers.end()) &&
            known.insert(call.instruction).second)
          finding.related.push_back({.at = call.at, .message = call.text + ": not simulated"});
  }

  /// A lower bound has none: what limits the loop may be in the functions or instructions that are left out. Neither
  /// has one without a single limit.
  void addVerdict() {
    const wire::Verdict &verdict = first_.simulation->verdict;
    if (verdict.kind == wire::Verdict::Kind::None || verdict.isLargest || isLowerBound(first_.region))
      return;
    Finding &finding = add(codeOf(verdict.kind), longNameOf(first_.region) + ": " + first_.words->sentence);
    for (size_t i = 0; i < verdict.witnesses.size(); ++i)
      if (const ByteRange at = lineOf(verdict.witnesses[i].instruction); at.begin < at.end)
        finding.related.push_back({.at = at, .message = verdict.witnesses[i].text + ": " + first_.words->roles[i]});
  }

  /// The whole line that an instruction is on; empty if the line was edited since.
  ByteRange lineOf(uint32_t instruction) const {
    const std::vector<ByteRange> &places = first_.region.places;
    if (instruction >= places.size() || places[instruction].begin >= places[instruction].end)
      return {};
    return wholeLine(places[instruction]);
  }
  ByteRange wholeLine(ByteRange place) const { return text_.contentOf(text_.lineOf(place.begin)); }

  /// One finding for all assumptions about vector types: each of them makes the numbers uncertain (RISC-V's models have
  /// latencies by vector type).
  void addVectorType() {
    std::string assumed;
    for (const wire::Caveat &caveat : first_.region.caveats)
      if (isAssumedVectorType(caveat))
        assumed += (assumed.empty() ? "" : "; ") + inWords(caveat);
    if (!assumed.empty())
      add(codes::kAssumedVectorType, longNameOf(first_.region) + ": " + assumed);
  }

  /// At most one finding a path, though it may be slower than several earlier analyses.
  void addChange(const AnalysedRegion &path, uint32_t slowerPercent) {
    const auto slower = std::ranges::find_if(
        path.changes, [&](const Change &change) { return change.slowerPercent() > double(slowerPercent); });
    if (slower != path.changes.end())
      add(codes::kRegionSlower, longNameOf(path.region) + ": slower, " + slower->inWords());
  }

  /// Along a trace, the prediction of its jumps is simulated.
  bool isSimulated(const Transfer &jump) const {
    return first_.flow && isTraced(*first_.flow) &&
           std::ranges::find(first_.flow->branches, jump.instruction, &wire::BranchCost::instruction) !=
               first_.flow->branches.end();
  }

  /// Several paths of a loop may go through the same jump: it is reported once.
  void addJumps() {
    std::set<uint32_t> known;
    for (const AnalysedRegion *path : shown_)
      for (const Transfer &jump : path->region.transfers) {
        const ByteRange at = jump.at.begin < jump.at.end ? jump.at : line_;
        if (jump.kind == Transfer::Kind::IndirectJump && !isSimulated(jump) && known.insert(at.begin).second)
          add(codes::kIndirectJump,
              "`" + jump.text +
                  "`: a computed jump, simulated as if it were always predicted: each wrong prediction adds to the " +
                  cyclesInWords(numbers_))
              .at = at;
      }
  }

  /// On the branches that cost much along the trace.
  void addMispredictions() {
    for (size_t i = 0; i < first_.branches.size(); ++i) {
      const wire::BranchCost &branch = first_.flow->branches[i];
      const auto &[at, load] = first_.branches[i];
      if (!isCostly(*first_.flow, branch))
        continue;
      Finding &finding = add(codes::kMispredictedBranch, mispredictionInWords(first_, i, text_));
      if (at.begin < at.end)
        finding.at = wholeLine(at);
      if (load.begin < load.end)
        finding.related.push_back({.at = wholeLine(load), .message = branch.load});
    }
  }

  /// On the lines that only other paths go through, while the user looks at one path.
  void addOffPath() {
    const auto chosen = std::ranges::find_if(shown_, &AnalysedRegion::chosen);
    if (chosen == shown_.end())
      return;
    std::set<uint32_t> off;
    for (const AnalysedRegion *path : shown_)
      off.merge(linesOf(*path));
    for (const uint32_t line : linesOf(**chosen))
      off.erase(line);
    for (const uint32_t line : off)
      add(codes::kOffPath, "not on the path that the hint shows, " + (*chosen)->region.path).at = text_.contentOf(line);
  }

  /// Those of a path's instructions.
  std::set<uint32_t> linesOf(const AnalysedRegion &path) const {
    std::set<uint32_t> lines;
    for (const ByteRange place : path.region.places)
      if (place.begin < place.end)
        lines.insert(text_.lineOf(place.begin));
    return lines;
  }

  const ShownLoop &shown_;
  const AnalysedRegion &first_;
  const LoopNumbers numbers_;
  const ByteRange line_;
  const Text &text_;
  std::vector<Finding> findings_;
};

/// Words of an earlier call are kept: nearly all verdicts survive a keystroke, and making the words is most of the
/// work.
void makeWords(AnalysedRegion &region) {
  const wire::Verdict &verdict = region.simulation->verdict;
  const uint32_t iterations = region.region.sourceIterations;
  if (region.words && region.words->sourceIterations == iterations)
    return;
  VerdictWords words{iterations, sentenceOf(verdict, iterations), {}};
  for (const wire::Verdict::Witness &witness : verdict.witnesses)
    words.roles.push_back(roleOf(witness, verdict, iterations));
  region.words = std::make_shared<const VerdictWords>(std::move(words));
}

} // namespace

void makeFindings(Analysis &analysis, const Text &text, uint32_t slowerPercent, uint32_t minimumPermille) {
  if (analysis.failure) {
    analysis.findings = {*analysis.failure};
    return;
  }
  for (AnalysedRegion &region : analysis.regions)
    makeWords(region);
  std::vector<Finding> all = analysis.own;
  std::ranges::for_each(all, putIntoWords);
  for (const auto &[line, onLine] : loopsByLine(analysis, text, 0, text.lineCount() - 1)) {
    if (all.size() >= wire::kMaxFindings)
      break;
    std::vector<Finding> found = LineFindings(onLine, text.contentOf(line), text).take(slowerPercent);
    if (isBelowShare(onLine, analysis.target.profile, minimumPermille))
      for (Finding &finding : found)
        finding.severity = wire::Severity::Hint;
    std::ranges::move(found, std::back_inserter(all));
  }
  all.resize(std::min(all.size(), wire::kMaxFindings));
  // Beyond the limit, too: a build may fail on any of them.
  std::ranges::move(budgetFindings(analysis), std::back_inserter(all));
  for (Finding &finding : all)
    finding.message = analysis::shortened(std::move(finding.message), wire::kMaxMessageBytes);
  analysis.findings = std::move(all);
}

} // namespace lsp::wording
