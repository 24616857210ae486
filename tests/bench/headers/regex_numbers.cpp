#include <iostream>
#include <regex>
#include <string>
bool isNumber(const std::string &text) {
  return std::regex_match(text, std::regex("[0-9]+"));
}
unsigned hash(const unsigned char *text, int n) {
  unsigned value = 17;
  for (int i = 0; i < n; ++i)
    value = 31 * value + text[i];
  return value;
}
