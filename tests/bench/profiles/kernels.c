// Six loops. What an iteration reads is in a cache or not, as the footprint of its data decides.
#include "kernels.h"

/// Streaming.
static void KERNEL(stream)(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = y[i] * .5f + x[i];
}

/// A word of each cache line.
static uint32_t KERNEL(strided)(const uint32_t *a, long n) {
  uint32_t sum = 0;
  for (long i = 0; i < n; ++i)
    sum += a[i * 16];
  return sum;
}

/// Each load has the address of the next one.
static uint64_t KERNEL(chase)(const struct Node *node) {
  uint64_t sum = 0;
  for (; node; node = node->next)
    sum += node->value;
  return sum;
}

/// Random addresses, which are known early.
static uint32_t KERNEL(gather)(const uint32_t *a, const uint32_t *index, long n) {
  uint32_t sum = 0;
  for (long i = 0; i < n; ++i)
    sum += a[index[i]];
  return sum;
}

/// A branch that depends on random data.
static long KERNEL(filter)(const struct Record *records, uint32_t *found, long n, uint32_t limit) {
  long count = 0;
  for (long i = 0; i < n; ++i)
    if (records[i].key < limit)
      found[count++ % 256] = records[i].value;
  return count;
}

/// Much arithmetic for each cache line.
static double KERNEL(evaluate)(const struct Polynomial *p, long n, double x) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    double value = 0;
    for (int k = 0; k < 8; ++k)
      value = value * x + p[i].coefficients[k];
    sum += value;
  }
  return sum;
}

const struct Kernels KERNEL(kernels) = {KERNEL(stream), KERNEL(strided), KERNEL(chase),
                                        KERNEL(gather), KERNEL(filter),  KERNEL(evaluate)};
