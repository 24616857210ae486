// A hint's label in at most 36 columns: what stands after a line of code must not push it out of sight.
//
// "≈ IPC 2.37 · 4.0 cyc · p5 +2": how sure the numbers are, instructions per cycle, cycles per iteration, what limits
// them, and how many more loops the line has. "≥ 6.6 cyc · calls visit" is a lower bound: the function is not
// simulated, so neither IPC nor limit are known, and its name stands in their place.
//
// Why 36. VS Code cuts all inlay hints of a line at 43 characters together, and ours comes last: this leaves seven for
// others, such as a deduced type. Of 26,000 lines with a loop's head in C and C++ (dav1d, flac, libwebp, x264, zstd and
// /usr/include; half of them have at most 44 columns) 95 % have room for 36 more in 120 columns, and 81 % in 100; with
// 24, which this was before, 97 % and 91 %. But 24 have no room for "IPC 0.50 · 16.0 cyc · dep".
//
// Where not all fits, the IPC goes first: it follows from the cycles, and nothing else does. Then goes the limit, whose
// place the IPC may take. The mark, the cycles with their unit, and the count of other loops always stay; cycles that
// are too long even so are rounded to three digits, "12.3k". What has gone is in the tooltip.
#pragma once

#include "lsp/wording/region_text.h"

#include <string>
#include <string_view>

namespace lsp::wording {

constexpr size_t kHintColumns = 36;

/// The pieces in their order, each with the separator before it; empty when left out.
struct HintLabel {
  std::string mark, ipc, cycles, limit, others;
  std::string whole() const { return mark + ipc + cycles + limit + others; }
};

/// `limit`: limitOf() the verdict; a lower bound has none. `others`: loops on the line besides the one shown.
HintLabel fitLabel(const LoopNumbers &numbers, const std::string &limit, size_t others);

/// Characters of a UTF-8 text; each is taken to be one column wide.
size_t columnsOf(std::string_view text);

} // namespace lsp::wording
