// A sentence has places for its operands, which the worker sends in the order of their numbers:
//
//   {0}            the first operand
//   {0?text}       the text, if there is such an operand and it is not empty
//   {0!text}       the text, if not
//   {0|one|many}   a word that depends on a number; nothing without one
//   {1 and}        the operands from the second on, as a list that names three
//   {1 or}         the same with each of them
//   {0 parser}     what LLVM's parser says
#include "lsp/wording/sentences.h"

#include "analysis/text/counts.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace lsp::wording {
namespace {

namespace wire = analysis::wire;
using wire::Sentence;

struct Template {
  Sentence sentence;
  std::string_view text;
};

constexpr Template kTemplates[] = {
    {Sentence::None, ""},
    {Sentence::OfParser, "{0 parser}"},
    {Sentence::CompiledLinesUnread,
     "{0} {0|line|lines} of the compiler's assembly could not be read, the first because: {1}"},
    {Sentence::ForeignDialect, "this is {0}, which is not read, so that there are no numbers: {1}"},
    // {3}: how a comment begins
    {Sentence::MostlyUnread,
     "{0} {0|line|lines} of this text, most of it, cannot be read as assembly of {1} (the first: {2 parser}): if it is "
     "for another target, name that with a comment `{3} mca: triple=…`"},
    {Sentence::RegionMostlyUnread, "more than half of this region's lines could not be read, so that it has no number"},

    {Sentence::NotKeyAndValue, "'{0}' is not of the form key=value"},
    {Sentence::UnknownKey, "unknown key '{0}': cpu, triple, features, iterations and syntax are known"},
    {Sentence::BadIterations, "iterations must be a number from 1 to 1000000"},
    {Sentence::BadTripCount, "n, the iterations of the loop below, must be a number above 0"},
    {Sentence::BadSyntax, "syntax must be intel or att"},
    {Sentence::BudgetWithoutMarker, "a budget belongs directly below the LLVM-MCA-BEGIN of its region"},
    {Sentence::NoPartOfBudget, "'{0}' is no part of a budget: cycles<=NUMBER, ipc>=NUMBER and cpu=NAME are"},
    {Sentence::UnknownCondition, "unknown condition '{0}': cycles<=NUMBER and ipc>=NUMBER are known"},
    {Sentence::NotPositive, "'{0}' is no number above 0"},

    {Sentence::PointersWithoutLoop, "there is no loop here that this statement could hold for"},
    {Sentence::PointerWithoutRegister,
     "the compiler does not say that one register holds {0} at the start of the loop: use clang, or name the register "
     "in the code, as in asm(\"# mca: alias %0\" :: \"r\"({0}))"},
    {Sentence::PointerProblem, "{0}: {1}"},

    // Of a C file, the user sees other lines than those that the message may name.
    {Sentence::TraceProblem, "{0}{1? (a line of the assembly)}"},
    {Sentence::TraceFileProblem,
     "the trace {2} {4!cannot be read}{4?does not fit this text}: {3}{0}{1? (a line of the assembly)}"},
    {Sentence::PathWithoutLoop, "there is no loop here: a path belongs inside a loop, or directly above it"},
    {Sentence::NoOutcome, "expected `taken` or `not-taken` for each branch of an iteration{0?, found `}{0}{0?`}{0!: "
                          "`path taken,not-taken`}"},
    {Sentence::PathLeaves, "the path does not come back to the start of the loop"},
    {Sentence::PathThroughIndirectJump, "a path through an indirect jump has to be written as a trace"},
    {Sentence::TooFewOutcomes, "an iteration on this path has more branches than the {0} {0|outcome|outcomes} here"},
    {Sentence::TooManyOutcomes, "an iteration on this path has {0} {0|branch|branches} inside the loop, not {1}"},

    {Sentence::EmptyRegion, "the compiler made no instruction for the marked lines"},
    {Sentence::MarkerStopsVectorizer, "this marker keeps the loop from being vectorized ({0}): a comment, // "
                                      "LLVM-MCA-BEGIN, marks without changing the code"},
    // How many loops; the number of some in each of three files; and that of the others, and of their files.
    {Sentence::LoopsElsewhere,
     "{0} {0|loop|loops} of the code {0|is|are} in functions of other files that were not inlined; no line here "
     "calls them by name, or too many do{1?: }{1}{1? in }{2}{3?, }{3}{3? in }{4}{5?, }{5}{5? in }{6}{7?, }{7}{7? in "
     "}{8}{8? other }{8|file|files}"},
    {Sentence::TooManyRegions, "regions from here on are not analysed: at most 20,000 regions of a file are, with at "
                               "most 400,000 instructions together; split the file"},
    {Sentence::NotSimulated, "this region cannot be simulated: {0}"},

    {Sentence::NoFile,
     "this document is no file of this machine, and only files are compiled: save it as one to analyse it"},
    {Sentence::NotSaved, "the buffer differs from the file on disk: save it to analyse it"},
    {Sentence::InferredCommand, "command {0}{1?, as a part of which this file is compiled}"},
    {Sentence::NoCompileCommand, "no compile command names this file; {1!compiled}{1?preprocessed} with the {0}"},
    {Sentence::Unoptimized,
     "the compile command does not optimize (-O0, or no -O at all): the numbers are those of unoptimized code"},

    // {2}: how a comment begins
    {Sentence::InferredTarget, "read as {0}, as {1}: name another target with a comment `{2} mca: triple=…`"},
    {Sentence::MissingFeature, "{0} {0|line|lines} {0|needs|need} {1}, which {2} lacks{3?; }{3}{3? has it}"},
    {Sentence::UnknownCpu, "LLVM knows no CPU '{0}' for {1} ({2})"},
    {Sentence::UnknownFeature, "LLVM knows no feature '{0}' for {1}: it is left out"},
    {Sentence::AssumedCpu, "the numbers are for {0} ({1}): name the CPU with a comment `{2} mca: cpu=NAME` or the "
                           "setting mca.cpu{3?, such as }{3 or}"},
    {Sentence::NoSchedulingModel, "LLVM has no scheduling model for {0} ({1}): choose another CPU with a comment `{2} "
                                  "mca: cpu=NAME` or the setting mca.cpu"},
    {Sentence::BorrowedModel, "LLVM has no scheduling model of {0}'s own and uses that of {1}: all numbers in this "
                              "file are estimates"},
    {Sentence::SharedModel, "LLVM has one scheduling model for {0} and {1 and}, and does not say for which of them it "
                            "was written: all numbers in this file are estimates"},
    {Sentence::CalibrationUnusable, "the calibration is not used, the numbers are LLVM's: {0}"},
    {Sentence::ProfileUnusable, "the profile is not used, loops have no shares of time: {0}"},
    {Sentence::NoSchedulingData, "no scheduling data for `{0}` on {1}: it is left out, and the cycles are a lower "
                                 "bound{2? (}{2}{2?)}"},
};

consteval bool areInOrder() {
  size_t number = 0;
  for (const Template &one : kTemplates)
    if (static_cast<size_t>(one.sentence) != number++)
      return false;
  return number == static_cast<size_t>(Sentence::Last) + 1;
}
static_assert(areInOrder(), "each sentence has a text");

/// The parser's words; of a file that `.include` or `.incbin` does not find, ours: the worker reads none for them.
std::string ofParser(std::string_view message) {
  constexpr std::string_view kInclude = "Could not find include file ", kIncbin = "Could not find incbin file ";
  if (message.starts_with(kInclude))
    return "`.include` reads no file here, so that what " + std::string(message.substr(kInclude.size())) +
           " defines is missing: let the preprocessor include it, with `#include` in a .S file";
  if (message.starts_with(kIncbin))
    return "`.incbin` reads no file here: the bytes of " + std::string(message.substr(kIncbin.size())) + " are missing";
  return std::string(message);
}

std::string orListOf(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

/// What stands between the braces.
std::string filled(std::string_view place, const std::vector<std::string> &operands) {
  constexpr size_t kNamed = 3;
  const auto number = std::min(static_cast<size_t>(place.front() - '0'), operands.size());
  const std::vector<std::string> rest(operands.begin() + static_cast<ptrdiff_t>(number), operands.end());
  std::string operand = rest.empty() ? "" : rest.front();
  const char how = place.size() > 1 ? place[1] : '\0';
  const std::string text(place.substr(std::min<size_t>(place.size(), 2)));
  switch (how) {
  case '?':
    return operand.empty() ? "" : text;
  case '!':
    return operand.empty() ? text : "";
  case '|':
    return operand.empty() ? "" : operand == "1" ? text.substr(0, text.find('|')) : text.substr(text.find('|') + 1);
  case ' ':
    return text == "parser" ? ofParser(operand) : text == "or" ? orListOf(rest) : analysis::listOf(rest, kNamed);
  default:
    return operand;
  }
}

} // namespace

std::string messageOf(const wire::Finding &finding) {
  std::string message = finding.message;
  std::string_view text = kTemplates[static_cast<size_t>(finding.words.sentence)].text;
  for (size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const size_t close = text.find('}', open);
    message.append(text.substr(0, open)) += filled(text.substr(open + 1, close - open - 1), finding.words.operands);
    text.remove_prefix(close + 1);
  }
  return analysis::shortened(std::move(message.append(text)), wire::kMaxMessageBytes);
}

void putIntoWords(wire::Finding &finding) {
  finding.message = messageOf(finding);
  if (finding.words.sentence == Sentence::LoopsElsewhere)
    for (wire::RelatedPlace &place : finding.related)
      place.message.insert(0, place.message.empty() ? "a loop" : "a loop of ");
  finding.words = {};
}

} // namespace lsp::wording
