// Code actions about instruments: comments that tell the simulation what an instruction alone does not.
//
// A LATENCY instrument is in force until the next one of its kind; one without a number ends it (LLVM's
// LatencyInstrument has no value then). The vector types are those of LLVM's RISCVInstrumentManager.
#include "analysis/common/comment_syntax.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/features/code_action_builder.h"
#include "lsp/features/instruction_places.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace lsp::features {
namespace {

using analysis::wire::Language;
namespace comments = analysis::comments;

struct MemoryLevel {
  const char *name;
  uint32_t cycles; ///< from a load's issue to its data
};

/// Of a desktop core of the last ten years; the title says them, and the comment can be edited.
constexpr MemoryLevel kLevels[] = {{"the L2 cache", 14}, {"the L3 cache", 50}, {"memory", 200}};

/// "LLVM-MCA-LATENCY 14"
std::string instrument(std::string_view marker, std::string_view value) {
  return std::string(marker) + " " + std::string(value);
}

/// The words of an instruction, without its comment.
std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  line = line.substr(0, line.find('#'));
  constexpr std::string_view kBetween = " \t,";
  for (size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

std::string upperCase(std::string word) {
  for (char &c : word)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

/// The one of `names` that is among the words, in any case; empty when none is.
template <size_t N>
std::string_view named(const std::array<std::string_view, N> &names, const std::vector<std::string> &words) {
  for (const std::string &word : words)
    for (const std::string_view name : names)
      if (upperCase(word) == name)
        return name;
  return {};
}

bool hasWord(const std::vector<std::string> &words, const char *word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void addInstrument(CodeActionBuilder &actions, uint32_t line, std::string_view marker, std::string_view value) {
  const std::string comment = actions.comment(instrument(marker, value));
  actions.refactoring("Insert " + comment, {actions.insertLineAfter(line, comment)});
}

/// Behind vsetvli and vsetivli what they say; behind vsetvl, whose operand is a register, all that there is.
void addVectorTypes(CodeActionBuilder &actions, uint32_t line) {
  const std::vector<std::string> words = wordsOf(actions.text().line(line));
  if (hasWord(words, "vsetvl")) {
    for (const std::string_view multiplier : comments::kVectorMultipliers)
      addInstrument(actions, line, comments::kVectorMultiplierMarker, multiplier);
    for (const std::string_view width : comments::kVectorWidths)
      addInstrument(actions, line, comments::kVectorWidthMarker, width);
  } else if (hasWord(words, "vsetvli") || hasWord(words, "vsetivli")) {
    const std::string_view multiplier = named(comments::kVectorMultipliers, words),
                           width = named(comments::kVectorWidths, words);
    if (multiplier.empty() || width.empty())
      return;
    const std::string first = actions.comment(instrument(comments::kVectorMultiplierMarker, multiplier));
    const std::string second = actions.comment(instrument(comments::kVectorWidthMarker, width));
    const std::string indent = indentation(actions.text().line(line));
    actions.refactoring("Insert " + first + " and " + second,
                        {actions.insertLineAfter(line, first + lineBreak(actions.text()) + indent + second)});
  }
}

/// Where the model's worst case was assumed: what it can be told instead. On an instruction's line it must stand before
/// the instruction, on a label's or a marker's behind it.
void addAssumedVectorTypes(CodeActionBuilder &actions) {
  for (const analysis::wire::Finding *finding : actions.findings(analysis::wire::codes::kAssumedVectorType)) {
    const uint32_t line = actions.text().lineOf(finding->at.begin);
    const bool before = instructionsOn(actions.document(), line).region != nullptr;
    const auto add = [&](std::string_view marker, std::string_view value) {
      const std::string comment = actions.comment(instrument(marker, value));
      actions.quickFix("Insert " + comment,
                       {before ? actions.insertLineBefore(line, comment) : actions.insertLineAfter(line, comment)},
                       finding);
    };
    for (const std::string_view multiplier : comments::kVectorMultipliers)
      add(comments::kVectorMultiplierMarker, multiplier);
    for (const std::string_view width : comments::kVectorWidths)
      add(comments::kVectorWidthMarker, width);
  }
}

/// The instrument that is in force on a line: its comment, or one that ends the kind.
std::string latencyBefore(const CodeActionBuilder &actions, uint32_t line) {
  std::string body(comments::kLatency);
  for (const MarkerComment &comment : actions.comments())
    if (comment.line < line && comment.kind == MarkerComment::Kind::Instrument &&
        (comment.name == comments::kLatency || comment.name.starts_with(instrument(comments::kLatency, ""))))
      body = comment.name;
  return std::string(comments::kMarkerPrefix) + body;
}

void addMisses(CodeActionBuilder &actions, uint32_t line) {
  const LineInstructions instructions = instructionsOn(actions.document(), line);
  bool loads = false;
  for (size_t i = 0; i < instructions.positions.size(); ++i)
    loads |= instructions.at(i).loads;
  if (!loads)
    return;
  for (const MemoryLevel &level : kLevels) {
    const std::string cycles = std::to_string(level.cycles);
    actions.refactoring("Assume that this load comes from " + std::string(level.name) + ": " + cycles + " cycles",
                        {actions.insertLineBefore(line, actions.comment(instrument(comments::kLatencyMarker, cycles))),
                         actions.insertLineAfter(line, actions.comment(latencyBefore(actions, line)))});
  }
}

} // namespace

void addInstrumentActions(CodeActionBuilder &actions) {
  if (actions.document().language() != Language::Assembly || actions.isSelection())
    return;
  addAssumedVectorTypes(actions);
  if (actions.document().analysis().target.triple.starts_with("riscv"))
    addVectorTypes(actions, actions.firstLine());
  addMisses(actions, actions.firstLine());
}

} // namespace lsp::features
