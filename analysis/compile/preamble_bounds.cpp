// clang's lexer in raw mode knows comments, continued lines and where a line begins; it runs no directive.
#include "analysis/compile/preamble_bounds.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdint>

namespace analysis {
namespace {

using clang::Token;
using llvm::StringRef;

enum class Directive : uint8_t { Include, Opens, Closes, Plain, Other };

Directive directiveOf(StringRef name) {
  return llvm::StringSwitch<Directive>(name)
      .Case("include", Directive::Include)
      .Cases({"if", "ifdef", "ifndef"}, Directive::Opens)
      .Case("endif", Directive::Closes)
      .Cases({"define", "undef", "elif", "elifdef", "elifndef", "else", "error", "warning"}, Directive::Plain)
      .Default(Directive::Other);
}

/// The tokens of a text, comments among them.
class Tokens {
public:
  explicit Tokens(StringRef text)
      : lexer_(clang::SourceLocation(), languageOptions(), text.begin(), text.begin(), text.end()) {
    lexer_.SetCommentRetentionState(true);
    advance();
  }
  const Token &front() const { return token_; }
  size_t end() { return lexer_.getCurrentBufferOffset(); }
  bool atEnd() const { return token_.is(clang::tok::eof); }
  void advance() { lexer_.LexFromRawLexer(token_); }

private:
  static const clang::LangOptions &languageOptions() {
    static const clang::LangOptions options = [] {
      clang::LangOptions made;
      made.LineComment = made.CPlusPlus = made.CPlusPlus11 = made.RawStringLiterals = true;
      return made;
    }();
    return options;
  }
  clang::Lexer lexer_;
  Token token_;
};

/// Whether a directive of the text includes what a macro names, or a file of this name.
bool mayIncludeItself(StringRef text, StringRef name) {
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.ltrim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("include"))
      continue;
    line.consume_front("_next");
    const StringRef operand = line.ltrim();
    if (!operand.starts_with("\"") && !operand.starts_with("<"))
      return true;
    if (operand.contains((name + "\"").str()) || operand.contains((name + ">").str()))
      return true;
  }
  return false;
}

} // namespace

size_t preambleBytes(std::string_view text, std::string_view file) {
  const std::string copy(text); // the lexer needs a NUL behind the text
  size_t bytes = 0;
  bool includes = false;
  unsigned open = 0;
  Tokens tokens(copy);
  while (!tokens.atEnd()) {
    if (tokens.front().is(clang::tok::comment)) {
      tokens.advance();
      continue;
    }
    if (tokens.front().isNot(clang::tok::hash) || !tokens.front().isAtStartOfLine())
      break;
    tokens.advance();
    const bool isNamed = tokens.front().is(clang::tok::raw_identifier) && !tokens.front().isAtStartOfLine();
    const Directive directive = isNamed ? directiveOf(tokens.front().getRawIdentifier()) : Directive::Other;
    if (directive == Directive::Other || (directive == Directive::Closes && open == 0))
      break;
    open += directive == Directive::Opens;
    open -= directive == Directive::Closes;
    size_t end = tokens.end();
    for (tokens.advance(); !tokens.atEnd() && !tokens.front().isAtStartOfLine(); tokens.advance())
      end = tokens.end();
    const size_t line = copy.find('\n', end);
    if (line == std::string::npos)
      break;
    includes |= directive == Directive::Include;
    if (open == 0 && includes)
      bytes = line + 1;
  }
  const StringRef preamble = StringRef(copy).take_front(bytes);
  const StringRef name = llvm::sys::path::filename(StringRef(file));
  return preamble.contains("__INCLUDE_LEVEL__") || mayIncludeItself(copy, name) ? 0 : bytes;
}

std::string withoutPreamble(std::string_view text, size_t bytes) {
  std::string blank(text);
  std::replace_if(
      blank.begin(), blank.begin() + static_cast<ptrdiff_t>(bytes), [](char c) { return c != '\n' && c != '\r'; }, ' ');
  return blank;
}

} // namespace analysis
