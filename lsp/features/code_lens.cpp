// A lens covers its whole line: it should not span several (LSP 3.17, CodeLens), and editors show it above the first
// character.
#include "lsp/features/features.h"

#include "lsp/features/code_action_builder.h"
#include "lsp/wording/advice_text.h"
#include "lsp/wording/flow_text.h"
#include "lsp/wording/hint.h"
#include "lsp/wording/measured_text.h"

namespace lsp::features {

std::vector<protocol::CodeLens> codeLenses(const Document &document, bool withNumbers,
                                           const protocol::ClientCapabilities &client) {
  std::vector<protocol::CodeLens> lenses;
  const Text &text = document.text();
  const bool isMeasurable = wording::isMeasurable(document.analysis().target);
  for (const auto &[line, onLine] : wording::loopsByLine(document.analysis(), text, 0, text.lineCount() - 1)) {
    if (!wording::isHinted(onLine))
      continue;
    const protocol::Range range = text.rangeOf(text.rangeOfLine(line), client.encoding);
    const auto add = [&](std::string title, const char *command) {
      if (!title.empty())
        lenses.push_back({.uri = document.uri(), .range = range, .title = std::move(title), .command = command});
    };
    if (withNumbers)
      add(wording::hintLabel(onLine), "mca.showReport");
    add(wording::pathLens(onLine.front()), "mca.nextPath");
    add(wording::predictorLens(onLine.front()), "mca.nextPredictor");
    add(isMeasurable ? wording::measureTitle(onLine.front()) : "", "mca.measureRegion");
    add(isAdvisable(document, onLine) ? wording::kAdviceQuestion : "", "mca.advise");
  }
  return lenses;
}

} // namespace lsp::features
