// Searches: loops that end early, and the place of an extreme value. What is searched for is at the end of the data.
#include "../kernels.h"

int find_byte(const uint8_t *bytes, int n, uint8_t wanted) {
  int i = 0;
  while (i < n && bytes[i] != wanted) // judged
    ++i;
  return i;
}
KERNEL(find_byte, n, (randomBytesBelow(&A, 99), A.u8[n - 1] = 99), (A.u8, n, 99))

int first_above(const float *x, int n, float limit) {
  for (int i = 0; i < n; ++i) // judged
    if (x[i] > limit)
      return i;
  return -1;
}
KERNEL(first_above, n, (randomFloats(&A), A.f[n - 1] = 7), (A.f, n, 2))

int mismatch(const int *a, const int *b, int n) {
  int i;
  for (i = 0; i < n; ++i) // judged
    if (a[i] != b[i])
      break;
  return i;
}
KERNEL(mismatch, n, (randomBits(&A), B = A, B.s32[n - 1] ^= 1), (A.s32, B.s32, n))

const int *find_sentinel(const int *x, int wanted) {
  while (*x != wanted) // judged
    ++x;
  return x;
}
KERNEL(find_sentinel, n - 1, (randomBelow(&A, 1000), A.s32[n - 1] = 1000), (A.s32, 1000))

int last_negative(const int16_t *x, int n) {
  for (int i = n - 1; i >= 0; --i) // judged
    if (x[i] < 0)
      return i;
  return -1;
}
KERNEL(last_negative, n, (randomShortsBelow(&A, 1000), A.s16[0] = -1), (A.s16, n))

int index_of_max(const int *x, int n) {
  int best = 0;
  for (int i = 1; i < n; ++i) // judged
    if (x[i] > x[best])
      best = i;
  return best;
}
KERNEL(index_of_max, n - 1, (randomBelow(&A, 1000), A.s32[0] = 1000), (A.s32, n))

int index_of_min(const float *x, int n) {
  float least = x[0];
  int index = 0;
  for (int i = 1; i < n; ++i) { // judged
    if (x[i] < least) {
      least = x[i];
      index = i;
    }
  }
  return index;
}
KERNEL(index_of_min, n - 1, (randomFloats(&A), A.f[0] = 0.25f), (A.f, n))

int is_sorted(const double *x, int n) {
  for (int i = 1; i < n; ++i) // judged
    if (x[i - 1] > x[i])
      return 0;
  return 1;
}
KERNEL(is_sorted, n / 2 - 1, memset(&A, 0, sizeof A), (A.d, n / 2))
