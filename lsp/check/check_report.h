// What `mca-lsp --check` prints of one file: all numbers, or the source with its hints in the margin.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/protocol/text.h"

#include <string>

namespace lsp {

/// How a page is printed: for a terminal, or plain for a file.
struct PageStyle {
  bool color = false;
  size_t width = 100; ///< characters
};

/// The target, a block of lines for each region, then hints and findings, a line each. Messages of the set-up are
/// printed at the end of the run instead (check_summary.h). The numbers have llvm-mca's decimals: two for IPC, uops per
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

} // namespace lsp
