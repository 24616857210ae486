#include "analysis/regions/loop_statements.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

namespace analysis {
namespace {

/// Statements nested in each other without braces.
constexpr unsigned kMaxDepth = 256;

/// Finds the end of each loop statement. Positions are indices of tokens; one past the last stands for the text's end.
class Parser {
public:
  Parser(SourceTokens &tokens, const FunctionExtents &functions) : tokens_(tokens), functions_(functions) {}

  std::vector<LoopStatement> parse();

private:
  size_t behindHead(size_t keyword);
  size_t behindStatement(size_t at, unsigned depth);
  size_t behindLoop(size_t keyword, unsigned depth);
  size_t behindExpression(size_t at);
  bool startsStatement(size_t at) const;
  bool isCalledLikeALoop(size_t name);
  bool isNamedLikeALoop(size_t name) const;
  void addGotos(std::vector<LoopStatement> &statements) const;

  SourceTokens &tokens_;
  const FunctionExtents &functions_;
  llvm::DenseSet<size_t> tails_; ///< the `while` of each `do`
};

/// Behind `for (…)`, `while (…)`, `if constexpr (…)`; words may stand before the parenthesis.
size_t Parser::behindHead(size_t keyword) {
  size_t at = tokens_.next(keyword);
  while (tokens_.word(at) == Word::Name || tokens_.word(at) == Word::Other)
    if (at >= tokens_.size())
      return at;
    else
      at = tokens_.next(at);
  return tokens_.isParen(at) ? tokens_.afterBrackets(at) : at;
}

size_t Parser::behindExpression(size_t at) {
  while (at < tokens_.size()) {
    switch (tokens_.word(at)) {
    case Word::Semicolon:
      return tokens_.next(at);
    case Word::Close:
      return at;
    case Word::Open:
    case Word::Brace:
      at = tokens_.afterBrackets(at);
      break;
    default:
      at = tokens_.next(at);
    }
  }
  return at;
}

size_t Parser::behindLoop(size_t keyword, unsigned depth) {
  switch (tokens_.word(keyword)) {
  case Word::Do: {
    const size_t tail = behindStatement(tokens_.next(keyword), depth + 1);
    if (tokens_.word(tail) != Word::While)
      return tail;
    tails_.insert(tail);
    return behindExpression(tail);
  }
  case Word::LoopWhole: {
    const size_t at = tokens_.next(keyword);
    return tokens_.isParen(at) ? tokens_.afterBrackets(at) : at;
  }
  case Word::LoopHead:
  case Word::Name: {
    const size_t at = tokens_.next(keyword);
    return behindStatement(tokens_.isParen(at) ? tokens_.afterBrackets(at) : at, depth + 1);
  }
  default:
    return behindStatement(behindHead(keyword), depth + 1);
  }
}

size_t Parser::behindStatement(size_t at, unsigned depth) {
  if (depth > kMaxDepth)
    return tokens_.size();
  // Attributes.
  while (tokens_.word(at) == Word::Open && tokens_[at].bracket == '[' && tokens_.word(tokens_.next(at)) == Word::Open)
    at = tokens_.afterBrackets(at);
  switch (tokens_.word(at)) {
  case Word::Brace:
    return tokens_.afterBrackets(at);
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
    return tokens_.word(at) == Word::Else ? behindStatement(tokens_.next(at), depth + 1) : at;
  }
  case Word::Try:
    at = behindStatement(tokens_.next(at), depth + 1);
    while (tokens_.word(at) == Word::Catch)
      at = behindStatement(behindHead(at), depth + 1);
    return at;
  default:
    return behindExpression(at);
  }
}

bool Parser::isNamedLikeALoop(size_t name) const {
  const std::string lower = llvm::StringRef(tokens_.text(name)).lower();
  constexpr std::string_view kParts[] = {"foreach", "for_", "_for", "loop", "repeat", "while"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// Behind what ends the statement before, or a head whose body it is. (A function's name stands behind its type.)
bool Parser::startsStatement(size_t at) const {
  if (at == 0)
    return true;
  switch (tokens_.word(at - 1)) {
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

/// `list_for_each(…) {`, or in a function `FOR_ALL(i) f(i);`, which only a macro can make a statement of. Elsewhere
/// such a macro declares something, and what follows it is another declaration.
bool Parser::isCalledLikeALoop(size_t name) {
  if (!startsStatement(name) || !isNamedLikeALoop(name))
    return false;
  const size_t open = tokens_.next(name);
  const Word behind = tokens_.isParen(open) ? tokens_.word(tokens_.afterBrackets(open)) : Word::Other;
  return behind == Word::Brace ||
         ((behind == Word::Name || behind == Word::If) && functions_.around(tokens_[name].begin));
}

/// `again: … goto again;`, up to the last one of the function. What stands in no function, as in a file that is
/// included in the middle of one, ends at the next function.
void Parser::addGotos(std::vector<LoopStatement> &statements) const {
  const std::vector<FunctionExtent> &all = functions_.all();
  /// A function's index with `true`, or how many functions begin before with `false`.
  using Scope = std::pair<bool, size_t>;
  const auto scopeOf = [&](uint32_t offset) -> Scope {
    if (const FunctionExtent *function = functions_.around(offset))
      return {true, function - all.data()};
    const auto after = std::partition_point(all.begin(), all.end(),
                                            [&](const FunctionExtent &one) { return one.extent.begin < offset; });
    return {false, after - all.begin()};
  };
  std::map<std::pair<Scope, std::string_view>, LoopStatement> labels; // the last of each so far; empty until a `goto`
  const auto keep = [&](const LoopStatement &statement) {
    if (statement.extent.end > statement.extent.begin)
      statements.push_back(statement);
  };
  for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
    const bool isLabel = tokens_.word(at) == Word::Name && tokens_.word(at + 1) == Word::Colon;
    const bool isGoto = tokens_.word(at) == Word::Goto && tokens_.word(at + 1) == Word::Name;
    if (!isLabel && !isGoto)
      continue;
    const uint32_t begin = tokens_[at].begin;
    const std::pair key(scopeOf(begin), tokens_.text(isLabel ? at : at + 1));
    if (isLabel) {
      LoopStatement &label = labels[key];
      keep(label);
      label = {begin, begin, {begin, begin}, /*isLabel=*/true};
    } else if (const auto label = labels.find(key); label != labels.end()) {
      label->second.extent.end = tokens_[at + 1].end;
    }
  }
  for (const auto &label : labels)
    keep(label.second);
}

std::vector<LoopStatement> Parser::parse() {
  std::vector<LoopStatement> statements;
  for (size_t at = 0; at < tokens_.size(); ++at) {
    const Word word = tokens_.word(at);
    const bool isLoop = word == Word::For || word == Word::Do || word == Word::LoopHead || word == Word::LoopWhole ||
                        (word == Word::While && !tails_.contains(at)) || (word == Word::Name && isCalledLikeALoop(at));
    if (!isLoop || tokens_.gaveUp())
      continue;
    const size_t behind = behindLoop(at, 0);
    const uint32_t end = tokens_.endOf(at, behind);
    const bool hasHead = word == Word::For || word == Word::While;
    const uint32_t headEnd = hasHead ? tokens_.endOf(at, behindHead(at)) : tokens_[at].begin;
    statements.push_back({tokens_[at].begin, headEnd, {std::min(tokens_[at].begin, tokens_[at].pragma), end}});
  }
  addGotos(statements);
  return statements;
}

} // namespace

LoopStatements::LoopStatements(std::string_view source, wire::Language language) {
  SourceTokens tokens(source, language);
  functions_ = findFunctionExtents(tokens);
  statements_ = NestedExtents(Parser(tokens, functions_).parse());
  includes_ = tokens.includes();
}

} // namespace analysis
