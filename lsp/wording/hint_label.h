// A hint's label in at most 36 columns: it must not push the line of code out of sight.
//
// "≈ IPC 2.37 · 4.0 cyc · p5 +2": how sure the numbers are, instructions per cycle, cycles per iteration, what limits
// them, and how many more loops the line has. "≥ 6.6 cyc · calls visit" is a lower bound: the function is not
// simulated, so neither IPC nor limit are known, and its name takes their place.
//
// Why 36: VS Code truncates all inlay hints of a line to 43 characters together, and ours comes last. This leaves seven
// for others, such as a deduced type. Measured on 26,000 lines with a loop head in C and C++ (dav1d, flac, libwebp,
// x264, zstd and /usr/include; half of them have at most 44 columns): 95 % have room for 36 more in 120 columns, and
// 81 % in 100. With 24, the earlier limit, it was 97 % and 91 %, but "IPC 0.50 · 16.0 cyc · dep" does not fit into 24.
//
// "38.5 cyc · 43 % missed · 24 each" is along a trace: how many of the executed branches are mispredicted, and how many
// cycles each misprediction adds. The cost is left out first, then the share.
//
// "12 % · 4.1 cyc (in program 9.6) · p5" has a profile: the share of the program's time that all loops of the line
// take, and the cycles that an iteration of the shown one took there. The share is why the user reads this line, so it
// stays.
//
// "4.1 cyc (measured 4.3) · p5": the user requested the measurement, so it stays longer than IPC and limit do.
//
// If not everything else fits, the IPC is left out first, because it follows from the cycles. Next is the limit; if the
// IPC fits in its place, it comes back. The mark, the cycles with their unit, and the count of other loops always stay.
// If even these are too long, the cycles are rounded to three digits, "12.3k", and then the measured ones go, and those
// in the program. The tooltip has what the label lacks.
#pragma once

#include "lsp/wording/region_text.h"

#include <string>

namespace lsp::wording {

constexpr size_t kHintColumns = 36;

/// The pieces in their order, each with the separator before it; empty if left out.
struct HintLabel {
  std::string share, mark, ipc, cycles, observed, measured, missed, missCost, limit, others;
  std::string whole() const {
    return share + mark + ipc + cycles + observed + measured + missed + missCost + limit + others;
  }
};

/// `limit`: limitOf() the verdict; ignored for a lower bound and along a trace. `others`: loops on the line besides the
/// one shown. `share`: shareLabel().
HintLabel fitLabel(const LoopNumbers &numbers, const std::string &limit, size_t others, const std::string &share = "");

} // namespace lsp::wording
