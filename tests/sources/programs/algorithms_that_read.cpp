// Algorithms that look at a sequence: the loop is the library's, the line is the call's.
#include <algorithm>
#include <vector>

long firstAbove(const std::vector<int> &values, int limit) {
  const auto found = std::find_if(values.begin(), values.end(), [=](int value) { return value > limit; }); // hint
  return found - values.begin();
}

long zeros(const std::vector<int> &values) {
  return std::count_if(values.begin(), values.end(), [](int value) { return value == 0; }); // hint
}

int largest(const std::vector<int> &values) {
  return *std::max_element(values.begin(), values.end()); // hint
}

bool sorted(const std::vector<int> &values) {
  return std::is_sorted(values.begin(), values.end()); // hint
}

bool contains(const std::vector<int> &values, int wanted) {
  return std::binary_search(values.begin(), values.end(), wanted); // hint?
}

bool same(const std::vector<short> &a, const std::vector<int> &b) {
  return std::equal(a.begin(), a.end(), b.begin()); // hint
}
