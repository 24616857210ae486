// A lens covers its whole line: it should not span several (LSP 3.17, CodeLens), and editors show it above the first
// character.
#include "lsp/features/code_lens.h"

#include "lsp/wording/hint.h"

namespace lsp::features {

std::vector<protocol::CodeLens> codeLenses(const Document &document, const protocol::ClientCapabilities &client) {
  std::vector<protocol::CodeLens> lenses;
  const Text &text = document.text();
  for (const auto &[line, onLine] : wording::loopsByLine(document.analysis(), text, 0, text.lineCount() - 1))
    if (wording::isHinted(onLine))
      lenses.push_back({.uri = document.uri(),
                        .range = text.rangeOf(text.rangeOfLine(line), client.encoding),
                        .title = wording::hintLabel(onLine),
                        .command = "mca.showReport"});
  return lenses;
}

} // namespace lsp::features
