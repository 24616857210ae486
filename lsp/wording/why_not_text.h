// Why the compiler did not make more of a loop, and what it made of loops that are none in the machine code, in words.
//
// The compiler's records have names; the words for each are ours, and docs/advice/remarks.md has a section for each. A
// name that is not known here keeps the compiler's words, in quotation marks.
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/wording/words.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::wording {

/// A reason in words, without a place: "its floating-point operations may not be reordered". In lower case, without a
/// full stop.
std::string inWords(const wire::WhyNot &reason);

/// Whether it is the pass that vectorizes loops.
bool isVectorizers(std::string_view pass);

/// The region's reasons as a paragraph: "Not vectorized: … (line 7).". Line numbers are those of `text`. Empty if there
/// are none.
std::string whyNotInWords(const wire::Region &region, const Text &text);

/// "The compiled code has no machine loop of this statement: …."
std::string vanishedInWords(const wire::VanishedLoop &loop);
/// The same in a few words, without a full stop: "became a call of `memset`"; empty if nothing is known.
std::string fatesInWords(const wire::VanishedLoop &loop);

/// A remark that has words here.
struct KnownRemark {
  std::string_view pass; ///< of clang, "loop-vectorize"; of gcc "vect"
  std::string_view name; ///< of gcc the beginning of its message
  std::string_view words;
};
std::span<const KnownRemark> knownRemarks();

} // namespace lsp::wording
