#include "lsp/wording/advice_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;

constexpr double kSameFactor = 0.1; // of it: a smaller difference is not worth words

/// The words of a candidate's id. Its operands replace `{}`.
struct ChangeWords {
  const char *id;
  const char *change; ///< "let the compiler …"
  const char *asks;   ///< what it asks; with SameResults what else is to know; may be empty
};

constexpr ChangeWords kWords[] = {
    {"without-flag", "compile without {}", "you promise that the program does not need the flag"},
    {"o3", "compile with {}", ""},
    {"reassociate", "let the compiler reorder the floating-point operations of the loop",
     "operations are reordered: the last bits of results may differ"},
    {"no-nans", "compile with {}", "you promise that no number is NaN, and that the sign of a zero does not matter"},
    {"no-errno", "compile with {}", "errno is not set by mathematical functions"},
    {"reciprocal", "multiply by the reciprocal in place of dividing", "the last bits of results may differ"},
    {"float-literals", "write the numbers of the loop as float, with the suffix f",
     "computed in float in place of double: fewer digits"},
    {"locals", "copy what the loop reads through pointers to locals before it",
     "you promise that the loop's stores do not change what is copied"},
    {"signed-counter", "give the counter the type long", "you promise that the counter does not wrap around"},
    {"restrict", "declare the pointers among the parameters __restrict",
     "you promise that what one of them writes is read or written through no other"},
    {"no-dependences", "say that no iteration depends on another one, vectorize(assume_safety)",
     "you promise that no iteration reads or writes what another one writes"},
    {"distribute", "split the loop as the compiler's remark recommends, distribute(enable)", ""},
    {"vectorize", "vectorize against the compiler's estimate, vectorize(enable)", ""},
    {"march", "compile with {}", "the program needs a CPU that has these instructions"},
    {"wide-march", "compile with {}",
     "the program needs a CPU that has these instructions, and it may lower its clock for those of 512 bits"},
    {"mtune", "compile with {}", "the program is tuned for this CPU and runs on all others"},
    {"wide-vectors", "compile with {}", "a CPU may lower its clock for 512-bit instructions"},
    {"inline", "inline the functions that the loop calls, __attribute__((always_inline))", ""},
    {"select", "compute both ways in place of branching, __builtin_unpredictable", ""},
    {"branch", "branch in place of selecting", "a condition that seldom holds as said costs mispredictions"},
    {"no-gather", "compile with {}, which loads elements one by one", ""},
    {"no-vector", "leave the loop without vectors, vectorize(disable)", ""},
    {"interleave", "do {} iterations side by side, interleave_count", ""},
    {"unroll", "unroll the loop {} times, unroll_count", ""},
    {"unroll-flag", "compile with {}", ""},
    {"multiple", "say that the number of iterations is a multiple of {}", "you promise that it is"},
};

const ChangeWords &wordsOf(const wire::Candidate &change) {
  static constexpr ChangeWords kUnknown{"", "{}", ""};
  const auto known = std::ranges::find(kWords, std::string_view(change.id), &ChangeWords::id);
  return known == std::end(kWords) ? kUnknown : *known;
}

/// Whether the words of a change of results say which.
bool saysWhatChanges(const std::string &id) {
  return id == "reassociate" || id == "reciprocal" || id == "float-literals";
}

std::string filled(std::string text, const std::vector<std::string> &operands) {
  std::string all;
  for (const std::string &operand : operands)
    all += (all.empty() ? "" : " ") + operand;
  if (const size_t at = text.find("{}"); at != std::string::npos)
    text.replace(at, 2, all);
  return text;
}

/// Three digits that matter.
std::string cyclesText(double cycles) {
  return decimals(cycles, cycles < 1 ? 3 : cycles < 10 ? 2 : 1);
}

