// flags: -fno-math-errno
// Roots: without errno they are an instruction; and Newton's way to one.
#include <math.h>

void roots(double *out, const double *in, int count) {
  for (int i = 0; i < count; ++i) // hint
    out[i] = sqrt(in[i]);
}

float lengthOf(const float *vector, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += vector[i] * vector[i];
  return sqrtf(sum);
}

double rootOf(double x, int steps) {
  double guess = x;
  while (steps-- > 0) // hint
    guess = 0.5 * (guess + x / guess);
  return guess;
}
