// Colours are the control function "select graphic rendition" of ECMA-48 (§8.3.117). Each character counts as one
// column, wide and combining ones included.
#include "lsp/check/terminal.h"

#include "analysis/text/visible_text.h"
#include "lsp/protocol/unicode.h"

#include <algorithm>
#include <cstdio>

namespace lsp {

std::string colored(bool enabled, Color color, std::string_view text) {
  constexpr std::string_view kCodes[] = {"", "1", "2", "1;31", "1;33", "32", "36"};
  if (!enabled || color == Color::None || text.empty())
    return std::string(text);
  return std::string("\x1b[").append(kCodes[static_cast<size_t>(color)]).append("m").append(text).append("\x1b[0m");
}

std::string displayLine(std::string_view text) {
  constexpr size_t kTab = 8;
  std::string result;
  size_t column = 0;
  while (!text.empty()) {
    const protocol::CodePoint point = protocol::decodeUtf8(text);
    const bool hidden = point.value == '\n' || analysis::hiddenBytes(text) > 0;
    if (point.value == '\t') {
      const size_t spaces = kTab - column % kTab;
      result.append(spaces, ' ');
      column += spaces;
    } else {
      result.append(hidden || !point.valid ? "\xEF\xBF\xBD" : text.substr(0, point.bytes));
      ++column;
    }
    text.remove_prefix(point.bytes);
  }
  return result;
}

namespace {

std::string escapedUnit(unsigned unit) {
  char text[7];
  std::snprintf(text, sizeof text, "\\u%04x", unit & 0xFFFF);
  return text;
}

/// A character beyond U+FFFF is a pair of surrogates.
std::string escaped(char32_t character) {
  if (character < 0x10000)
    return escapedUnit(character);
  const char32_t rest = character - 0x10000;
  return escapedUnit(0xD800 + (rest >> 10)) + escapedUnit(0xDC00 + (rest & 0x3FF));
}

} // namespace

/// Outside of strings, JSON text has ASCII alone.
std::string displayJson(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const size_t hidden = analysis::hiddenBytes(json);
    if (hidden)
      result += escaped(protocol::decodeUtf8(json).value);
    else
      result += json.front();
    json.remove_prefix(hidden ? hidden : 1);
  }
  return result;
}

/// Each byte of UTF-8 that does not continue a character (10xxxxxx) begins one.
size_t displayWidth(std::string_view text) {
  const auto beginsCharacter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::ranges::count_if(text, beginsCharacter));
}

std::string cutToWidth(std::string_view text, size_t width) {
  if (displayWidth(text) <= width)
    return std::string(text);
  if (width == 0)
    return {};
  size_t bytes = 0;
  for (size_t taken = 0; taken + 1 < width; ++taken)
    bytes += protocol::decodeUtf8(text.substr(bytes)).bytes;
  return std::string(text.substr(0, bytes)) + "…";
}

} // namespace lsp
