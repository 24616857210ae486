// A measurement in words: how it was made, and what may be the reason if it differs from the prediction.
//
// A reason is named only if it is known as data: whose scheduling model it is, what the region's caveats say, the
// cycles with the other assumption about memory, and which memory the code used while it was measured.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

namespace lsp::wording {

/// What a user calls the architecture of a triple, other than x86-64: "AArch64". Its own name if it has no other.
std::string architectureName(const std::string &triple);

/// Why code for this target cannot be measured, which is possible on x86-64 alone: "cannot be measured here: AArch64".
/// Empty if it can.
std::string whyNotMeasurable(const std::string &triple);

bool isMeasurable(const wire::TargetSummary &target);

/// Of what starts a measurement: "Measure this loop".
std::string measureTitle(const ShownLoop &loop);

/// A paragraph for each path of the loop that was measured, with the reasons as items; nothing if none was.
void addMeasured(RichText &text, const ShownLoop &loop, const wire::TargetSummary &target);

} // namespace lsp::wording
