// The characters are looked for by their bytes: all of them begin with one of a few bytes, which most texts do not
// have.
#include "analysis/text/visible_text.h"

namespace analysis {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// A byte of an encoded character; 0, which is none, past the end.
unsigned byteAt(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool isBetween(unsigned byte, unsigned first, unsigned last) {
  return byte >= first && byte <= last;
}

/// U+200B, U+200E, U+200F, U+2028 to U+202E; U+2066 to U+2069.
bool isHiddenPunctuation(unsigned second, unsigned third) {
  if (second == 0x81)
    return isBetween(third, 0xA6, 0xA9);
  return second == 0x80 && (third == 0x8B || isBetween(third, 0x8E, 0x8F) || isBetween(third, 0xA8, 0xAE));
}

} // namespace

size_t hiddenBytes(std::string_view text) {
  const unsigned first = byteAt(text, 0), second = byteAt(text, 1), third = byteAt(text, 2);
  switch (first) {
  case 0xC2:
    return isBetween(second, 0x80, 0x9F) ? 2 : 0;
  case 0xD8:
    return second == 0x9C ? 2 : 0;
  case 0xE2:
    return isHiddenPunctuation(second, third) ? 3 : 0;
  case 0xEF:
    return second == 0xBB && third == 0xBF ? 3 : 0;
  case 0xF3: // U+E0000 to U+E007F
    return second == 0xA0 && isBetween(third, 0x80, 0x81) && isBetween(byteAt(text, 3), 0x80, 0xBF) ? 4 : 0;
  default:
    return !text.empty() && (first == 0x7F || (first < 0x20 && first != '\t' && first != '\n'));
  }
}

bool isVisible(std::string_view text) {
  const auto isPrintable = [](char byte) { return byte >= ' ' && byte <= '~'; }; // most are
  for (size_t i = 0; i < text.size(); ++i)
    if (!isPrintable(text[i]) && hiddenBytes(text.substr(i)))
      return false;
  return true;
}

std::string visibleText(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t hidden = hiddenBytes(text);
    if (hidden)
      result += kReplacement;
    else
      result += text.front();
    text.remove_prefix(hidden ? hidden : 1);
  }
  return result;
}

} // namespace analysis
