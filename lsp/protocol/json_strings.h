// Strings of JSON as text, for answers that are too large for a tree of nlohmann's objects.
#pragma once

#include <string>

namespace lsp::protocol {

/// Appends the string in quotes. Bytes that are not UTF-8 become U+FFFD.
void appendString(std::string &out, const std::string &text);

/// The same for a string that is shown: made visible (analysis/text/visible_text.h), as in all other messages.
void appendShown(std::string &out, const std::string &text);

} // namespace lsp::protocol
