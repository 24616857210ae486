// clang's lexer in raw mode: no file manager, no preprocessor, no diagnostics. It reads any bytes, so that the reader
// has to accept tokens in any order.
#include "analysis/regions/source_tokens.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

namespace analysis {
namespace {

bool isLoopWord(llvm::StringRef name) {
  return name == "for" || name == "while" || name == "do";
}

/// Keywords and punctuators, as they are usually spelled: the text of `{` may be the digraph `<%`.
constexpr std::pair<llvm::StringLiteral, Word> kWords[] = {
    {"for", Word::For},   {"while", Word::While},   {"do", Word::Do},   {"if", Word::If},
    {"else", Word::Else}, {"switch", Word::Switch}, {"try", Word::Try}, {"catch", Word::Catch},
    {"goto", Word::Goto}, {"{", Word::Brace},       {"(", Word::Open},  {"[", Word::Open},
    {")", Word::Close},   {"]", Word::Close},       {"}", Word::Close}, {";", Word::Semicolon},
    {":", Word::Colon}};

/// Reads the tokens and the includes of one text: directives become no tokens, but the tokens around them know them.
class Reader {
public:
  Reader(std::string_view source, wire::Language language, std::vector<Token> &tokens,
         std::vector<IncludeLine> &includes)
      : source_(source), options_(lexingOptions(language)), tokens_(tokens), includes_(includes) {}

  void read() {
    clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options_, source_.data(), source_.data(),
                       source_.data() + source_.size());
    clang::Token token;
    lexer.LexFromRawLexer(token);
    while (!token.is(clang::tok::eof)) {
      if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
        directive(lexer, token);
        continue;
      }
      if (!isDead())
        add(token);
      lexer.LexFromRawLexer(token);
    }
    for (Token &one : tokens_)
      if (one.word == Word::Alternative && one.resume == Token::kNone)
        one.resume = next();
  }

private:
  struct Conditional {
    uint32_t begin = 0;                      ///< the first token after the #if
    std::vector<uint32_t> alternatives = {}; ///< tokens without a `resume` until the #endif
    bool dead = false;                       ///< #if 0, until its #else
  };

  /// From the `#` to the first token of the next line. Conditions are not evaluated, except for `#if 0`, by which code
  /// is commented out.
  void directive(clang::Lexer &lexer, clang::Token &token) {
    const uint32_t hash = offsetOf(token);
    std::vector<clang::Token> line;
    lexer.LexFromRawLexer(token);
    while (!token.is(clang::tok::eof) && !token.isAtStartOfLine()) {
      line.push_back(token);
      lexer.LexFromRawLexer(token);
    }
    if (line.empty())
      return;
    const std::string name = textOf(line.front());
    if (name == "pragma") {
      pragma_ = std::min(pragma_, hash);
    } else if (name == "define") {
      define(line);
    } else if (name == "include" && line.size() > 1 && !isDead()) {
      const llvm::StringRef rest = llvm::StringRef(source_).slice(offsetOf(line[1]), offsetOf(token));
      includes_.push_back({hash, rest.drop_front().take_until([](char c) { return c == '"' || c == '>'; }).str()});
    } else if (name == "if" || name == "ifdef" || name == "ifndef") {
      conditionals_.push_back({.begin = next(), .dead = name == "if" && line.size() == 2 && textOf(line[1]) == "0"});
    } else if (conditionals_.empty()) {
      return;
    } else if (name == "endif") {
      for (const uint32_t alternative : conditionals_.back().alternatives)
        tokens_[alternative].resume = next();
      conditionals_.pop_back();
    } else if (name.starts_with("el")) { // else, elif, elifdef, elifndef
      Conditional &conditional = conditionals_.back();
      // After `#if 0` the alternative is what is compiled.
      if (!std::exchange(conditional.dead, false) && !isDead()) {
        conditional.alternatives.push_back(next());
        const uint32_t at = offsetOf(line.front());
        tokens_.push_back({.word = Word::Alternative, .begin = at, .end = at, .opened = conditional.begin});
      }
    }
  }

