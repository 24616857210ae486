#include "analysis/regions/function_extents.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

constexpr size_t kNowhere = ~size_t{0};
/// Functions and scopes inside each other.
constexpr unsigned kMaxDepth = 256;
/// Declarations of parameters between the head of a K&R definition and its body.
constexpr size_t kMaxDeclarations = 64;
/// Words between the parameters of a lambda and its body.
constexpr unsigned kMaxLambdaWords = 64;

template <size_t N>
bool isOneOf(std::string_view text, const std::string_view (&words)[N]) {
  return llvm::is_contained(words, text);
}

/// Words whose parentheses hold no parameters.
constexpr std::string_view kNoParameters[] = {"__attribute__", "__attribute", "__declspec", "__asm__",  "__asm",
                                              "asm",           "alignas",     "_Alignas",   "decltype", "typeof",
                                              "__typeof__",    "noexcept",    "throw",      "requires", "explicit"};
constexpr std::string_view kClassWords[] = {"class", "struct", "union", "enum"};
constexpr std::string_view kAccess[] = {"public", "protected", "private"};
/// Words after which a `[` opens no subscript.
constexpr std::string_view kBeforeLambda[] = {"return", "co_return", "co_yield", "throw", "case"};

class ExtentReader {
public:
  explicit ExtentReader(SourceTokens &tokens) : tokens_(tokens) {}
  FunctionExtents run();

private:
  enum class Kind { Block, Scope, Function, Member };

  /// What a brace opens, from the tokens before it.
  struct Head {
    Kind kind = Kind::Block;
    size_t begin = 0;
    size_t name = kNowhere;
    size_t afterParameters = kNowhere;
    bool isStatement = false; ///< it begins with the keyword of one
  };

  void scan(size_t at, size_t end, bool inBody, unsigned depth);
  size_t openBrace(size_t at, std::vector<size_t> &starts, bool inBody, unsigned depth);
  Head headOf(size_t start, size_t brace, bool inBody);
  Kind kindOf(const Head &head, size_t brace, bool inBody, bool inInitializers) const;
  Head oldStyleHead(const std::vector<size_t> &starts, size_t brace);
  size_t lambdaBody(size_t square);
  size_t afterAngles(size_t at);
  size_t afterAccess(size_t at) const;
  void add(size_t begin, size_t after, size_t name);
  void addOwnCalls();

  SourceTokens &tokens_;
  std::vector<FunctionExtent> found_;
  FunctionExtents extents_;
};

/// After the template parameters that begin here, if any do.
size_t ExtentReader::afterAngles(size_t at) {
  if (tokens_.text(at) != "<")
    return at;
  int depth = 0;
  for (size_t i = at; i < tokens_.size();) {
    const std::string_view text = tokens_.text(i);
    depth += text == "<" ? 1 : text == ">" ? -1 : text == ">>" ? -2 : 0;
    if (tokens_.word(i) == Word::Semicolon || tokens_.word(i) == Word::Brace)
      return i;
    i = tokens_.isParen(i) ? tokens_.afterBrackets(i) : tokens_.next(i);
    if (depth <= 0)
      return i;
  }
  return tokens_.size();
}

/// After `public:`, Qt's `public slots:` and the like.
size_t ExtentReader::afterAccess(size_t at) const {
  if (!isOneOf(tokens_.text(at), kAccess))
    return at;
  for (size_t colon = at + 1; colon <= at + 2; ++colon)
    if (tokens_.word(colon) == Word::Colon)
      return colon + 1;
  return at;
}

ExtentReader::Kind ExtentReader::kindOf(const Head &head, size_t brace, bool inBody, bool inInitializers) const {
  if (head.name == kNowhere)
    return inBody ? Kind::Block : Kind::Scope; // extern "C"
  const bool afterWord = tokens_.word(brace - 1) == Word::Name || tokens_.text(brace - 1) == ">";
  if (inInitializers && afterWord)
    return Kind::Member;
  if (!inBody)
    return Kind::Function;
  // `int f(int x) {`, which no macro's loop looks like.
  const bool declares = head.name > head.begin && tokens_.word(head.begin) == Word::Name &&
                        (tokens_.word(head.name - 1) == Word::Name || tokens_.text(head.name - 1) == "*");
  return declares && head.afterParameters == brace ? Kind::Function : Kind::Block;
}

