// A lens covers the whole of its line: the editor shows it above the first character.
#include "lsp/features/code_lens.h"

#include <algorithm>

namespace lsp::features {

std::vector<protocol::CodeLens> codeLenses(const Document &document, const protocol::ClientCapabilities &client) {
  std::vector<protocol::CodeLens> lenses;
  const Text &text = document.text();
  for (const analysis::wire::Hint &hint : document.analysis().hints) {
    const uint32_t line = text.lineOf(hint.offset);
    lenses.push_back({.uri = document.uri(),
                      .range = text.rangeOf({text.lineBegin(line), text.lineEnd(line)}, client.encoding),
                      .title = hint.label(),
                      .command = "mca.showReport"});
  }
  std::stable_sort(lenses.begin(), lenses.end(),
                   [](const auto &a, const auto &b) { return a.range.start.line < b.range.start.line; });
  return lenses;
}

} // namespace lsp::features
