// Stencils and filters: each element of the result comes from several neighbours.
#include "../kernels.h"

void three_point(int n, float *restrict out, const float *restrict in) {
  for (int i = 1; i <= n; ++i) // judged
    out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
KERNEL(three_point, n, randomFloats(&B), (n, A.f, B.f))

void five_point(int n, double *restrict out, const double *restrict in) {
  for (int i = 2; i < n + 2; ++i) // judged
    out[i] = (-in[i - 2] + 16 * in[i - 1] - 30 * in[i] + 16 * in[i + 1] - in[i + 2]) * (1. / 12);
}
KERNEL(five_point, n / 2, randomDoubles(&B), (n / 2, A.d, B.d))

void laplace(int rows, int columns, float *restrict out, const float *restrict in) {
  for (int y = 1; y < rows - 1; ++y)
    for (int x = 1; x < columns - 1; ++x) // judged
      out[y * columns + x] = 0.25f * (in[(y - 1) * columns + x] + in[(y + 1) * columns + x] + in[y * columns + x - 1] +
                                      in[y * columns + x + 1]);
}
KERNEL(laplace, 2 * (n / 4 - 2), randomFloats(&B), (4, n / 4, A.f, B.f))

void blur_bytes(uint8_t *restrict out, const uint8_t *restrict in, int n) {
  for (int i = 1; i <= n; ++i) // judged
    out[i] = (uint8_t)((in[i - 1] + 2 * in[i] + in[i + 1] + 2) >> 2);
}
KERNEL(blur_bytes, 4 * n, randomBits(&B), (A.u8, B.u8, 4 * n))

void sobel(int width, int height, int16_t *restrict out, const uint8_t *restrict in) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) { // judged
      const uint8_t *above = in + (y - 1) * width + x, *here = above + width, *below = here + width;
      out[y * width + x] = (int16_t)(above[1] - above[-1] + 2 * (here[1] - here[-1]) + below[1] - below[-1]);
    }
}
KERNEL(sobel, 2 * (n / 2 - 2), randomBits(&B), (n / 2, 4, A.s16, B.u8))

void fir_five_taps(float *restrict out, const float *restrict in, int n, const float taps[5]) {
  for (int i = 0; i < n; ++i) // judged
    out[i] = taps[0] * in[i] + taps[1] * in[i + 1] + taps[2] * in[i + 2] + taps[3] * in[i + 3] + taps[4] * in[i + 4];
}
static const float fiveTaps[] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
KERNEL(fir_five_taps, n, randomFloats(&B), (A.f, B.f, n, fiveTaps))

void moving_sum(int *restrict out, const int *restrict in, int n) {
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += in[i];
  for (int i = 0; i < n; ++i) { // judged
    out[i] = sum;
    sum += in[i + 8] - in[i];
  }
}
KERNEL(moving_sum, n, randomBelow(&B, 1000), (A.s32, B.s32, n))

void relax(double *x, int n) {
  for (int i = 1; i <= n; ++i) // judged
    x[i] = 0.5 * (x[i - 1] + x[i + 1]);
}
KERNEL(relax, n / 2, randomDoubles(&A), (A.d, n / 2))
