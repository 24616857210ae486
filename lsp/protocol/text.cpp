// The index of lines is a sorted vector of offsets. Columns are counted on demand, by walking one line: clients send
// few positions, and most lines are ASCII, in which all encodings agree.
#include "lsp/protocol/text.h"

#include "lsp/protocol/unicode.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace lsp {
namespace {

using protocol::PositionEncoding;

/// The beginning of a line: its bytes, and the columns that they take.
struct Extent {
  uint32_t bytes = 0, columns = 0;
};

/// How many columns a character takes. UTF-16 has two code units for one beyond the Basic Multilingual Plane.
uint32_t columnsOf(const protocol::CodePoint &point, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8)
    return point.bytes;
  return encoding == PositionEncoding::Utf16 && point.value > 0xFFFF ? 2 : 1;
}

/// The longest beginning of `text` that has at most so many columns and does not end inside a character.
Extent measure(std::string_view text, uint32_t columns, PositionEncoding encoding) {
  Extent extent;
  while (extent.bytes < text.size() && extent.columns < columns) {
    const uint32_t left = columns - extent.columns;
    if (const size_t ascii = protocol::asciiPrefix(text.substr(extent.bytes, left))) {
      extent.bytes += static_cast<uint32_t>(ascii);
      extent.columns += static_cast<uint32_t>(ascii);
      continue;
    }
    const protocol::CodePoint point = protocol::decodeUtf8(text.substr(extent.bytes));
    if (columnsOf(point, encoding) > left)
      break;
    extent.bytes += point.bytes;
    extent.columns += columnsOf(point, encoding);
  }
  return extent;
}

} // namespace

Text::Text(std::string bytes) : bytes_(std::move(bytes)), lineBegins_{0} {
  for (uint32_t offset = 1; offset <= size(); ++offset)
    if (bytes_[offset - 1] <= '\r' && beginsLine(offset)) // most bytes are above \r, and need no call
      lineBegins_.push_back(offset);
}

bool Text::beginsLine(uint32_t offset) const {
  const char before = bytes_[offset - 1];
  return before == '\n' || (before == '\r' && (offset == size() || bytes_[offset] != '\n'));
}

uint32_t Text::characterBegin(uint32_t offset) const {
  constexpr uint32_t kLongest = 4; // bytes of a character in UTF-8
  for (uint32_t back = 1; back < kLongest && back <= offset; ++back)
    if (protocol::decodeUtf8(std::string_view(bytes_).substr(offset - back)).bytes > back)
      return offset - back;
  return offset;
}

uint32_t Text::lineOf(uint32_t offset) const {
  return static_cast<uint32_t>(std::ranges::upper_bound(lineBegins_, offset) - lineBegins_.begin()) - 1;
}

uint32_t Text::lineEnd(uint32_t line) const {
  if (line + 1 == lineCount())
    return size();
  const uint32_t end = lineBegins_[line + 1] - 1;
  return end > lineBegins_[line] && bytes_[end] == '\n' && bytes_[end - 1] == '\r' ? end - 1 : end;
}

std::string_view Text::line(uint32_t line) const {
  return std::string_view(bytes_).substr(lineBegin(line), lineEnd(line) - lineBegin(line));
}

wire::ByteRange Text::contentOf(uint32_t line) const {
  const std::string_view whole = this->line(line);
  const uint32_t begin = lineBegin(line);
  const size_t first = whole.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {begin, begin};
  return {begin + static_cast<uint32_t>(first), begin + static_cast<uint32_t>(whole.find_last_not_of(" \t")) + 1};
}

protocol::Position Text::positionOf(uint32_t offset, PositionEncoding encoding) const {
  const uint32_t line = lineOf(std::min(offset, size())), begin = lineBegin(line);
  const uint32_t bytes = characterBegin(std::min(offset, lineEnd(line))) - begin;
  if (encoding == PositionEncoding::Utf8)
    return {line, bytes};
  constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();
  return {line, measure(std::string_view(bytes_).substr(begin, bytes), kAll, encoding).columns};
}

uint32_t Text::offsetOf(protocol::Position position, PositionEncoding encoding) const {
  if (position.line >= lineCount())
    return size();
  return lineBegin(position.line) + measure(line(position.line), position.character, encoding).bytes;
}

protocol::Range Text::rangeOf(wire::ByteRange range, PositionEncoding encoding) const {
  return {positionOf(range.begin, encoding), positionOf(std::max(range.begin, range.end), encoding)};
}

void Text::replace(wire::ByteRange range, std::string_view with) {
  assert(range.begin <= range.end && range.end <= size());
  bytes_.replace(range.begin, range.end - range.begin, with);
  const auto inserted = static_cast<uint32_t>(with.size());
  // Whether a line begins at an offset depends on the bytes before and at it: a \n typed after a \r makes one line end
  // of the two. So each offset from the first changed byte to the one after the last is examined again.
  std::vector<uint32_t> begins;
  for (uint32_t offset = std::max(range.begin, 1u); offset <= range.begin + inserted; ++offset)
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
