#include <range/v3/algorithm/sort.hpp>
#include <range/v3/numeric/accumulate.hpp>
#include <range/v3/view/zip.hpp>
#include <vector>
double zipped(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (auto [x, y] : ranges::views::zip(a, b))
    sum += x * y;
  return sum;
}
