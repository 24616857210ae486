// What a profile says of a loop in words: its share of the program's time, and the cycles that an iteration took there.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lsp::wording {

/// The share of all loops of the line together, 0 to 1: copies of an inlined function and the versions of a loop are
/// one in the source. -1 if no loop's own share is known.
double shareOfLine(const LoopsOfLine &onLine);

/// Whether that is one of source lines, not of the machine code.
bool isShareOfLines(const LoopsOfLine &onLine);

/// Whether a region took more than 25 % longer in the program than predicted, and what is known of the loop shows that
/// it waited for caches or memory: its runs go through more bytes than a first cache has, or the time is more than the
/// core can take.
bool isOutsideOfCore(const AnalysedRegion &region);

/// "12 %", "3.4 %", "< 0.1 %".
std::string shareInWords(double share);

/// "12 % · ", "≈ 12 % · "; empty if the share is not known.
std::string shareLabel(const LoopsOfLine &onLine);

/// Whether a profile says that the loops of the line take less of the program's time than so many thousandths. Not in a
/// file of which the profile has no code, as it may be another program's.
bool isBelowShare(const LoopsOfLine &onLine, const wire::ProfileSummary &profile, uint32_t permille);

/// The share, those of the single loops, and where the cycles in the program differ from the prediction what may be the
/// reason. Nothing without a profile.
void addProfiled(RichText &text, const LoopsOfLine &onLine, const wire::ProfileSummary &profile);

/// A line with loops on which a program spends time.
struct HotLine {
  double share = 0;
  std::string path;  ///< of the document, or its URI
  uint32_t line = 0; ///< 0-based
  std::string name;  ///< of the loop that the hint shows: "loop in f"
  std::string label; ///< that hint without the share
  std::string limit; ///< what limits that loop; empty if nothing does
};

/// The lines of a document, in its order; `path` is empty.
std::vector<HotLine> hotLines(const Analysis &analysis, const Text &text);

/// A line for each, with a bar for its share; a sentence if there are none.
std::string hotLinesText(const std::vector<HotLine> &lines);

} // namespace lsp::wording
