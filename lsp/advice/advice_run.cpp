#include "lsp/advice/advice_run.h"

#include "lsp/advice/text_edits.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/region_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/wording/why_not_text.h"

#include <algorithm>
#include <utility>

namespace lsp {

using wire::Candidate;
using Kind = wire::Caveat::Kind;

namespace {

/// What a gain must exceed: no prediction is closer to the CPU than this, in the mean of docs/truth.md.
constexpr double kLeastGain = 1.10;
/// The same without a calibration that was measured, on a CPU that is documented or LLVM's model alone.
constexpr double kLeastGainUnmeasured = 1.15;
/// What a gain must exceed if it was timed.
constexpr double kLeastMeasured = 1.02;
/// Two gains whose ratio is less are the same to a user.
constexpr double kSameFactor = 1.05;
/// What a gain must exceed that depends on how the branches of a loop are predicted.
constexpr double kLeastIfPredicted = 1.3;
/// Pairs that are tried.
constexpr size_t kMostPairs = 5;
/// In cycles, if the CPU's is unknown: what leaving a loop costs that is not predicted.
constexpr double kExitCost = 15;

bool isModelError(const wire::Caveat &caveat) {
  constexpr Kind kErrors[] = {Kind::OneAccess, Kind::Placeholder,     Kind::NoUnits,
                              Kind::TooFast,   Kind::FalseDependency, Kind::LateOperation};
  return std::ranges::find(kErrors, caveat.kind) != std::end(kErrors);
}

std::string idOf(const TriedChange &change) {
  std::string id;
  for (const Candidate &part : change.parts)
    id += part.id + " ";
  return id;
}

/// Of changes of one kind the first asks least.
bool asksLess(const Advice &advice, const Advice &other) {
  return advice.label() != other.label() ? advice.label() < other.label()
                                         : idOf(advice) == idOf(other) && &advice < &other;
}

/// Whether `one` is as fast as `other`, or nearly: with predicted branches and with random ones, if it gains only with
/// either.
bool gainsAsMuch(const Advice &one, const Advice &other, double ratio) {
  if (one.ifRandom || one.ifPredicted)
    return one.predicted * ratio > other.predicted && one.random * ratio > other.random;
  return one.factor * ratio > other.factor;
}

/// Whether nothing here knows how long the region takes: gathers and scatters are known only where they were measured,
/// and there, too, a gather may wait for what a scatter has stored.
bool hasUnknownAccess(const AnalysedRegion &region, bool isMeasured) {
  const auto holds = [&](std::string_view word) {
    return std::ranges::any_of(region.simulation->body, [&](const wire::InstructionDetails &one) {
      return one.text.find(word) != std::string::npos;
    });
  };
  const bool gathers = holds("gather"), scatters = holds("scatter");
  return isMeasured ? gathers && scatters : gathers || scatters;
}

/// Whether the two are no pair: changes of one kind, or two levels of instructions.
bool areAlternatives(const Candidate &one, const Candidate &other) {
  const auto setsLevel = [](const Candidate &part) {
    return std::ranges::any_of(part.addedFlags, [](const std::string &flag) { return flag.starts_with("-march="); });
  };
  return one.id == other.id || (setsLevel(one) && setsLevel(other));
}

/// Whether the new text may name a macro of the compiler, as "__AVX__" is one.
bool mayNameMacro(const wire::Edit &edit) {
  std::string_view rest = edit.newText;
  for (size_t at = rest.find("__"); at != std::string_view::npos; at = rest.find("__")) {
    rest.remove_prefix(at);
    const std::string_view words[] = {"__restrict", "__builtin_", "__attribute__"};
    const auto word = std::ranges::find_if(words, [&](std::string_view one) { return rest.starts_with(one); });
    if (word == std::end(words))
      return true;
    rest.remove_prefix(word->size());
  }
  return false;
}

struct Flags {
  std::vector<std::string> added, removed;
  bool operator==(const Flags &) const = default;
};

Flags flagsOf(const std::vector<Candidate> &parts) {
  Flags flags;
  for (const Candidate &part : parts) {
    flags.added.insert(flags.added.end(), part.addedFlags.begin(), part.addedFlags.end());
    flags.removed.insert(flags.removed.end(), part.removedFlags.begin(), part.removedFlags.end());
  }
  return flags;
}

bool changesFlags(const std::vector<Candidate> &parts) {
  return flagsOf(parts) != Flags();
}

/// Each of the loops that it makes does a part of the work, so none can be compared.
bool splitsLoop(const Candidate &part) {
  return part.id == "distribute";
}

bool isMeasured(const wire::CalibrationSummary &calibration) {
  return calibration.source != wire::CalibrationSummary::Source::None &&
         calibration.source != wire::CalibrationSummary::Source::Profile;
}

/// What a source loop became: the body, whose hint is shown, and then the loops of the line that do fewer iterations at
/// once, through which goes what the body leaves.
std::vector<LoopPart> partsOf(const wording::LoopsOfLine &onLine, const wording::ShownLoop &shown, LoopPart body) {
  std::vector<LoopPart> rest;
  for (const wording::ShownLoop &loop : onLine) {
    const wire::Region &region = loop.front()->region;
    if (&loop != &shown && region.name == shown.front()->region.name && region.sourceIterations > 0 &&
        region.sourceIterations < body.iterations)
      rest.push_back({region.sourceIterations, wording::numbersOf(loop).mostCycles});
  }
  std::ranges::stable_sort(rest, std::greater(), &LoopPart::iterations);
  std::vector<LoopPart> parts = {body};
  for (const LoopPart &part : rest)
    if (part.iterations < parts.back().iterations)
      parts.push_back(part);
  return parts;
}

/// The step that looks at the present code for the last time. The others count from 0.
constexpr size_t kLastStep = SIZE_MAX;

bool hasFinding(const Analysis &analysis, std::string_view code) {
  return std::ranges::any_of(analysis.own, [&](const wire::Finding &finding) { return finding.code == code; });
}

/// What can be run of a loop. One with several paths would need the data that choose among them.
LoopCode codeOf(const wording::ShownLoop &loop, const wire::TargetSummary &target, uint32_t sourceIterations) {
  LoopCode code{.target = {.triple = target.triple, .cpu = target.cpu, .features = target.features},
                .text = loop.front()->region.runnable,
                .sourceIterations = std::max(sourceIterations, 1u),
                .refused = loop.size() > 1 ? "the loop has several paths" : ""};
  if (code.refused.empty() && code.text.empty())
    code.refused = "its code cannot be run alone";
  return code;
}

bool hasCompileError(const Analysis &analysis) {
  return hasFinding(analysis, wire::codes::kCompileError);
}

} // namespace

AdviceRun::AdviceRun(wire::AnalyzeRequest request, uint32_t line, bool comparesResults, bool measures)
    : request_(std::move(request)), line_(line), measures_(measures) {
  request_.settings.runnable = measures;
  request_.listFunction = comparesResults;
  request_.onlyLine = line + 1;
  request_.documents.clear();
  request_.knownSimulations.clear();
  request_.settings.cpus.clear();
  request_.listInputs = false;
  request_.reasons = true;
}

// ---- the order -----------------------------------------------------------------------------------------------------

std::optional<AdviceRun::Step> AdviceRun::next() {
  if (!std::exchange(isBaseStarted_, true)) {
    wire::AnalyzeRequest base = request_;
    base.listCandidates = true;
    return Step{0, std::move(base)};
  }
  if (const auto change = nextChange(); change != changes_.end()) {
    change->isStarted = true;
    return Step{static_cast<size_t>(change - changes_.begin()) + 1, requestOf(*change)};
  }
  if (!areChangesDone() || !hasGain() || std::exchange(isLastStarted_, true))
    return std::nullopt;
  wire::AnalyzeRequest last = request_;
  last.reuseCompiled = false;
  last.module = facts_.module;
  last.module.text.clear();
  return Step{kLastStep, std::move(last)};
}

/// A text is compiled soon by the worker that has compiled its headers in advance, with the document's flags. So of two
/// changes at once one has that worker, and the other has other flags, where both kinds are left. The last text waits
/// for that worker.
std::vector<AdviceRun::Change>::iterator AdviceRun::nextChange() {
  const auto isText = [](const Change &change) { return !changesFlags(change.parts); };
  const bool isTextRunning = std::ranges::any_of(
      changes_, [&](const Change &change) { return change.isStarted && !change.isDone && isText(change); });
  const auto isLeft = [](const Change &change) { return !change.isStarted; };
  const auto found = std::ranges::find_if(
      changes_, [&](const Change &change) { return isLeft(change) && isText(change) != isTextRunning; });
  if (found != changes_.end())
    return found;
  const bool waits = isTextRunning && !facts_.module.text.empty() && std::ranges::count_if(changes_, isLeft) == 1;
  return waits ? changes_.end() : std::ranges::find_if(changes_, isLeft);
}

bool AdviceRun::areChangesDone() const {
  return isBaseDone_ && std::ranges::all_of(changes_, &Change::isDone);
}

bool AdviceRun::hasGain() const {
  return std::ranges::any_of(changes_, [&](const Change &one) {
    const TriedEnd end = judge(one).end;
    return end == TriedEnd::Gains || (measures_ && end == TriedEnd::NeedsMeasuring);
  });
}

bool AdviceRun::isOver() const {
  return areChangesDone() && (isLastDone_ || !hasGain());
}

wire::AnalyzeRequest AdviceRun::requestOf(const Change &change) const {
  wire::AnalyzeRequest request = request_;
  request.isVariant = true;
  request.reuseCompiled = false;
  request.text = withEdits(request_.text, change.edits);
  request.settings.cpu = cpu_; // a flag may name another CPU for the code, which is not the one that is simulated
  Flags flags = flagsOf(change.parts);
  request.addedFlags = std::move(flags.added);
  request.removedFlags = std::move(flags.removed);
  shareFrontEnd(request, change);
  return request;
}

/// A text alone makes the module of its pairs. With other flags, a version is made from the module of the same text; a
/// pair only if it is known of the flags alone that they can be.
void AdviceRun::shareFrontEnd(wire::AnalyzeRequest &request, const Change &change) const {
  const wire::FrontEndModule &own = facts_.module;
  if (own.text.empty())
    return;
  request.module.search = own.search;
  request.module.functions = own.functions;
  const auto isBelowHeaders = [&](const wire::Edit &edit) { return edit.at.begin >= own.preamble.bytes; };
  if (!changesFlags(change.parts)) {
    request.listModule = change.parts.size() == 1;
    if (std::ranges::all_of(change.edits, isBelowHeaders))
      request.module.preamble = own.preamble;
    return;
  }
  if (change.edits.empty()) {
    request.module.text = own.text;
    return;
  }
  const auto isProof = [&](const Change &other) {
    return other.edits.empty() && other.sharesFrontEnd && flagsOf(other.parts) == flagsOf(change.parts);
  };
  const auto isOfText = [&](const Change &other) { return other.edits == change.edits && !changesFlags(other.parts); };
  if (std::ranges::none_of(changes_, isProof) || std::ranges::any_of(change.edits, mayNameMacro))
    return;
  request.module.fitsFlags = true;
  if (const auto text = std::ranges::find_if(changes_, isOfText); text != changes_.end())
    request.module.text = text->module;
}

void AdviceRun::take(size_t number, std::optional<wire::AnalysisResult> result) {
  ++done_;
  std::optional<Analysis> analysis;
  wire::RunnableFunction function;
  const bool chainsVectors = result && result->advice.chainsVectors;
  if (result && result->status == wire::Status::Finished) {
    if (number == 0)
      facts_ = std::move(result->advice);
    else
      function = std::move(result->advice.function);
    if (number != 0 && number != kLastStep) {
      changes_[number - 1].sharesFrontEnd = result->advice.module.fitsFlags;
      changes_[number - 1].module = std::move(result->advice.module.text);
    }
    analysis = Analysis::take(*result, {});
  }
  if (number == 0)
    return takeBase(analysis);
  if (number == kLastStep) {
    isLastDone_ = true;
    const auto last = analysis ? versionOf(*analysis, request_.text, line_, base_->name) : std::nullopt;
    isOutdated_ = !last || last->anchor != base_->anchor || last->digest != base_->digest;
    return;
  }
  Change &change = changes_[number - 1];
  change.isDone = true;
  change.failed = !analysis;
  if (analysis) {
    change.isCompiled = !hasCompileError(*analysis);
    change.function = std::move(function);
    change.version = versionOf(*analysis, withEdits(request_.text, change.edits), line_, base_->name);
    // What becomes a chain of vectors was a chain of numbers, whose operations are reordered.
    for (Candidate &part : change.parts)
      if (part.mayReorder && chainsVectors)
        part.label = wire::AdviceLabel::ChangesResults;
  }
  if (!hasPairs_ && areChangesDone())
    addPairs();
}

void AdviceRun::takeBase(const std::optional<Analysis> &analysis) {
  isBaseDone_ = true;
  noBase_ = "the loop was not analysed";
  if (!analysis)
    return;
  cpu_ = analysis->target.cpu;
  leastGain_ = isMeasured(analysis->target.calibration) ? kLeastGain : kLeastGainUnmeasured;
  base_ = versionOf(*analysis, request_.text, line_, "");
  noBase_ = hasFinding(*analysis, wire::codes::kNotSaved) ? "the file on disk is not what the editor has: save it first"
            : hasCompileError(*analysis)                  ? "the file does not compile any more"
                                                          : "no loop of this line was simulated";
  addSingles();
}

void AdviceRun::add(std::vector<Candidate> parts) {
  std::optional<std::vector<wire::Edit>> edits = mergedEdits(parts);
  if (edits)
    changes_.push_back({.parts = std::move(parts), .edits = std::move(*edits)});
}

void AdviceRun::addSingles() {
  if (!base_ || !base_->isKnown)
    return;
  for (const Candidate &candidate : facts_.candidates)
    add({candidate});
}

/// Of the changes that may enable each other, those first of which neither gains alone. What gains alone and what gains
/// nothing may still gain more together.
void AdviceRun::addPairs() {
  hasPairs_ = true;
  std::vector<size_t> enabling;
  for (size_t i = 0; i < changes_.size(); ++i)
    if (changes_[i].parts.front().enables && changes_[i].version)
      enabling.push_back(i);
  // Of pairs that promise the same gain, the one that asks less.
  const auto asked = [&](size_t change) { return static_cast<unsigned>(changes_[change].parts.front().label); };
  std::vector<std::pair<std::pair<double, unsigned>, std::pair<size_t, size_t>>> pairs;
  for (size_t a = 0; a < enabling.size(); ++a)
    for (size_t b = a + 1; b < enabling.size(); ++b)
      if (!areAlternatives(changes_[enabling[a]].parts.front(), changes_[enabling[b]].parts.front())) {
        const double one = gainOf(changes_[enabling[a]]).predicted, other = gainOf(changes_[enabling[b]]).predicted;
        pairs.push_back({{-one * other, asked(enabling[a]) + asked(enabling[b])}, {enabling[a], enabling[b]}});
      }
  std::ranges::stable_sort(pairs, {}, [](const auto &pair) { return pair.first; });
  for (size_t i = 0; i < std::min(pairs.size(), kMostPairs); ++i)
    add({changes_[pairs[i].second.first].parts.front(), changes_[pairs[i].second.second].parts.front()});
}

// ---- the numbers ---------------------------------------------------------------------------------------------------

std::optional<AdviceRun::Version> AdviceRun::versionOf(const Analysis &analysis, const std::string &text, uint32_t line,
                                                       const std::string &name) {
  const auto lines = wording::loopsByLine(analysis, Text(text), line, line);
  if (lines.empty())
    return std::nullopt;
  const wording::LoopsOfLine &onLine = lines.begin()->second;
  const auto isSame = [&](const wording::ShownLoop &loop) { return loop.front()->region.name == name; };
  const auto shown = name.empty() ? onLine.begin() : std::ranges::find_if(onLine, isSame);
  if (shown == onLine.end())
    return std::nullopt;
  const AnalysedRegion &first = *shown->front();
  const wording::LoopNumbers numbers = wording::numbersOf(*shown);
  Version version{.name = first.region.name,
                  .number = first.region.loop,
                  .anchor = first.region.anchor,
                  .simulation = first.region.simulation,
                  .digest = first.simulation->code,
                  .isKnown = numbers.sourceIterations != 0,
                  .leftOut = numbers.calls,
                  .limit = wording::bottleneckOf(first)};
  if (!first.region.whyNot.empty() && wording::isVectorizers(first.region.whyNot.front().pass))
    version.blocked = wording::inWords(first.region.whyNot.front());
  const double several = std::max(numbers.sourceIterations, 1u);
  version.least = numbers.leastCycles / several;
  version.most = (numbers.isLowerBound() ? numbers.leastCycles : numbers.mostCycles) / several;
  version.random = version.most;
  if (shown->size() == 1 && !wording::flowOf(*shown) && isCalibrated(*first.simulation))
    version.unaligned = std::max(first.simulation->calibrated.unalignedCycles, numbers.mostCycles) / several;
  if (const wire::ControlFlow *flow = wording::flowOf(*shown)) {
    version.whole.exitCost = flow->mispredictPenalty;
    if (!wording::isTraced(*flow)) {
      // Predicted, the branches may go the quickest way each time. A way with a call may look quick.
      version.random = flow->cycles / several;
      version.most = flow->perfectCycles / several;
      version.least = numbers.calls.empty() ? std::min(version.least, version.most) : version.most;
    }
  }
  for (const wire::Caveat &caveat : numbers.leftOut)
    version.leftOut.push_back(wording::inWords(caveat));
  for (const AnalysedRegion *path : *shown)
    version.isDoubtful |= hasUnknownAccess(*path, isMeasured(analysis.target.calibration)) ||
                          (!isCalibrated(*path->simulation) && std::ranges::any_of(path->region.caveats, isModelError));
  if (version.whole.exitCost <= 0)
    version.whole.exitCost = kExitCost;
  version.code = codeOf(*shown, analysis.target, numbers.sourceIterations);
  version.whole.parts = partsOf(onLine, *shown, {std::max(numbers.sourceIterations, 1u), version.most * several});
  return version;
}

AdviceRun::Gain AdviceRun::gainOf(const Change &change) const {
  if (!change.version || !change.version->isKnown || change.version->least <= 0 || change.version->most <= 0)
    return {};
  return {std::min(base_->least / change.version->least, base_->most / change.version->most),
          base_->random / change.version->random};
}

Advice AdviceRun::judge(const Change &change) const {
  Advice advice;
  advice.parts = change.parts;
  advice.same = change.same;
  advice.measured = change.measured;
  advice.edits = change.edits;
  const auto ends = [&](TriedEnd end) {
    advice.end = end;
    return advice;
  };
  if (change.failed)
    return ends(TriedEnd::Failed);
  if (!change.isCompiled)
    return ends(TriedEnd::NotCompiled);
  if (!change.version)
    return ends(TriedEnd::NotFound);
  const Version &now = *change.version;
  if (now.blocked != base_->blocked)
    advice.stillBlocked = now.blocked;
  if (now.digest != base_->digest && std::ranges::any_of(change.parts, splitsLoop))
    return ends(TriedEnd::Split);
  if (!now.isKnown)
    return ends(TriedEnd::UnknownRatio);
  advice.isLowerBound = !base_->leftOut.empty() && now.leftOut.empty();
  if (!now.leftOut.empty() && now.leftOut != base_->leftOut)
    return ends(TriedEnd::LeavesOut);
  const Gain gain = gainOf(change);
  advice.predicted = gain.predicted;
  advice.random = gain.random;
  advice.limit = now.limit;
  advice.digest = now.digest;
  // What holds however the branches go needs no condition.
  advice.factor = std::min(gain.predicted, gain.random);
  advice.ifRandom = advice.factor < leastGain_ && gain.random >= leastGain_;
  advice.ifPredicted = advice.factor < leastGain_ && !advice.ifRandom && gain.predicted >= kLeastIfPredicted;
  if (advice.ifRandom || advice.ifPredicted)
    advice.factor = std::max(gain.predicted, gain.random);
  if (now.unaligned > 0)
    advice.unaligned = base_->unaligned / now.unaligned;
  advice.cycles = advice.factor == gain.random && gain.random != gain.predicted ? now.random : now.most;
  if (const uint64_t n = facts_.tripCount; n && !advice.ifRandom) {
    const double whole = now.whole.cycles(n), before = base_->whole.cycles(n);
    if (advice.factor >= leastGain_ && whole > 0 && before / whole < leastGain_)
      return ends(TriedEnd::TooFew);
    if (whole > 0) {
      advice.factor = before / whole;
      advice.cycles = whole / static_cast<double>(n);
    }
  } else if (advice.factor >= leastGain_ && !advice.ifRandom) {
    advice.from = fasterFrom(now.whole, base_->whole);
    if (advice.from >= kLongest)
      return ends(TriedEnd::TooFew);
  }
  if (advice.factor < 1 / leastGain_)
    return ends(TriedEnd::Slower);
  if (advice.factor < leastGain_)
    return ends(now.digest == base_->digest ? TriedEnd::SameAsNow : TriedEnd::NoGain);
  const bool isMeasured = change.measured && change.measured->isKnown();
  if (isMeasured && change.measured->factor() < kLeastMeasured)
    return ends(TriedEnd::MeasuredNoGain);
  if ((now.isDoubtful || base_->isDoubtful) && !isMeasured)
    return ends(TriedEnd::NeedsMeasuring);
  const auto isPromise = [](const Candidate &part) { return part.label == wire::AdviceLabel::Promise; };
  if (change.same && change.same->differs && std::ranges::any_of(change.parts, isPromise))
    return ends(TriedEnd::OtherResults);
  return ends(TriedEnd::Gains);
}

/// What asks for other inputs than random ones cannot be checked with these.
std::vector<AdviceRun::Check> AdviceRun::checks() {
  std::vector<Check> checks;
  const auto isRunnable = [](const wire::RunnableFunction &function) {
    return function.refusal.empty() && !function.symbol.empty();
  };
  for (size_t i = 0; i < changes_.size() && isRunnable(facts_.function); ++i) {
    Change &change = changes_[i];
    if (change.isChecked || !change.isDone || !isRunnable(change.function))
      continue;
    const Advice advice = judge(change);
    if (advice.end != TriedEnd::Gains || advice.label() == wire::AdviceLabel::ChangesResults ||
        std::ranges::any_of(change.parts, &Candidate::isAboutInputs))
      continue;
    change.isChecked = true;
    checks.push_back({i + 1, &facts_.function, &change.function});
  }
  return checks;
}

std::vector<AdviceRun::Timing> AdviceRun::timings() {
  std::vector<Timing> timings;
  for (size_t i = 0; measures_ && base_ && i < changes_.size(); ++i) {
    Change &change = changes_[i];
    const TriedEnd end = change.isDone ? judge(change).end : TriedEnd::NotFound;
    if (change.isTimed || (end != TriedEnd::Gains && end != TriedEnd::NeedsMeasuring))
      continue;
    change.isTimed = true;
    for (const LoopCode *code : {&base_->code, &change.version->code})
      if (!code->refused.empty() && !change.measured)
        change.measured = MeasuredGain{.refused = code->refused};
    if (!change.measured)
      timings.push_back({i + 1, &base_->code, &change.version->code});
  }
  return timings;
}

AdviceReport AdviceRun::report() const {
  AdviceReport report{.line = line_, .tripCount = facts_.tripCount, .sourceKept = facts_.sourceKept};
  if (!isBaseDone_ || !base_) {
    report.failure = isBaseDone_ ? noBase_ : "the loop was not analysed";
    return report;
  }
  report.loop = base_->name;
  report.number = base_->number;
  report.anchor = base_->anchor;
  report.simulation = base_->simulation;
  report.cycles = base_->most;
  report.limit = base_->limit;
  if (!base_->isKnown) {
    report.failure = "how many iterations of the source one of the machine code does is not known";
    return report;
  }
  if (isOutdated_) {
    report.failure = "a file that it is compiled from has changed meanwhile";
    return report;
  }
  if (facts_.candidates.empty())
    report.failure = "nothing is known that could help";
  for (const Change &change : changes_)
    if (change.isDone)
      takeAdvice(report, judge(change));
  for (const Advice &advice : report.advice)
    for (Advice &other : report.advice)
      if (gainsAsMuch(advice, other, kSameFactor) && asksLess(advice, other) && advice.from <= other.from)
        other.end = TriedEnd::NoBetter;
  std::erase_if(report.advice, [&](const Advice &advice) {
    if (advice.end != TriedEnd::NoBetter)
      return false;
    if (advice.parts.size() == 1)
      report.others.push_back(advice);
    return true;
  });
  std::ranges::stable_sort(report.advice, std::greater(), &Advice::factor);
  return report;
}

/// A pair is advice only if it gains more than each of its parts does.
void AdviceRun::takeAdvice(AdviceReport &report, Advice advice) {
  const bool isAdvice = advice.end == TriedEnd::Gains;
  const auto isPartAsGood = [&](const Advice &part) {
    return advice.parts.size() > 1 && gainsAsMuch(part, advice, kLeastGain) &&
           (part.parts.front() == advice.parts.front() || part.parts.front() == advice.parts.back());
  };
  const auto isSameCode = [&](const Advice &other) {
    return other.digest == advice.digest && other.label() <= advice.label();
  };
  const bool isSame = isAdvice && std::ranges::any_of(report.advice, isSameCode);
  if (isAdvice && !isSame && std::ranges::none_of(report.advice, isPartAsGood))
    return report.advice.push_back(std::move(advice));
  if (isSame)
    advice.end = TriedEnd::SameCode;
  if (advice.parts.size() == 1)
    report.others.push_back(std::move(advice));
}

} // namespace lsp
