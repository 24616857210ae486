// Functions for one extension of the CPU, chosen by an attribute rather than by a flag of the file.
#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,fma"))) float dotProduct(const float *a, const float *b, int count) {
  __m256 sum = _mm256_setzero_ps();
  for (int i = 0; i + 8 <= count; i += 8) // hint?
    sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
  float parts[8];
  _mm256_storeu_ps(parts, sum);
  float total = 0;
  for (int i = 0; i < 8; ++i) // hint?
    total += parts[i];
  return total;
}
#endif

float dotProductAnywhere(const float *a, const float *b, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) // hint
    sum += a[i] * b[i];
  return sum;
}
