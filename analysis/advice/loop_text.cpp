#include "analysis/advice/loop_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace analysis {
namespace {

using llvm::StringRef;

constexpr StringRef kAssignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};

/// Functions of math.h that compilers vectorize, or make instructions of, once errno does not matter.
constexpr StringRef kMath[] = {"sqrt", "exp",  "exp2", "log",   "log2", "log10", "pow",   "sin",      "cos",
                               "tan",  "asin", "acos", "atan",  "sinh", "cosh",  "tanh",  "atan2",    "cbrt",
                               "fma",  "fmod", "ceil", "floor", "rint", "trunc", "round", "nearbyint"};

constexpr StringRef kNarrowUnsigned[] = {"unsigned", "uint32_t", "uint16_t", "uint8_t", "u32", "u16", "uint"};

/// Words that look like names, after which an expression begins.
constexpr StringRef kOperatorWords[] = {"return", "case", "throw", "sizeof", "delete", "co_return", "co_yield"};

bool isFloatingLiteral(StringRef text) {
  if (text.empty() || !(llvm::isDigit(text.front()) || text.front() == '.') || text == ".")
    return false;
  if (text.starts_with_insensitive("0x") || text.ends_with_insensitive("f") || text.ends_with_insensitive("l"))
    return false;
  return text.find_first_of(".eE") != StringRef::npos && text.drop_while([](char c) { return c == '.'; }) != "";
}

/// A decimal literal with any suffix; no value for anything else.
std::optional<uint64_t> integerOf(StringRef text) {
  uint64_t number = 0;
  if (text.consumeInteger(10, number) || text.find_first_not_of("uUlLzZ") != StringRef::npos)
    return std::nullopt;
  return number;
}

} // namespace

/// `p->n`, `a.b.c`, `n_`: a value that a loop reads by name through memory.
struct LoopText::Chain {
  std::string text; ///< without spaces
  size_t first = 0; ///< tokens, half-open
  size_t after = 0;
};

LoopText::LoopText(std::string_view source, wire::Language language, const LoopStatement *statement,
                   const FunctionExtents &functions)
    : source_(source), language_(language), statement_(statement), functions_(functions), tokens_(source, language) {
  if (!statement)
    return;
  begin_ = firstToken(statement->keyword);
  end_ = firstToken(statement->extent.end);
  const Word word = tokens_.word(begin_);
  const bool hasKeyword = word == Word::For || word == Word::While || word == Word::Do;
  // Alternatives of the preprocessor make several texts of one.
  const auto isAlternative = [&](size_t at) { return tokens_.word(at) == Word::Alternative; };
  isPlain_ = hasKeyword && !statement->isLabel && llvm::none_of(llvm::seq(begin_, end_), isAlternative);
}

wire::SourceKept LoopText::kept() const {
  if (isPlain_)
    return wire::SourceKept::No;
  if (statement_ && statement_->isLabel)
    return wire::SourceKept::Goto;
  const bool depends =
      llvm::any_of(llvm::seq(begin_, end_), [&](size_t at) { return tokens_.word(at) == Word::Alternative; });
  return depends ? wire::SourceKept::Alternatives : wire::SourceKept::Elsewhere;
}

