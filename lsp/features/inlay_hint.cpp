// Hints are requested after every keystroke and every analysis, for all visible lines, while few tooltips are ever
// read. So tooltips are made on inlayHint/resolve if the client supports it, and hints are never kept: resolving one
// makes the hints of its line again. Other clients get them for the first thousand hints of an answer: no screen shows
// more, and a document of 10,000 loops would have 17 MB of words that its hovers have, too.
//
// A hint stands at the end of its line, which is never past it: Neovim throws on a column that does not exist.
#include "lsp/features/features.h"

#include "analysis/text/counts.h"
#include "lsp/wording/hint.h"
#include "lsp/wording/instruction_text.h"
#include "lsp/wording/profile_text.h"

#include <algorithm>

namespace lsp::features {
namespace {

using protocol::InlayHint;

constexpr size_t kMostWithTooltips = 1000;

/// Which tooltips are sent with a hint.
struct Tooltips {
  bool whole = false;
  bool parts = false; ///< of the label
  bool markdown = false;
  bool later = false; ///< the client requests the others

  std::optional<protocol::MarkupContent> render(const wording::RichText &text, bool wanted) const {
    return wanted && !text.empty() ? std::optional(wording::render(text, markdown)) : std::nullopt;
  }
};

/// Adds label and tooltips to `hint`. Without tooltips, their words are not made: they cost more than the label.
void describe(InlayHint &hint, const wording::LoopsOfLine &onLine, const Document &document, const Tooltips &tooltips) {
  const wording::Hint words = tooltips.whole || tooltips.parts
                                  ? wording::makeHint(onLine, document.analysis().target, document.text())
                                  : wording::makeShortHint(onLine);
  for (const wording::HintPart &part : words.parts)
    hint.label.push_back({part.text, tooltips.render(part.tooltip, tooltips.parts)});
  hint.tooltip = tooltips.render(words.tooltip, tooltips.whole);
}

/// Several instructions of a line, as a macro makes them, are added up: a hint has no room for each.
void describe(InlayHint &hint, const LineInstructions &line, const Document &document, const Tooltips &tooltips) {
  const bool isOne = line.size() == 1;
  hint.label.push_back(
      {isOne ? wording::instructionLabel(line.front().details())
             : analysis::counted(line.size(), "instruction") + " · " + analysis::counted(microOpsOf(line), "micro-op"),
       std::nullopt});
  if (isOne && tooltips.whole)
    hint.tooltip = tooltips.render(wording::instructionText(line.front(), document.text()), true);
}

/// The sort is stable, so that a region's hint stays before an instruction's on the same line.
std::vector<InlayHint> hintsWith(const Tooltips &tooltips, const Document &document, const protocol::Range &requested,
                                 const protocol::UserSettings &settings, const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  const uint32_t first = requested.start.line, last = requested.end.line;
  std::vector<InlayHint> result;
  const auto add = [&](uint32_t line, const auto &described) {
    const bool isExplained = result.size() < kMostWithTooltips;
    result.push_back({.position = text.positionOf(text.lineEnd(line), client.encoding),
                      .resolveUri = tooltips.later ? document.uri() : ""});
    describe(result.back(), described, document, isExplained ? tooltips : Tooltips());
  };
  for (const auto &[line, onLine] : wording::loopsByLine(document.analysis(), text, first, last))
    if (wording::isHinted(onLine) &&
        !wording::isBelowShare(onLine, document.analysis().target.profile, settings.minimumPermille))
      add(line, onLine);
  if (settings.instructionHints && document.language() == wire::Language::Assembly)
    for (const auto &[line, instructions] : instructionsByLine(document, first, last))
      add(line, instructions);
  std::ranges::stable_sort(result, {}, [](const InlayHint &hint) { return hint.position.line; });
  return result;
}

/// The label as InlayHintResolveParams has it. The client sends it back with the hint.
std::string labelText(const InlayHint &hint) {
  std::string text;
  for (const protocol::InlayHintLabelPart &part : hint.label)
    text += part.value;
  return text;
}

} // namespace

std::vector<InlayHint> inlayHints(const Document &document, const protocol::Range &requested,
                                  const protocol::UserSettings &settings, const protocol::ClientCapabilities &client) {
  Tooltips sent;
  if (settings.hintTooltips)
    sent = {.whole = !client.resolvesHintTooltips,
            .parts = !client.resolvesHintLabelTooltips,
            .markdown = client.markdownHover,
            .later = client.resolvesHintTooltips || client.resolvesHintLabelTooltips};
  return hintsWith(sent, document, requested, settings, client);
}

std::optional<InlayHint> resolveInlayHint(const Document &document, const protocol::InlayHintResolveParams &params,
                                          const protocol::UserSettings &settings,
                                          const protocol::ClientCapabilities &client) {
  // Position and label identify a hint. One whose numbers have changed since has another label and is not resolved: the
  // client would show the new tooltip at the old numbers.
  const protocol::Range line{params.position, params.position};
  const Tooltips all{.whole = true, .parts = true, .markdown = client.markdownHover};
  for (InlayHint &hint : hintsWith(all, document, line, settings, client))
    if (hint.position == params.position && labelText(hint) == params.label)
      return std::move(hint);
  return std::nullopt;
}

} // namespace lsp::features
