#include "analysis/source_map/text_lines.h"

#include <algorithm>

namespace analysis {

TextLines::TextLines(std::string_view text) : text_(text) {
  starts_.push_back(0);
  if (text.find('\r') == std::string_view::npos) { // one character is found much faster than either of two
    for (size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1))
      starts_.push_back(static_cast<uint32_t>(i + 1));
    return;
  }
  for (size_t i = text.find_first_of("\r\n"); i != std::string_view::npos; i = text.find_first_of("\r\n", i)) {
    i += text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
    starts_.push_back(static_cast<uint32_t>(i));
  }
}

uint32_t TextLines::lineOf(uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<uint32_t>(after - starts_.begin()) - 1;
}

uint32_t TextLines::lineOf(uint32_t offset, uint32_t near) const {
  constexpr uint32_t kNext = 8;
  if (starts_[near] <= offset)
    for (uint32_t line = near; line != near + kNext; ++line)
      if (line + 1 == count() || starts_[line + 1] > offset)
        return line;
  return lineOf(offset);
}

wire::ByteRange TextLines::range(uint32_t line) const {
  line = std::min(line, count() - 1);
  const uint32_t begin = starts_[line];
  uint32_t end = line + 1 < count() ? starts_[line + 1] : static_cast<uint32_t>(text_.size());
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r'))
    --end;
  return {begin, end};
}

wire::ByteRange TextLines::content(uint32_t line) const {
  const auto isBlank = [this](uint32_t at) { return text_[at] == ' ' || text_[at] == '\t'; };
  const wire::ByteRange whole = range(line);
  wire::ByteRange inner = whole;
  while (inner.begin < inner.end && isBlank(inner.begin))
    ++inner.begin;
  while (inner.end > inner.begin && isBlank(inner.end - 1))
    --inner.end;
  return inner.begin == inner.end ? wire::ByteRange{whole.begin, whole.begin} : inner;
}

} // namespace analysis
