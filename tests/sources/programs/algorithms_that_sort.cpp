// Sorting: several loops, most of them in functions of the library's own, which stand at the line that calls them.
#include <algorithm>
#include <functional>
#include <vector>

void sortAll(std::vector<int> &values) {
  std::sort(values.begin(), values.end()); // hint
}

void sortDown(std::vector<double> &values) {
  std::sort(values.begin(), values.end(), std::greater<>()); // hint
}

int median(std::vector<int> &values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end()); // hint
  return *middle;
}

void heap(std::vector<int> &values) {
  std::make_heap(values.begin(), values.end()); // hint?
}

int takeTop(std::vector<int> &values) {
  std::pop_heap(values.begin(), values.end()); // hint?
  return values.back();
}
