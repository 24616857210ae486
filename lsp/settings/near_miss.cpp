// The Levenshtein distance, with one row of its table at a time.
#include "lsp/settings/near_miss.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace lsp::protocol {
namespace {

/// In bytes. Longer words are not compared: the work grows with the product of both lengths, and a configuration file
/// may have a key of any length.
constexpr size_t kLongestWord = 64;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

} // namespace

std::string nearMiss(std::string_view word, const std::vector<std::string> &known) {
  if (word.size() > kLongestWord || known.empty())
    return "";
  const auto toWord = [&](const std::string &candidate) { return distance(word, candidate); };
  const std::string &nearest = *std::ranges::min_element(known, {}, toWord);
  return toWord(nearest) <= std::max<size_t>(1, word.size() / 3) ? nearest : "";
}

std::string didYouMean(std::string_view word, const std::vector<std::string> &known) {
  const std::string meant = nearMiss(word, known);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

} // namespace lsp::protocol
