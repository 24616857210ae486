// llvm-mca rounds with floor(value * 100 + 0.5) / 100; decimals() does the same, so that hints and reports agree.
#include "analysis/text/counts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace analysis {

std::string counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string andMore(size_t all, size_t named) {
  return all > named ? " and " + std::to_string(all - named) + " more" : "";
}

std::string listOf(const std::vector<std::string> &names, size_t most) {
  std::string text;
  const size_t named = std::min(names.size(), most);
  for (size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + andMore(names.size(), most);
}

std::string decimals(double value, int digits) {
  constexpr double kExact = 1e15; // below 2^53: every integer up to here is a double
  const double scale = std::pow(10, digits), rounded = std::floor(value * scale + 0.5);
  if (rounded >= 0 && rounded < kExact && digits > 0) { // nearly all: an integer with a point in it
    std::string text = std::to_string(static_cast<uint64_t>(rounded));
    const auto point = static_cast<size_t>(digits);
    text.insert(0, text.size() <= point ? point + 1 - text.size() : 0, '0');
    return text.insert(text.size() - point, 1, '.');
  }
  std::array<char, 400> text; // the largest double has 309 digits
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), rounded / scale, std::chars_format::fixed, digits);
  return {text.data(), end.ptr};
}

std::string shortened(std::string text, size_t bytes) {
  if (text.size() <= bytes)
    return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
    --bytes; // a continuation byte of UTF-8: the cut would be inside a character
  text.resize(bytes);
  return text + "…";
}

} // namespace analysis
