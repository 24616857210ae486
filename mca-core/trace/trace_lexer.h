// Cuts the text of a trace into words and punctuation.
//
// A word ends at a blank, at punctuation or at a comment. A quoted name may hold anything but a quote or the end of the
// line, and an offset may follow it directly. Each byte is read once.
#pragma once

#include "mca-core/trace/trace_text.h"

#include <string>
#include <string_view>

namespace mca {

struct TraceLexeme {
  enum class Kind : uint8_t { Word, Quoted, Open, Close, Comma, Colon, EndOfLine, EndOfText, Invalid };
  Kind kind = Kind::EndOfText;
  std::string_view text; ///< as written, with quotes; empty at the end
  TracePosition position;

  bool is(Kind other) const { return kind == other; }
  bool isWord(std::string_view word) const { return kind == Kind::Word && text == word; }
};

class TraceLexer {
public:
  explicit TraceLexer(std::string_view text, TracePosition start = {});

  /// The lexeme to read next.
  const TraceLexeme &peek() const { return next_; }
  TraceLexeme take();

private:
  TraceLexeme lex();
  void skipBlanks();
  TraceLexeme lexQuoted();
  TraceLexeme make(TraceLexeme::Kind kind, size_t length);

  std::string_view rest_;
  TracePosition position_; ///< of `rest_`
  TraceLexeme next_;
};

/// The text of a lexeme in a message: in quotes, shortened, and with other bytes than printable ASCII as `\x8f`.
std::string quoted(const TraceLexeme &lexeme);
std::string quoted(std::string_view text);

} // namespace mca
