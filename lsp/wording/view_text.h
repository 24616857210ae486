// The documents beside a buffer: the report of a region, the annotated assembly of a function, a timeline.
//
// Report and assembly are plain text of at most 5,000 lines; if they had more, the last line says so. A timeline is
// data that the editor draws, with text only if there is none.
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/workspace/analysis.h"
#include "lsp/workspace/virtual_documents.h"

#include <string>

namespace lsp::wording {

/// `analysis` and `text` must be those that the view was made of, before any later edit. `path`: of the buffer.
VirtualText viewText(const analysis::wire::View &view, const Analysis &analysis, const Text &text,
                     const std::string &path);

} // namespace lsp::wording
