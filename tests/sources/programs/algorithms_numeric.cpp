// Sums and products of the library.
#include <functional>
#include <numeric>
#include <vector>

double sum(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0); // hint
}

double dotProduct(const std::vector<double> &a, const std::vector<double> &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); // hint
}

void totals(const std::vector<int> &values, int *to) {
  std::partial_sum(values.begin(), values.end(), to); // hint
}

void countUp(std::vector<unsigned> &values, unsigned first) {
  std::iota(values.begin(), values.end(), first); // hint
}

int product(const std::vector<int> &values) {
  return std::reduce(values.begin(), values.end(), 1, std::multiplies<>()); // hint?
}

void differences(const std::vector<int> &values, int *to) {
  std::adjacent_difference(values.begin(), values.end(), to); // hint
}
