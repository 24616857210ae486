// Brackets are counted, strings are skipped. What YAML has beside JSON is refused, as it nests in other ways.
#include "analysis/files/database_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace analysis {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The end of the string after its first quote: one past its last one, or the end of the text.
size_t stringEnd(std::string_view text, size_t at) {
  while ((at = text.find_first_of("\"\\", at)) != std::string_view::npos) {
    if (text[at] == '"')
      return at + 1;
    at += 2; // an escape sequence
  }
  return text.size();
}

constexpr size_t kEscapeBytes = 6; // \uXXXX

/// The UTF-16 unit of the escape sequence at the start of the text; 0 if there is none.
uint32_t escapedUnit(std::string_view text) {
  uint32_t unit = 0;
  if (text.size() < kEscapeBytes || !text.starts_with("\\u"))
    return 0;
  const char *const end = text.data() + kEscapeBytes;
  return std::from_chars(text.data() + 2, end, unit, 16).ptr == end ? unit : 0;
}

/// A character beyond U+FFFF, in UTF-8.
std::string encoded(uint32_t character) {
  const auto part = [&](uint32_t shift) { return static_cast<char>(0x80 | ((character >> shift) & 0x3F)); };
  return {static_cast<char>(0xF0 | (character >> 18)), part(12), part(6), part(0)};
}

/// Of numbers, true, false and null, and blanks.
bool isOfJson(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view(" \t\r\n,:.+-").find(c) != std::string_view::npos;
}

} // namespace

std::string whyRefused(std::string_view database) {
  if (database.starts_with(kByteOrderMark))
    database.remove_prefix(kByteOrderMark.size());
  size_t depth = 0, strings = 0;
  for (size_t at = 0; at < database.size();) {
    const char c = database[at++];
    if (c == '"') {
      at = stringEnd(database, at);
      if (++strings > kMaxDatabaseStrings)
        return "it has more than " + std::to_string(kMaxDatabaseStrings) + " names and values";
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestDatabase)
        return "it is nested deeper than " + std::to_string(kDeepestDatabase) + " levels";
    } else if (c == ']' || c == '}') {
      depth -= depth > 0;
    } else if (!isOfJson(c)) {
      return "it is no JSON";
    }
  }
  return "";
}

std::string withoutSurrogates(std::string_view database) {
  std::string text;
  text.reserve(database.size());
  while (!database.empty()) {
    const size_t plain = std::min(database.find('\\'), database.size());
    text += database.substr(0, plain);
    database.remove_prefix(plain);
    const uint32_t first = escapedUnit(database),
                   second = escapedUnit(database.substr(std::min(kEscapeBytes, database.size())));
    const bool isPair = first >= 0xD800 && first < 0xDC00 && second >= 0xDC00 && second < 0xE000;
    const size_t bytes = std::min(isPair ? 2 * kEscapeBytes : 2, database.size());
    if (isPair)
      text += encoded(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    else
      text += database.substr(0, bytes);
    database.remove_prefix(bytes);
  }
  return text;
}

} // namespace analysis
