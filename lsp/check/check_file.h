// Turns the worker's result for a file into what the outputs of --check need: lines for offsets, words for data.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/check/check_document.h"
#include "lsp/protocol/text.h"
#include "lsp/workspace/advice.h"
#include "lsp/workspace/analysis.h"

#include <string>
#include <vector>

namespace lsp {

/// Paths below `folder`, which is absolute, become relative to it in names and in messages: the same sources give the
/// same words in any folder.
CheckFile checkFile(std::string name, const Text &text, const Analysis &analysis, const std::vector<std::string> &notes,
                    const std::string &folder);

CheckFinding checkFinding(const analysis::wire::Finding &finding, const Text &text, const std::string &folder);

CheckAdvice checkAdvice(const Advice &advice, const Text &text);

/// A file without numbers: an error on its first line (`not-analysed`).
CheckFile notAnalysed(std::string name, std::string why);

} // namespace lsp