ExtentReader::Head ExtentReader::headOf(size_t start, size_t brace, bool inBody) {
  Head head{.begin = afterAccess(start)};
  const Word first = tokens_.word(head.begin);
  head.isStatement = first >= Word::For && first <= Word::Goto;
  if (head.isStatement || first == Word::LoopHead || head.begin >= brace)
    return head;
  bool inClass = false, inInitializers = false;
  for (size_t at = head.begin; at < brace;) {
    const std::string_view text = tokens_.text(at);
    if (text == "=" || text == "return")
      return head;
    if (text == "namespace") {
      head.kind = Kind::Scope;
      return head;
    }
    if (text == "template") {
      at = afterAngles(tokens_.next(at));
    } else if (text == "operator") {
      const size_t call = tokens_.next(at); // operator()(…)
      at = tokens_.isParen(call) ? tokens_.afterBrackets(call) : call;
      while (at < brace && !tokens_.isParen(at))
        at = tokens_.next(at);
      head.name = at < brace ? call : kNowhere;
      at = head.afterParameters = tokens_.afterBrackets(at);
    } else if (tokens_.word(at) == Word::Colon) {
      if (inClass && head.name == kNowhere)
        break;
      inInitializers |= head.name != kNowhere;
      at = tokens_.next(at);
    } else if (tokens_.isParen(at)) {
      const size_t after = tokens_.afterBrackets(at);
      if (after > brace) { // the brace stands in an argument
        head.kind = inBody ? Kind::Block : Kind::Member;
        return head;
      }
      const bool counts = at > head.begin && tokens_.word(at - 1) == Word::Name &&
                          !isOneOf(tokens_.text(at - 1), kNoParameters) && !inInitializers;
      // `struct EXPORT(x) S {`
      if (counts && !(inClass && tokens_.word(after) == Word::Name)) {
        if (head.name != kNowhere)
          head.begin = head.afterParameters; // a macro stood before the function
        head.name = at - 1;
        head.afterParameters = after;
      }
      at = after;
    } else if (tokens_.word(at) == Word::Open || tokens_.word(at) == Word::Brace) {
      at = tokens_.afterBrackets(at);
    } else {
      inClass |= isOneOf(text, kClassWords);
      at = tokens_.next(at);
    }
  }
  head.kind = inClass && head.name == kNowhere ? Kind::Scope : kindOf(head, brace, inBody, inInitializers);
  return head;
}

/// `int f(a, b) int a; char *b; {`: declarations stand between the head and the brace.
ExtentReader::Head ExtentReader::oldStyleHead(const std::vector<size_t> &starts, size_t brace) {
  for (size_t i = starts.size() - 1; i-- > 0;) {
    const Head head = headOf(starts[i], starts[i + 1] - 1, /*inBody=*/false);
    if (head.kind == Kind::Function && head.afterParameters < brace && tokens_.word(head.afterParameters) == Word::Name)
      return head;
  }
  return {};
}

/// The brace of the lambda whose introducer begins here; kNowhere when it begins none.
size_t ExtentReader::lambdaBody(size_t square) {
  const Word before = square ? tokens_.word(square - 1) : Word::Other;
  const bool subscript =
      before == Word::Close || (before == Word::Name && !isOneOf(tokens_.text(square - 1), kBeforeLambda));
  if (subscript || tokens_.isSquare(square + 1))
    return kNowhere;
  size_t at = afterAngles(tokens_.afterBrackets(square));
  for (unsigned words = 0; words < kMaxLambdaWords; ++words) {
    const std::string_view text = tokens_.text(at);
    switch (tokens_.word(at)) {
    case Word::Brace:
      return at;
    case Word::Open:
      at = tokens_.afterBrackets(at);
      break;
    case Word::Name:
      at = tokens_.next(at);
      break;
    case Word::Other: // `[2] = {`
      if (text != "->" && text != "::" && text != "<" && text != ">" && text != ">>" && text != "*" && text != "&")
        return kNowhere;
      at = tokens_.next(at);
      break;
    default:
      return kNowhere;
    }
  }
  return kNowhere;
}

