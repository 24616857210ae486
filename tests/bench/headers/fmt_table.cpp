#include <fmt/format.h>
#include <vector>
std::string table(const std::vector<double> &values) {
  std::string text;
  for (double value : values)
    text += fmt::format("{:8.3f}\n", value);
  return text;
}
double sum(const double *values, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += values[i];
  return total;
}
