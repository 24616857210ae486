// The end of a run of --check: messages of the set-up, the loops that deserve a look first, and the totals. As text it
// follows the files; as markdown it is the whole result, for a comment on a pull request.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/check_report.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lsp {

/// Findings and notes about the set-up, a line each, with the number of files that have them.
std::string setUpLines(const std::vector<CheckFile> &files, const PageStyle &style);

/// At most `top` loops of each list of worst_loops.h; then, of several files, the totals.
std::string checkSummary(const std::vector<CheckFile> &files, size_t top, const PageStyle &style);

/// The totals, at most `top` errors, the lists and the set-up, as GitHub-flavoured markdown. Its length is bounded,
/// because GitHub refuses a comment of more than 65,536 characters.
std::string checkMarkdown(const std::vector<CheckFile> &files, size_t top);

} // namespace lsp
