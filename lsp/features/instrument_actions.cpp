// Code actions about instruments: comments that give the simulation what an instruction alone does not say.
//
// A LATENCY instrument is in force until the next one of its kind; one without a number ends it (LLVM's
// LatencyInstrument has no value then). The vector types are those of LLVM's RISCVInstrumentManager.
#include "analysis/text/comment_syntax.h"
#include "analysis/wire/finding_codes.h"
#include "lsp/features/code_action_builder.h"
#include "lsp/workspace/instruction_places.h"

#include <algorithm>
#include <cctype>

namespace lsp::features {
namespace {

namespace comments = analysis::comments;

struct MemoryLevel {
  const char *name;
  uint32_t cycles; ///< from a load's issue to its data
};

/// Typical of desktop cores of the last ten years. The title names the number, and the comment can be edited.
constexpr MemoryLevel kLevels[] = {{"the L2 cache", 14}, {"the L3 cache", 50}, {"memory", 200}};

/// The first of the words that is one of `names`, which are in upper case; empty if none is.
std::string_view named(std::span<const std::string_view> names, std::span<const std::string_view> words) {
  const auto isSame = [](unsigned char c, unsigned char upper) { return std::toupper(c) == upper; };
  for (const std::string_view word : words)
    for (const std::string_view name : names)
      if (std::ranges::equal(word, name, isSame))
        return name;
  return {};
}

/// Calls `add` for each instrument that gives a vector type.
template <typename Add>
void forEachVectorType(const Add &add) {
  for (const std::string_view multiplier : comments::kVectorMultipliers)
    add(markerText(comments::kVectorMultiplierMarker, multiplier));
  for (const std::string_view width : comments::kVectorWidths)
    add(markerText(comments::kVectorWidthMarker, width));
}

/// After vsetvli and vsetivli the type that they name is offered; after vsetvl, whose operand is a register, all types.
void addVectorTypes(CodeActionBuilder &actions, uint32_t line) {
  std::string code(actions.text.line(line));
  code.resize(std::min(code.find('#'), code.size()));
  std::ranges::replace(code, ',', ' ');
  const std::vector<std::string_view> words = comments::wordsOf(code);
  const auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  if (has("vsetvl"))
    return forEachVectorType([&](const std::string &instrument) {
      const std::string comment = actions.comment(instrument);
      actions.refactoring("Insert " + comment, {actions.insertLineAfter(line, comment)});
    });
  const std::string_view multiplier = named(comments::kVectorMultipliers, words);
  const std::string_view width = named(comments::kVectorWidths, words);
  if (multiplier.empty() || width.empty() || !(has("vsetvli") || has("vsetivli")))
    return;
  const std::string first = actions.comment(markerText(comments::kVectorMultiplierMarker, multiplier));
  const std::string second = actions.comment(markerText(comments::kVectorWidthMarker, width));
  const std::string indent = indentation(actions.text.line(line));
  actions.refactoring("Insert " + first + " and " + second,
                      {actions.insertLineAfter(line, first + lineBreak(actions.text) + indent + second)});
}

/// For findings which say that the model's worst case was assumed. The instrument must stand before an instruction, but
/// after a label or a marker.
void addAssumedVectorTypes(CodeActionBuilder &actions) {
  for (const wire::Finding *finding : actions.findings(wire::codes::kAssumedVectorType)) {
    const uint32_t line = actions.text.lineOf(finding->at.begin);
    const bool before = !instructionsOn(actions.document, line).empty();
    forEachVectorType([&](const std::string &instrument) {
      const std::string comment = actions.comment(instrument);
      actions.quickFix("Insert " + comment,
                       {before ? actions.insertLineBefore(line, comment) : actions.insertLineAfter(line, comment)},
                       finding);
    });
  }
}

/// The LATENCY instrument that is in force on a line: its comment, or one that ends the kind.
std::string latencyBefore(const CodeActionBuilder &actions, uint32_t line) {
  std::string body(comments::kLatency);
  for (const MarkerComment &comment : actions.comments)
    if (comment.line < line && comment.kind == MarkerComment::Kind::Instrument &&
        comment.name.substr(0, comment.name.find(' ')) == comments::kLatency)
      body = comment.name;
  return std::string(comments::kMarkerPrefix) + body;
}

/// A scheduling model knows no caches: the latency of a load is usually that of a hit in the first one (llvm-mca's
/// documentation, "Load/Store Unit and Memory Consistency Model").
void addMisses(CodeActionBuilder &actions, uint32_t line) {
  const auto isLoad = [](const InstructionPlace &place) { return place.details().loads; };
  if (std::ranges::none_of(instructionsOn(actions.document, line), isLoad))
    return;
  for (const MemoryLevel &level : kLevels) {
    const std::string cycles = std::to_string(level.cycles);
    actions.refactoring("Assume that this load comes from " + std::string(level.name) + ": " + cycles + " cycles",
                        {actions.insertLineBefore(line, actions.comment(markerText(comments::kLatencyMarker, cycles))),
                         actions.insertLineAfter(line, actions.comment(latencyBefore(actions, line)))});
  }
}

} // namespace

void addInstrumentActions(CodeActionBuilder &actions) {
  if (actions.document.language() != wire::Language::Assembly || !actions.isPlace())
    return;
  addAssumedVectorTypes(actions);
  if (actions.document.analysis().target.triple.starts_with("riscv"))
    addVectorTypes(actions, actions.firstLine);
  addMisses(actions, actions.firstLine);
}

} // namespace lsp::features
