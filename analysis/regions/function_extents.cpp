// The text between the last `;`, `{` or `}` and a brace is the head of what the brace opens. It is read once, from left
// to right, and mistakes of it stay local: after the brace that closes, reading starts afresh.
#include "analysis/regions/function_extents.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

constexpr size_t kNowhere = ~size_t{0};
/// Functions and scopes inside each other; each costs a call of scan().
constexpr unsigned kMaxDepth = 256;
/// Declarations of parameters between the head of a K&R definition and its body.
constexpr size_t kMaxDeclarations = 64;
/// Words between the parameters of a lambda and its body.
constexpr unsigned kMaxLambdaWords = 64;

/// Words whose parentheses hold no parameters.
constexpr std::string_view kNoParameters[] = {"__attribute__", "__attribute", "__declspec", "__asm__",  "__asm",
                                              "asm",           "alignas",     "_Alignas",   "decltype", "typeof",
                                              "__typeof__",    "noexcept",    "throw",      "requires", "explicit"};
constexpr std::string_view kClassWords[] = {"class", "struct", "union", "enum"};
constexpr std::string_view kAccess[] = {"public", "protected", "private"};
/// Words after which a `[` opens no subscript.
constexpr std::string_view kBeforeLambda[] = {"return", "co_return", "co_yield", "throw", "case"};
/// Besides names and brackets, the tokens between the parameters of a lambda and its body.
constexpr std::string_view kInLambdaHead[] = {"->", "::", "<", ">", ">>", "*", "&"};

class ExtentReader {
public:
  explicit ExtentReader(SourceTokens &tokens) : tokens_(tokens) {}

  FunctionExtents run() {
    scan(0, tokens_.size(), /*inBody=*/false, 0);
    FunctionExtents extents(std::move(found_));
    addOwnCalls(extents);
    return extents;
  }

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

  /// Finds the functions between two tokens, which are the inside of a body, or of a scope: a file, a namespace, a
  /// class.
  void scan(size_t at, size_t end, bool inBody, unsigned depth) {
    std::vector<size_t> starts{at};
    unsigned parens = 0; // a semicolon inside of them, as in `for (;;)`, ends nothing
    while (at < end) {
      const Word word = tokens_.word(at);
      if (word == Word::Brace) {
        at = openBrace(at, starts, inBody, depth);
        parens = starts.back() == at ? 0 : parens;
        continue;
      }
      const size_t body = tokens_.isSquare(at) && depth < kMaxDepth ? lambdaBody(at) : kNowhere;
      if (body != kNowhere) {
        at = tokens_.afterBrackets(body);
        add(body, at, kNowhere);
        scan(body + 1, at, /*inBody=*/true, depth + 1);
        continue;
      }
      ++at;
      if (word == Word::Semicolon && !parens) {
        if (starts.size() > kMaxDeclarations)
          starts.clear();
        starts.push_back(at);
      } else if (word == Word::Alternative || (word == Word::Close && tokens_[at - 1].bracket == '}')) {
        starts.assign(1, at);
      }
      parens += word == Word::Open;
      parens -= word == Word::Close && parens > 0;
    }
  }

