// Samples: sums that saturate, interleaved channels, a filter that feeds back.
typedef short Sample;

static inline Sample saturate(int value) {
  return (Sample)(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
}

void mix(Sample *restrict to, const Sample *restrict from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = saturate(to[i] + from[i]);
}

void interleave(Sample *restrict to, const Sample *restrict left, const Sample *restrict right, int frames) {
  for (int i = 0; i < frames; ++i) { // hint
    to[2 * i] = left[i];
    to[2 * i + 1] = right[i];
  }
}

void toFloat(float *restrict to, const Sample *restrict from, int count) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = (float)from[i] * (1.0f / 32768.0f);
}

void lowPass(float *samples, int count, float state, float keep) {
  for (int i = 0; i < count; ++i) { // hint
    state = state * keep + samples[i] * (1 - keep);
    samples[i] = state;
  }
}

int peakOf(const Sample *samples, int count) {
  int peak = 0;
  for (const Sample *at = samples; at != samples + count; ++at) { // hint
    const int level = *at < 0 ? -*at : *at;
    if (level > peak)
      peak = level;
  }
  return peak;
}
