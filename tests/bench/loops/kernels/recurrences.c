// Recurrences: an iteration needs the result of the one before, in a register or through memory.
#include "../kernels.h"

void prefix_sums(int n, int *restrict out, const int *restrict in) {
  int sum = 0;
  for (int i = 0; i < n; ++i) { // judged
    sum += in[i];
    out[i] = sum;
  }
}
KERNEL(prefix_sums, n, randomBelow(&B, 1000), (n, A.s32, B.s32))

void prefix_sums_in_place(int n, float *sums, const float *in) {
  for (int i = 1; i < n; ++i) // judged
    sums[i] = sums[i - 1] + in[i];
}
KERNEL(prefix_sums_in_place, n - 1, (randomFloats(&A), randomFloats(&B)), (n, A.f, B.f))

void add_down_columns(int rows, int columns, float *sums, const float *in) {
  for (int column = 0; column < columns; ++column)
    for (int row = 1; row < rows; ++row) // judged
      sums[row * columns + column] = sums[(row - 1) * columns + column] + in[row * columns + column];
}
KERNEL(add_down_columns, 8 * (n / 8 - 1), (randomFloats(&A), randomFloats(&B)), (n / 8, 8, A.f, B.f))

void sum_through_pointer(float *total, const float *x, int n) {
  *total = 0;
  for (int i = 0; i < n; ++i) // judged
    *total += x[i];
}
KERNEL(sum_through_pointer, n, randomFloats(&B), (A.f, B.f, n))

struct Counters {
  int64_t even, odd;
};

void count_through_pointer(struct Counters *counters, const int64_t *x, int n) {
  for (int i = 0; i < n; ++i) // judged
    counters->even += x[i];
}
KERNEL(count_through_pointer, n / 2, randomBits(&B), ((struct Counters *)A.s64, B.s64, n / 2))

void smooth(float *restrict out, const float *restrict in, int n, float rate) {
  float level = in[0];
  for (int i = 0; i < n; ++i) { // judged
    level += rate * (in[i] - level);
    out[i] = level;
  }
}
KERNEL(smooth, n, randomFloats(&B), (A.f, B.f, n, 0.125f))

void filter_biquad(double *restrict out, const double *restrict in, int n, const double *k) {
  double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  const double b0 = k[0], b1 = k[1], b2 = k[2], a1 = k[3], a2 = k[4];
  for (int i = 0; i < n; ++i) { // judged
    const double x = in[i];
    const double y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1, x1 = x, y2 = y1, y1 = y;
    out[i] = y;
  }
}
static const double lowPass[] = {0.2, 0.4, 0.2, -0.4, 0.2};
KERNEL(filter_biquad, n / 2, randomDoubles(&B), (A.d, B.d, n / 2, lowPass))

void random_numbers(uint32_t *out, int n, uint32_t state) {
  for (int i = 0; i < n; ++i) { // judged
    state = state * 1664525u + 1013904223u;
    out[i] = state >> 8;
  }
}
KERNEL(random_numbers, n, memset(&A, 0, sizeof A), (A.u32, n, 1))

double continued_fraction(const double *terms, int n) {
  double value = 1;
  for (int i = n - 1; i >= 0; --i) // judged
    value = terms[i] + 1 / value;
  return value;
}
KERNEL(continued_fraction, n / 2, randomDoubles(&A), (A.d, n / 2))

double horner(const double *coefficients, int n, double x) {
  double value = 0;
  for (int i = 0; i < n; ++i) // judged
    value = value * x + coefficients[i];
  return value;
}
KERNEL(horner, n / 2, randomDoubles(&A), (A.d, n / 2, 0.5))
