#include <regex>
#include <vector>
int matches(const std::vector<std::string> &lines, const std::regex &word) {
  int n = 0;
  for (const auto &line : lines)
    n += std::regex_search(line, word);
  return n;
}
