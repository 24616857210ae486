// The characters of strings, read and changed.
#include <string>
#include <string_view>

int vowels(const std::string &text) {
  int count = 0;
  for (const char c : text) // hint
    count += c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
  return count;
}

void toUpper(std::string &text) {
  for (char &c : text) // hint
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
}

unsigned number(std::string_view digits) {
  unsigned value = 0;
  while (!digits.empty()) { // hint
    value = value * 10 + static_cast<unsigned>(digits.front() - '0');
    digits.remove_prefix(1);
  }
  return value;
}

int fields(std::string_view line, char separator) {
  int count = 1;
  for (std::size_t at = 0; (at = line.find(separator, at)) != std::string_view::npos; ++at) // hint
    ++count;
  return count;
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  while (times-- > 0) // hint
    result += text;
  return result;
}
