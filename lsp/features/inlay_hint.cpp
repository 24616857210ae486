// A hint stands at the end of its line, which is never past it: Neovim throws on a column that does not exist.
#include "lsp/features/inlay_hint.h"

#include "lsp/features/rich_text.h"

#include <algorithm>

namespace lsp::features {

std::vector<protocol::InlayHint> inlayHints(const std::vector<analysis::wire::Hint> &hints, const Text &text,
                                            const protocol::Range &requested,
                                            const protocol::ClientCapabilities &client) {
  std::vector<protocol::InlayHint> result;
  for (const analysis::wire::Hint &hint : hints) {
    const uint32_t line = text.lineOf(std::min(hint.offset, text.size()));
    if (line < requested.start.line || line > requested.end.line)
      continue;
    protocol::InlayHint &added = result.emplace_back();
    added.position = text.positionOf(text.lineEnd(line), client.encoding);
    added.label = hint.label();
    if (!hint.tooltip.empty())
      added.tooltip = render(hint.tooltip, client.markdownHover);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto &a, const auto &b) { return a.position.line < b.position.line; });
  return result;
}

} // namespace lsp::features
