// Loops whose head, whole or count is a macro of a header: they stand where the macro is used.
#include "macro_from_header.h"

int sumOfSamples(const int *samples) {
  int sum = 0;
  FOR_SAMPLES(i) // hint
    sum += samples[i];
  return sum;
}

int negatives(const int *samples) {
  int count = 0;
  COUNT_SAMPLES(count, samples[i] < 0); // hint
  return count;
}

void halve(float *samples) {
  for (int i = 0; i < SAMPLES; ++i) // hint
    samples[i] = HALF(samples[i]);
}
