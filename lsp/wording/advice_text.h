// Advice in words: what to change, what it asks of the user, what it gains, and what was tried in vain.
#pragma once

#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"
#include "lsp/workspace/advice.h"

#include <string>

namespace lsp::wording {

/// The title of what asks for advice.
inline constexpr const char *kAdviceQuestion = "What would make this loop faster?";
inline constexpr const char *kMeasureBoth = "Measure each change and the present loop on this machine";

/// "let the compiler reorder the floating-point operations of the loop"; of several changes with "and" between them.
std::string changeInWords(const TriedChange &change);

/// "additions are reordered: the last bits of results may differ", "you promise that the arrays do not overlap", "same
/// results".
std::string labelInWords(const TriedChange &change);

/// Whether what a change gains with unaligned data (Advice::unaligned) differs enough from its factor to be said.
bool isAnotherFactor(double unaligned, double factor);

/// "0.125 cyc/iter · 32×", "from 24 iterations on" and what else the numbers depend on.
std::string gainInWords(const Advice &advice);

/// Why a change that was tried is no advice: "refused by the compiler", "2.9× slower".
std::string endInWords(const TriedChange &tried);

/// "; it is still not vectorized: …", if the change made the compiler find another reason for that; else empty.
std::string blockedInWords(const TriedChange &tried);

/// Why no change of the source was tried: "the loop's text is in a macro or in another file"; empty if some were.
std::string sourceKeptInWords(const AdviceReport &report);

/// The line of a list: "0.125 cyc/iter · 32× · let the compiler … · same results".
std::string adviceLine(const Advice &advice);

/// The title of the action that makes the change; flags are none of the editor's to change, and have none.
std::string applyTitle(const Advice &advice);

/// The document about one loop. `file`: its name.
std::string adviceDocument(const AdviceReport &report, const std::string &file);

/// The section of a hover: the best advice, and how many more there are. Nothing without advice.
void addAdvice(RichText &text, const AdviceReport &report);

/// The word for JSON: "same-results", "hardware", "promise", "changes-results".
const char *nameOf(wire::AdviceLabel label);

} // namespace lsp::wording
