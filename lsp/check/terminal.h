// Text on a terminal: colours, widths, and no control characters. Names and messages come from the sources, so they may
// hold escape sequences that a terminal would obey, or characters that turn the direction of what follows
// (analysis/text/visible_text.h).
#pragma once

#include <string>
#include <string_view>

namespace lsp {

enum class Color { None, Bold, Dim, Red, Yellow, Green, Cyan };

/// `text` in a colour, or as it is if `enabled` is false.
std::string colored(bool enabled, Color color, std::string_view text);

/// `text` on one line for display: a tab extends to the next multiple of eight, line ends, other characters that are
/// not shown and bytes that are not UTF-8 become U+FFFD.
std::string displayLine(std::string_view text);

/// JSON text in which what is not shown is escaped (RFC 8259, section 7): it means the same.
std::string displayJson(std::string_view json);

/// The number of characters of valid UTF-8.
size_t displayWidth(std::string_view text);

/// `text` cut to `width` characters, the last of which is an ellipsis if something was cut.
std::string cutToWidth(std::string_view text, size_t width);

} // namespace lsp
