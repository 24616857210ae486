// Conversions from one type to another, and of the order of bytes.
#include "../kernels.h"

void ints_to_floats(float *restrict out, const int *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (float)in[i];
}
KERNEL(ints_to_floats, n, randomBits(&B), (A.f, B.s32, n))

void floats_to_ints(int *restrict out, const float *restrict in, int n, float scale) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (int)(in[i] * scale);
}
KERNEL(floats_to_ints, n, randomFloats(&B), (A.s32, B.f, n, 1000))

void bytes_to_floats(float *restrict out, const uint8_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (float)in[i] * (1 / 255.0f);
}
KERNEL(bytes_to_floats, n, randomBits(&B), (A.f, B.u8, n))

void doubles_to_floats(float *restrict out, const double *restrict in, size_t n) {
  for (size_t i = 0; i < n; ++i) // judged
    out[i] = (float)in[i];
}
KERNEL(doubles_to_floats, n / 2, randomDoubles(&B), (A.f, B.d, (size_t)n / 2))

void longs_to_doubles(double *restrict out, const int64_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = (double)in[i];
}
KERNEL(longs_to_doubles, n / 2, randomBits(&B), (A.d, B.s64, n / 2))

void shorts_to_bytes(uint8_t *restrict out, const int16_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    int value = in[i];
    if (value < 0)
      value = 0;
    if (value > 255)
      value = 255;
    out[i] = (uint8_t)value;
  }
}
KERNEL(shorts_to_bytes, 2 * n, randomShortsBelow(&B, 255), (A.u8, B.s16, 2 * n))

void swap_byte_order(uint32_t *words, int n) {
  for (int i = 0; i < n; ++i) // judged
    words[i] = words[i] >> 24 | (words[i] >> 8 & 0xff00) | (words[i] << 8 & 0xff0000) | words[i] << 24;
}
KERNEL(swap_byte_order, n, randomBits(&A), (A.u32, n))

void expand_565(uint32_t *restrict out, const uint16_t *restrict in, int n) {
  for (int i = 0; i < n; ++i) { // judged
    const uint32_t red = in[i] >> 11, green = in[i] >> 5 & 63, blue = in[i] & 31;
    out[i] = red << 19 | green << 10 | blue << 3;
  }
}
KERNEL(expand_565, n, randomBits(&B), (A.u32, B.u16, n))
