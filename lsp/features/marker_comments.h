// The comments in a buffer that address the analysis, in the present text: `LLVM-MCA-BEGIN name`, `LLVM-MCA-END name`,
// instruments such as `LLVM-MCA-LATENCY 14`, and settings such as `mca: cpu=znver4`.
//
// They are found line by line, by the comment characters before them. The analysis is more exact, as it knows the
// language; but it runs in the worker and is of an older text, and here the comments only decide what is offered.
#pragma once

#include "lsp/protocol/text.h"

namespace lsp::features {

struct MarkerComment {
  enum class Kind { Begin, End, Instrument };
  Kind kind = Kind::Instrument;
  std::string name; ///< of the region, which may be empty; of an instrument the text after `LLVM-MCA-`
  uint32_t line = 0;
  wire::ByteRange at;    ///< from `LLVM-MCA-` to the end of the comment's text
  wire::ByteRange whole; ///< with the comment's delimiters
};

/// In the order of the text.
std::vector<MarkerComment> markerComments(const Text &text);

/// The regions that are open after the first `count` comments, as indices of their begin markers. As in llvm-mca
/// (AnalysisRegions::endRegion), an end marker without a name ends the only open region, one with a name the region
/// of that name.
std::vector<size_t> openRegions(const std::vector<MarkerComment> &comments, size_t count);

/// "LLVM-MCA-BEGIN name"; without an argument the keyword alone.
std::string markerText(std::string_view keyword, std::string_view argument);

/// The place of the buffer's own `cpu=`.
struct CpuSetting {
  uint32_t line = 0;
  wire::ByteRange value; ///< empty, right after `mca:`, if the comment sets other things only
  bool isSet = false;
};

/// The last `cpu=` of the buffer's settings, which is the one in force; else the first comment with settings. Budgets
/// (`mca: cycles<=4 cpu=znver4`) are no settings: their `cpu=` is that of the limit.
std::optional<CpuSetting> cpuSetting(const Text &text);

/// The characters that open a comment up to the end of the line: `//` in C and C++, in assembly those of the target.
std::string commentOpening(wire::Language language, std::string_view triple);

/// The blanks that a line begins with.
std::string indentation(std::string_view line);

/// The line end that the text uses: its first one, else "\n".
std::string lineBreak(const Text &text);

} // namespace lsp::features
