// Loops of a header's functions stand on the calls; a loop around a call keeps its own line.
#include "header_of_kernels.h"

void ramp(uint16_t *samples, std::size_t count) {
  kernels::fill(samples, count, 7); // hint
}

void brighten(uint8_t *pixels, std::size_t count, uint8_t by) {
  kernels::each(pixels, count, [by](uint8_t &pixel) { // hint
    const unsigned sum = pixel + by;
    pixel = sum > 255 ? 255 : static_cast<uint8_t>(sum);
  });
}

int64_t sumOf(const int32_t *values, std::size_t count) {
  int64_t sum = 0;
  kernels::each(values, count, [&](int32_t value) { sum += value; }); // hint
  return sum;
}

uint32_t combined(const uint8_t *a, std::size_t countOfA, const uint8_t *b, std::size_t countOfB) {
  const uint32_t first = kernels::fold(a, countOfA);  // hint
  const uint32_t second = kernels::fold(b, countOfB); // hint
  return first ^ second << 1;
}

void foldRows(const uint8_t *const *rows, std::size_t width, std::size_t height, uint32_t *to) {
  for (std::size_t y = 0; y < height; ++y) // hint?
    to[y] = kernels::fold(rows[y], width); // hint
}