  /// Handles a brace, and returns the token to go on with. `starts`: where the segments between semicolons begin that
  /// stand before the brace.
  size_t openBrace(size_t at, std::vector<size_t> &starts, bool inBody, unsigned depth) {
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

  /// Reads the tokens from `start` to the brace. The name of a function is the last one before parameters.
  Head headOf(size_t start, size_t brace, bool inBody) {
    Head head{.begin = afterAccess(start)};
    const Word first = tokens_.word(head.begin);
    head.isStatement = first >= Word::For && first <= Word::Goto;
    if (head.isStatement || first == Word::LoopHead || head.begin >= brace)
      return head;
    bool inClass = false, inInitializers = false;
    for (size_t at = head.begin; at < brace;) {
      const std::string_view text = tokens_.text(at);
      const Word word = tokens_.word(at);
      if (text == "=" || text == "return")
        return head;
      if (text == "namespace") {
        head.kind = Kind::Scope;
        return head;
      }
      if (text == "template") {
        at = afterAngles(tokens_.next(at));
      } else if (text == "operator") {
        at = readOperator(head, at, brace);
      } else if (word == Word::Colon) {
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
        if (!inInitializers)
          readParameters(head, at, after, inClass);
        at = after;
      } else if (word == Word::Open || word == Word::Brace) {
        at = tokens_.afterBrackets(at);
      } else {
        inClass |= llvm::is_contained(kClassWords, text);
        at = tokens_.next(at);
      }
    }
    head.kind = inClass && head.name == kNowhere ? Kind::Scope : kindOf(head, brace, inBody, inInitializers);
    return head;
  }

  /// `operator<(…)`, `operator()(…)`: the name is the first token after the keyword. Returns the token after the
  /// parameters.
  size_t readOperator(Head &head, size_t keyword, size_t brace) {
    const size_t name = tokens_.next(keyword);
    size_t at = tokens_.isParen(name) ? tokens_.afterBrackets(name) : name;
    while (at < brace && !tokens_.isParen(at))
      at = tokens_.next(at);
    head.name = at < brace ? name : kNowhere;
    return head.afterParameters = tokens_.afterBrackets(at);
  }

  /// Parentheses after a name are parameters, but not in `struct EXPORT(x) S {`.
  void readParameters(Head &head, size_t open, size_t after, bool inClass) const {
    const bool isNamed = open > head.begin && tokens_.word(open - 1) == Word::Name &&
                         !llvm::is_contained(kNoParameters, tokens_.text(open - 1));
    if (!isNamed || (inClass && tokens_.word(after) == Word::Name))
      return;
    if (head.name != kNowhere)
      head.begin = head.afterParameters; // a macro stood before the function
    head.name = open - 1;
    head.afterParameters = after;
  }

  /// What the brace after a head with parameters opens. In an initializer list, a brace after a word is a member's
  /// (`: a{1}`), and one after parentheses the body.
  Kind kindOf(const Head &head, size_t brace, bool inBody, bool inInitializers) const {
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

  /// `int f(a, b) int a; char *b; {`: declarations stand between the head and the brace.
  Head oldStyleHead(const std::vector<size_t> &starts, size_t brace) {
    for (size_t i = starts.size() - 1; i-- > 0;) {
      const Head head = headOf(starts[i], starts[i + 1] - 1, /*inBody=*/false);
      if (head.kind == Kind::Function && head.afterParameters < brace &&
          tokens_.word(head.afterParameters) == Word::Name)
        return head;
    }
    return {};
  }

  /// The brace of the lambda whose introducer begins here; kNowhere if it begins none.
  size_t lambdaBody(size_t square) {
    const Word before = square ? tokens_.word(square - 1) : Word::Other;
    const bool subscript =
        before == Word::Close || (before == Word::Name && !llvm::is_contained(kBeforeLambda, tokens_.text(square - 1)));
    if (subscript || tokens_.isSquare(square + 1)) // `[[` begins an attribute
      return kNowhere;
    size_t at = afterAngles(tokens_.afterBrackets(square));
    for (unsigned words = 0; words < kMaxLambdaWords; ++words) {
      const Word word = tokens_.word(at);
      if (word == Word::Brace)
        return at;
      const bool isInHead = word == Word::Other && llvm::is_contained(kInLambdaHead, tokens_.text(at));
      if (word != Word::Open && word != Word::Name && !isInHead) // `[2] = {`
        return kNowhere;
      at = word == Word::Open ? tokens_.afterBrackets(at) : tokens_.next(at);
    }
    return kNowhere;
  }

  /// After the template parameters that begin here, if any do. A `<` without its `>` ends before the next `;` or `{`.
  size_t afterAngles(size_t at) {
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
  size_t afterAccess(size_t at) const {
    if (!llvm::is_contained(kAccess, tokens_.text(at)))
      return at;
    for (size_t colon = at + 1; colon <= at + 2; ++colon)
      if (tokens_.word(colon) == Word::Colon)
        return colon + 1;
    return at;
  }

  void add(size_t begin, size_t after, size_t name) {
    FunctionExtent made{.extent = {tokens_[begin].begin, tokens_.endOf(begin, after)}};
    if (name != kNowhere)
      made.name = {tokens_[name].begin, tokens_[name].end};
    found_.push_back(std::move(made));
  }

  /// A recursion that the compiler turned into a loop stands at these calls.
  void addOwnCalls(FunctionExtents &extents) const {
    for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (tokens_.word(at) != Word::Name || !tokens_.isParen(at + 1))
        continue;
      const FunctionExtent *function = extents.around(tokens_[at].begin);
      // A lambda; or what ends in the lambda, where conditionals cut both.
      while (function && (function->name.begin == function->name.end || function->extent.end <= tokens_[at].begin))
        function = extents.around(*function);
      if (!function || tokens_[at].begin <= function->name.begin)
        continue;
      const auto [begin, end] = function->name;
      const std::string_view before = tokens_.text(at - 1);
      if (tokens_.text(at) == tokens_.source().substr(begin, end - begin) && before != "." && before != "->" &&
          before != "::")
        extents.all()[static_cast<size_t>(function - extents.all().data())].ownCalls.push_back(tokens_[at].begin);
    }
  }

  SourceTokens &tokens_;
  std::vector<FunctionExtent> found_;
};

} // namespace

FunctionExtents findFunctionExtents(SourceTokens &tokens) {
  return ExtentReader(tokens).run();
}

} // namespace analysis