size_t LoopText::firstToken(uint32_t offset) const {
  size_t low = 0, high = tokens_.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (tokens_[middle].begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// ---- pragmas -------------------------------------------------------------------------------------------------------

Edits LoopText::pragmaBefore(std::string_view pragma) const {
  if (!isPlain_)
    return {};
  return {{{statement_->keyword, statement_->keyword}, "_Pragma(\"" + std::string(pragma) + "\") "}};
}

/// The first token of the body.
std::optional<size_t> LoopText::bodyBegin() const {
  if (!isPlain_)
    return std::nullopt;
  const size_t at = tokens_.word(begin_) == Word::Do ? begin_ + 1 : firstToken(statement_->headEnd);
  if (at >= end_)
    return std::nullopt;
  return at;
}

Edits LoopText::pragmaInBody(std::string_view pragma) const {
  const std::optional<size_t> body = bodyBegin();
  if (!body)
    return {};
  const std::string words = " _Pragma(\"" + std::string(pragma) + "\")";
  const Token &first = tokens_[*body];
  if (first.word == Word::Brace)
    return {{{first.end, first.end}, words}};
  if (tokens_.word(begin_) == Word::Do)
    return {};
  const uint32_t end = statement_->extent.end;
  return {{{first.begin, first.begin}, "{" + words + " "}, {{end, end}, " }"}};
}

/// Statements before the loop, in a block that ends with it.
Edits LoopText::around(std::string before) const {
  const uint32_t begin = statement_->keyword, end = statement_->extent.end;
  return {{{begin, begin}, "{ " + std::move(before) + " "}, {{end, end}, " }"}};
}

Edits LoopText::assumeMultiple(unsigned factor) const {
  if (!isPlain_ || tokens_.word(begin_) != Word::For)
    return {};
  for (size_t at = begin_; at + 2 < end_ && tokens_[at].begin < statement_->headEnd; ++at)
    if ((textAt(at) == "<" || textAt(at) == "!=") && tokens_.word(at + 1) == Word::Name &&
        tokens_.word(at + 2) == Word::Semicolon)
      return around("__builtin_assume(" + textAt(at + 1).str() + " % " + std::to_string(factor) + " == 0);");
  return {};
}

// ---- values that a loop reads through memory -----------------------------------------------------------------------

/// Whether the name is declared inside of the loop: a type is in front of it.
bool LoopText::declares(StringRef name) const {
  for (size_t at = begin_ + 1; at < end_; ++at) {
    if (tokens_.word(at) != Word::Name || textAt(at) != name)
      continue;
    size_t before = at - 1;
    while (before > begin_ && llvm::is_contained({"*", "&", "&&", ">"}, textAt(before)))
      --before;
    const StringRef type = textAt(before);
    const bool isDirect = before + 1 == at;
    // `a * b` may be a declaration, too: one of a name that is assigned or listed next.
    const bool isAssigned = llvm::is_contained({"=", ":", ";", ",", "{"}, textAt(at + 1));
    if (tokens_.word(before) == Word::Name && !llvm::is_contained(kOperatorWords, type) && (isDirect || isAssigned))
      return true;
  }
  return false;
}

bool LoopText::isWritten(size_t first, size_t after) const {
  if (llvm::is_contained(kAssignments, textAt(after)))
    return true;
  const StringRef before = first > begin_ ? textAt(first - 1) : "";
  if (before == "++" || before == "--")
    return true;
  // The address of it, if no operand is in front: then `&` is no bitwise and.
  if (before != "&" || first < begin_ + 2)
    return false;
  const Word operand = tokens_.word(first - 2);
  return operand != Word::Name && operand != Word::Close;
}

std::vector<LoopText::Chain> LoopText::readChains() const {
  std::vector<Chain> chains;
  const auto isLink = [&](size_t at) { return textAt(at) == "->" || textAt(at) == "."; };
  for (size_t at = begin_; at < end_;) {
    if (tokens_.word(at) != Word::Name || (at > begin_ && (isLink(at - 1) || textAt(at - 1) == "::"))) {
      ++at;
      continue;
    }
    size_t after = at + 1;
    while (after + 1 < end_ && isLink(after) && tokens_.word(after + 1) == Word::Name)
      after += 2;
    const StringRef name = textAt(at);
    const bool isMember = after > at + 1 || name.ends_with("_") || name.starts_with("m_");
    if (isMember) {
      Chain chain{"", at, after};
      for (size_t i = at; i < after; ++i)
        chain.text += textAt(i);
      chains.push_back(std::move(chain));
    }
    at = after;
  }
  return chains;
}

/// Whether the object whose size the chain is has another member function called, unless that is known to leave the
/// size alone.
bool LoopText::isResized(const Chain &size, const std::vector<Chain> &all) const {
  constexpr StringRef kReading[] = {"size", "data", "begin", "end", "empty", "at", "front", "back", "capacity"};
  const StringRef object = StringRef(size.text).drop_back(StringRef("size").size());
  return llvm::any_of(all, [&](const Chain &other) {
    return StringRef(other.text).starts_with(object) && textAt(other.after) == "(" &&
           !llvm::is_contained(kReading, textAt(other.after - 1));
  });
}

std::string LoopText::freshName(std::string_view base) const {
  std::string name = "local_" + std::string(base);
  while (source_.find(name) != std::string_view::npos)
    name += "_";
  return name;
}

Edits LoopText::copyToLocals() const {
  if (!isPlain_)
    return {};
  constexpr size_t kMost = 6;
  const std::vector<Chain> chains = readChains();
  const bool isCxx = language_ == wire::Language::Cxx;
  const std::string type = isCxx ? "auto " : "__auto_type ";
  std::string before;
  Edits edits;
  llvm::StringSet<> seen, names;
  for (const Chain &chain : chains) {
    if (!seen.insert(chain.text).second || names.size() == kMost)
      continue;
    const auto isSame = [&](const Chain &other) { return other.text == chain.text; };
    const StringRef last = textAt(chain.after - 1);
    const bool isSize = isCxx && last == "size" && textAt(chain.after) == "(" && textAt(chain.after + 1) == ")" &&
                        chain.after > chain.first + 1;
    const bool isCall = textAt(chain.after) == "(";
    const StringRef root = textAt(chain.first);
    // Something whose root changes in the loop is another object each time.
    bool isUsable = (isSize || !isCall) && !declares(root);
    for (size_t at = begin_; isUsable && at < end_; ++at)
      if (tokens_.word(at) == Word::Name && textAt(at) == root && (at == begin_ || textAt(at - 1) != "."))
        isUsable = !isWritten(at, at + 1);
    for (const Chain &other : chains)
      if (isUsable && (isSame(other) || StringRef(chain.text).starts_with(other.text)))
        isUsable = !isWritten(other.first, other.after) && (!isSame(other) || isSize == (textAt(other.after) == "("));
    if (!isUsable || (isSize && isResized(chain, chains)))
      continue;
    const std::string name = freshName(last);
    if (!names.insert(name).second)
      continue;
    // In C++ a unary plus accepts numbers and pointers alone: no object is copied. C copies none that is changed.
    before += "const " + type + name + " = " + (isCxx ? "+" : "") + chain.text + (isSize ? "()" : "") + "; ";
    for (const Chain &other : chains)
      if (isSame(other))
        edits.push_back({{tokens_[other.first].begin, tokens_[other.after - 1 + (isSize ? 2 : 0)].end}, name});
    if (!isSize)
      continue;
    // The elements of the same vector.
    const StringRef object =
        source_.substr(tokens_[chain.first].begin, tokens_[chain.after - 2].begin - tokens_[chain.first].begin);
    const std::string data = freshName("data");
    bool isIndexed = false;
    for (size_t at = begin_; at + 1 < end_; ++at)
      if (chain.after == chain.first + 3 && textAt(at) == object && textAt(at + 1) == "[" &&
          (at == begin_ || (textAt(at - 1) != "." && textAt(at - 1) != "->"))) {
        edits.push_back({{tokens_[at].begin, tokens_[at].end}, data});
        isIndexed = true;
      }
    if (isIndexed && names.insert(data).second)
      before += type + data + " = " + object.str() + textAt(chain.after - 2).str() + "data(); ";
  }
  if (edits.empty())
    return {};
  before.pop_back();
  Edits all = around(std::move(before));
  all.insert(all.begin() + 1, edits.begin(), edits.end());
  std::ranges::stable_sort(all, {}, [](const wire::Edit &edit) { return edit.at.begin; });
  return all;
}

// ---- types ---------------------------------------------------------------------------------------------------------

Edits LoopText::restrictParameters() const {
  const FunctionExtent *function = statement_ ? functions_.around(statement_->keyword) : nullptr;
  if (!function || function->name.begin == function->name.end)
    return {};
  size_t at = firstToken(function->name.end);
  if (!tokens_.isParen(at))
    return {};
  Edits edits;
  for (unsigned depth = 0; at < tokens_.size(); ++at) {
    const Word word = tokens_.word(at);
    if (word == Word::Open || word == Word::Brace)
      ++depth;
    else if (word == Word::Close && --depth == 0)
      break;
    const bool isLastStar = depth == 1 && textAt(at) == "*" && tokens_.word(at + 1) == Word::Name &&
                            (textAt(at + 2) == "," || textAt(at + 2) == ")");
    if (isLastStar)
      edits.push_back({{tokens_[at].end, tokens_[at].end}, "__restrict "});
  }
  return edits.size() < 2 ? Edits() : edits;
}

/// `for (unsigned i = 0; …`: the words from the parenthesis to the counter's name are its type.
Edits LoopText::signedCounter() const {
  if (!isPlain_ || tokens_.word(begin_) != Word::For)
    return {};
  size_t first = begin_ + 2, at = first;
  bool isNarrow = false;
  for (; at + 1 < end_ && tokens_.word(at + 1) == Word::Name; ++at)
    isNarrow |= llvm::is_contained(kNarrowUnsigned, textAt(at));
  const bool isWide = llvm::any_of(llvm::seq(first, at), [&](size_t i) { return textAt(i) == "long"; });
  if (!isNarrow || isWide || tokens_.word(at) != Word::Name || textAt(at + 1) != "=")
    return {};
  if (at >= first + 2 && textAt(first) == "std" && textAt(first + 1) == "::")
    first += 2;
  return {{{tokens_[first].begin, tokens_[at - 1].end}, "long"}};
}

Edits LoopText::floatLiterals() const {
  Edits edits;
  for (size_t at = begin_; isPlain_ && at < end_; ++at)
    if (isFloatingLiteral(textAt(at)))
      edits.push_back({{tokens_[at].end, tokens_[at].end}, "f"});
  return edits;
}

// ---- branches and calls --------------------------------------------------------------------------------------------

Edits LoopText::conditionsIn(std::string_view opening, std::string_view closing) const {
  constexpr size_t kMost = 4;
  Edits edits;
  for (size_t at = begin_; isPlain_ && at + 1 < end_ && edits.size() < 2 * kMost; ++at) {
    if (tokens_.word(at) != Word::If || !tokens_.isParen(at + 1))
      continue;
    size_t close = at + 1;
    bool isPlain = true;
    for (unsigned depth = 0; close < end_; ++close) {
      const Word word = tokens_.word(close);
      depth += word == Word::Open || word == Word::Brace;
      isPlain &= word != Word::Semicolon;
      if (word == Word::Close && --depth == 0)
        break;
    }
    if (!isPlain || close >= end_)
      continue;
    edits.push_back({{tokens_[at + 1].end, tokens_[at + 1].end}, std::string(opening)});
    edits.push_back({{tokens_[close].begin, tokens_[close].begin}, std::string(closing)});
  }
  return edits;
}

Edits LoopText::inlineFunctions(const std::vector<std::string> &names) const {
  Edits edits;
  for (const FunctionExtent &function : functions_.all()) {
    const StringRef name = StringRef(source_).slice(function.name.begin, function.name.end);
    const auto isIt = [&](StringRef called) { return called == name || called.ends_with("::" + name.str()); };
    if (!name.empty() && llvm::any_of(names, isIt) && edits.size() < 3)
      edits.push_back({{function.extent.begin, function.extent.begin}, "__attribute__((always_inline)) "});
  }
  return edits;
}

// ---- what it tells -------------------------------------------------------------------------------------------------

/// Of `for (… = A; … < B; ++…)` with literals for A and B.
uint64_t LoopText::tripCount() const {
  if (!isPlain_ || tokens_.word(begin_) != Word::For)
    return 0;
  std::optional<uint64_t> from, to;
  bool isByOne = false;
  for (size_t at = begin_; at + 1 < end_ && tokens_[at].begin < statement_->headEnd; ++at) {
    const StringRef text = textAt(at);
    if (text == "=" && !from)
      from = integerOf(textAt(at + 1));
    else if ((text == "<" || text == "<=" || text == "!=") && !to && tokens_.word(at + 2) == Word::Semicolon) {
      to = integerOf(textAt(at + 1));
      if (to && text == "<=")
        ++*to;
    }
    isByOne |= text == "++";
  }
  return isByOne && from && to && *to > *from ? *to - *from : 0;
}

bool LoopText::callsMath() const {
  for (size_t at = begin_; at + 1 < end_; ++at) {
    StringRef name = textAt(at);
    if (tokens_.word(at) != Word::Name || !tokens_.isParen(at + 1))
      continue;
    if (llvm::is_contained(kMath, name) || (name.consume_back("f") && llvm::is_contained(kMath, name)))
      return true;
  }
  return false;
}

bool LoopText::hasCondition() const {
  return llvm::any_of(llvm::seq(begin_, end_),
                      [&](size_t at) { return tokens_.word(at) == Word::If || textAt(at) == "?"; });
}

} // namespace analysis
