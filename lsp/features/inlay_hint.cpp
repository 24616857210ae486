// A hint stands at the end of its line, which is never past it: Neovim throws on a column that does not exist.
#include "lsp/features/inlay_hint.h"

#include "analysis/common/counts.h"
#include "lsp/features/instruction_text.h"
#include "lsp/wording/hint.h"

#include <algorithm>

namespace lsp::features {
namespace {

using protocol::InlayHint;

/// Which tooltips are sent with a hint.
struct Tooltips {
  bool whole = false;
  bool parts = false;
  bool markdown = false;
  bool later = false; ///< the client asks for the others
};

Tooltips sentAtOnce(const protocol::UserSettings &settings, const protocol::ClientCapabilities &client) {
  if (!settings.hintTooltips)
    return {};
  return {.whole = !client.resolvesHintTooltips,
          .parts = !client.resolvesHintLabelTooltips,
          .markdown = client.markdownHover,
          .later = client.resolvesHintTooltips || client.resolvesHintLabelTooltips};
}

std::optional<protocol::MarkupContent> tooltip(const wording::RichText &text, bool wanted, const Tooltips &tooltips) {
  return wanted && !text.empty() ? std::optional(wording::render(text, tooltips.markdown)) : std::nullopt;
}

InlayHint atLineEnd(const Document &document, uint32_t line, const Tooltips &tooltips,
                    const protocol::ClientCapabilities &client) {
  const Text &text = document.text();
  return {.position = text.positionOf(text.lineEnd(line), client.encoding),
          .resolveUri = tooltips.later ? document.uri() : ""};
}

InlayHint regionHint(const wording::LoopsOfLine &onLine, const Document &document, InlayHint added,
                     const Tooltips &tooltips) {
  const wording::Hint hint = tooltips.whole || tooltips.parts ? wording::makeHint(onLine, document.analysis().target)
                                                              : wording::makeShortHint(onLine);
  for (const wording::HintPart &part : hint.parts)
    added.label.push_back({part.text, tooltip(part.tooltip, tooltips.parts, tooltips)});
  added.tooltip = tooltip(hint.tooltip, tooltips.whole, tooltips);
  return added;
}

/// The instruction of a line; of several, as a macro makes them, their sum.
InlayHint instructionHint(const LineInstructions &line, const Text &text, InlayHint added, const Tooltips &tooltips) {
  if (line.positions.size() == 1) {
    added.label.push_back({instructionLabel(line.at(0)), std::nullopt});
    if (tooltips.whole)
      added.tooltip = wording::render(instructionText({line.region, line.positions[0]}, text), tooltips.markdown);
    return added;
  }
  size_t microOps = 0;
  for (size_t i = 0; i < line.positions.size(); ++i)
    microOps += line.at(i).microOps;
  added.label.push_back(
      {analysis::counted(line.positions.size(), "instruction") + " · " + analysis::counted(microOps, "micro-op"),
       std::nullopt});
  return added;
}

std::vector<InlayHint> hintsWith(const Tooltips &tooltips, const Document &document, const protocol::Range &requested,
                                 const protocol::UserSettings &settings, const protocol::ClientCapabilities &client) {
  std::vector<InlayHint> result;
  const Text &text = document.text();
  for (const auto &[line, onLine] :
       wording::loopsByLine(document.analysis(), text, requested.start.line, requested.end.line))
    if (wording::isHinted(onLine))
      result.push_back(regionHint(onLine, document, atLineEnd(document, line, tooltips, client), tooltips));
  if (settings.instructionHints && document.language() == analysis::wire::Language::Assembly)
    for (const auto &[line, instructions] : instructionsByLine(document, requested.start.line, requested.end.line))
      result.push_back(instructionHint(instructions, text, atLineEnd(document, line, tooltips, client), tooltips));
  std::stable_sort(result.begin(), result.end(),
                   [](const auto &a, const auto &b) { return a.position.line < b.position.line; });
  return result;
}

std::string labelText(const InlayHint &hint) {
  std::string text;
  for (const protocol::InlayHintLabelPart &part : hint.label)
    text += part.value;
  return text;
}

} // namespace

std::vector<InlayHint> inlayHints(const Document &document, const protocol::Range &requested,
                                  const protocol::UserSettings &settings, const protocol::ClientCapabilities &client) {
  return hintsWith(sentAtOnce(settings, client), document, requested, settings, client);
}

std::optional<InlayHint> resolveInlayHint(const Document &document, const protocol::InlayHintResolveParams &params,
                                          const protocol::UserSettings &settings,
                                          const protocol::ClientCapabilities &client) {
  const protocol::Range line{params.position, params.position};
  const Tooltips all{.whole = true, .parts = true, .markdown = client.markdownHover};
  for (InlayHint &hint : hintsWith(all, document, line, settings, client))
    if (hint.position == params.position && labelText(hint) == params.label)
      return std::move(hint);
  return std::nullopt;
}

} // namespace lsp::features
