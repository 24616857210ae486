// The walks of edit_model.h.
#include "tests/lsp/edit_model.h"

#include <algorithm>
#include <array>

namespace lsp {

using protocol::ContentChange;
using protocol::Position;
using protocol::PositionEncoding;

namespace {

size_t bytesOf(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

uint32_t columnsOf(size_t bytes, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8)
    return static_cast<uint32_t>(bytes);
  return encoding == PositionEncoding::Utf16 && bytes == 4 ? 2 : 1;
}

} // namespace

std::vector<ModelLine> modelLines(const std::string &text) {
  std::vector<ModelLine> lines(1);
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n' && text[at] != '\r')
      continue;
    lines.back().end = at;
    if (text.compare(at, 2, "\r\n") == 0)
      ++at;
    lines.push_back({at + 1, 0});
  }
  lines.back().end = text.size();
  return lines;
}

size_t modelOffset(const std::string &text, Position position, PositionEncoding encoding) {
  const std::vector<ModelLine> lines = modelLines(text);
  if (position.line >= lines.size())
    return text.size();
  auto [at, end] = lines[position.line];
  for (uint64_t column = 0; at < end; at += bytesOf(text[at])) {
    column += columnsOf(bytesOf(text[at]), encoding);
    if (column > position.character)
      break;
  }
  return at;
}

uint32_t modelColumns(const std::string &line, PositionEncoding encoding) {
  uint32_t columns = 0;
  for (size_t at = 0; at < line.size(); at += bytesOf(line[at]))
    columns += columnsOf(bytesOf(line[at]), encoding);
  return columns;
}

std::string modelApply(const std::string &text, const ContentChange &change, PositionEncoding encoding) {
  if (!change.range)
    return change.text;
  const size_t begin = modelOffset(text, change.range->start, encoding);
  const size_t end = modelOffset(text, change.range->end, encoding);
  return text.substr(0, begin) + change.text + text.substr(end);
}

std::string RandomEdits::text() {
  std::string text = "# mca: triple=x86_64-linux-gnu cpu=skylake\n";
  for (uint32_t loop = 0; loop < 4 + below(4); ++loop) {
    text += ".L" + std::to_string(loop) + ":\n";
    for (uint32_t i = 0; i < 1 + below(5); ++i)
      text += "\taddq\t$" + std::to_string(below(99)) + ", %r" + std::to_string(8 + below(4)) + "\n";
    text += "\tcmpq\t%rcx, %rax\n\tjne\t.L" + std::to_string(loop) + "\n";
  }
  return text;
}

std::string RandomEdits::snippet() {
  static const std::array<std::string, 22> kSnippets{
      "",
      "1",
      "q",
      " ",
      "\n",
      "\r\n",
      "\r",
      "\n\n\r\r\n",
      "\timulq\t%rdx, %rax\n",
      "\tvaddps\t%ymm0, %ymm1, %ymm2\r\n",
      "\tmovq\t(%rdi,%rax,8), %r8\r",
      "# é € \U0001F680 ü\n",
      "\U0001F680",
      "é",
      "# LLVM-MCA-BEGIN a\n",
      "# LLVM-MCA-END a\n",
      ".Lnew:\n\tdecq\t%rdi\n\tjne\t.Lnew\n",
      "\tjne\t.L0\n",
      "bogus",
      "# mca: cpu=znver4\n",
      "\"",
      "/*",
  };
  return kSnippets[below(kSnippets.size())];
}

Position RandomEdits::position(const std::string &text, PositionEncoding encoding) {
  const std::vector<ModelLine> lines = modelLines(text);
  const auto last = static_cast<uint32_t>(lines.size() - 1);
  switch (below(10)) {
  case 0:
    return {last + below(3), below(3)};
  case 1:
    return {below(last + 1), 1000 + below(1000)};
  case 2:
    return {UINT32_MAX, UINT32_MAX};
  case 3:
    return {below(last + 1), 0};
  default:
    break;
  }
  const uint32_t line = below(last + 1);
  const uint32_t columns = modelColumns(text.substr(lines[line].begin, lines[line].end - lines[line].begin), encoding);
  return {line, below(columns + 1)};
}

ContentChange RandomEdits::change(const std::string &text, PositionEncoding encoding) {
  if (below(12) == 0) {
    // The whole text, with a piece of it replaced or not at all.
    const ContentChange piece{protocol::Range{position(text, encoding), {}}, snippet()};
    const size_t at = modelOffset(text, piece.range->start, encoding);
    const std::string_view rest = std::string_view(text).substr(at);
    const size_t newline = std::min(rest.find('\n'), rest.size());
    return {std::nullopt, below(4) == 0 ? text : text.substr(0, at) + piece.text + std::string(rest.substr(newline))};
  }
  Position start = position(text, encoding);
  Position end = start;
  if (below(2) == 0)
    end = {start.line + below(3), start.line == UINT32_MAX ? start.character : start.character + below(9)};
  if (below(8) == 0)
    end = position(text, encoding);
  return {protocol::Range{std::min(start, end), std::max(start, end)}, snippet()};
}

std::vector<ContentChange> RandomEdits::notification(const std::string &text, PositionEncoding encoding) {
  std::vector<ContentChange> changes;
  std::string present = text;
  for (uint32_t count = below(3) == 0 ? 1 + below(4) : 1; count > 0; --count) {
    changes.push_back(change(present, encoding));
    present = modelApply(present, changes.back(), encoding);
  }
  return changes;
}

} // namespace lsp
