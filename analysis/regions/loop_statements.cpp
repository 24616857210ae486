#include "analysis/regions/loop_statements.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr uint32_t kNone = ~0u;
/// Statements nested in each other without braces.
constexpr unsigned kMaxDepth = 256;

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

struct Token {
  Word word = Word::Other;
  char bracket = 0; ///< of Open, Brace and Close
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t resume = kNone; ///< of Alternative: the token behind its #endif
  uint32_t opened = 0;     ///< of Alternative: the first token behind its #if
  uint32_t pragma = kNone; ///< where the pragmas just above it begin
};

/// What the parser works on.
struct Tokens {
  std::vector<Token> all;
  std::vector<IncludeLine> includes;
};

bool isLoopWord(llvm::StringRef name) {
  return name == "for" || name == "while" || name == "do";
}

/// Reads the tokens: those of directives are gone, the directives' meaning is kept.
class Reader {
public:
  Reader(std::string_view source, wire::Language language) : source_(source) {
    options_.LineComment = options_.Digraphs = true;
    if (language == wire::Language::Cxx) {
      options_.CPlusPlus = options_.CPlusPlus11 = options_.CPlusPlus14 = true; // raw strings, 1'000
      options_.RawStringLiterals = true;
    }
  }

  Tokens read();

private:
  struct Conditional {
    uint32_t begin = 0;                 ///< the first token behind the #if
    std::vector<uint32_t> alternatives; ///< tokens that wait for the #endif
    bool dead = false;                  ///< #if 0, until its #else
  };

  void directive(clang::Lexer &lexer, clang::Token &token);
  void define(const std::vector<clang::Token> &line);
  void add(const clang::Token &token);
  std::string textOf(const clang::Token &token) const {
    std::string text(source_.substr(offsetOf(token), token.getLength()));
    if (token.needsCleaning()) // a line that goes on behind a backslash
      std::erase_if(text, [](char c) { return c == '\\' || c == '\n' || c == '\r'; });
    return text;
  }
  uint32_t offsetOf(const clang::Token &token) const { return token.getLocation().getRawEncoding() - 1; }
  bool isDead() const {
    return std::any_of(conditionals_.begin(), conditionals_.end(), [](const Conditional &one) { return one.dead; });
  }

  std::string_view source_;
  clang::LangOptions options_;
  std::vector<Token> tokens_;
  std::vector<Conditional> conditionals_;
  llvm::StringMap<Word> loopMacros_;
  std::vector<IncludeLine> includes_;
  uint32_t pragma_ = kNone; ///< where the pragmas begin that the next token follows
};

Tokens Reader::read() {
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
    if (one.word == Word::Alternative && one.resume == kNone)
      one.resume = static_cast<uint32_t>(tokens_.size());
  return {std::move(tokens_), std::move(includes_)};
}

/// From the `#` to the first token of the next line.
void Reader::directive(clang::Lexer &lexer, clang::Token &token) {
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
    conditionals_.push_back({.begin = static_cast<uint32_t>(tokens_.size()),
                             .dead = name == "if" && line.size() == 2 && textOf(line[1]) == "0"});
  } else if (conditionals_.empty()) {
    return;
  } else if (name == "endif") {
    for (const uint32_t alternative : conditionals_.back().alternatives)
      tokens_[alternative].resume = static_cast<uint32_t>(tokens_.size());
    conditionals_.pop_back();
  } else if (name.starts_with("el")) { // else, elif, elifdef, elifndef
    Conditional &conditional = conditionals_.back();
    // After `#if 0` the alternative is what is compiled.
    if (!std::exchange(conditional.dead, false) && !isDead()) {
      conditional.alternatives.push_back(static_cast<uint32_t>(tokens_.size()));
      Token &made = tokens_.emplace_back(Token{Word::Alternative, 0, offsetOf(line.front()), offsetOf(line.front())});
      made.opened = conditional.begin;
    }
  }
}

