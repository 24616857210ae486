// Backwards through a container, and with two iterators that meet.
#include <iterator>
#include <string>
#include <vector>

int lastIndexOf(const std::vector<int> &values, int wanted) {
  int distance = 0;
  for (auto it = values.rbegin(); it != values.rend(); ++it, ++distance) // hint
    if (*it == wanted)
      break;
  return static_cast<int>(values.size()) - 1 - distance;
}

unsigned fromTheEnd(const std::vector<unsigned> &digits) {
  unsigned number = 0;
  for (auto it = std::rbegin(digits); it != std::rend(digits); ++it) // hint
    number = number * 10 + *it;
  return number;
}

bool isPalindrome(const std::string &text) {
  auto front = text.begin();
  auto back = text.end();
  while (front < back) // hint
    if (*front++ != *--back)
      return false;
  return true;
}
