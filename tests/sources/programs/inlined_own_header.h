// A ring of samples, for inlined_own_header.cpp: a header with loops in it.
#pragma once

struct Ring {
  int *samples;
  unsigned size; // a power of two
  unsigned next;

  void push(int sample) { samples[next++ & (size - 1)] = sample; }

  [[gnu::always_inline]] int sum() const {
    int result = 0;
    for (unsigned i = 0; i < size; ++i)
      result += samples[i];
    return result;
  }

  [[gnu::always_inline]] int peak() const {
    int result = 0;
    for (unsigned i = 0; i < size; ++i)
      result = samples[i] > result ? samples[i] : result;
    return result;
  }
};