/// A macro with a loop in it: does its text end with the loop's head or with the loop?
void Reader::define(const std::vector<clang::Token> &line) {
  if (line.size() < 3)
    return;
  size_t body = 2;
  if (line[2].is(clang::tok::l_paren) && !line[2].hasLeadingSpace())
    while (body < line.size() && !line[body].is(clang::tok::r_paren))
      ++body;
  const auto begin = line.begin() + static_cast<ptrdiff_t>(std::min(body, line.size()));
  if (std::none_of(begin, line.end(), [&](const clang::Token &token) { return isLoopWord(textOf(token)); }))
    return;
  // `for (;;)`, or a word that is called like the one it stands for.
  const bool isHead = line.back().is(clang::tok::r_paren) || isLoopWord(textOf(line.back()));
  loopMacros_[textOf(line[1])] = isHead ? Word::LoopHead : Word::LoopWhole;
}

void Reader::add(const clang::Token &token) {
  Token made{Word::Other, 0, offsetOf(token), offsetOf(token) + token.getLength()};
  if (token.is(clang::tok::raw_identifier)) {
    const std::string text = textOf(token);
    made.word = llvm::StringSwitch<Word>(text)
                    .Case("for", Word::For)
                    .Case("while", Word::While)
                    .Case("do", Word::Do)
                    .Case("if", Word::If)
                    .Case("else", Word::Else)
                    .Case("switch", Word::Switch)
                    .Case("try", Word::Try)
                    .Case("catch", Word::Catch)
                    .Case("goto", Word::Goto)
                    .Default(Word::Name);
    if (const auto macro = loopMacros_.find(text); macro != loopMacros_.end())
      made.word = macro->second;
  } else if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) {
    made.word = token.is(clang::tok::l_brace) ? Word::Brace : Word::Open;
    made.bracket = token.is(clang::tok::l_paren) ? '(' : token.is(clang::tok::l_square) ? '[' : '{';
  } else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) {
    made.word = Word::Close;
    made.bracket = token.is(clang::tok::r_brace) ? '}' : ')';
  } else if (token.is(clang::tok::semi)) {
    made.word = Word::Semicolon;
  } else if (token.is(clang::tok::colon)) {
    made.word = Word::Colon;
  }
  made.pragma = std::exchange(pragma_, kNone);
  tokens_.push_back(made);
}

/// Finds the end of each loop statement. Positions are indices of tokens; one past the last stands for the text's end.
class Parser {
public:
  Parser(std::vector<Token> tokens, std::string_view source)
      : tokens_(std::move(tokens)), source_(source), work_(64 * tokens_.size() + 100'000) {
    for (uint32_t at = 0; at < tokens_.size(); ++at)
      if (wordAt(at) == Word::Alternative)
        alternativesOf_[tokens_[at].resume].push_back(at);
  }

  std::vector<LoopStatement> parse();

private:
  size_t next(size_t at);
  Word wordAt(size_t at) const { return at < tokens_.size() ? tokens_[at].word : Word::Other; }
  bool isParen(size_t at) const { return wordAt(at) == Word::Open && tokens_[at].bracket == '('; }
  uint32_t endOf(size_t begin, size_t behind) const;
  size_t behindBrackets(size_t open);
  size_t behindHead(size_t keyword);
  size_t behindStatement(size_t at, unsigned depth);
  size_t behindLoop(size_t keyword, unsigned depth);
  size_t behindExpression(size_t at);
  bool startsStatement(size_t at) const;
  bool isCalledLikeALoop(size_t name);
  bool isNamedLikeALoop(size_t name) const;
  std::string_view textOf(size_t at) const {
    return source_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }
  void addGotos(std::vector<LoopStatement> &statements) const;

  std::vector<Token> tokens_;
  std::string_view source_;
  size_t work_;                  ///< steps left: nesting without end must not cost without end
  llvm::DenseSet<size_t> tails_; ///< the `while` of each `do`
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> alternativesOf_; ///< by the token behind their #endif
};

size_t Parser::next(size_t at) {
  if (work_)
    --work_;
  else
    return tokens_.size();
  ++at;
  while (wordAt(at) == Word::Alternative)
    at = tokens_[at].resume;
  return std::min(at, tokens_.size());
}

