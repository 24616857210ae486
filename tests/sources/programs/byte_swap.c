// Bytes of a word in the other order: a pattern that compilers know, and the builtin.
typedef unsigned int Word;

void swapByShifts(Word *words, unsigned count) {
  for (unsigned i = 0; i < count; ++i) { // hint
    const Word w = words[i];
    words[i] = w >> 24 | (w >> 8 & 0xff00u) | (w << 8 & 0xff0000u) | w << 24;
  }
}

void swapByBuiltin(unsigned long long *words, unsigned count) {
  for (unsigned i = 0; i < count; ++i) // hint
    words[i] = __builtin_bswap64(words[i]);
}
