// Instructions by name, for the CPU that is there.
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

void addFloats(float *to, const float *by, int count) {
  int i = 0;
#if defined(__SSE2__)
  for (; i + 4 <= count; i += 4) // hint?
    _mm_storeu_ps(to + i, _mm_add_ps(_mm_loadu_ps(to + i), _mm_loadu_ps(by + i)));
#elif defined(__ARM_NEON)
  for (; i + 4 <= count; i += 4) // hint?
    vst1q_f32(to + i, vaddq_f32(vld1q_f32(to + i), vld1q_f32(by + i)));
#endif
  for (; i < count; ++i) // hint?
    to[i] += by[i];
}

int maskOf(const signed char *bytes, int blocks) {
  int negative = 0;
#if defined(__SSE2__)
  for (int i = 0; i < blocks; ++i) // hint?
    negative += __builtin_popcount((unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)bytes + i)));
#else
  for (int i = 0; i < 16 * blocks; ++i) // hint?
    negative += bytes[i] < 0;
#endif
  return negative;
}
