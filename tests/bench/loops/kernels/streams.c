// Streams: each element of the result comes from the elements at the same place.
#include "../kernels.h"

void scale_floats(int n, float *restrict out, const float *restrict in, float factor) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = factor * in[i];
}
KERNEL(scale_floats, n, randomFloats(&B), (n, A.f, B.f, 1.25f))

void add_doubles(size_t n, double *restrict sum, const double *restrict a, const double *restrict b) {
  for (size_t i = 0; i < n; ++i) // judged
    sum[i] = a[i] + b[i];
}
KERNEL(add_doubles, n / 2, (randomDoubles(&B), randomDoubles(&C)), ((size_t)n / 2, A.d, B.d, C.d))

void triad_floats(int n, float *restrict out, const float *restrict a, const float *restrict b, float factor) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = a[i] + factor * b[i];
}
KERNEL(triad_floats, n, (randomFloats(&B), randomFloats(&C)), (n, A.f, B.f, C.f, 0.75f))

void axpy_doubles(int n, double a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) // judged
    y[i] += a * x[i];
}
KERNEL(axpy_doubles, n / 2, (randomDoubles(&A), randomDoubles(&B)), (n / 2, 1e-9, B.d, A.d))

void add_unrelated_floats(int n, float *out, const float *a, const float *b) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = a[i] + b[i];
}
KERNEL(add_unrelated_floats, n, (randomFloats(&B), randomFloats(&C)), (n, A.f, B.f, C.f))

void add_bytes(int n, uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (uint8_t)(a[i] + b[i]);
}
KERNEL(add_bytes, 4 * n, (randomBits(&B), randomBits(&C)), (4 * n, A.u8, B.u8, C.u8))

void apply_gain(int16_t *restrict out, const int16_t *restrict in, size_t samples, int gain) {
  for (size_t i = 0; i < samples; ++i) // judged
    out[i] = (int16_t)((in[i] * gain) >> 15);
}
KERNEL(apply_gain, 2 * n, randomBits(&B), (A.s16, B.s16, (size_t)n * 2, 20000))

void blend_bytes(uint8_t *restrict out, const uint8_t *restrict a, const uint8_t *restrict b, int n, unsigned weight) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (uint8_t)((a[i] * weight + b[i] * (256 - weight) + 128) >> 8);
}
KERNEL(blend_bytes, 4 * n, (randomBits(&B), randomBits(&C)), (A.u8, B.u8, C.u8, 4 * n, 77))
