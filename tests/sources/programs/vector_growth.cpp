// What a vector does when it is made and when it grows: loops in the library, on the user's behalf.
#include <vector>

std::vector<int> positives(const int *values, int count) {
  std::vector<int> result;
  for (int i = 0; i < count; ++i) // hint
    if (values[i] > 0)
      result.push_back(values[i]);
  return result;
}

std::vector<float> constants(unsigned count, float value) {
  return std::vector<float>(count, value); // hint?
}

void pad(std::vector<short> &values, unsigned count, short value) {
  values.resize(count, value); // hint?
}

struct Named {
  int *data = nullptr;
  Named() = default;
  Named(Named &&other) noexcept : data(other.data) { other.data = nullptr; }
  ~Named() { delete data; }
};

void reserve(std::vector<Named> &values, unsigned count) {
  values.reserve(count); // hint?
}
