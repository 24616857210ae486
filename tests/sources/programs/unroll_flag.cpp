// flags: -funroll-loops
// Loops that the command asks to unroll: gcc does it for all, with a remainder in front.
#include <cstddef>

int sumOf(const int *values, std::size_t count) {
  int sum = 0;
  for (std::size_t i = 0; i < count; ++i) // hint
    sum += values[i];
  return sum;
}

double horner(const double *coefficients, std::size_t count, double x) {
  double value = 0;
  for (const double *at = coefficients; at != coefficients + count; ++at) // hint
    value = value * x + *at;
  return value;
}

std::size_t lengthOfRun(const char *text, char of) {
  std::size_t length = 0;
  while (text[length] == of) // hint
    ++length;
  return length;
}

void xorWith(unsigned *to, const unsigned *key, int count, int keys) {
  for (int i = 0, k = 0; i < count; ++i) { // hint
    to[i] ^= key[k];
    k = k + 1 == keys ? 0 : k + 1;
  }
}
