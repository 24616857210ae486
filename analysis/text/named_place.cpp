// clang prints no column with -fno-show-column, and gcc prints none for what has only a line.
#include "analysis/text/named_place.h"

#include <charconv>

namespace analysis {
namespace {

/// Removes ":NUMBER" from the end.
std::optional<uint32_t> takeLastNumber(std::string_view &text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  uint32_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || stopped != end)
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

} // namespace

std::optional<NamedPlace> parsePlace(std::string_view text) {
  const std::optional<uint32_t> last = takeLastNumber(text);
  if (!last)
    return std::nullopt;
  const std::optional<uint32_t> before = takeLastNumber(text);
  return NamedPlace{text, before.value_or(*last), before ? *last : 0};
}

} // namespace analysis
