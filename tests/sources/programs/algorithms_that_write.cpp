// Algorithms that change a sequence or fill another.
#include <algorithm>
#include <vector>

void negate(std::vector<int> &values) {
  std::transform(values.begin(), values.end(), values.begin(), [](int value) { return -value; }); // hint
}

void copyEven(const std::vector<int> &from, int *to) {
  std::copy_if(from.begin(), from.end(), to, [](int value) { return value % 2 == 0; }); // hint
}

void turnAround(std::vector<double> &values) {
  std::reverse(values.begin(), values.end()); // hint
}

void rotateBy(std::vector<int> &values, unsigned by) {
  std::rotate(values.begin(), values.begin() + by, values.end()); // hint?
}

void replaceZeros(std::vector<float> &values, float by) {
  std::replace(values.begin(), values.end(), 0.0f, by); // hint
}

long dropNegatives(std::vector<int> &values) {
  return std::remove_if(values.begin(), values.end(), [](int value) { return value < 0; }) - values.begin(); // hint
}

void fillAll(std::vector<int> &values, int value) {
  std::fill(values.begin(), values.end(), value); // hint
}