/// The offset where what begins at one token and has another behind it ends. Of a conditional that it stands inside of,
/// the alternatives to it are no part of it.
uint32_t Parser::endOf(size_t begin, size_t behind) const {
  const auto isBeside = [&](uint32_t alternative) {
    return alternative > begin && tokens_[alternative].opened <= begin;
  };
  for (auto found = alternativesOf_.find(static_cast<uint32_t>(behind)); found != alternativesOf_.end();
       found = alternativesOf_.find(static_cast<uint32_t>(behind))) {
    const auto cut = llvm::find_if(found->second, isBeside);
    if (cut == found->second.end())
      break;
    behind = *cut;
  }
  return behind == 0 ? 0 : tokens_[behind - 1].end;
}

/// Behind the bracket that closes the one at `open`. Only the depth counts: a text that does not match is no statement.
size_t Parser::behindBrackets(size_t open) {
  unsigned depth = 0;
  for (size_t at = open; at < tokens_.size(); at = next(at)) {
    const Word word = wordAt(at);
    depth += word == Word::Open || word == Word::Brace;
    if (word == Word::Close && --depth == 0)
      return next(at);
  }
  return tokens_.size();
}

/// Behind `for (…)`, `while (…)`, `if constexpr (…)`; words may stand before the parenthesis.
size_t Parser::behindHead(size_t keyword) {
  size_t at = next(keyword);
  while (wordAt(at) == Word::Name || wordAt(at) == Word::Other)
    if (at >= tokens_.size())
      return at;
    else
      at = next(at);
  return isParen(at) ? behindBrackets(at) : at;
}

size_t Parser::behindExpression(size_t at) {
  while (at < tokens_.size()) {
    switch (wordAt(at)) {
    case Word::Semicolon:
      return next(at);
    case Word::Close:
      return at;
    case Word::Open:
    case Word::Brace:
      at = behindBrackets(at);
      break;
    default:
      at = next(at);
    }
  }
  return at;
}

size_t Parser::behindLoop(size_t keyword, unsigned depth) {
  switch (wordAt(keyword)) {
  case Word::Do: {
    const size_t tail = behindStatement(next(keyword), depth + 1);
    if (wordAt(tail) != Word::While)
      return tail;
    tails_.insert(tail);
    return behindExpression(tail);
  }
  case Word::LoopWhole: {
    const size_t at = next(keyword);
    return isParen(at) ? behindBrackets(at) : at;
  }
  case Word::LoopHead:
  case Word::Name: {
    const size_t at = next(keyword);
    return behindStatement(isParen(at) ? behindBrackets(at) : at, depth + 1);
  }
  default:
    return behindStatement(behindHead(keyword), depth + 1);
  }
}

size_t Parser::behindStatement(size_t at, unsigned depth) {
  if (depth > kMaxDepth)
    return tokens_.size();
  // Attributes.
  while (wordAt(at) == Word::Open && tokens_[at].bracket == '[' && wordAt(next(at)) == Word::Open)
    at = behindBrackets(at);
  switch (wordAt(at)) {
  case Word::Brace:
    return behindBrackets(at);
  case Word::For:
  case Word::While:
  case Word::Do:
  case Word::LoopHead:
  case Word::LoopWhole:
    return behindLoop(at, depth);
  case Word::Switch:
    return behindStatement(behindHead(at), depth + 1);
  case Word::If: {
    at = behindStatement(behindHead(at), depth + 1);
    return wordAt(at) == Word::Else ? behindStatement(next(at), depth + 1) : at;
  }
  case Word::Try:
    at = behindStatement(next(at), depth + 1);
    while (wordAt(at) == Word::Catch)
      at = behindStatement(behindHead(at), depth + 1);
    return at;
  default:
    return behindExpression(at);
  }
}

