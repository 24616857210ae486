// Views of arrays, whole and in part.
#include <cstddef>
#include <span>

int sum(std::span<const int> values) {
  int result = 0;
  for (const int value : values) // hint
    result += value;
  return result;
}

float windowed(std::span<const float> values, std::size_t width) {
  float best = 0;
  for (std::size_t at = 0; at + width <= values.size(); ++at) {
    float sum = 0;
    for (const float value : values.subspan(at, width)) // hint
      sum += value;
    best = sum > best ? sum : best;
  }
  return best;
}

unsigned bytes(std::span<const std::byte, 4096> block) {
  unsigned sum = 0;
  for (const std::byte byte : block) // hint
    sum += std::to_integer<unsigned>(byte);
  return sum;
}