  /// Keeps the name of a macro with a loop in it, and whether it ends with the loop's head or with the loop.
  void define(llvm::ArrayRef<clang::Token> line) {
    if (line.size() < 3)
      return;
    const std::string name = textOf(line[1]);
    llvm::ArrayRef<clang::Token> body = line.drop_front(2);
    if (body.front().is(clang::tok::l_paren) && !body.front().hasLeadingSpace())
      body = body.drop_while([](const clang::Token &token) { return !token.is(clang::tok::r_paren); });
    if (llvm::none_of(body, [&](const clang::Token &token) { return isLoopWord(textOf(token)); }))
      return;
    // `for (;;)`, or a word that is called like the one it stands for.
    const bool isHead = line.back().is(clang::tok::r_paren) || isLoopWord(textOf(line.back()));
    loopMacros_[name] = isHead ? Word::LoopHead : Word::LoopWhole;
  }

  /// A macro is known by its name alone, from its definition on; what `#undef` says is not read.
  void add(const clang::Token &token) {
    const bool isIdentifier = token.is(clang::tok::raw_identifier);
    const char *punctuator = clang::tok::getPunctuatorSpelling(token.getKind());
    const std::string text = isIdentifier ? textOf(token) : punctuator ? punctuator : "";
    Token made{.begin = offsetOf(token), .end = offsetOf(token) + token.getLength()};
    const auto *known = llvm::find_if(kWords, [&](const auto &one) { return text == one.first; });
    made.word = known != std::end(kWords) ? known->second : isIdentifier ? Word::Name : Word::Other;
    if (made.word == Word::Open || made.word == Word::Brace || made.word == Word::Close)
      made.bracket = text.front();
    if (const auto macro = loopMacros_.find(text); isIdentifier && macro != loopMacros_.end())
      made.word = macro->second;
    made.pragma = std::exchange(pragma_, Token::kNone);
    tokens_.push_back(made);
  }

  std::string textOf(const clang::Token &token) const {
    std::string text(source_.substr(offsetOf(token), token.getLength()));
    if (token.needsCleaning()) // a line that goes on after a backslash
      std::erase_if(text, [](char c) { return c == '\\' || c == '\n' || c == '\r'; });
    return text;
  }
  uint32_t offsetOf(const clang::Token &token) const { return token.getLocation().getRawEncoding() - 1; }
  bool isDead() const { return std::ranges::any_of(conditionals_, &Conditional::dead); }
  uint32_t next() const { return static_cast<uint32_t>(tokens_.size()); }

  std::string_view source_;
  clang::LangOptions options_;
  std::vector<Token> &tokens_;
  std::vector<IncludeLine> &includes_;
  std::vector<Conditional> conditionals_;
  llvm::StringMap<Word> loopMacros_;
  uint32_t pragma_ = Token::kNone; ///< where the pragmas begin that the next token follows
};

} // namespace

clang::LangOptions lexingOptions(wire::Language language) {
  clang::LangOptions options;
  options.LineComment = options.Digraphs = true;
  if (language == wire::Language::Cxx) {
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = true; // raw strings, 1'000
    options.RawStringLiterals = true;
  }
  return options;
}

SourceTokens::SourceTokens(std::string_view source, wire::Language language) : source_(source) {
  Reader(source, language, tokens_, includes_).read();
  work_ = 128 * tokens_.size() + 200'000;
  for (uint32_t at = 0; at < tokens_.size(); ++at)
    if (word(at) == Word::Alternative)
      alternativesOf_[tokens_[at].resume].push_back(at);
}

std::string_view SourceTokens::text(size_t at) const {
  return at < tokens_.size() ? source_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin)
                             : std::string_view();
}

size_t SourceTokens::next(size_t at) {
  if (!work_)
    return tokens_.size();
  --work_;
  ++at;
  while (word(at) == Word::Alternative)
    at = tokens_[at].resume;
  return std::min(at, tokens_.size());
}

size_t SourceTokens::afterBrackets(size_t open) {
  unsigned depth = 0;
  for (size_t at = open; at < tokens_.size(); at = next(at)) {
    const Word present = word(at);
    depth += present == Word::Open || present == Word::Brace;
    if (present == Word::Close && --depth == 0)
      return next(at);
  }
  return tokens_.size();
}

uint32_t SourceTokens::endOf(size_t begin, size_t after) const {
  const auto isBeside = [&](uint32_t alternative) {
    return alternative > begin && tokens_[alternative].opened <= begin;
  };
  for (auto found = alternativesOf_.find(static_cast<uint32_t>(after)); found != alternativesOf_.end();
       found = alternativesOf_.find(static_cast<uint32_t>(after))) {
    const auto cut = llvm::find_if(found->second, isBeside);
    if (cut == found->second.end())
      break;
    after = *cut;
  }
  return after == 0 ? 0 : tokens_[after - 1].end;
}

} // namespace analysis
