// The index of lines and the counting of columns.
#include "lsp/workspace/text.h"

#include "lsp/protocol/unicode.h"

#include <algorithm>
#include <cassert>

namespace lsp {
namespace {

using protocol::PositionEncoding;

/// How many columns a character takes in `encoding`.
uint32_t columnsOf(const protocol::CodePoint &point, PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::Utf8:
    return point.bytes;
  case PositionEncoding::Utf16:
    return point.value > 0xFFFF ? 2 : 1;
  case PositionEncoding::Utf32:
    return 1;
  }
  return 1;
}

} // namespace

Text::Text(std::string bytes) : bytes_(std::move(bytes)), lineBegins_{0} {
  for (uint32_t offset = 1; offset <= size(); ++offset)
    if (bytes_[offset - 1] <= '\r' && beginsLine(offset))
      lineBegins_.push_back(offset);
}

bool Text::beginsLine(uint32_t offset) const {
  const char before = bytes_[offset - 1];
  return before == '\n' || (before == '\r' && (offset == size() || bytes_[offset] != '\n'));
}

uint32_t Text::characterBegin(uint32_t offset) const {
  constexpr uint32_t kLongest = 4;
  for (uint32_t back = 1; back < kLongest && back <= offset; ++back)
    if (protocol::decodeUtf8(std::string_view(bytes_).substr(offset - back)).bytes > back)
      return offset - back;
  return offset;
}

uint32_t Text::lineOf(uint32_t offset) const {
  const auto after = std::upper_bound(lineBegins_.begin(), lineBegins_.end(), offset);
  return static_cast<uint32_t>(after - lineBegins_.begin()) - 1;
}

uint32_t Text::lineEnd(uint32_t line) const {
  if (line + 1 == lineCount())
    return size();
  uint32_t end = lineBegins_[line + 1] - 1;
  if (end > lineBegins_[line] && bytes_[end] == '\n' && bytes_[end - 1] == '\r')
    --end;
  return end;
}

std::string_view Text::line(uint32_t line) const {
  return std::string_view(bytes_).substr(lineBegin(line), lineEnd(line) - lineBegin(line));
}

analysis::wire::ByteRange Text::contentOf(uint32_t line) const {
  const std::string_view whole = this->line(line);
  const uint32_t begin = lineBegin(line);
  const size_t first = whole.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {begin, begin};
  return {begin + static_cast<uint32_t>(first), begin + static_cast<uint32_t>(whole.find_last_not_of(" \t")) + 1};
}

protocol::Position Text::positionOf(uint32_t offset, PositionEncoding encoding) const {
  const uint32_t line = lineOf(std::min(offset, size()));
  offset = characterBegin(std::min(offset, lineEnd(line)));
  std::string_view rest = std::string_view(bytes_).substr(lineBegin(line), offset - lineBegin(line));
  if (encoding == PositionEncoding::Utf8)
    return {line, static_cast<uint32_t>(rest.size())};
  uint32_t column = 0;
  while (!rest.empty()) {
    const size_t ascii = protocol::asciiPrefix(rest);
    column += static_cast<uint32_t>(ascii);
    rest.remove_prefix(ascii);
    if (rest.empty())
      break;
    const protocol::CodePoint point = protocol::decodeUtf8(rest);
    column += columnsOf(point, encoding);
    rest.remove_prefix(point.bytes);
  }
  return {line, column};
}

uint32_t Text::offsetOf(protocol::Position position, PositionEncoding encoding) const {
  if (position.line >= lineCount())
    return size();
  uint32_t offset = lineBegin(position.line);
  std::string_view rest = line(position.line);
  uint32_t columns = position.character;
  while (!rest.empty() && columns > 0) {
    const size_t ascii = protocol::asciiPrefix(rest.substr(0, columns));
    offset += static_cast<uint32_t>(ascii);
    columns -= static_cast<uint32_t>(ascii);
    rest.remove_prefix(ascii);
    if (rest.empty() || columns == 0)
      break;
    const protocol::CodePoint point = protocol::decodeUtf8(rest);
    if (columnsOf(point, encoding) > columns)
      break;
    columns -= columnsOf(point, encoding);
    offset += point.bytes;
    rest.remove_prefix(point.bytes);
  }
  return offset;
}

protocol::Range Text::rangeOf(analysis::wire::ByteRange range, PositionEncoding encoding) const {
  return {positionOf(range.begin, encoding), positionOf(std::max(range.begin, range.end), encoding)};
}

void Text::replace(analysis::wire::ByteRange range, std::string_view with) {
  assert(range.begin <= range.end && range.end <= size());
  bytes_.replace(range.begin, range.end - range.begin, with);
  const auto inserted = static_cast<uint32_t>(with.size());
  const uint32_t newEnd = range.begin + inserted;
  // Whether a line begins at an offset depends on the bytes before and at it, so those from the first changed byte to
  // just behind the last one are looked at again.
  std::vector<uint32_t> begins;
  for (uint32_t offset = std::max(range.begin, 1u); offset <= newEnd; ++offset)
    if (beginsLine(offset))
      begins.push_back(offset);
  auto first = std::lower_bound(lineBegins_.begin() + 1, lineBegins_.end(), range.begin);
  const auto last = std::upper_bound(first, lineBegins_.end(), range.end);
  for (auto moved = last; moved != lineBegins_.end(); ++moved)
    *moved += inserted - (range.end - range.begin);
  first = lineBegins_.erase(first, last);
  lineBegins_.insert(first, begins.begin(), begins.end());
}

} // namespace lsp
