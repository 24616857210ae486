// textDocument/codeLens: lines above loops, to look at one path or with another predictor, to measure, and for users
// who want no hints inside the text, the numbers.
#pragma once

#include "lsp/protocol/types_features.h"
#include "lsp/workspace/document.h"

namespace lsp::features {

/// In the order of the lines. A click runs the lens's command with the place: `mca.showReport` on the numbers, of which
/// each hint has one if `withNumbers`; `mca.nextPath` on the paths of a loop that has several; `mca.nextPredictor` on
/// the predictor of a loop with a trace; `mca.measureRegion` on "Measure this loop".
std::vector<protocol::CodeLens> codeLenses(const Document &document, bool withNumbers,
                                           const protocol::ClientCapabilities &client);

} // namespace lsp::features
