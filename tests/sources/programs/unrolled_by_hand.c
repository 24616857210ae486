// What the programmer unrolled is one iteration of his loop; inner loops of a few rounds may vanish in the outer one.
int sumByFours(const int *values, int count) {
  int a = 0, b = 0, c = 0, d = 0, i = 0;
  for (; i + 3 < count; i += 4) { // hint
    a += values[i] * 3;
    b += values[i + 1] * 5;
    c += values[i + 2] * 7;
    d += values[i + 3] * 11;
  }
  for (; i < count; ++i) // hint
    a += values[i];
  return a + b + c + d;
}

void convolve(float *restrict to, const float *restrict from, const float *restrict kernel, int count) {
  for (int i = 0; i < count; ++i) { // hint?
    float sum = 0;
    for (int k = 0; k < 3; ++k) // hint?
      sum += from[i + k] * kernel[k];
    to[i] = sum;
  }
}

unsigned mixBlocks(const unsigned *words, int blocks) {
  unsigned state[4] = {1, 2, 3, 4};
  for (int i = 0; i < blocks; ++i, words += 4) // hint?
    for (int k = 0; k < 4; ++k)                // hint?
      state[k] = (state[k] ^ words[k]) * 0x9e3779b1u;
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}

void duffLike(unsigned char *to, const unsigned char *from, int count) {
  while (count >= 4) { // hint
    to[0] = from[0] ^ 1;
    to[1] = from[1] ^ 2;
    to[2] = from[2] ^ 3;
    to[3] = from[3] ^ 4;
    to += 4;
    from += 4;
    count -= 4;
  }
}
