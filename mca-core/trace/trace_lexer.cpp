#include "mca-core/trace/trace_lexer.h"

#include <algorithm>
#include <utility>

namespace mca {
namespace {

bool isPrintable(char c) {
  return c >= ' ' && c <= '~';
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/// Bytes from 0x80 on are parts of names in UTF-8.
bool isWordChar(char c) {
  switch (c) {
  case '(':
  case ')':
  case ',':
  case ':':
  case '#':
  case '"':
  case '\x7f':
    return false;
  default:
    return static_cast<unsigned char>(c) > ' ';
  }
}

size_t lengthOfWord(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), isWordChar) - text.begin());
}

} // namespace

TraceLexer::TraceLexer(std::string_view text, TracePosition start) : rest_(text), position_(start) {
  next_ = lex();
}

TraceLexeme TraceLexer::take() {
  return std::exchange(next_, lex());
}

TraceLexeme TraceLexer::make(TraceLexeme::Kind kind, size_t length) {
  const TraceLexeme lexeme{.kind = kind, .text = rest_.substr(0, length), .position = position_};
  rest_.remove_prefix(lexeme.text.size());
  position_.column += static_cast<uint32_t>(lexeme.text.size());
  return lexeme;
}

/// Skips comments, too.
void TraceLexer::skipBlanks() {
  size_t length = static_cast<size_t>(std::find_if_not(rest_.begin(), rest_.end(), isBlank) - rest_.begin());
  if (length < rest_.size() && rest_[length] == '#')
    length = std::min(rest_.find('\n', length), rest_.size());
  make(TraceLexeme::Kind::Word, length);
}

TraceLexeme TraceLexer::lex() {
  using Kind = TraceLexeme::Kind;
  skipBlanks();
  if (rest_.empty())
    return make(Kind::EndOfText, 0);
  switch (rest_.front()) {
  case '\n': {
    const TraceLexeme end = make(Kind::EndOfLine, 1);
    position_ = {position_.line + 1, 1};
    return end;
  }
  case '(':
    return make(Kind::Open, 1);
  case ')':
    return make(Kind::Close, 1);
  case ',':
    return make(Kind::Comma, 1);
  case ':':
    return make(Kind::Colon, 1);
  case '"':
    return lexQuoted();
  default:
    return isWordChar(rest_.front()) ? make(Kind::Word, lengthOfWord(rest_)) : make(Kind::Invalid, 1);
  }
}

/// A quoted name with the offset that may follow it; invalid without a second quote on the line.
TraceLexeme TraceLexer::lexQuoted() {
  const size_t end = rest_.find_first_of("\"\n", 1);
  if (end == std::string_view::npos || rest_[end] == '\n')
    return make(TraceLexeme::Kind::Invalid, 1);
  return make(TraceLexeme::Kind::Quoted, end + 1 + lengthOfWord(rest_.substr(end + 1)));
}

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "`";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    result += isPrintable(c) ? std::string(1, c) : std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return result + (text.size() > kLongest ? "…`" : "`");
}

std::string quoted(const TraceLexeme &lexeme) {
  switch (lexeme.kind) {
  case TraceLexeme::Kind::EndOfLine:
    return "the end of the line";
  case TraceLexeme::Kind::EndOfText:
    return "the end of the text";
  default:
    return quoted(lexeme.text);
  }
}

} // namespace mca