bool Parser::isNamedLikeALoop(size_t name) const {
  const std::string lower = llvm::StringRef(textOf(name)).lower();
  constexpr std::string_view kParts[] = {"foreach", "for_", "_for", "loop", "repeat", "while"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// Behind what ends the statement before, or a head whose body it is. (A function's name stands behind its type.)
bool Parser::startsStatement(size_t at) const {
  if (at == 0)
    return true;
  switch (wordAt(at - 1)) {
  case Word::Semicolon:
  case Word::Brace:
  case Word::Close:
  case Word::Colon:
  case Word::Else:
  case Word::Do:
  case Word::LoopHead:
  case Word::Alternative:
    return true;
  default:
    return false;
  }
}

/// `list_for_each(…) {`, or `FOR_ALL(i) f(i);`, which only a macro can make a statement of.
bool Parser::isCalledLikeALoop(size_t name) {
  if (!startsStatement(name) || !isNamedLikeALoop(name))
    return false;
  const size_t open = next(name);
  const Word behind = isParen(open) ? wordAt(behindBrackets(open)) : Word::Other;
  return behind == Word::Brace || behind == Word::Name || behind == Word::If;
}

/// `again: … goto again;`, up to the last one.
void Parser::addGotos(std::vector<LoopStatement> &statements) const {
  llvm::StringMap<LoopStatement> labels; // the last of each name so far; empty until a `goto`
  const auto keep = [&](const LoopStatement &statement) {
    if (statement.extent.end > statement.extent.begin)
      statements.push_back(statement);
  };
  for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (wordAt(at) == Word::Name && wordAt(at + 1) == Word::Colon) {
      LoopStatement &label = labels[textOf(at)];
      keep(label);
      const uint32_t begin = tokens_[at].begin;
      label = {begin, begin, {begin, begin}};
    } else if (wordAt(at) == Word::Goto && wordAt(at + 1) == Word::Name) {
      if (const auto label = labels.find(textOf(at + 1)); label != labels.end())
        label->second.extent.end = tokens_[at + 1].end;
    }
  }
  for (const auto &label : labels)
    keep(label.second);
}

std::vector<LoopStatement> Parser::parse() {
  std::vector<LoopStatement> statements;
  for (size_t at = 0; at < tokens_.size(); ++at) {
    const Word word = wordAt(at);
    const bool isLoop = word == Word::For || word == Word::Do || word == Word::LoopHead || word == Word::LoopWhole ||
                        (word == Word::While && !tails_.contains(at)) || (word == Word::Name && isCalledLikeALoop(at));
    if (!isLoop || work_ == 0)
      continue;
    const size_t behind = behindLoop(at, 0);
    const uint32_t end = endOf(at, behind);
    const bool hasHead = word == Word::For || word == Word::While;
    const uint32_t headEnd = hasHead ? endOf(at, behindHead(at)) : tokens_[at].begin;
    statements.push_back({tokens_[at].begin, headEnd, {std::min(tokens_[at].begin, tokens_[at].pragma), end}});
  }
  addGotos(statements);
  std::sort(statements.begin(), statements.end(), [](const LoopStatement &a, const LoopStatement &b) {
    return std::pair(a.extent.begin, b.extent.end) < std::pair(b.extent.begin, a.extent.end);
  });
  return statements;
}

} // namespace

LoopStatements::LoopStatements(std::string_view source, wire::Language language) {
  Tokens tokens = Reader(source, language).read();
  includes_ = std::move(tokens.includes);
  statements_ = Parser(std::move(tokens.all), source).parse();
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < statements_.size(); ++i) {
    while (!open.empty() && statements_[open.back()].extent.end <= statements_[i].extent.begin)
      open.pop_back();
    parents_.push_back(open.empty() ? kNone : open.back());
    open.push_back(i);
  }
}

const LoopStatement *LoopStatements::around(uint32_t offset) const {
  const auto behind =
      std::upper_bound(statements_.begin(), statements_.end(), offset,
                       [](uint32_t at, const LoopStatement &statement) { return at < statement.extent.begin; });
  uint32_t at = behind == statements_.begin() ? kNone : static_cast<uint32_t>(behind - statements_.begin() - 1);
  while (at != kNone && statements_[at].extent.end <= offset)
    at = parents_[at];
  return at == kNone ? nullptr : &statements_[at];
}

const LoopStatement *LoopStatements::around(const LoopStatement &statement) const {
  const uint32_t parent = parents_[static_cast<size_t>(&statement - statements_.data())];
  return parent == kNone ? nullptr : &statements_[parent];
}

} // namespace analysis
