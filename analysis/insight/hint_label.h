// A hint's label in at most 24 columns: what stands behind a line of code must not push it out of sight.
//
// "IPC 2.37 · 4.0 cyc · p5 ≈ +2": instructions per cycle, cycles per iteration, what limits them, whether the numbers
// are less certain than they look, and how many more loops the line has. The cycles, ≈ and + always stay. Of the rest
// as much as fits: both, else the IPC, else the limit, else none. Cycles that are too long even so are rounded to three
// digits, "12.3k".
#pragma once

#include "analysis/insight/sections.h"

#include <string>
#include <string_view>

namespace analysis {

constexpr size_t kHintColumns = 24;

/// The pieces in their order, each with the separator before it; empty when left out.
struct HintLabel {
  std::string ipc, cycles, limit, doubt, others;
  std::string whole() const { return ipc + cycles + limit + doubt + others; }
};

/// `limit`: Verdict::limit. `others`: loops on the line besides the one shown.
HintLabel fitLabel(const LoopNumbers &numbers, const std::string &limit, size_t others);

/// Characters of a UTF-8 text; each is taken to be one column wide.
size_t columnsOf(std::string_view text);

} // namespace analysis
