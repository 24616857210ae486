#include <fmt/chrono.h>
#include <fmt/color.h>
std::string stamp(std::chrono::seconds time) {
  return fmt::format("{:%H:%M:%S}", time);
}
int count(const char *text, int n) {
  int lines = 0;
  for (int i = 0; i < n; ++i)
    lines += text[i] == '\n';
  return lines;
}
