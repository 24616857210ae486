// The findings of `mca-lsp --check` as SARIF 2.1.0 (OASIS standard of 27 March 2020), the input of code scanning
// services such as GitHub's.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/json_text.h"

namespace lsp {

/// One run: the rules of the codes that occur, and a result for each finding. Writes the text in pieces. It ends
/// with a line break.
void checkSarif(const CheckDocument &document, const JsonWriter &write);

} // namespace lsp
