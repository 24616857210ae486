#include <boost/regex.hpp>
#include <string>
bool isWord(const std::string &text) {
  return boost::regex_match(text, boost::regex("\\w+"));
}
int digits(const char *text, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    count += text[i] >= '0' && text[i] <= '9';
  return count;
}
