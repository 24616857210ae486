// What a run of --check says once all files are done: the set-up in a few lines, the loops that deserve a look first,
// and the totals. As text it ends the run; as markdown it is the whole result, made for a comment on a pull request.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/check_report.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lsp::features {

/// Findings and notes about the set-up, a line each, with the number of files they are about.
std::string setUpLines(const std::vector<protocol::CheckFile> &files, const PageStyle &style);

/// At most `top` loops of each list of worst_loops.h; then, of several files, the totals.
std::string checkSummary(const std::vector<protocol::CheckFile> &files, size_t top, const PageStyle &style);

/// The totals, at most `top` errors, the lists and the set-up. GitHub-flavoured; at most some 200 characters a cell.
std::string checkMarkdown(const std::vector<protocol::CheckFile> &files, size_t top);

} // namespace lsp::features
