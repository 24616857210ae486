// Containers whose size the type says: std::array, std::bitset, std::valarray beside them.
#include <array>
#include <bitset>
#include <cstddef>
#include <valarray>

int sum(const std::array<int, 1000> &values) {
  int result = 0;
  for (const int value : values) // hint
    result += value;
  return result;
}

int positions(const std::bitset<512> &bits) {
  int sum = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) // hint
    if (bits[i])
      sum += static_cast<int>(i);
  return sum;
}

std::size_t common(const std::bitset<4096> &a, const std::bitset<4096> &b) {
  return (a & b).count(); // hint?
}

void scaledSum(std::valarray<float> &to, const std::valarray<float> &by, float factor) {
  to += by * factor; // hint
}

float largest(const std::valarray<float> &values) {
  return values.max(); // hint
}
