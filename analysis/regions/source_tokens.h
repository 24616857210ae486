// The words of C and C++ source, as clang's lexer reads them from the text alone: no macro is expanded and no file is
// included. Directives are no tokens; what they mean for the text around them is kept with the tokens.
#pragma once

#include "analysis/wire/messages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <string_view>

namespace clang {
class LangOptions;
}

namespace analysis {

/// The options of clang's lexer for a text of an unknown standard: all of C++ is read with raw strings and `1'000`.
clang::LangOptions lexingOptions(wire::Language language);

/// A file that the source includes.
struct IncludeLine {
  uint32_t offset = 0; ///< of the directive
  std::string name;    ///< as it is written, without the quotes
};

enum class Word : uint8_t {
  Other,
  For,
  While,
  Do,
  If,
  Else,
  Switch,
  Try,
  Catch,
  Goto,
  Colon,
  Name,      ///< any identifier
  LoopHead,  ///< a macro that stands for the head of a loop: its body follows
  LoopWhole, ///< a macro that holds a whole loop
  Open,      ///< ( [ {
  Brace,     ///< {
  Close,     ///< ) ] }
  Semicolon,
  Alternative, ///< #else, #elif …
};

/// `begin` and `end` are offsets in the text.
struct Token {
  static constexpr uint32_t kNone = ~0u;

  Word word = Word::Other;
  char bracket = 0; ///< of Open, Brace and Close
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t resume = kNone; ///< of Alternative: index of the token after its #endif
  uint32_t opened = 0;     ///< of Alternative: index of the first token after its #if
  uint32_t pragma = kNone; ///< where the pragmas just above it begin
};

/// The tokens of one text. Functions that take a position take an index of a token; one past the last stands for the
/// text's end.
class SourceTokens {
public:
  /// `source` must be followed by a NUL byte and outlive this.
  SourceTokens(std::string_view source, wire::Language language);

  std::string_view source() const { return source_; }
  size_t size() const { return tokens_.size(); }
  const Token &operator[](size_t at) const { return tokens_[at]; }
  Word word(size_t at) const { return at < tokens_.size() ? tokens_[at].word : Word::Other; }
  bool isParen(size_t at) const { return word(at) == Word::Open && tokens_[at].bracket == '('; }
  bool isSquare(size_t at) const { return word(at) == Word::Open && tokens_[at].bracket == '['; }
  /// Empty at the text's end.
  std::string_view text(size_t at) const;
  const std::vector<IncludeLine> &includes() const { return includes_; }

  /// The token after this one. Of `#if … #else … #endif` the first branch is followed, and the others are left out.
  /// Statements are searched again for each one around them: after many calls, this is the text's end.
  size_t next(size_t at);
  bool gaveUp() const { return work_ == 0; }
  /// After the bracket that closes the one at `open`. Only the depth counts: the compiler reports brackets that do not
  /// match.
  size_t afterBrackets(size_t open);
  /// The end offset of the text from the token `begin` to the one before `after`. If it stands inside of a conditional,
  /// the alternatives to it are no part of it.
  uint32_t endOf(size_t begin, size_t after) const;

private:
  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<IncludeLine> includes_;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> alternativesOf_; ///< by the token after their #endif
  size_t work_ = 0;                                                         ///< steps left
};

} // namespace analysis