std::string factorText(double factor) {
  return decimals(factor, factor < 9.95 ? 1 : 0) + "×";
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

/// What running both versions has shown.
std::string sameInWords(const TriedChange &change) {
  if (!change.same)
    return "";
  const SameResults &same = *change.same;
  if (!same.refused.empty())
    return "; not checked: " + same.refused;
  const std::string inputs = counted(same.runs, "random input");
  if (same.differs)
    return "; results differed in a run with " + inputs;
  return "; checked with " + inputs + ": the same results" +
         (same.differsOverlapping ? ", but not where arrays overlap: you promise that they do not" : "");
}

/// What timing both versions has shown.
std::string measuredInWords(const TriedChange &change) {
  if (!change.measured)
    return "";
  const MeasuredGain &measured = *change.measured;
  if (!measured.refused.empty())
    return "not measured: " + measured.refused;
  return "measured on this machine: " + cyclesText(measured.now) + " and " + cyclesText(measured.then) + " cyc/iter, " +
         factorText(measured.factor());
}

} // namespace

const char *nameOf(wire::AdviceLabel label) {
  constexpr const char *kNames[] = {"same-results", "hardware", "promise", "changes-results"};
  return kNames[static_cast<size_t>(label)];
}

std::string changeInWords(const TriedChange &change) {
  std::string text;
  for (const wire::Candidate &part : change.parts)
    text += (text.empty() ? "" : ", and ") + filled(wordsOf(part).change, part.operands);
  return text;
}

std::string labelInWords(const TriedChange &change) {
  std::string text = change.label() == wire::AdviceLabel::SameResults ? "same results" : "";
  if (change.same && change.same->differs)
    text = "results change";
  for (const wire::Candidate &part : change.parts) {
    std::string asks = wordsOf(part).asks;
    if (part.id == "without-flag" && part.label == wire::AdviceLabel::SameResults)
      asks.clear();
    const bool isSaid = saysWhatChanges(part.id) || text.find("the last bits") != std::string::npos;
    if (part.label == wire::AdviceLabel::ChangesResults && !isSaid)
      asks += (asks.empty() ? "" : ", and ") + std::string("the last bits of floating-point results may differ");
    if (!asks.empty() && text.find(asks) == std::string::npos)
      text += (text.empty() ? "" : "; ") + asks;
  }
  const std::string measured = measuredInWords(change);
  return text + sameInWords(change) + (measured.empty() ? "" : "; " + measured);
}

bool isAnotherFactor(double unaligned, double factor) {
  return std::abs(unaligned / factor - 1) > kSameFactor;
}

std::string gainInWords(const Advice &advice) {
  std::string text =
      cyclesText(advice.cycles) + " cyc/iter · " + (advice.isLowerBound ? "at least " : "") + factorText(advice.factor);
  if (advice.from > 1)
    text += " from " + std::to_string(advice.from) + " iterations on";
  if (advice.ifRandom)
    text += " if its branches are random";
  if (advice.ifPredicted)
    text += " if the CPU predicts its branches";
  if (advice.unaligned > 0 && isAnotherFactor(advice.unaligned, advice.factor))
    text += ", " + factorText(advice.unaligned) + " if data begin 16 bytes behind a line of the cache";
  return text;
}

std::string endInWords(const TriedChange &tried) {
  switch (tried.end) {
  case TriedEnd::Gains:
    return factorText(tried.factor) + " faster";
  case TriedEnd::NotCompiled:
    return "refused by the compiler";
  case TriedEnd::NotFound:
    return "the loop is not found in its code";
  case TriedEnd::UnknownRatio:
    return "not compared: how many iterations of the source its code does at once is not known";
  case TriedEnd::LeavesOut:
    return "not compared: its code calls functions whose time is not known";
  case TriedEnd::SameAsNow:
    return "no faster, the compiler makes the same code";
  case TriedEnd::Split:
    return "not compared: it becomes several loops";
  case TriedEnd::NoGain:
    return "no faster";
  case TriedEnd::Slower:
    return factorText(1 / tried.factor) + " slower";
  case TriedEnd::NoBetter:
    return factorText(tried.factor) + ", no more than a change that asks less";
  case TriedEnd::SameCode:
    return "makes the same code as another change";
  case TriedEnd::TooFew:
    return "faster only with more iterations than the loop has";
  case TriedEnd::NeedsMeasuring:
    return factorText(tried.factor) + " predicted, by a model that is known to be wrong about these instructions: "
                                      "measure it";
  case TriedEnd::MeasuredNoGain:
    return factorText(tried.factor) + " predicted, but no faster when it was " + measuredInWords(tried);
  case TriedEnd::OtherResults:
    return "gives other results where arrays do not overlap, too";
  case TriedEnd::Failed:
    return "not tried: its analysis ended early";
  }
  return "";
}

