// Escapes and renders blocks. The rules for markup are those of CommonMark 0.30, plus GitHub's strikethrough (tildes)
// and links (GFM 0.29).
#include "lsp/wording/rich_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lsp::wording {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

bool isSameWord(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, [](unsigned char c) { return std::tolower(c); });
}

/// Whether the character at `i` could be markup: a backslash escape (CommonMark 2.4), an entity (2.5), a code span
/// (6.1), emphasis (6.2), a link (6.3), HTML (6.6) or an address that becomes a link (GFM 6.9). An asterisk between
/// spaces delimits no emphasis, nor does an underscore inside a word; a single tilde strikes nothing through.
bool isMarkup(std::string_view text, size_t i) {
  const char before = i > 0 ? text[i - 1] : ' ';
  const char after = i + 1 < text.size() ? text[i + 1] : ' ';
  switch (text[i]) {
  case '\\':
    return std::ispunct(static_cast<unsigned char>(after));
  case '`':
    return true;
  case '*':
    return !std::isspace(static_cast<unsigned char>(before)) || !std::isspace(static_cast<unsigned char>(after));
  case '_':
    return !isWord(before) || !isWord(after);
  case '~':
    return before == '~' || after == '~';
  case '<':
    return std::isalpha(static_cast<unsigned char>(after)) || after == '/' || after == '!' || after == '?';
  case '&':
    return std::isalpha(static_cast<unsigned char>(after)) || after == '#';
  case ':':
    return text.substr(i + 1).starts_with("//");
  case '.':
    return i >= 3 && isSameWord(text.substr(i - 3, 3), "www");
  case '@':
    return !std::isspace(static_cast<unsigned char>(before)) && isWord(after);
  case ']':
    return after == '(' || after == '[' || after == ':';
  default:
    return false;
  }
}

/// Whether a line would begin a heading, a list, a quotation or a rule (CommonMark 4 and 5).
bool beginsMarkup(std::string_view line) {
  if (line.empty())
    return false;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const char mark = digits < line.size() ? line[digits] : ' ';
  const char next = digits + 1 < line.size() ? line[digits + 1] : ' ';
  if (digits > 0)
    return (mark == '.' || mark == ')') && next == ' ';
  return mark == '>' ||
         (std::string_view("#+-=").find(mark) != std::string_view::npos && (next == ' ' || next == mark));
}

std::string escapeLine(std::string_view line) {
  // Of "1. text" the full stop is escaped: a backslash before a digit would be shown.
  const size_t first = beginsMarkup(line) ? line.find_first_not_of("0123456789") : std::string_view::npos;
  std::string result;
  for (size_t i = 0; i < line.size(); ++i) {
    if (i == first || isMarkup(line, i))
      result += '\\';
    result += line[i];
  }
  return result;
}

/// Escapes line by line. `lineEnd`: what a line end becomes; two spaces before it keep it (CommonMark 6.7). Indentation
/// is dropped, as four spaces would begin a code block (4.4).
std::string escape(std::string_view text, std::string_view lineEnd) {
  std::string result;
  while (true) {
    const size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    result += escapeLine(line);
    if (newline == std::string_view::npos)
      return result;
    result += lineEnd;
    text.remove_prefix(newline + 1);
  }
}

/// A fence longer than any run of backticks in the text, which would close it otherwise (CommonMark 4.5).
std::string fenceFor(std::string_view text) {
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

std::string markdownBlock(const Block &block) {
  switch (block.kind) {
  case Block::Kind::Heading:
    return "### " + escape(block.text, " ");
  case Block::Kind::Paragraph:
    return escape(block.text, "  \n");
  case Block::Kind::Item:
    return "- " + escape(block.text, "  \n  ");
  case Block::Kind::Preformatted: {
    const std::string fence = fenceFor(block.text);
    return fence + "text\n" + block.text + (block.text.ends_with('\n') ? "" : "\n") + fence;
  }
  }
  return {};
}

std::string plainBlock(const Block &block) {
  std::string text = block.kind == Block::Kind::Item ? "- " + block.text : block.text;
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

/// Blocks are separated by an empty line, the items of a list by none.
std::string join(const RichText &text, std::string (*render)(const Block &)) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool inList = i > 0 && text[i].kind == Block::Kind::Item && text[i - 1].kind == Block::Kind::Item;
    if (i > 0)
      result += inList ? "\n" : "\n\n";
    result += render(text[i]);
  }
  return result;
}

} // namespace

std::string renderMarkdown(const RichText &text) {
  return join(text, markdownBlock);
}

std::string renderPlainText(const RichText &text) {
  return join(text, plainBlock);
}

protocol::MarkupContent render(const RichText &text, bool markdown) {
  return {markdown, markdown ? renderMarkdown(text) : renderPlainText(text)};
}

} // namespace lsp::wording