void ExtentReader::add(size_t begin, size_t after, size_t name) {
  FunctionExtent made{.extent = {tokens_[begin].begin, tokens_.endOf(begin, after)}};
  if (name != kNowhere)
    made.name = {tokens_[name].begin, tokens_[name].end};
  found_.push_back(std::move(made));
}

/// The token to go on with. `starts`: where the segments between semicolons begin that stand before the brace.
size_t ExtentReader::openBrace(size_t at, std::vector<size_t> &starts, bool inBody, unsigned depth) {
  Head head = headOf(starts.back(), at, inBody);
  if (!inBody && starts.back() == at && starts.size() > 1)
    head = oldStyleHead(starts, at);
  const bool isBlock = head.kind == Kind::Block && (inBody || !head.isStatement);
  const size_t after = isBlock ? at + 1 : tokens_.afterBrackets(at);
  if (head.kind == Kind::Member)
    return after;
  if (head.kind == Kind::Function)
    add(head.begin, after, head.name);
  if (!isBlock && depth < kMaxDepth)
    scan(at + 1, after, /*inBody=*/head.kind != Kind::Scope, depth + 1);
  starts.assign(1, after);
  return after;
}

void ExtentReader::scan(size_t at, size_t end, bool inBody, unsigned depth) {
  std::vector<size_t> starts{at};
  unsigned parens = 0; // `for (;;)`
  while (at < end) {
    switch (tokens_.word(at)) {
    case Word::Semicolon:
      if (parens) {
        ++at;
        break;
      }
      if (starts.size() > kMaxDeclarations)
        starts.clear();
      starts.push_back(++at);
      break;
    case Word::Close:
      ++at;
      if (tokens_[at - 1].bracket == '}')
        starts.assign(1, at);
      parens -= parens > 0;
      break;
    case Word::Alternative:
      starts.assign(1, ++at);
      break;
    case Word::Brace:
      at = openBrace(at, starts, inBody, depth);
      parens = starts.back() == at ? 0 : parens;
      break;
    default:
      const size_t body = tokens_.isSquare(at) ? lambdaBody(at) : kNowhere;
      if (body == kNowhere || depth == kMaxDepth) {
        parens += tokens_.word(at) == Word::Open;
        ++at;
        break;
      }
      const size_t after = tokens_.afterBrackets(body);
      add(body, after, kNowhere);
      scan(body + 1, after, /*inBody=*/true, depth + 1);
      at = after;
    }
  }
}

void ExtentReader::addOwnCalls() {
  std::vector<FunctionExtent> all = extents_.all();
  for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
    if (tokens_.word(at) != Word::Name || !tokens_.isParen(at + 1))
      continue;
    const FunctionExtent *function = extents_.around(tokens_[at].begin);
    while (function && function->name.begin == function->name.end)
      function = extents_.around(*function);
    if (!function || tokens_[at].begin <= function->name.begin)
      continue;
    const std::string_view before = tokens_.text(at - 1);
    const std::string_view name =
        tokens_.source().substr(function->name.begin, function->name.end - function->name.begin);
    if (tokens_.text(at) == name && before != "." && before != "->" && before != "::")
      all[static_cast<size_t>(function - extents_.all().data())].ownCalls.push_back(tokens_[at].begin);
  }
  extents_ = FunctionExtents(std::move(all));
}

FunctionExtents ExtentReader::run() {
  scan(0, tokens_.size(), /*inBody=*/false, 0);
  extents_ = FunctionExtents(std::move(found_));
  addOwnCalls();
  return std::move(extents_);
}

} // namespace

FunctionExtents findFunctionExtents(SourceTokens &tokens) {
  return ExtentReader(tokens).run();
}

} // namespace analysis
