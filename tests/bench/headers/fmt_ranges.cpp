#include <fmt/ranges.h>
#include <map>
#include <vector>
std::string join(const std::map<int, std::vector<int>> &rows) {
  return fmt::format("{}", rows);
}
void scale(float *out, const float *in, float by, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = by * in[i];
}
