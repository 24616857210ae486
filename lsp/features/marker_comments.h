// The comments in a buffer that speak to the analysis, as they stand in the text now: `LLVM-MCA-BEGIN name`,
// `LLVM-MCA-END name`, instruments such as `LLVM-MCA-LATENCY 14`, and settings such as `mca: cpu=znver4`.
//
// They are found line by line, by a comment's opening before them. That is coarser than the analysis, which reads the
// language; here it decides only what is offered to the user.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::features {

struct MarkerComment {
  enum class Kind { Begin, End, Instrument };
  Kind kind = Kind::Instrument;
  std::string name; ///< of the region, which may be empty; of an instrument what follows `LLVM-MCA-`
  uint32_t line = 0;
  analysis::wire::ByteRange at;    ///< from `LLVM-MCA-` to the end of the comment's text
  analysis::wire::ByteRange whole; ///< with the comment's delimiters
};

/// In the order of the text.
std::vector<MarkerComment> markerComments(const Text &text);

/// The regions that are open behind the first `count` comments, as indices of their begin markers. The rules are those
/// of llvm-mca: an end marker without a name ends the only open region, one with a name the region of that name.
std::vector<size_t> openRegions(const std::vector<MarkerComment> &comments, size_t count);

/// Where the buffer's own `cpu=` stands.
struct CpuSetting {
  uint32_t line = 0;
  analysis::wire::ByteRange value; ///< empty, behind `mca:`, when the comment sets other things only
  bool isSet = false;
};

/// The last `cpu=` of the buffer's settings, or else the first comment with settings.
std::optional<CpuSetting> cpuSetting(const Text &text);

/// What opens a comment that takes the rest of a line: `//` in C and C++, in assembly what the target has.
std::string commentOpening(analysis::wire::Language language, std::string_view triple);

/// The blanks that a line begins with.
std::string indentation(std::string_view line);

/// The line end that the text uses: its first one, else "\n".
std::string lineBreak(const Text &text);

} // namespace lsp::features
