// Reductions: one number of a whole array.
#include "../kernels.h"

float sum_floats(int n, const float *x) {
  float sum = 0;
  for (int i = 0; i < n; ++i) // judged
    sum += x[i];
  return sum;
}
KERNEL(sum_floats, n, randomFloats(&A), (n, A.f))

float sum_floats_by_four(int n, const float *x) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int i = 0; i < n; i += 4) { // judged
    s0 += x[i];
    s1 += x[i + 1];
    s2 += x[i + 2];
    s3 += x[i + 3];
  }
  return (s0 + s1) + (s2 + s3);
}
KERNEL(sum_floats_by_four, n / 4, randomFloats(&A), (n, A.f))

double dot_doubles(int n, const double *x, const double *y) {
  double dot = 0;
  for (int i = 0; i < n; ++i) // judged
    dot += x[i] * y[i];
  return dot;
}
KERNEL(dot_doubles, n / 2, (randomDoubles(&A), randomDoubles(&B)), (n / 2, A.d, B.d))

int sum_ints(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) // judged
    sum += x[i];
  return sum;
}
KERNEL(sum_ints, n, randomBelow(&A, 1000), (A.s32, n))

int dot_shorts(const int16_t *a, const int16_t *b, int n) {
  int dot = 0;
  for (int i = 0; i < n; ++i) // judged
    dot += a[i] * b[i];
  return dot;
}
KERNEL(dot_shorts, 2 * n, (randomShortsBelow(&A, 100), randomShortsBelow(&B, 100)), (A.s16, B.s16, 2 * n))

unsigned distance_bytes(const uint8_t *a, const uint8_t *b, int n) {
  unsigned distance = 0;
  for (int i = 0; i < n; ++i) // judged
    distance += (unsigned)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
  return distance;
}
KERNEL(distance_bytes, 4 * n, (randomBits(&A), randomBits(&B)), (A.u8, B.u8, 4 * n))

int max_int(const int *x, int n) {
  int most = INT32_MIN;
  for (int i = 0; i < n; ++i) // judged
    most = x[i] > most ? x[i] : most;
  return most;
}
KERNEL(max_int, n, randomBits(&A), (A.s32, n))

double min_double(const double *x, size_t n) {
  double least = x[0];
  for (size_t i = 0; i < n; ++i) // judged
    least = x[i] < least ? x[i] : least;
  return least;
}
KERNEL(min_double, n / 2, randomDoubles(&A), (A.d, (size_t)n / 2))
