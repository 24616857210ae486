// A header of the user's own, with a function that is inlined and a loop that is not in the file that includes it.
#pragma once

inline float blend(float a, float b, float share) {
  return a + (b - a) * share;
}

inline void blendAll(float *a, const float *b, float share, int count) {
  for (int i = 0; i < count; ++i)
    a[i] = blend(a[i], b[i], share);
}
