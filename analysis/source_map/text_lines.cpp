// LSP 3.17 (Text Documents) names the three ends of a line. All offsets are bytes: columns of editors are the server's.
#include "analysis/source_map/text_lines.h"

#include <algorithm>

namespace analysis {

TextLines::TextLines(std::string_view text) : text_(text) {
  starts_.push_back(0);
  if (text.find('\r') == std::string_view::npos) { // memchr() finds one character much faster than any loop finds two
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

std::string_view TextLines::lineText(uint32_t line) const {
  const wire::ByteRange whole = range(line);
  return text_.substr(whole.begin, whole.end - whole.begin);
}

wire::ByteRange TextLines::content(uint32_t line) const {
  constexpr std::string_view kBlank = " \t";
  const uint32_t begin = range(line).begin;
  const std::string_view text = lineText(line);
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos)
    return {begin, begin};
  return {begin + static_cast<uint32_t>(first), begin + static_cast<uint32_t>(text.find_last_not_of(kBlank)) + 1};
}

} // namespace analysis
