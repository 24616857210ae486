// What `mca-lsp --check` prints about one file: all numbers, or the source with its hints in the margin.
#pragma once

#include "lsp/check/check_document.h"
#include "lsp/workspace/text.h"

#include <string>
#include <vector>

namespace lsp::features {

struct PageStyle {
  bool color = false;
  size_t width = 100; ///< characters
};

/// The target, a block of lines for each region, then hints and findings, a line each; what is of the set-up
/// (run_wide.h) is left to the end of the run. The numbers have llvm-mca's decimals: two for IPC, uops/cycle and
/// resource pressure, one for the block's reciprocal throughput.
std::string checkReport(const protocol::CheckFile &file, const PageStyle &style);

/// The source with the hints to the right of their lines, then the findings. In a file of more than 60 lines, those far
/// from any hint are left out. What is of the set-up is left to the end of the run.
std::string annotatedSource(const protocol::CheckFile &file, const Text &text, const PageStyle &style);

/// One finding as compilers print it, `FILE:LINE:COL: warning: message [code]`, with its related places as notes.
/// What is no more than information is a "remark". Columns count bytes from 1, as clang's do.
std::string compilerStyle(const protocol::CheckFinding &finding, const std::string &name, const PageStyle &style);

/// Whether the change shows in changeOf()'s percentage.
bool looksChanged(const protocol::CheckRegion &region);

/// "4.0 → 3.0 cyc (−25 %)", from the baseline's cycles to the region's own; empty when the baseline lacks it.
std::string changeOf(const protocol::CheckRegion &region);

} // namespace lsp::features
