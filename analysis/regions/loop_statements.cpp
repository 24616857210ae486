// A parser by recursive descent that knows where a statement ends, and nothing else of the grammar. Each loop is parsed
// from its keyword on its own, so that code that it does not understand costs only the loops around that code.
#include "analysis/regions/loop_statements.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

namespace analysis {
namespace {

/// Statements nested in each other without braces; each costs two or three calls.
constexpr unsigned kMaxDepth = 256;

/// Finds the end of each loop statement. Positions are indices of tokens; one past the last stands for the text's end.
class Parser {
public:
  Parser(SourceTokens &tokens, const FunctionExtents &functions) : tokens_(tokens), functions_(functions) {}

  std::vector<LoopStatement> parse() {
    std::vector<LoopStatement> statements;
    for (size_t at = 0; at < tokens_.size(); ++at) {
      const Word word = tokens_.word(at);
      const bool isLoop = llvm::is_contained({Word::For, Word::Do, Word::LoopHead, Word::LoopWhole}, word) ||
                          (word == Word::While && !tails_.contains(at)) ||
                          (word == Word::Name && isCalledLikeALoop(at));
      if (!isLoop || tokens_.gaveUp())
        continue;
      const uint32_t end = tokens_.endOf(at, afterLoop(at, 0));
      const bool hasHead = word == Word::For || word == Word::While;
      const uint32_t headEnd = hasHead ? tokens_.endOf(at, afterHead(at)) : tokens_[at].begin;
      statements.push_back({tokens_[at].begin, headEnd, {std::min(tokens_[at].begin, tokens_[at].pragma), end}});
    }
    addGotos(statements);
    return statements;
  }

private:
  size_t afterParens(size_t at) { return tokens_.isParen(at) ? tokens_.afterBrackets(at) : at; }

  /// After `for (…)`, `while (…)`, `if constexpr (…)`; words may stand before the parenthesis.
  size_t afterHead(size_t keyword) {
    size_t at = tokens_.next(keyword);
    while (at < tokens_.size() && (tokens_.word(at) == Word::Name || tokens_.word(at) == Word::Other))
      at = tokens_.next(at);
    return afterParens(at);
  }

  size_t afterStatement(size_t at, unsigned depth) {
    if (depth > kMaxDepth)
      return tokens_.size();
    while (tokens_.isSquare(at) && tokens_.word(tokens_.next(at)) == Word::Open) // attributes
      at = tokens_.afterBrackets(at);
    const Word word = tokens_.word(at);
    if (word == Word::Brace)
      return tokens_.afterBrackets(at);
    if (llvm::is_contained({Word::For, Word::While, Word::Do, Word::LoopHead, Word::LoopWhole}, word))
      return afterLoop(at, depth);
    if (word == Word::If || word == Word::Switch) {
      at = afterStatement(afterHead(at), depth + 1);
      const bool hasElse = word == Word::If && tokens_.word(at) == Word::Else;
      return hasElse ? afterStatement(tokens_.next(at), depth + 1) : at;
    }
    if (word != Word::Try)
      return afterExpression(at);
    at = afterStatement(tokens_.next(at), depth + 1);
    while (tokens_.word(at) == Word::Catch)
      at = afterStatement(afterHead(at), depth + 1);
    return at;
  }

  size_t afterLoop(size_t keyword, unsigned depth) {
    const Word word = tokens_.word(keyword);
    if (word == Word::LoopWhole)
      return afterParens(tokens_.next(keyword));
    if (word == Word::LoopHead || word == Word::Name)
      return afterStatement(afterParens(tokens_.next(keyword)), depth + 1);
    if (word != Word::Do)
      return afterStatement(afterHead(keyword), depth + 1);
    const size_t tail = afterStatement(tokens_.next(keyword), depth + 1);
    if (tokens_.word(tail) != Word::While)
      return tail;
    tails_.insert(tail);
    return afterExpression(tail);
  }

  size_t afterExpression(size_t at) {
    while (at < tokens_.size() && tokens_.word(at) != Word::Close) {
      const Word word = tokens_.word(at);
      at = word == Word::Open || word == Word::Brace ? tokens_.afterBrackets(at) : tokens_.next(at);
      if (word == Word::Semicolon)
        break;
    }
    return at;
  }

  /// After the end of another statement, or after a head whose body it is. (A function's name stands after its type.)
  bool startsStatement(size_t at) const {
    return at == 0 || llvm::is_contained({Word::Semicolon, Word::Brace, Word::Close, Word::Colon, Word::Else, Word::Do,
                                          Word::LoopHead, Word::Alternative},
                                         tokens_.word(at - 1));
  }

  /// `list_for_each(…) {`, or in a function `FOR_ALL(i) f(i);`, which only a macro can make a statement of. Elsewhere
  /// such a macro declares something, and what follows it is another declaration.
  bool isCalledLikeALoop(size_t name) {
    constexpr llvm::StringLiteral kParts[] = {"foreach", "for_", "_for", "loop", "repeat", "while"};
    const llvm::StringRef text = tokens_.text(name);
    if (!startsStatement(name) || llvm::none_of(kParts, [&](auto part) { return text.contains_insensitive(part); }))
      return false;
    const size_t open = tokens_.next(name);
    const Word after = tokens_.isParen(open) ? tokens_.word(tokens_.afterBrackets(open)) : Word::Other;
    return after == Word::Brace ||
           ((after == Word::Name || after == Word::If) && functions_.around(tokens_[name].begin));
  }

  /// `again: … goto again;`, up to the last `goto` of the function. Outside of functions, as in a file that is included
  /// in the middle of one, a label is known up to the next function.
  void addGotos(std::vector<LoopStatement> &statements) const {
    const std::vector<FunctionExtent> &all = functions_.all();
    // A function's index with `true`, or how many functions begin before with `false`.
    using Scope = std::pair<bool, size_t>;
    const auto scopeOf = [&](uint32_t offset) -> Scope {
      if (const FunctionExtent *function = functions_.around(offset))
        return {true, function - all.data()};
      return {false,
              llvm::partition_point(all, [&](const auto &one) { return one.extent.begin < offset; }) - all.begin()};
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
    for (const auto &[key, label] : labels)
      keep(label);
  }

  SourceTokens &tokens_;
  const FunctionExtents &functions_;
  llvm::DenseSet<size_t> tails_; ///< the `while` of each `do`
};

} // namespace

LoopStatements::LoopStatements(std::string_view source, wire::Language language) {
  SourceTokens tokens(source, language);
  functions_ = findFunctionExtents(tokens);
  statements_ = NestedExtents(Parser(tokens, functions_).parse());
  includes_ = tokens.includes();
}

} // namespace analysis
