// The editor's side of llvm-mca's comments: a line is read as text, without a lexer, as it is while someone types.
#include "analysis/text/comment_syntax.h"

#include <algorithm>

namespace analysis::comments {

size_t settingsBegin(std::string_view line) {
  const size_t keyword = line.find(kSettings);
  if (keyword == std::string_view::npos || line.find_first_not_of(kOpeningOrBlank) != keyword ||
      commentBegin(line, keyword) == std::string_view::npos)
    return std::string_view::npos;
  return keyword + kSettings.size();
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n";
  std::vector<std::string_view> words;
  for (size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.ends_with(kBlockClosing))
      word.remove_suffix(kBlockClosing.size());
    if (!word.empty())
      words.push_back(word);
    at = text.find_first_not_of(kBetween, end);
  }
  return words;
}

std::string_view assemblyOpening(std::string_view triple) {
  const std::string_view arch = triple.substr(0, triple.find('-'));
  if (arch.starts_with("aarch64") || arch.starts_with("arm64"))
    return kLineOpening;
  if (arch.starts_with("arm") || arch.starts_with("thumb"))
    return "@";
  return arch.starts_with("sparc") ? "!" : "#";
}

size_t commentBegin(std::string_view line, size_t inside) {
  const size_t last = line.substr(0, inside).find_last_not_of(kBlank);
  if (last == std::string_view::npos || kOpening.find(line[last]) == std::string_view::npos)
    return std::string_view::npos;
  const size_t before = line.substr(0, last).find_last_not_of(kOpening);
  return before == std::string_view::npos ? 0 : before + 1;
}

size_t commentEnd(std::string_view line, size_t inside) {
  const size_t closing = std::min(line.find(kBlockClosing, inside), line.size());
  return line.substr(0, closing).find_last_not_of(kBlank) + 1;
}

} // namespace analysis::comments
