// Rendering of rich_text.h. The rules of what markdown takes for markup are CommonMark 0.30's, plus GitHub's tildes.
#include "lsp/wording/rich_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lsp::wording {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80;
}

/// True when the character at `i` would be markup. An underscore or tilde inside a word never is.
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
  case ']':
    return after == '(' || after == '[' || after == ':';
  default:
    return false;
  }
}

/// True when a line that begins with this would be a heading, a list, a quotation or a rule.
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
  std::string result;
  size_t begin = 0;
  if (beginsMarkup(line)) {
    begin = line.find_first_not_of("0123456789");
    result.append(line.substr(0, begin)).append("\\") += line[begin];
    ++begin;
  }
  for (size_t i = begin; i < line.size(); ++i) {
    if (isMarkup(line, i))
      result += '\\';
    result += line[i];
  }
  return result;
}

/// Escapes line by line; a line end inside a paragraph stays one.
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

/// A fence longer than any run of backticks in the text.
std::string fenceFor(std::string_view text) {
  size_t longest = 2;
  size_t run = 0;
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

/// Blocks are apart by an empty line, items of one list are not.
template <class Render>
std::string join(const RichText &text, Render render) {
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
