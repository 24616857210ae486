// A loop after each return.
#include <optional>
#include <string_view>

std::optional<int> parse(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == ' ') // hint
    ++at;
  if (at == text.size())
    return std::nullopt;
  const bool negative = text[at] == '-';
  at += negative;
  int value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) // hint
    value = value * 10 + (text[at] - '0');
  if (at == text.size())
    return negative ? -value : value;
  do { // hint
    if (text[at] != ' ')
      return std::nullopt;
  } while (++at < text.size());
  return value;
}
