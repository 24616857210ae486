#include <algorithm>
#include <map>
#include <ranges>
#include <vector>
double squares(const std::vector<double> &v) {
  double sum = 0;
  for (double x : v | std::views::filter([](double d) { return d > 0; }))
    sum += x * x;
  return sum;
}
