// std::vector by index, by range, by iterator, and of vectors.
#include <cstddef>
#include <vector>

double byIndex(const std::vector<double> &values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) // hint
    sum += values[i];
  return sum;
}

void byRange(std::vector<float> &values, float by) {
  for (float &value : values) // hint
    value *= by;
}

int byIterator(const std::vector<int> &values, int stop) {
  int sum = 0;
  for (auto it = values.begin(); it != values.end() && *it != stop; ++it) // hint
    sum += *it;
  return sum;
}

int checked(const std::vector<int> &values, const std::vector<unsigned> &order) {
  int result = 0;
  for (const unsigned at : order) // hint
    result = result * 3 + values.at(at);
  return result;
}

long nested(const std::vector<std::vector<short>> &rows) {
  long sum = 0;
  for (const std::vector<short> &row : rows)
    for (const short value : row) // hint
      sum += value;
  return sum;
}
