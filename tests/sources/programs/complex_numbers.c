// flags: -fcx-limited-range
// The arithmetic of C's complex numbers.
#include <complex.h>

double complex dotProduct(const double complex *a, const double complex *b, int count) {
  double complex sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += a[i] * b[i];
  return sum;
}

int escapeTime(float complex c, int limit) {
  float complex z = 0;
  int turns = 0;
  while (turns < limit && crealf(z) * crealf(z) + cimagf(z) * cimagf(z) < 4.0f) { // hint
    z = z * z + c;
    ++turns;
  }
  return turns;
}