std::string blockedInWords(const TriedChange &tried) {
  return tried.stillBlocked.empty() ? "" : "; it is still not vectorized: " + tried.stillBlocked;
}

std::string sourceKeptInWords(const AdviceReport &report) {
  switch (report.sourceKept) {
  case wire::SourceKept::No:
    return "";
  case wire::SourceKept::Elsewhere:
    return "it is in a macro or in another file";
  case wire::SourceKept::Alternatives:
    return "it depends on #if";
  case wire::SourceKept::Goto:
    return "it is made of goto";
  case wire::SourceKept::Unreadable:
    return "gcc reads no text that is not saved";
  }
  return "";
}

std::string adviceLine(const Advice &advice) {
  return gainInWords(advice) + " · " + changeInWords(advice) + " · " + labelInWords(advice);
}

std::string applyTitle(const Advice &advice) {
  if (advice.edits.empty())
    return "";
  const bool needsFlags = std::ranges::any_of(
      advice.parts, [](const wire::Candidate &part) { return !part.addedFlags.empty() || !part.removedFlags.empty(); });
  return factorText(advice.factor) + ": " + changeInWords(advice) +
         (needsFlags ? " (this changes the text, the flags are the build's)" : "");
}

std::string adviceDocument(const AdviceReport &report, const std::string &file) {
  std::string text = kAdviceQuestion + std::string("\n\n") + file + ":" + std::to_string(report.line + 1) +
                     (report.loop.empty() ? "" : ": " + report.loop) + "\n";
  if (report.cycles > 0)
    text +=
        "now: " + cyclesText(report.cycles) + " cyc/iter" + (report.limit.empty() ? "" : ", " + report.limit) + "\n";
  if (report.tripCount)
    text += "for its " + counted(report.tripCount, "iteration") + "\n";
  text += "\n";
  if (!report.failure.empty())
    return text + "Nothing was tried: " + report.failure + ".\n";
  if (report.advice.empty())
    text += "No change that was tried makes it faster by more than the error of the numbers" +
            (report.limit.empty() ? std::string() : "; it is " + report.limit) + ".\n";
  for (size_t i = 0; i < report.advice.size(); ++i) {
    const Advice &advice = report.advice[i];
    text += std::to_string(i + 1) + ". " + gainInWords(advice) + "\n   " + capitalised(changeInWords(advice)) +
            ".\n   " + capitalised(labelInWords(advice)) + ".\n";
    if (!advice.limit.empty())
      text += "   Then it is " + advice.limit + ".\n";
    if (!advice.stillBlocked.empty())
      text += "   It is still not vectorized: " + advice.stillBlocked + ".\n";
    for (const wire::Edit &edit : advice.edits)
      text += "   + " + edit.newText + "\n";
    text += "\n";
  }
  if (const std::string kept = sourceKeptInWords(report); !kept.empty())
    text += "Changes of the loop's text were not tried: " + kept + ".\n\n";
  if (!report.others.empty())
    text += "Tried in vain:\n";
  for (const TriedChange &tried : report.others)
    text += " - " + changeInWords(tried) + ": " + endInWords(tried) + blockedInWords(tried) + "\n";
  return text;
}

void addAdvice(RichText &text, const AdviceReport &report) {
  if (report.advice.empty())
    return;
  add(text, Kind::Heading, "What would make it faster");
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < std::min(report.advice.size(), kMost); ++i)
    add(text, Kind::Item, adviceLine(report.advice[i]));
  if (report.advice.size() > kMost)
    add(text, Kind::Paragraph, "And " + std::to_string(report.advice.size() - kMost) + " more.");
}

} // namespace lsp::wording
