// Conditions that compilers turn into selections, and early exits that do not happen.
#include "../kernels.h"

void minimum_of_two(int *restrict out, const int *restrict a, const int *restrict b, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = a[i] < b[i] ? a[i] : b[i];
}
KERNEL(minimum_of_two, n, (randomBits(&B), randomBits(&C)), (A.s32, B.s32, C.s32, n))

int sum_positive(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) // judged
    if (x[i] > 0)
      sum += x[i];
  return sum;
}
KERNEL(sum_positive, n, randomBelow(&A, 1000), (A.s32, n))

void threshold(uint8_t *restrict out, const uint8_t *restrict in, int n, uint8_t limit) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[i] > limit ? 255 : 0;
}
KERNEL(threshold, 4 * n, randomBits(&B), (A.u8, B.u8, 4 * n, 100))

void clamp_floats(float *x, int n, float low, float high) {
  for (int i = 0; i < n; ++i) { // judged
    if (x[i] < low)
      x[i] = low;
    else if (x[i] > high)
      x[i] = high;
  }
}
KERNEL(clamp_floats, n, randomFloats(&A), (A.f, n, 0.25f, 2))

void select_doubles(double *restrict out, const double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = a[i] > 1 ? a[i] : b[i];
}
KERNEL(select_doubles, n / 2, (randomDoubles(&B), randomDoubles(&C)), (A.d, B.d, C.d, n / 2))

int keep_above(int *restrict out, const int *restrict in, int n, int limit) {
  int kept = 0;
  for (int i = 0; i < n; ++i) { // judged
    out[kept] = in[i];
    kept += in[i] > limit;
  }
  return kept;
}
KERNEL(keep_above, n, randomBelow(&B, 1000), (A.s32, B.s32, n, 500))

void add_saturating(int16_t *restrict out, const int16_t *restrict a, const int16_t *restrict b, int n) {
  for (int i = 0; i < n; ++i) { // judged
    const int sum = a[i] + b[i];
    out[i] = (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
  }
}
KERNEL(add_saturating, 2 * n, (randomShortsBelow(&B, 1000), randomShortsBelow(&C, 1000)), (A.s16, B.s16, C.s16, 2 * n))

int sum_to_limit(const uint16_t *x, int n, int limit) {
  int sum = 0;
  for (int i = 0; i < n; ++i) { // judged
    sum += x[i];
    if (sum > limit)
      break;
  }
  return sum;
}
KERNEL(sum_to_limit, n, randomShortsBelow(&A, 1000), (A.u16, n, INT32_MAX / 2))
