// The hint for the loops of one line: a label in parts, each with a tooltip of its own (InlayHintLabelPart of
// LSP 3.17), and a tooltip for the whole.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <string>
#include <vector>

namespace lsp::wording {

/// A piece of a hint's label.
struct HintPart {
  std::string text; ///< on one line
  RichText tooltip; ///< of the piece alone; empty for none
};

struct Hint {
  std::vector<HintPart> parts;
  RichText tooltip; ///< of the whole
};

/// The label has the numbers of the first loop, over all of its paths or of the chosen one, and the count of the other
/// loops. Lines of branches are those of `text`.
Hint makeHint(const LoopsOfLine &onLine, const wire::TargetSummary &target, const Text &text);

/// The same without tooltips, for clients that resolve them later (`inlayHint/resolve` of LSP 3.17) or want none.
Hint makeShortHint(const LoopsOfLine &onLine);

/// The label as one text: "≈ IPC 2.37 · 4.0 cyc · p5 +2".
std::string hintLabel(const LoopsOfLine &onLine);

} // namespace lsp::wording
