// Names and messages hold whatever a text, a path or a setting holds. Some characters have no shape of their own, but
// change what is shown around them: terminals obey control characters (ECMA-48), the bidirectional algorithm (UAX #9)
// turns what follows, and characters without width make two names look alike. Each becomes U+FFFD wherever text leaves
// for a reader: in the messages to the editor (lsp/protocol/json_rpc.cpp), in the log, and in what --check prints. What
// is compared, looked up or written into a document stays as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace analysis {

/// The bytes of the character at the start of `text` if it is one of these; else 0: C0 controls but tab and line feed,
/// DEL, C1 controls (U+0080 to U+009F), U+061C, U+200B, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069, U+FEFF, and
/// the tags U+E0000 to U+E007F.
size_t hiddenBytes(std::string_view text);

/// Whether there is none in the text.
bool isVisible(std::string_view text);

/// The text with U+FFFD for each of them.
std::string visibleText(std::string_view text);

} // namespace analysis
