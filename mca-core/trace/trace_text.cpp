#include "mca-core/trace/trace_text.h"

#include "mca-core/trace/trace_lexer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace mca {
namespace {

using Kind = TraceLexeme::Kind;
using TokenKind = TraceToken::Kind;

constexpr uint64_t kMaxCount = 1ull << 40;
constexpr uint64_t kMaxExpanded = 1ull << 32;
constexpr size_t kMaxStatements = 1u << 20;
constexpr size_t kMaxDepth = 64;

constexpr std::pair<std::string_view, TokenKind> kKeywords[] = {
    {"ENTRY", TokenKind::Entry}, {"RET", TokenKind::Return}, {".", TokenKind::FallThrough},
    {"T", TokenKind::Taken},     {"N", TokenKind::NotTaken}, {"FALLTHROUGH", TokenKind::FallThrough},
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns nothing for other text than digits, and for numbers beyond 2^64 - 1.
std::optional<uint64_t> parseNumber(std::string_view text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// `x5`, and what was probably meant as that.
bool isRepeat(const TraceLexeme &lexeme) {
  if (!lexeme.is(Kind::Word) || !lexeme.text.starts_with('x'))
    return false;
  std::string_view count = lexeme.text.substr(1);
  count.remove_prefix(count.starts_with('-') ? 1 : 0);
  return !count.empty() && std::ranges::all_of(count, isDigit);
}

class Reader {
public:
  explicit Reader(std::string_view text, TracePosition start = {}) : lexer_(text, start) {}

  std::variant<TraceText, TraceError> read(bool hasHeader) {
    const bool complete = (!hasHeader || readHeader()) && readStatements();
    if (!complete)
      return std::move(error_);
    return std::move(text_);
  }

private:
  /// A group whose `)` was not read yet; the first one is the whole sequence.
  struct OpenGroup {
    uint32_t node = 0;         ///< unused in the first one
    uint64_t expanded = 0;     ///< tokens so far
    uint64_t lastExpanded = 0; ///< tokens of the last item
    uint32_t lastNode = 0;     ///< the last item, which a repeat belongs to
    bool isAfterItem = false;  ///< whether a comma or a repeat may follow
    bool isAfterComma = false;
    bool isRepeated = false; ///< whether the last item has its repeat already
  };

  bool fail(TracePosition position, std::string message) {
    error_ = {position, std::move(message)};
    return false;
  }
  bool failExpecting(const std::string &expected) {
    return fail(lexer_.peek().position, "expected " + expected + ", found " + quoted(lexer_.peek()));
  }

  bool readHeader();
  bool readStatements();
  bool readStatement();
  bool readSource();
  bool readBinary();
  bool readTrace();
  bool readPath();
  bool readEdge();
  bool readBlock();
  bool readEndOfLine();
  bool readColon();
  bool readWord(const char *expected, std::string &word);
  bool readFunction(std::string &function);
  bool readCount(const char *expected, uint64_t &count);
  bool readPlace(const char *expected, uint32_t &token, TracePosition &position);
  bool intern(const TraceLexeme &lexeme, uint32_t &index);
  bool parseToken(const TraceLexeme &lexeme, TraceToken &token);
  bool parseName(const TraceLexeme &lexeme, TraceToken &token);
  bool readSequence(TraceSequence &sequence);
  bool readItem();
  bool openGroup();
  bool closeGroup();
  bool readRepeat();
  bool readComma();
  bool addNode(const TraceNode &node);
  bool addItem(uint32_t node, uint64_t expanded, TracePosition position);

  TraceLexer lexer_;
  TraceText text_;
  TraceError error_;
  std::vector<OpenGroup> open_;
  std::unordered_map<std::string_view, uint32_t> interned_; ///< index of a token, by how it is written
  size_t statements_ = 0;
};

// ---- statements ----------------------------------------------------------------------------------------------------

/// A text that starts with a tuple has no header. Of one that is no trace, nothing is quoted: it may be any file.
bool Reader::readHeader() {
  while (lexer_.peek().is(Kind::EndOfLine))
    lexer_.take();
  if (lexer_.peek().is(Kind::Open))
    return true;
  if (!lexer_.peek().isWord("mcatrace"))
    return fail(lexer_.peek().position, "this is no branch trace: it does not begin with `mcatrace 1`");
  lexer_.take();
  if (!lexer_.peek().isWord("1"))
    return failExpecting("version 1 of the format");
  lexer_.take();
  return readEndOfLine();
}

bool Reader::readStatements() {
  while (!lexer_.peek().is(Kind::EndOfText)) {
    if (lexer_.peek().is(Kind::EndOfLine)) {
      lexer_.take();
      continue;
    }
    if (++statements_ > kMaxStatements)
      return fail(lexer_.peek().position, "a trace has at most " + std::to_string(kMaxStatements) + " statements");
    if (!readStatement() || !readEndOfLine())
      return false;
  }
  return true;
}

bool Reader::readStatement() {
  if (lexer_.peek().is(Kind::Open)) {
    TraceStatement tuple{.position = lexer_.peek().position};
    text_.traces.push_back(tuple);
    return readSequence(text_.traces.back().sequence);
  }
  static constexpr std::pair<std::string_view, bool (Reader::*)()> kStatements[] = {
      {"trace", &Reader::readTrace}, {"path", &Reader::readPath},     {"edge", &Reader::readEdge},
      {"block", &Reader::readBlock}, {"source", &Reader::readSource}, {"binary", &Reader::readBinary},
  };
  for (const auto &[name, read] : kStatements)
    if (lexer_.peek().isWord(name))
      return (this->*read)();
  return failExpecting("a statement (`trace`, `path`, `edge`, `block`, `source` or `binary`) or a tuple");
}

bool Reader::readSource() {
  lexer_.take();
  return readWord("the path of the assembly text", text_.source);
}

bool Reader::readBinary() {
  lexer_.take();
  if (!readWord("the path of the program", text_.binary))
    return false;
  if (!lexer_.peek().isWord("buildid"))
    return true;
  lexer_.take();
  const TraceLexeme id = lexer_.peek();
  const auto isHex = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  if (!id.is(Kind::Word) || !std::all_of(id.text.begin(), id.text.end(), isHex))
    return failExpecting("a build id in hexadecimal");
  text_.buildId = lexer_.take().text;
  return true;
}

bool Reader::readTrace() {
  TraceStatement trace{.position = lexer_.take().position};
  if (!lexer_.peek().is(Kind::Colon) && !lexer_.peek().is(Kind::Open) &&
      (!readFunction(trace.function) || !readColon()))
    return false;
  if (lexer_.peek().is(Kind::Colon))
    lexer_.take();
  text_.traces.push_back(std::move(trace));
  return readSequence(text_.traces.back().sequence);
}

bool Reader::readPath() {
  WeightedPath path{.path = {.position = lexer_.take().position}};
  if (!readFunction(path.path.function) || !readCount("the number of times that the path was taken", path.count) ||
      !readColon())
    return false;
  text_.paths.push_back(std::move(path));
  return readSequence(text_.paths.back().path.sequence);
}

bool Reader::readEdge() {
  TraceEdge edge{.position = lexer_.take().position};
  if (!readFunction(edge.function) || !readPlace("the place of a branch", edge.from, edge.fromPosition))
    return false;
  if (!lexer_.peek().isWord("->"))
    return failExpecting("`->`");
  lexer_.take();
  if (!readPlace("the successor of the branch", edge.to, edge.toPosition) ||
      !readCount("the number of times that the edge was taken", edge.count))
    return false;
  if (lexer_.peek().isWord("m")) {
    lexer_.take();
    const TracePosition position = lexer_.peek().position;
    if (!readCount("the number of mispredictions", edge.mispredictions))
      return false;
    if (edge.mispredictions > edge.count)
      return fail(position, "there are more mispredictions than executions");
    edge.isMeasured = true;
  }
  text_.edges.push_back(std::move(edge));
  return true;
}

bool Reader::readBlock() {
  BlockCount block{.position = lexer_.take().position};
  if (!readFunction(block.function) || !readPlace("the label of a block", block.block, block.blockPosition) ||
      !readCount("the number of executions", block.count))
    return false;
  text_.blocks.push_back(std::move(block));
  return true;
}

// ---- parts of statements -------------------------------------------------------------------------------------------

bool Reader::readEndOfLine() {
  if (lexer_.peek().is(Kind::EndOfText))
    return true;
  if (!lexer_.peek().is(Kind::EndOfLine))
    return failExpecting("the end of the line");
  lexer_.take();
  return true;
}

bool Reader::readColon() {
  if (!lexer_.peek().is(Kind::Colon))
    return failExpecting("`:`");
  lexer_.take();
  return true;
}

/// A word or a quoted name, without its quotes.
bool Reader::readWord(const char *expected, std::string &word) {
  const TraceLexeme lexeme = lexer_.peek();
  if (lexeme.is(Kind::Quoted) && lexeme.text.size() > 2 && lexeme.text.ends_with('"'))
    word = lexeme.text.substr(1, lexeme.text.size() - 2);
  else if (lexeme.is(Kind::Word))
    word = lexeme.text;
  else
    return failExpecting(expected);
  lexer_.take();
  return true;
}

bool Reader::readFunction(std::string &function) {
  return readWord("the name of a function", function);
}

bool Reader::readCount(const char *expected, uint64_t &count) {
  const TraceLexeme lexeme = lexer_.peek();
  const auto value = lexeme.is(Kind::Word) ? parseNumber(lexeme.text, 10) : std::nullopt;
  if (!value || *value > kMaxCount)
    return failExpecting(std::string(expected) + ", from 0 to 2^40");
  lexer_.take();
  count = *value;
  return true;
}

bool Reader::readPlace(const char *expected, uint32_t &token, TracePosition &position) {
  const TraceLexeme lexeme = lexer_.peek();
  if (!lexeme.is(Kind::Word) && !lexeme.is(Kind::Quoted))
    return failExpecting(expected);
  position = lexer_.take().position;
  return intern(lexeme, token);
}

bool Reader::intern(const TraceLexeme &lexeme, uint32_t &index) {
  const auto [known, isNew] = interned_.try_emplace(lexeme.text, static_cast<uint32_t>(text_.tokens.size()));
  index = known->second;
  return !isNew || parseToken(lexeme, text_.tokens.emplace_back());
}

bool Reader::parseToken(const TraceLexeme &lexeme, TraceToken &token) {
  const std::string_view text = lexeme.text;
  for (const auto &[keyword, kind] : kKeywords)
    if (text == keyword) {
      token.kind = kind;
      return true;
    }
  const bool isLine = text.starts_with('@') && text.size() > 1 && isDigit(text[1]);
  if (!isLine && !text.starts_with("0x"))
    return parseName(lexeme, token);
  const auto value = isLine ? parseNumber(text.substr(1), 10) : parseNumber(text.substr(2), 16);
  if (!value || (isLine && (*value == 0 || *value > ~0u)))
    return fail(lexeme.position, quoted(text) + (isLine ? " is not a line: expected `@41`, for example"
                                                        : " is not an address: expected `0x401000`, for example"));
  token.kind = isLine ? TokenKind::Line : TokenKind::Address;
  token.value = *value;
  return true;
}

bool Reader::parseName(const TraceLexeme &lexeme, TraceToken &token) {
  token.kind = TokenKind::Name;
  const bool isQuoted = lexeme.is(Kind::Quoted);
  const size_t end = isQuoted ? lexeme.text.rfind('"') + 1 : lexeme.text.rfind('+');
  const std::string_view name = lexeme.text.substr(0, end);
  const std::string_view suffix = end < lexeme.text.size() ? lexeme.text.substr(end) : "";
  const bool hasOffset = isQuoted ? !suffix.empty() : suffix.size() > 1 && isDigit(suffix[1]);
  token.name = isQuoted ? name.substr(1, name.size() - 2) : hasOffset ? name : lexeme.text;
  if (token.name.empty())
    return fail(lexeme.position, "expected a name, found " + quoted(lexeme));
  if (!hasOffset)
    return true;
  const auto offset = suffix.starts_with("+0x") ? parseNumber(suffix.substr(3), 16) : std::nullopt;
  if (!offset)
    return fail(lexeme.position, "expected an offset such as `+0x1a` after the name, found " + quoted(suffix));
  token.value = *offset;
  return true;
}

// ---- sequences of tokens -------------------------------------------------------------------------------------------

bool Reader::readSequence(TraceSequence &sequence) {
  sequence.begin = static_cast<uint32_t>(text_.nodes.size());
  open_.assign(1, {});
  const auto isAtEnd = [&] {
    return lexer_.peek().is(Kind::EndOfText) || (lexer_.peek().is(Kind::EndOfLine) && open_.size() == 1);
  };
  while (!isAtEnd())
    if (!readItem())
      return false;
  if (open_.size() > 1)
    return fail(text_.nodes[open_.back().node].position, "this `(` is not closed");
  if (open_.back().isAfterComma || text_.nodes.size() == sequence.begin)
    return failExpecting("a token");
  sequence.end = static_cast<uint32_t>(text_.nodes.size());
  return true;
}

bool Reader::readItem() {
  const TraceLexeme &next = lexer_.peek();
  switch (next.kind) {
  case Kind::EndOfLine:
    lexer_.take();
    return true;
  case Kind::Open:
    return openGroup();
  case Kind::Close:
    return closeGroup();
  case Kind::Comma:
    return readComma();
  case Kind::Word:
    if (isRepeat(next))
      return readRepeat();
    [[fallthrough]];
  case Kind::Quoted: {
    const TraceLexeme lexeme = lexer_.take();
    const auto node = static_cast<uint32_t>(text_.nodes.size());
    uint32_t token = 0;
    return intern(lexeme, token) && addNode({.token = token, .end = node + 1, .position = lexeme.position}) &&
           addItem(node, 1, lexeme.position);
  }
  default:
    return failExpecting("a token");
  }
}

bool Reader::addNode(const TraceNode &node) {
  if (text_.nodes.size() >= kMaxTraceNodes)
    return fail(node.position, "a trace has at most " + std::to_string(kMaxTraceNodes) +
                                   " tokens; write what repeats as `(…)x5`, for example");
  text_.nodes.push_back(node);
  return true;
}

bool Reader::addItem(uint32_t node, uint64_t expanded, TracePosition position) {
  OpenGroup &group = open_.back();
  group.expanded += expanded;
  group.lastExpanded = expanded;
  group.lastNode = node;
  group.isAfterItem = true;
  group.isAfterComma = group.isRepeated = false;
  return group.expanded <= kMaxExpanded || fail(position, "with its repeats, this trace is longer than 2^32 tokens");
}

bool Reader::openGroup() {
  const TraceLexeme lexeme = lexer_.take();
  if (open_.size() > kMaxDepth)
    return fail(lexeme.position, "groups can be nested " + std::to_string(kMaxDepth) + " levels deep");
  open_.push_back({.node = static_cast<uint32_t>(text_.nodes.size())});
  return addNode({.token = TraceNode::kGroup, .position = lexeme.position});
}

bool Reader::closeGroup() {
  const TracePosition position = lexer_.peek().position;
  if (open_.size() == 1)
    return fail(position, "this `)` closes no group");
  const OpenGroup group = open_.back();
  if (group.isAfterComma || !group.isAfterItem)
    return failExpecting("a token");
  lexer_.take();
  open_.pop_back();
  text_.nodes[group.node].end = static_cast<uint32_t>(text_.nodes.size());
  return addItem(group.node, group.expanded, position);
}

bool Reader::readComma() {
  OpenGroup &group = open_.back();
  if (!group.isAfterItem || group.isAfterComma)
    return failExpecting("a token");
  lexer_.take();
  group.isAfterComma = true;
  return true;
}

bool Reader::readRepeat() {
  const TraceLexeme lexeme = lexer_.take();
  OpenGroup &group = open_.back();
  if (!group.isAfterItem || group.isAfterComma || group.isRepeated)
    return fail(lexeme.position,
                quoted(lexeme) + " repeats nothing: expected a token; a label of this name needs quotes");
  const auto repeats = parseNumber(lexeme.text.substr(1), 10);
  if (!repeats || *repeats == 0 || *repeats > kMaxCount)
    return fail(lexeme.position, "expected a repeat count from 1 to 2^40 after `x`, found " + quoted(lexeme));
  if (*repeats - 1 > (kMaxExpanded - group.expanded) / group.lastExpanded)
    return fail(lexeme.position, "with its repeats, this trace is longer than 2^32 tokens");
  group.expanded += group.lastExpanded * (*repeats - 1);
  group.isRepeated = true;
  text_.nodes[group.lastNode].repeats = *repeats;
  return true;
}

} // namespace

std::variant<TraceText, TraceError> readTrace(std::string_view text) {
  return Reader(text).read(/*hasHeader=*/true);
}

std::variant<TraceText, TraceError> readTraceStatement(std::string_view statement, TracePosition start) {
  return Reader(statement, start).read(/*hasHeader=*/false);
}

std::string textOf(const TraceToken &token) {
  const auto hex = [](uint64_t value) {
    char digits[16];
    return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof(digits), value, 16).ptr);
  };
  switch (token.kind) {
  case TokenKind::Name:
    return token.value ? token.name + "+" + hex(token.value) : token.name;
  case TokenKind::Line:
    return "@" + std::to_string(token.value);
  case TokenKind::Address:
    return hex(token.value);
  default:
    break;
  }
  const auto keyword = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                    [&](const auto &one) { return one.second == token.kind; });
  return std::string(keyword->first);
}

} // namespace mca
