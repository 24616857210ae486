// One hint for the loops that share a line.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"

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

/// With the numbers of the first loop, over its paths; the others are counted.
Hint makeHint(const LoopsOfLine &onLine, const analysis::wire::TargetSummary &target);

/// The same without what only a tooltip shows.
Hint makeShortHint(const LoopsOfLine &onLine);

/// "≈ IPC 2.37 · 4.0 cyc · p5 +2".
std::string hintLabel(const LoopsOfLine &onLine);

} // namespace lsp::wording
