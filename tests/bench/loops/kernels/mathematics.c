// Arithmetic on each element: polynomials, divisions, roots, fixed point.
#include "../kernels.h"

#include <math.h>

void polynomial(float *restrict out, const float *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    const float x = in[i];
    out[i] = ((((0.1f * x + 0.2f) * x + 0.3f) * x + 0.4f) * x + 0.5f) * x + 0.6f;
  }
}
KERNEL(polynomial, n, randomFloats(&B), (A.f, B.f, n))

void square_roots(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = sqrt(in[i]);
}
KERNEL(square_roots, n / 2, randomDoubles(&B), (A.d, B.d, n / 2))

void divide_floats(float *restrict out, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = a[i] / b[i];
}
KERNEL(divide_floats, n, (randomFloats(&B), randomFloats(&C)), (A.f, B.f, C.f, n))

void divide_ints(uint32_t *restrict out, const uint32_t *restrict in, int n, uint32_t divisor) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[i] / divisor;
}
KERNEL(divide_ints, n, randomBits(&B), (A.u32, B.u32, n, 1000))

void last_digits(uint32_t *restrict out, const uint32_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = in[i] % 1000;
}
KERNEL(last_digits, n, randomBits(&B), (A.u32, B.u32, n))

void multiply_fixed_point(int32_t *restrict out, const int32_t *restrict a, const int32_t *restrict b, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (int32_t)((int64_t)a[i] * b[i] >> 16);
}
KERNEL(multiply_fixed_point, n, (randomBits(&B), randomBits(&C)), (A.s32, B.s32, C.s32, n))

void inverse_roots(float *restrict out, const float *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    uint32_t bits;
    float guess;
    memcpy(&bits, &in[i], sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&guess, &bits, sizeof guess);
    out[i] = guess * (1.5f - 0.5f * in[i] * guess * guess);
  }
}
KERNEL(inverse_roots, n, randomFloats(&B), (A.f, B.f, n))
