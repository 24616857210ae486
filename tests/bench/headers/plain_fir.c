#include <math.h>
#include <stddef.h>
void fir(float *restrict out, const float *restrict in, const float *restrict taps, int n, int m) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < m; ++j)
      sum += in[i + j] * taps[j];
    out[i] = sqrtf(sum);
  }
}
