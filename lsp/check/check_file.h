// From what the worker said about a file to what the outputs of --check tell of it.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/check/check_document.h"
#include "lsp/workspace/analysis.h"
#include "lsp/workspace/text.h"

#include <string>
#include <vector>

namespace lsp::features {

/// Offsets become lines and columns. Paths below `folder`, which is absolute, become relative to it wherever they
/// stand, in messages, too: the same sources give the same words wherever they lie.
protocol::CheckFile checkFile(std::string name, const Text &text, const Analysis &analysis,
                              const std::vector<std::string> &notes, const std::string &folder);

protocol::CheckFinding checkFinding(const analysis::wire::Finding &finding, const Text &text,
                                    const std::string &folder);

/// A file without numbers: an error on its first line (`not-analysed`).
protocol::CheckFile notAnalysed(std::string name, std::string why);

} // namespace lsp::features
