// What `mca-lsp --check` prints for people and for services, and never reads back: text, the source with its hints in
// the margin, markdown, SARIF. The JSON is in check_json.h.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/check/json_text.h"
#include "lsp/protocol/text.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lsp {

/// How a page is printed: for a terminal, or plain for a file.
struct PageStyle {
  bool color = false;
  size_t width = 100; ///< characters
};

// ---- one file ------------------------------------------------------------------------------------------------------

/// The target, a block of lines for each region, then hints and findings, a line each. Messages of the set-up are
/// printed at the end of the run instead (setUpLines). The numbers have llvm-mca's decimals: two for IPC, uops per
/// cycle and resource pressure, one for the block's reciprocal throughput.
std::string checkReport(const CheckFile &file, const PageStyle &style);

/// The source with the hints to the right of their lines, then the findings without those of the set-up. Of a file of
/// more than 60 lines only the lines near a hint are shown.
std::string annotatedSource(const CheckFile &file, const Text &text, const PageStyle &style);

/// One finding as compilers print it, `FILE:LINE:COL: warning: message [code]`, with its related places as notes.
/// Information is a "remark", which is clang's word for it. Columns count bytes from 1, as clang's do.
std::string compilerStyle(const CheckFinding &finding, const std::string &name, const PageStyle &style);

/// Whether changeOf() shows another percentage than 0.
bool looksChanged(const CheckRegion &region);

/// "4.0 → 3.0 cyc (−25 %)", from the baseline's cycles to the region's own; empty if the baseline lacks it.
std::string changeOf(const CheckRegion &region);

// ---- the run -------------------------------------------------------------------------------------------------------

/// Findings and notes about the set-up, a line each, with the number of files that have them.
std::string setUpLines(const std::vector<CheckFile> &files, const PageStyle &style);

/// At most `top` loops of each list of worst_loops.h; then, of several files, the totals.
std::string checkSummary(const std::vector<CheckFile> &files, size_t top, const PageStyle &style);

/// The totals, at most `top` errors, the lists and the set-up, as GitHub-flavoured markdown, for a comment on a pull
/// request. Its length is bounded, because GitHub refuses a comment of more than 65,536 characters.
std::string checkMarkdown(const std::vector<CheckFile> &files, size_t top);

/// SARIF 2.1.0 (OASIS standard of 27 March 2020), the input of code scanning services such as GitHub's: one run, the
/// rules of the codes that occur, and a result for each finding. Writes the text in pieces. It ends with a line break.
void checkSarif(const CheckDocument &document, const JsonWriter &write);

} // namespace lsp
