// What `mca-lsp --check` prints about one file: all numbers, or the source with its hints in the margin.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/server/text.h"

#include <string>
#include <vector>

namespace lsp::features {

/// A file as it was given on the command line, and what the worker said about it.
struct CheckedFile {
  std::string name;
  const Text &text;
  const analysis::wire::AnalysisResult &result;
};

struct PageStyle {
  bool color = false;
  size_t width = 100; ///< characters
};

/// The target, a block of lines for each region, then hints and findings, a line each. The numbers have llvm-mca's
/// decimals: two for IPC, uops/cycle and resource pressure, one for the block's reciprocal throughput.
std::string checkReport(const CheckedFile &file, const PageStyle &style);

/// The source with the hints to the right of their lines, then the findings. In a file of more than 60 lines, those far
/// from any hint are left out.
std::string annotatedSource(const CheckedFile &file, const PageStyle &style);

/// One finding as compilers print it, `FILE:LINE:COL: warning: message [code]`, with its related places as notes.
/// What is no more than information is a "remark". Columns count bytes from 1, as clang's do.
std::string compilerStyle(const analysis::wire::Finding &finding, const std::string &name, const Text &text,
                          const PageStyle &style);

} // namespace lsp::features
